"""The computer's players: perfect ones do not err, graded ones slip as often as they say."""

from random import Random
from typing import Any

import pytest

import perfectplay as pp
from perfectplay.players.base import KnownPlayer
from perfectplay.players.level import GIVEN_AWAY, LOST_AT_ONCE, SLOWER, WEIGHTS, LevelPlayer, kind_of_slip
from perfectplay.players.registry import load_player, player_names
from perfectplay.solver.graph import explore
from tests.conftest import ROOT, Run

SPECS = [
    "bit-flip",
    "dual-direction",
    "inversion-race",
    "inversion-race:passing=leapfrog",
    "race-to-the-center",
    "race-to-the-center:arrival=full-turn",
    "mirror-match:digits=3",
    str(ROOT / "examples" / "tic_tac_toe.py"),
]


def open_positions(spec: str) -> list[Any]:
    """Every position that is not over; of Mirror Match those of up to four numbers."""
    game = pp.load(spec)
    if game.name != "mirror-match":
        return [state for state in explore(game).states if game.outcome(state) is None]
    states, layer = [game.initial()], [game.initial()]
    for _ in range(4):
        layer = [game.apply(s, a) for s in layer for a in game.legal_actions(s)]
        states += layer
    return [state for state in dict.fromkeys(states) if game.outcome(state) is None]


@pytest.mark.parametrize("spec", SPECS)
def test_perfect_never_leaves_the_best_moves_and_tempts_the_most(spec: str) -> None:
    game = pp.load(spec)
    oracle = pp.solve(game)
    player = load_player("perfect")
    assert isinstance(player, KnownPlayer)
    for state in open_positions(spec):
        chances = player.chances(game, state)
        best = oracle.best(state)
        assert set(chances) <= set(best)
        assert sum(chances.values()) == pytest.approx(1)

        def wrong(action: int, state: Any = state) -> int:
            after = game.apply(state, action)
            ranks = [move.value.rank for move in oracle.moves(after)]
            return sum(rank != max(ranks) for rank in ranks) if ranks else 0

        ways = {action: wrong(action) for action in best}
        assert set(chances) == {action for action in best if ways[action] == max(ways.values())}


def test_perfect_plays_a_row_of_hundreds_of_bits_to_a_win() -> None:
    match = pp.Match(pp.load("bit-flip:bits=300"), seed=1)
    players = [load_player("perfect"), load_player("random")]
    while match.result is None:
        player = players[match.side]
        assert isinstance(player, KnownPlayer)
        match.play(player.choose(match.game, match.state, match.generator()))
    assert match.result.winner == 0


@pytest.mark.parametrize("spec", SPECS)
def test_levels_slip_as_often_as_they_say_and_as_people_do(spec: str) -> None:
    game = pp.load(spec)
    oracle = pp.solve(game)
    for state in open_positions(spec):
        moves = oracle.moves(state)
        best = max((move.value for move in moves), key=lambda value: value.rank)
        slips = {
            move.action: kind_of_slip(best, move.value) for move in moves if move.value.rank != best.rank
        }
        for n in (1, 4, 10):
            chances = LevelPlayer(strength=n).chances(game, state)
            assert sum(chances.values()) == pytest.approx(1)
            slipped = sum(chance for action, chance in chances.items() if action in slips)
            assert slipped == pytest.approx(6 * (10 - n) / 100 if slips else 0)
            kinds = sorted(set(slips.values()))
            shares = [sum(chances.get(a, 0) for a, kind in slips.items() if kind == each) for each in kinds]
            total = sum(WEIGHTS[kind] for kind in kinds)
            if n < 10:
                assert shares == pytest.approx([slipped * WEIGHTS[kind] / total for kind in kinds])


def test_slips_are_graded() -> None:
    assert kind_of_slip(pp.Value("win", 1), pp.Value("win", 3)) == SLOWER
    assert kind_of_slip(pp.Value("win", 1), pp.Value("endless")) == GIVEN_AWAY
    assert kind_of_slip(pp.Value("win", 1), pp.Value("loss", 4)) == GIVEN_AWAY
    assert kind_of_slip(pp.Value("win", 1), pp.Value("loss", 2)) == LOST_AT_ONCE
    assert kind_of_slip(pp.Value("loss", 6), pp.Value("loss", 4)) == SLOWER
    assert kind_of_slip(pp.Value("loss", 6), pp.Value("loss", 2)) == LOST_AT_ONCE
    assert WEIGHTS[SLOWER] > WEIGHTS[GIVEN_AWAY] > WEIGHTS[LOST_AT_ONCE]


def test_choices_follow_the_chances() -> None:
    game = pp.load("bit-flip")
    player = LevelPlayer(strength=5)
    chances = player.chances(game, game.initial())
    rng = Random(1)
    chosen = [player.choose(game, game.initial(), rng) for _ in range(4000)]
    for action, chance in chances.items():
        assert chosen.count(action) / 4000 == pytest.approx(chance, abs=0.03)


def test_specs_of_players_round_trip() -> None:
    assert set(player_names()) >= {"human", "random", "perfect", "level"}
    for spec in ("level:3", "perfect", "random", "human"):
        assert load_player(spec).spec == spec
    assert load_player("level:strength=3").spec == "level:3"
    assert load_player("level").spec == "level:5"


@pytest.mark.parametrize("spec", ["level:0", "level:11", "level:x", "level:", "perfect:1"])
def test_a_bad_player_gets_one_line(spec: str, run: Run) -> None:
    done = run("play", "bit-flip", "--p2", spec)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def test_opponents_are_played_in_the_terminal(run: Run) -> None:
    done = run("play", "race-to-the-center", "--p2", "perfect", typed="2\n2\n1\n")
    assert "Player 2 has reached the center and wins the game!" in done.stdout
    assert run("play", "bit-flip", "--p1", "level:3", "--p2", "level:9", "--seed", "4").returncode == 0
