"""Two games: the same, whatever their moves are called, or the shortest difference."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import perfectplay as pp
from perfectplay.solver.compare import compare
from perfectplay.solver.graph import Graph, explore
from perfectplay.terminal.commands.compare import show_comparison
from perfectplay.terminal.console import Console
from tests.conftest import Run

ENVS = Path(__file__).parents[1] / "foreign" / "envs"


def env(name: str) -> str:
    return f"env:{ENVS / name}.py"


@pytest.mark.parametrize("spec", ["bit-flip", "dual-direction", "inversion-race", "race-to-the-center"])
def test_a_game_is_the_same_as_itself(spec: str) -> None:
    graph = explore(pp.load(spec))
    assert compare(graph, explore(pp.load(spec))).same is True


def test_the_first_difference_is_the_shortest() -> None:
    games = [pp.load(f"inversion-race:passing={passing}") for passing in ("crossing", "leapfrog")]
    found = compare(*map(explore, games))
    assert found.same is False
    for game, line in zip(games, found.lines, strict=True):
        match = pp.Match(game)
        for move in line:
            match.play(move)
    assert found.plies == len(found.lines[0]) == len(found.lines[1])
    # Nothing that can be seen after fewer moves tells them apart.
    looks = []
    for game in games:
        states, seen = [game.initial()], []
        for _ in range(found.plies):
            seen.append(sorted((game.side_to_move(each), len(game.legal_actions(each))) for each in states))
            states = [game.apply(each, action) for each in states for action in game.legal_actions(each)]
        looks.append(seen)
    assert looks[0] == looks[1]


def test_a_large_game_is_compared_as_far_as_it_was_visited() -> None:
    graphs = [explore(pp.load("mirror-match"), first=400) for _ in range(2)]
    found = compare(*graphs)
    assert (found.same, found.plies) == (None, 2)
    other = explore(pp.load("mirror-match:digits=8"), first=400)
    assert compare(graphs[0], other).same is False


def test_many_moves_are_not_all_tried_for_a_difference_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = []

    def watch(game: Any, first: int) -> Graph[Any]:
        limits.append(first)
        return explore(game, first=first)

    monkeypatch.setattr("perfectplay.terminal.commands.compare.explore", watch)
    games = ("bit-flip:bits=8", "bit-flip:bits=9")
    shown = StringIO()
    assert show_comparison(Console(None, shown), *games, turns="environment", limit=5_000, as_json=False) == 1
    assert "The games differ at the start." in shown.getvalue()
    assert "0, 1, 2, 3, 4, 5 and" in shown.getvalue()  # not all moves are listed
    assert max(limits) < 5_000


def test_environments_are_compared_by_the_protocol_of_their_host(run: Run) -> None:
    same = run("compare", env("sound"), env("turn_stuck"), "--turns", "alternating")
    assert same.returncode == 0
    assert "are the same game" in same.stdout
    assert "Environments were started with seed 0." in same.stdout
    apart = run("compare", env("sound"), env("turn_kept"), "--json")
    assert apart.returncode == 1
    found = json.loads(apart.stdout)
    assert (found["same"], found["plies"], found["lines"]) == (False, 1, [["0"], ["0"]])
    large = run("compare", "mirror-match", "mirror-match", "--limit", "100")
    assert large.returncode == 3
    assert large.stdout == "No difference within 2 moves; there are more positions.\n"
    few = run("compare", env("sound"), env("sound"), "--limit", "2")
    assert few.returncode == 3
    assert run("compare", "bit-flip", "env:./nowhere.py").returncode == 2
