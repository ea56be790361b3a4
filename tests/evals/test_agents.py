"""Scripted agents of known strength come out as exact calculation says, in plain Python."""

from math import sqrt

import pytest

import perfectplay as pp
from perfectplay.core.outcome import Side
from perfectplay.evals.setup import Setup
from perfectplay.players.base import KnownPlayer
from perfectplay.players.registry import load_computer
from perfectplay.solver.graph import explore
from perfectplay.strength.chain import endings
from perfectplay.strength.head_to_head import HeadToHead
from perfectplay.strength.points import expected_decisions, expected_points
from perfectplay.strength.statistics import ratio
from tests.evals.agents import AGENTS, played

GAMES = 150


def silent_points(seat: Side, attempts: int) -> float:
    """The exact points of an agent that is silent half the time and else random, against level:3."""
    game = pp.load("bit-flip")
    graph = explore(game)
    opponent = load_computer("level:3")
    assert isinstance(opponent, KnownPlayer)
    lost = len(graph.states)
    steps: list[dict[int, float]] = []
    for number, state in enumerate(graph.states):
        moves = dict(graph.moves(number))
        if game.side_to_move(state) == seat and moves:
            fails = 0.5**attempts
            steps.append({lost: fails, **dict.fromkeys(moves.values(), (1 - fails) / len(moves))})
        else:
            chances = opponent.chances(game, state) if moves else {}
            steps.append({moves[action]: chance for action, chance in chances.items()})
    ends = [*HeadToHead(game, graph).ends, 1 - seat]
    return float(endings([*steps, {}], ends, 3)[seat])


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("spec", "name"),
    [
        *(("bit-flip", name) for name in ("random", "level:3", "level:7", "perfect")),
        *(("dual-direction", name) for name in ("random", "level:7")),
    ],
)
def test_known_players_score_what_is_exact(spec: str, name: str, seat: Side) -> None:
    opponent = "level:3"
    samples = [played(AGENTS[name], Setup(spec, opponent), seat, number).counts for number in range(GAMES)]
    game, agent, other = pp.load(spec), load_computer(name), load_computer(opponent)
    assert isinstance(agent, KnownPlayer)
    assert isinstance(other, KnownPlayer)
    exact = expected_points(game, agent, other, seat).value
    points = ratio((number, each.points or 0, 1) for number, each in enumerate(samples))
    free = ratio((number, (each.points or 0) - (each.luck or 0), 1) for number, each in enumerate(samples))
    assert points is not None
    assert free is not None
    assert abs(points.value - exact) <= 4 * sqrt(max(exact * (1 - exact), 1e-9) / GAMES)
    assert free.error is not None
    assert abs(free.value - exact) <= 4 * free.error + 1e-9
    kept = expected_decisions(game, agent, other, seat)
    found = ratio((n, each.kept - each.guess, each.decisions - each.guess) for n, each in enumerate(samples))
    assert kept is not None
    assert found is not None
    assert kept.corrected == pytest.approx(found.value, abs=4 * (found.error or 0) + 1e-9)


def test_luck_can_be_subtracted_for_a_smaller_error() -> None:
    samples = [played(AGENTS["level:7"], Setup("bit-flip", "level:3"), 1, n).counts for n in range(GAMES)]
    points = ratio((number, each.points or 0, 1) for number, each in enumerate(samples))
    free = ratio((number, (each.points or 0) - (each.luck or 0), 1) for number, each in enumerate(samples))
    assert points is not None
    assert free is not None
    assert points.error is not None
    assert free.error is not None
    assert 1.5 < points.error / free.error < 3  # .013 against .006 in a longer run


@pytest.mark.parametrize("attempts", [1, 3])
@pytest.mark.parametrize("seat", [0, 1])
def test_silence_half_the_time_costs_what_is_exact(seat: Side, attempts: int) -> None:
    setup = Setup("bit-flip", "level:3", attempts=attempts)
    samples = [played(AGENTS["silent half the time"], setup, seat, n).counts for n in range(2 * GAMES)]
    exact = silent_points(seat, attempts)
    mean = sum(each.points or 0 for each in samples) / len(samples)
    assert abs(mean - exact) <= 4 * sqrt(exact * (1 - exact) / len(samples))
    silent, legal = (sum(each.answers[name] for each in samples) for name in ("silent", "legal"))
    assert abs(silent - legal) <= 4 * sqrt((silent + legal) / 4)
    assert {each.result for each in samples} == {"win", "loss", "forfeit"}


def test_agents_that_never_move_get_nothing_and_are_told_apart() -> None:
    for name, outcome in (("always illegal", "illegal"), ("cheater", "silent")):
        for number in range(5):
            counts = played(AGENTS[name], Setup("bit-flip", "level:3"), 1, number).counts
            assert (counts.result, counts.points, counts.answers["legal"]) == ("forfeit", 0, 0)
            assert counts.answers[outcome] == 1
            assert sum(counts.illegal.values()) == (outcome == "illegal")
