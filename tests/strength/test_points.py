"""The exact figures that everything is compared with."""

import pytest

import perfectplay as pp
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.outcome import Side
from perfectplay.evals.arena import Arena
from perfectplay.evals.positions import find_decisions, find_positions
from perfectplay.evals.setup import Setup
from perfectplay.players.base import KnownPlayer
from perfectplay.players.registry import load_player
from perfectplay.strength.best_response import best_response
from perfectplay.strength.points import (
    PLIES,
    expected_decisions,
    expected_points,
    graph_of,
    points_everywhere,
)
from perfectplay.strength.statistics import ratio
from tests.audit.tiny_games import tiny
from tests.evals.agents import AGENTS, played

LEAPFROG = "inversion-race:passing=leapfrog"


def known(spec: str) -> KnownPlayer:
    player = load_player(spec)
    assert isinstance(player, KnownPlayer)
    return player


@pytest.mark.parametrize(
    ("spec", "opponent", "seat", "points"),
    [
        ("bit-flip", "level:3", 0, (0.358, 0.526, 0.644, 0.776, 1, 1)),
        ("bit-flip", "level:3", 1, (0.260, 0.474, 0.531, 0.586, 0.664, 0.664)),
        ("bit-flip", "perfect", 0, (0.151, 0.336, 0.490, 0.672, 1, 1)),
        ("bit-flip", "perfect", 1, (0, 0, 0, 0, 0, 0)),
        ("dual-direction", "level:3", 0, (0.342, 0.600, 0.600, 0.600, 0.800, 1)),
        ("dual-direction", "perfect", 0, (0, 0.300, 0.300, 0.300, 0.500, 0.500)),
        ("inversion-race", "perfect", 0, (0.969, 0.984, 0.996, 0.999, 1, 1)),
        ("inversion-race", "level:3", 0, (0.969, 0.984, 0.996, 0.999, 1, 1)),
        (LEAPFROG, "level:6", 1, (0.116, 0.197, 0.329, 0.447, 0.594, 0.854)),
        ("race-to-the-center", "perfect", 0, (0, 0, 0, 0, 0, 0)),
        ("race-to-the-center", "perfect", 1, (0.250, 0.336, 0.490, 0.672, 1, 1)),
    ],
)
def test_exact_points_by_seat(spec: str, opponent: str, seat: Side, points: tuple[float, ...]) -> None:
    game = pp.load(spec)
    agents = [known(each) for each in ("random", "level:3", "level:5", "level:7", "perfect")]
    found = [expected_points(game, agent, known(opponent), seat) for agent in agents]
    assert [each.value for each in found] == pytest.approx(points[:-1], abs=6e-4)
    assert all(each.interval is None for each in found)
    assert best_response(game, known(opponent), seat) == pytest.approx(points[-1], abs=6e-4)


def test_level_1_is_below_random_in_places() -> None:
    game = pp.load(LEAPFROG)
    found = [expected_points(game, known(each), known("random"), 0).value for each in ("random", "level:1")]
    assert found == pytest.approx([0.506, 0.408], abs=6e-4)


@pytest.mark.parametrize(
    ("spec", "number", "classes"),
    [
        ("bit-flip", 40, 21),
        ("dual-direction", 3, 3),
        ("inversion-race", 1, 1),
        (LEAPFROG, 37, 37),
        ("race-to-the-center", 7, 7),
        ("mirror-match", 48, 48),
        ("bit-flip:bits=16", 982, 494),
        ("race-to-the-center:positions=25,steps=1-3", 40, 40),
    ],
)
def test_how_many_positions_are_decisions(spec: str, number: int, classes: int) -> None:
    found = find_decisions(pp.load(spec))
    assert (sum(map(len, found.values())), len(found)) == (number, classes)


def test_kept_decisions_corrected_for_guessing_hardly_depend_on_the_seat() -> None:
    game = pp.load(LEAPFROG)
    points = [expected_points(game, known("level:7"), known("level:6"), seat).value for seat in (0, 1)]
    assert points == pytest.approx([0.7159, 0.4474], abs=1e-4)  # .7160 and .4495 in 30,000 games a seat
    for seat in (0, 1):
        kept = expected_decisions(game, known("level:7"), known("level:6"), seat)
        assert kept is not None
        assert kept.corrected == pytest.approx(0.64, abs=1e-9)


def test_the_corrected_score_of_known_players() -> None:
    game = pp.load("bit-flip")
    five = expected_decisions(game, known("level:5"), known("level:3"), 0)
    guess = expected_decisions(game, known("random"), known("level:3"), 0)
    perfect = expected_decisions(game, known("perfect"), known("level:3"), 0)
    assert five is not None
    assert guess is not None
    assert perfect is not None
    assert five.kept / five.decisions == pytest.approx(0.7)
    assert five.corrected == pytest.approx(0.509, abs=5e-4)
    assert guess.corrected == pytest.approx(0)
    other = expected_decisions(game, known("random"), known("level:3"), 1)
    assert other is not None
    both = (guess.kept + other.kept) / (guess.decisions + other.decisions)
    assert (guess.kept / guess.decisions, both) == pytest.approx((0.3894, 0.3654), abs=1e-4)
    assert perfect.corrected == pytest.approx(1)


