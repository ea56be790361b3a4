"""Lose a game, find its mistake as an exercise, solve it, find it due the next day, and see the statistics."""

import json
from datetime import date, timedelta
from pathlib import Path

import pytest

from perfectplay.core.errors import PerfectplayError
from perfectplay.strength.journal import Journal, PlayedGame
from perfectplay.terminal import journal_file
from perfectplay.terminal.commands.stats import statistics
from tests.conftest import ROOT, Run
from tests.terminal.terminals import Terminal

LOST = ("play", "bit-flip:bits=5", "--p2", "perfect", "--seed", "1")
TOMORROW = (date.today() + timedelta(1)).isoformat()


def test_somebody_who_has_played_nothing_sees_friendly_pages(run: Run) -> None:
    assert "You have not finished a game yet." in run("stats").stdout
    assert "There are no exercises yet" in run("exercises").stdout
    assert json.loads(run("stats", "--json").stdout) == json.loads(run("exercises", "--json").stdout) == []
    assert run("stats", "--delete").stdout == "There is nothing to delete.\n"


def test_a_lost_game_becomes_an_exercise_that_comes_back(run: Run) -> None:
    run(*LOST, typed="4\n")
    wrong = run("exercises", typed="nonsense\n1\n2\n").stdout
    assert "Due today: 1 of 1 exercise." in wrong
    assert "Find a move that keeps the win." in wrong
    assert "Wrong.\n1 throws away the win." in wrong
    assert "Right.\n2 keeps the win." in wrong
    assert "In the game you played 4 here.\n4 throws away the win." in wrong
    assert "Due today: 1 of 1" in run("exercises").stdout  # the first answer was wrong
    assert "Right." in run("exercises", typed="2\n").stdout
    assert "none is due before" in run("exercises").stdout
    assert "Find a move" in run("exercises", "--date", TOMORROW).stdout
    assert "Find a move" in run("exercises", "bit-flip", "--all").stdout
    assert "There are no exercises yet" in run("exercises", "mirror-match").stdout
    assert "did you mean mirror-match" in run("exercises", "miror-match").stderr
    [found] = json.loads(run("exercises", "--all", "--json").stdout)
    assert found["due"] == TOMORROW
    assert [move["text"] for move in found["moves"] if move["solves"]] == ["2"]


def test_an_answer_that_is_shown_counts_as_failed(run: Run) -> None:
    run(*LOST, typed="4\n")
    assert "Solved by 2." in run("exercises", typed="answer\n").stdout
    assert "Due today: 1" in run("exercises", typed="skip\n").stdout


def test_the_statistics_count_games_and_are_deleted_in_one_step(run: Run) -> None:
    run(*LOST, typed="4\n")
    run("play", "bit-flip:bits=5", typed="2\n0\n4\n")  # two people: nobody knows who is who
    shown = run("stats").stdout
    assert "1 game\n    against perfect: 1 lost\n" in shown
    assert "Accuracy: 0% (0 of 1 critical move)" in shown
    [found] = json.loads(run("stats", "--json").stdout)
    assert (found["games"], found["total"]["decisions"]) == (1, 1)
    refused = run("stats", "--delete")
    assert refused.returncode == 2
    assert "--yes" in refused.stderr
    assert "are deleted" in run("stats", "--delete", "--yes").stdout
    assert "You have not finished a game yet." in run("stats").stdout


def test_deleting_asks_once() -> None:
    journal_file.change(lambda kept: kept)
    with Terminal("stats", "--delete") as terminal:
        terminal.type("n")
        shown = terminal.until_end()
    assert "Delete all statistics and exercises" in shown
    assert "Nothing was deleted." in shown
    assert journal_file.file().exists()
    with Terminal("stats", "--delete") as terminal:
        terminal.type("y")
        assert "are deleted" in terminal.until_end()
    assert not journal_file.file().exists()


def test_the_moment_is_tried_again_after_a_game() -> None:
    with Terminal(*LOST) as terminal:
        for line in ("4", "y", "2"):
            terminal.type(line)
        shown = terminal.until_end()
    assert "Try the moment again" in shown
    assert "Find a move that keeps the win." in shown
    assert "Right." in shown
    [exercise] = journal_file.load().exercises
    assert exercise.attempts[-1].solved


def test_a_damaged_journal_is_named_and_kept(run: Run) -> None:
    journal_file.file().parent.mkdir(parents=True)
    journal_file.file().write_text("rubbish")
    for command in ("stats", "exercises"):
        done = run(command)
        assert done.returncode == 2
        assert "journal.json" in done.stderr
        assert "move it away" in done.stderr
        assert done.stderr.count("\n") == 1
    played = run(*LOST, typed="4\n")
    assert played.returncode == 0
    assert "This game is not in your statistics" in played.stdout
    assert journal_file.file().read_text() == "rubbish"
    assert "are deleted" in run("stats", "--delete", "--yes").stdout


@pytest.mark.parametrize("data", [b"\xff", b'{"version": 1, "games": [1], "exercises": []}'])
def test_no_damage_is_a_traceback(data: bytes) -> None:
    journal_file.file().parent.mkdir(parents=True)
    journal_file.file().write_bytes(data)
    with pytest.raises(PerfectplayError, match="cannot be read"):
        journal_file.load()


def test_a_journal_never_runs_a_game_file(run: Run, tmp_path: Path) -> None:
    game = ROOT / "examples" / "tic_tac_toe.py"
    run("play", str(game), "--p2", "perfect", typed="1\n2\n4\nresign\n")
    assert not journal_file.file().exists()
    ran = tmp_path / "ran"
    (tmp_path / "evil.py").write_text(f"open({str(ran)!r}, 'w')")
    row = {"game": str(tmp_path / "evil.py"), "position": "0", "key": "0", "played": "1"}
    data = {"version": 1, "games": [], "exercises": [row | {"attempts": [["2026-01-05", False]]}]}
    journal_file.file().parent.mkdir(parents=True, exist_ok=True)
    journal_file.file().write_text(json.dumps(data))
    assert "cannot be shown: a game file is not allowed here" in run("exercises").stdout
    assert "problem" in run("exercises", "--json").stdout
    assert not ran.exists()


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ([0] * 40, "Your level is below 1: random moves would have kept more.\n"),
        ([0, 0], "Your level is below 1: random moves would have kept more. It may be as high as 1.\n"),
        ([4] * 12, "You play like level 10 (from 2 to 10).\n"),
        ([0, 4, 4], "You play like level 1 (from below 1 to 8).\n"),
    ],
)
def test_the_level_is_said_in_a_sentence(kept: list[int], said: str) -> None:
    game = PlayedGame(date(2026, 1, 5), "bit-flip", "level:5", 0, "won", 4, 0, 1.5, 2.0, assisted=False)
    journal = Journal(tuple(game._replace(kept=each) for each in kept))
    assert said in "\n".join(statistics(journal, date(2026, 1, 5)))
