"""The values that perfect play gives for every reading, as the rulings table them."""

from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import perfectplay as pp
from tests.games.retrograde import Solved, reachable, solve
from tests.games.rulings import FINITE, RULINGS

COUNTS = Path(__file__).parent / "counts"

ENDLESS = Solved(None, None)


@pytest.mark.parametrize("spec", FINITE)
def test_states_and_value_of_every_reading(spec: str) -> None:
    game = pp.load(spec)
    solved = solve(game)
    assert (len(solved), *solved[game.initial()]) == RULINGS[spec]


def test_reachable_positions_by_depth_are_those_in_the_data_files() -> None:
    files = sorted(COUNTS.glob("*.txt"))
    assert {file.stem for file in files} == set(pp.names())
    for line in (line for file in files for line in file.read_text().splitlines()):
        if line and not line.startswith("#"):
            spec, _, numbers = line.partition(" ")
            counts = [int(number) for number in numbers.split()]
            assert _new_positions_by_depth(pp.load(spec), len(counts)) == counts, spec


def _new_positions_by_depth(game: pp.Game[Any], depth: int) -> list[int]:
    """How many positions are reached first after 0, 1, 2, ... plies."""
    seen = layer = {game.initial()}
    counts = []
    for _ in range(depth):
        counts.append(len(layer))
        layer = {game.apply(s, a) for s in layer for a in game.legal_actions(s)} - seen
        seen = seen | layer
    return counts


@pytest.mark.parametrize("first", ["A", "B"])
def test_inversion_is_unreachable_by_the_letter(first: str) -> None:
    game = pp.load(f"inversion-race:passing=letter,first={first}")
    assert not any(state.inverted for state in reachable(game))


@pytest.mark.parametrize("spec", ["race-to-the-center", "race-to-the-center:steps=1-3,arrival=full-turn"])
def test_the_markers_of_the_race_never_meet_before_the_center(spec: str) -> None:
    game = pp.load(spec)
    refusals = {
        refusal.rule
        for state in reachable(game)
        for action in range(game.num_actions)
        if (refusal := game.refusal(state, action))
    }
    assert refusals == {"past-center", "game-over"}


def test_bit_flip_opening_moves_that_win() -> None:
    game = pp.load("bit-flip")
    solved = solve(game)
    start = game.initial()
    winning = [a for a in game.legal_actions(start) if solved[game.apply(start, a)].winner == 0]
    assert winning == [0, 2, 7, 9]


def _grundy_values(most: int) -> list[int]:
    """Grundy values of rows of free bits: a flip leaves two shorter rows."""
    values: list[int] = []
    for n in range(most + 1):
        options = {values[max(i - 1, 0)] ^ values[max(n - i - 2, 0)] for i in range(n)}
        values.append(next(value for value in range(n + 1) if value not in options))
    return values


def test_bit_flip_lengths_that_the_second_player_wins() -> None:
    values = _grundy_values(200)
    assert [n for n in range(1, 66) if values[n] == 0] == [4, 8, 14, 20, 24, 28, 34, 38, 42, 54, 58, 62]
    assert all(values[n + 34] == values[n] for n in range(52, 166))
    for bits in range(1, 15):
        game = pp.load(f"bit-flip:bits={bits}")
        assert solve(game)[game.initial()].winner == (0 if values[bits] else 1)


@pytest.mark.parametrize(("first", "mover"), [("1", 0), ("2", 1)])
def test_dual_direction_has_one_won_position_and_eight_endless_ones(first: str, mover: pp.Side) -> None:
    game = pp.load(f"dual-direction:first={first}")
    solved = solve(game)
    endless = [state for state, value in solved.items() if value == ENDLESS]
    won = {state: value for state, value in solved.items() if value.plies}
    finished = [state for state, value in solved.items() if value.plies == 0]
    assert (len(endless), len(won), len(finished)) == (8, 1, 2)
    [(state, value)] = won.items()
    assert state == ((2, 0) if mover == 0 else (10, 1))
    assert value == Solved(mover, 1)


def test_in_dual_direction_only_the_starter_ever_reaches_a_goal() -> None:
    for first, mover in (("1", 0), ("2", 1)):
        game = pp.load(f"dual-direction:first={first}")
        finished = {(game.side_to_move(s), game.outcome(s)) for s in reachable(game) if game.outcome(s)}
        # The side to move next is always the side that did not start.
        assert {side for side, _ in finished} == {1 - mover}
        assert {outcome.reason for _, outcome in finished if outcome} == {"goal", "opponent's goal"}


def _forced(game: pp.Game[Any], side: pp.Side, plies: int) -> bool:
    """Whether `side` can force a win from the start within a number of plies."""

    @cache
    def wins(state: Any, left: int) -> bool:
        outcome = game.outcome(state)
        if outcome is not None:
            return outcome.winner == side
        if left == 0:
            return False
        after = (wins(game.canonical(game.apply(state, a)), left - 1) for a in game.legal_actions(state))
        return any(after) if game.side_to_move(state) == side else all(after)

    return wins(game.initial(), plies)


@pytest.mark.parametrize(("digits", "shortest"), [*product((1, 2, 3), range(1, 7)), (9, 3), (9, 4)])
def test_mirror_match_is_won_in_as_many_plies_as_the_shortest_palindrome(digits: int, shortest: int) -> None:
    game = pp.load(f"mirror-match:digits={digits},shortest={shortest}")
    winner: pp.Side = 0 if shortest % 2 else 1
    assert _forced(game, winner, shortest)
    assert not _forced(game, winner, shortest - 1)


@pytest.mark.parametrize(("digits", "shortest"), [(2, 2), (2, 3), (3, 3), (2, 4)])
def test_mirror_match_is_endless_when_passing_is_a_move(digits: int, shortest: int) -> None:
    game = pp.load(f"mirror-match:digits={digits},shortest={shortest},forfeit=move")
    assert not _forced(game, 0, shortest + 4)
    assert not _forced(game, 1, shortest + 4)


def test_a_long_mirror_match_is_won_at_once_or_endless() -> None:
    game = pp.load("mirror-match:digits=2,shortest=3")
    for length in (3, 4, 5):
        for sequence in product((1, 2), repeat=length):
            state = game.parse_state(f"{'-'.join(map(str, sequence))} 1")
            if game.outcome(state) is not None:
                continue
            wins = any(game.outcome(game.apply(state, a)) for a in game.legal_actions(state))
            shorter = (sequence[1:], sequence[:-1])
            assert wins == any(each == each[::-1] for each in shorter)
            # A safe move is one after which the opponent cannot win at once; there always is one.
            safe = [
                after
                for action in game.legal_actions(state)
                if game.outcome(after := game.apply(state, action)) is None
                and not any(game.outcome(game.apply(after, a)) for a in game.legal_actions(after))
            ]
            assert wins or safe