def test_points_from_every_position_agree_with_those_from_the_start() -> None:
    for spec in ("bit-flip:bits=7", "dual-direction", LEAPFROG):
        game = pp.load(spec)
        for seat in (0, 1):
            found = points_everywhere(game, known("level:3"), seat)
            assert found is not None
            start = expected_points(game, known("level:5"), known("level:3"), seat).value
            assert found[game.initial()] == pytest.approx(start)
            for state, value in found.items():
                outcome = game.outcome(state)
                if outcome is not None:
                    assert value == (outcome.winner == seat)


def test_what_cannot_be_computed_or_sampled_in_seconds_is_refused_at_once() -> None:
    for spec, says in (
        ("bits=999", "bits=999 is too large to .* here: the limit is 100"),
        ("bits=40", "bit-flip:bits=40 is too large"),
    ):
        for players in (("random", "level:3"), ("random", "mcts")):
            with pytest.raises(PerfectplayError, match=says):
                Arena(f"bit-flip:{spec}", players)
    # Few enough positions for a chain, but too many moves.
    assert graph_of(pp.load("race-to-the-center:positions=99,steps=1-9")) is None


def test_positions_of_a_large_game_are_whole_plies_and_not_too_many() -> None:
    found = find_positions(pp.load("bit-flip:bits=100"))
    assert {state.flipped.bit_count() for state in found} == {0, 1, 2}
    assert len(found) == 2501  # up to symmetry: 1, 50 and 2,450; a third ply would be too many


def test_a_game_without_a_whole_graph_is_sampled_and_says_so() -> None:
    game = pp.load("mirror-match")
    found = expected_points(game, known("level:3"), known("level:3"), 0)
    assert found.interval is not None
    assert found.interval[0] < found.value < found.interval[1]
    assert expected_decisions(game, known("level:3"), known("level:3"), 0) is None
    assert points_everywhere(game, known("level:3"), 0) is None
    assert best_response(game, known("level:3"), 0) == 1  # the starter wins by force
    assert best_response(game, known("level:3"), 1) is None
    assert len(find_positions(game)) == 162


def test_nobody_gains_by_a_gamble_on_the_last_plies_of_a_game_that_has_none() -> None:
    # The first side may wait forever, or gamble: one of three moves wins at once, the others lose later.
    game = tiny(
        {
            "0": {"wait": "0", "gamble": "1g"},
            "1g": {"good": "00", "bad": "0b", "worse": "0c"},
            "0b": {"on": "0d"},
            "0c": {"on": "0d"},
            "0d": {"on": "01"},
        }
    )
    assert best_response(game, known("random"), 0) == pytest.approx(1 / 2)
    # Where games are left after some plies, the losses can be put off until then.
    assert best_response(game, known("random"), 0, 2) == pytest.approx(2 / 3)
    assert best_response(game, known("random"), 0, 100) == pytest.approx(2 / 3)
    better = tiny({"0": {"wait": "1w", "gamble": "1g"}, "1w": {"back": "0"}, "1g": {"a": "00", "b": "0="}})
    assert best_response(better, known("random"), 0) == pytest.approx(3 / 4)


@pytest.mark.parametrize(
    ("spec", "seat", "whole", "cut"),
    [("inversion-race", 0, 0.969, 0.797), (f"{LEAPFROG},cells=13", 0, 0.313, 0.358)],
)
def test_points_are_those_of_games_with_the_same_limit(
    spec: str, seat: Side, whole: float, cut: float
) -> None:
    game, random = pp.load(spec), known("random")
    assert expected_points(game, random, known("level:3"), seat).value == pytest.approx(whole, abs=6e-4)
    exact = expected_points(game, random, known("level:3"), seat, PLIES).value
    assert exact == pytest.approx(cut, abs=6e-4)
    games = [played(AGENTS["random"], Setup(spec, "level:3"), seat, number).counts for number in range(150)]
    found = ratio((number, each.points or 0, 1) for number, each in enumerate(games))
    assert found is not None
    assert any(each.result == "unfinished" for each in games)
    assert abs(found.value - exact) <= 3 * (found.error or 0)


def test_a_limit_that_no_game_reaches_changes_nothing() -> None:
    for spec in ("bit-flip", "dual-direction", LEAPFROG):
        game = pp.load(spec)
        for seat in (0, 1):
            points = [
                expected_points(game, known("level:3"), known("random"), seat, plies).value
                for plies in (None, 20_000)
            ]
            best = [best_response(game, known("level:3"), seat, plies) for plies in (None, 20_000)]
            assert points[1] == pytest.approx(points[0], abs=1e-9)
            assert best[1] == pytest.approx(best[0], abs=1e-9)
    assert best_response(pp.load("bit-flip"), known("level:3"), 0, 4) == 0.5  # a win takes five plies
    assert best_response(pp.load("mirror-match"), known("level:3"), 0, 2) is None  # it takes three
