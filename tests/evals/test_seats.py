"""A seat is a number: what its side is called decides nothing."""

from pathlib import Path

import pytest

from perfectplay.evals.arena import Arena, play
from perfectplay.evals.files import Samples, read_samples, save
from perfectplay.evals.questions import draw_decisions, load_family
from perfectplay.evals.report import report, report_text
from perfectplay.evals.samples import game_sample, question_sample
from perfectplay.evals.setup import Setup
from perfectplay.evals.standings import results
from tests.evals.agents import AGENTS, played

RED_AND_BLUE = """
from dataclasses import dataclass
from perfectplay.games.bit_flip import BitFlip

@dataclass(frozen=True)
class RedAndBlue(BitFlip):
    name = "red-and-blue"
    title = "Red and Blue"
    side_names = ("Red player", "Blue player")
"""


@pytest.fixture
def game(tmp_path: Path) -> str:
    file = tmp_path / "red_and_blue.py"
    file.write_text(RED_AND_BLUE)
    return f"{file}:bits=6"


def test_seats_whose_names_end_alike_are_kept_apart(game: str, tmp_path: Path) -> None:
    # Perfect play wins in seat 1 and cannot in seat 2.
    rows = [
        game_sample(played(AGENTS["perfect"], Setup(game, "perfect"), seat, n), n, "me")
        for n in range(2)
        for seat in (0, 1)
    ]
    save(rows, tmp_path / "rows.parquet")
    data = report(read_samples([tmp_path / "rows.parquet"]))
    assert [(each["seat"], each["side"], each["points"]) for each in data.as_dict()["rows"]] == [
        (1, "Red player", 1),
        (2, "Blue player", 0),
    ]
    assert "| 2 (Blue player) |" in report_text(data)
    known = results(Arena(game, ("perfect",), ("perfect",)), [])["scores"]
    assert [(each["seat"], each["points"]) for each in known] == [(1, 1), (2, 0)]
    items = draw_decisions(load_family(game), 4)
    assert {question_sample(item, Setup(game), "", "me").seat for item in items} == {1, 2}


def test_an_arena_keeps_such_seats_apart(game: str) -> None:
    players = ("perfect", "mcts:simulations=1")
    arena = Arena(game, players, games=4)
    scores = results(arena, [each for _, samples in play(arena) for each in samples])["scores"]
    points = {(each["agent"], each["seat"]): each["points"] for each in scores}
    assert {each["games"] for each in scores} == {4}
    assert points["perfect", 1] == 1
    assert points["perfect", 1] + points["mcts:simulations=1", 2] == 1
    assert points["perfect", 2] + points["mcts:simulations=1", 1] == 1


def test_the_scores_of_a_seat_are_compared_with_those_of_that_seat() -> None:
    rows = [
        game_sample(played(AGENTS["perfect"], Setup("inversion-race", "level:3"), seat, 0), 0, "me")
        for seat in (0, 1)
    ]
    exact = results(Arena("inversion-race", ("random",), ("level:3",)), [])["scores"]
    found = report(Samples(rows)).as_dict()["rows"]
    assert [(each["side"], each["random"]) for each in found] == [
        (each["side"], pytest.approx(each["points"])) for each in exact
    ]
