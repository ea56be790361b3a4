"""Puzzles of the day: one move keeps the value, on every day, for everyone."""

import json
import os
import re
import shlex
import subprocess
import sys
from datetime import date, timedelta
from io import StringIO
from typing import Any

import pytest

import perfectplay as pp
from perfectplay.coach.puzzles import MANY, MOST_CHOICES, Puzzle, day_of, puzzle, puzzles
from perfectplay.core.walks import positions
from perfectplay.games.registry import game_class
from perfectplay.terminal.commands.show import show_puzzles
from perfectplay.terminal.console import Console
from tab.bridge import answer
from tab.study import board
from tests.conftest import Run
from tests.core.listed_games import table_game

DAYS = [date.min, date.max, date(2024, 2, 29), *(date(2026, 1, 1) + timedelta(9 * n) for n in range(40))]


def kept(oracle: pp.Oracle[Any], state: Any) -> list[str]:
    """The moves whose value is of the best kind, found from the values of the positions they lead to."""
    game = oracle.game
    side = game.side_to_move(state)
    worth = {}
    for action in game.legal_actions(state):
        after = game.apply(state, action)
        value = oracle.value(after).before(game.side_to_move(after) == side)
        worth[game.action_text(state, action)] = value.rank[0]
    return [move for move, rank in worth.items() if rank == max(worth.values())]


def solvers_turns(found: Puzzle) -> list[Any]:
    """The positions in which the solver is asked for a move."""
    match = found.attempt(()).match
    turns = []
    for number, move in enumerate(found.answer):
        if number % 2 == 0:
            turns.append(match.state)
        match.play(move)
    return turns


@pytest.mark.parametrize("name", pp.names())
def test_on_every_day_one_move_of_several_keeps_the_value(name: str) -> None:
    family = {game_class(name).from_spec(each).spec for each in game_class(name)().texts().family}
    specs = set()
    for day in DAYS:
        found = puzzle(name, day)
        oracle = pp.solve(found.game)
        assert list(positions(found.game, found.moves))[-1] == found.state
        assert found.value.kind != "loss"
        # A win in one move is hidden among many.
        assert found.value.plies != 1 or len(found.game.legal_actions(found.state)) >= MANY
        turns = solvers_turns(found)
        assert 1 <= len(turns) <= MOST_CHOICES
        assert len(turns) == len(set(turns))
        for state, move in zip(turns, found.answer[::2], strict=True):
            assert len(found.game.legal_actions(state)) > 1
            assert found.game.side_to_move(state) == found.game.side_to_move(found.state)
            assert kept(oracle, state) == [move]
        specs.add(found.game.spec)
    assert specs <= family
    assert len(specs) > len(family) / 2


@pytest.mark.parametrize("name", pp.names())
def test_every_answer_is_judged_at_once(name: str) -> None:
    for day in DAYS[:12]:
        found = puzzle(name, day)
        start = found.attempt(())
        assert (start.right, start.solved, start.words) == (True, False, ())
        assert start.match.state == found.state
        before = len(found.moves)
        mine = found.answer[::2]
        for number in range(1, len(mine) + 1):
            tried = found.attempt(mine[:number])
            assert tried.right
            assert tried.solved == (number == len(mine))
            assert "keeps" in tried.words[0]
            assert tried.match.plies - before == min(2 * number, len(found.answer))
        for wrong in set(start.match.legal()) - {mine[0]}:
            tried = found.attempt([wrong])
            assert not tried.right
            assert not tried.solved
            assert (
                tried.words[0]
                .split(". ")[0]
                .endswith(("throws away the win", "lets the draw by repetition go"))
            )
            assert f"{mine[0]}:" not in " ".join(tried.words)  # the right move is not given away
            oracle = pp.solve(found.game)
            after = tried.match.positions[before + 1]
            if tried.match.plies == before + 2:  # the reply is a best one
                assert tried.match.last.action in oracle.best(after)
            else:
                assert found.game.outcome(after) is not None


def test_what_cannot_be_tried_says_why() -> None:
    found = puzzle("bit-flip", date(2026, 1, 5))
    with pytest.raises(pp.ParseError, match="is not a move here"):
        found.attempt(["left"])
    with pytest.raises(pp.IllegalActionError):
        found.attempt(["6"])
    with pytest.raises(pp.ParseError, match="one move too many"):
        found.attempt([found.answer[0], "0"])
    for text in ("2026-02-30", "20260105", "2026-01-05T00:00", "", "2026-01-0\u0665"):
        with pytest.raises(pp.ParseError, match="is not a date"):
            day_of(text)


def test_a_game_without_such_positions_has_no_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    corridor = type(table_game({"a": {"on": "b"}, "b": {}}, {"b": 1}, {"b": 0}))
    monkeypatch.setattr("perfectplay.coach.puzzles.game_class", lambda name: corridor)
    with pytest.raises(pp.PerfectplayError, match="has no puzzles"):
        puzzle("corridor", DAYS[0])
    assert puzzles(DAYS[0]) == ()


def test_another_process_finds_the_same_puzzles() -> None:
    day = DAYS[5]
    script = (
        "from perfectplay.coach.puzzles import day_of, puzzles\n"
        f"for each in puzzles(day_of('{day}')): print(each.game.spec, each.game.state_text(each.state), each.answer)"
    )
    said = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "7"},
    ).stdout
    here = [f"{each.game.spec} {each.game.state_text(each.state)} {each.answer}" for each in puzzles(day)]
    assert said.splitlines() == here
    assert len(here) == len(pp.names())


def test_the_command_shows_puzzles_and_judges_moves(run: Run) -> None:
    shown = run("puzzle", "--date", "2026-01-05", "--answer").stdout
    assert shown.count("Only one move") == shown.count("Answer: ") == len(pp.names())
    done = run("puzzle", "bit-flip", "--date", "2026-01-05", "--try", "1", "--json")
    facts = json.loads(done.stdout)
    assert (facts["game"], facts["right"], facts["answer"]) == ("bit-flip:bits=16", False, ["2"])
    solved = run("puzzle", "bit-flip", "--date", "2026-01-05", "--try", "2").stdout
    assert "Solved." in solved.splitlines()
    assert "To answer" not in shown + solved


def test_the_command_says_how_to_answer(run: Run) -> None:
    every = run("puzzle", "--date", "2026-01-05").stdout
    assert every.count("\nMoves: ") == len(pp.names())
    assert every.splitlines()[-3:] == [
        'To answer, for example: perfectplay puzzle bit-flip --date 2026-01-05 --try "MOVE"',
        "To see the answers: perfectplay puzzle --date 2026-01-05 --answer",
        "To read the rules: perfectplay rules GAME",
    ]
    long = next(each for each in puzzles(date(2026, 1, 5)) if len(each.answer) > 1)
    name, (right, *_) = long.game.name, long.answer
    wrong = next(move for move in long.attempt(()).match.legal() if move != right)
    for move, known in ((right, f"{shlex.join(['--try', right])} "), (wrong, "")):
        told = run("puzzle", name, "--date", "2026-01-05", "--try", move).stdout
        assert f'To answer: perfectplay puzzle {name} --date 2026-01-05 {known}--try "MOVE"\n' in told


class Narrow(Console):
    width = 23


def test_a_long_list_is_broken_between_moves_and_not_within_one() -> None:
    out = StringIO()
    show_puzzles(Narrow(None, out), "mirror-match", "2026-01-05", [], answer=False, as_json=False)
    said = out.getvalue()
    assert "\nMoves: 1 B, 2 B, 3 B,\n4 B, 1 E, 2 E, 3 E, 4 E\n" in said
    assert said.isascii()


@pytest.mark.parametrize(
    "words",
    [
        ["bit-flop"],
        ["--date", "tomorrow"],
        ["--try", "1"],
        ["bit-flip", "--date", "2026-01-05", "--try", "x"],
    ],
)
def test_bad_input_to_the_command_gets_one_line(run: Run, words: list[str]) -> None:
    done = run("puzzle", *words)
    assert done.returncode == 2
    assert done.stderr.startswith("perfectplay: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("spec", ["./mine.py", "bit-flip:bits=4"])
def test_a_game_file_or_a_setting_has_no_puzzle_and_hears_what_has(run: Run, spec: str) -> None:
    said = run("puzzle", spec).stderr
    assert said.startswith(f'perfectplay: "{spec}" has no puzzles: there are puzzles of bit-flip, ')
    assert said.count("\n") == 1


def asked(name: str, **params: object) -> Any:
    reply = json.loads(answer(json.dumps({"id": 7, "ask": f"puzzles.{name}", "with": params})))
    assert reply.pop("id") == 7
    return reply.get("answer", reply)


def test_a_tab_gets_the_same_puzzles_and_judgements() -> None:
    day = "2026-01-05"
    listed = asked("day", date=day)
    found = puzzles(day_of(day))
    assert [each["name"] for each in listed] == list(pp.names())
    for shown, each in zip(listed, found, strict=True):
        assert (shown["spec"], shown["question"]) == (each.game.spec, each.question)
        position = shown["position"]
        assert position["state"] == each.game.state_text(each.state)
        studied = board(shown["spec"], shown["moves"])["position"]  # what the page links to
        assert (studied["state"], studied["side"]) == (position["state"], position["side"])
        mine = each.answer[::2]
        tried = asked("attempt", date=day, game=shown["name"], moves=mine)
        assert (tried["right"], tried["solved"]) == (True, True)
        solution = asked("answer", date=day, game=shown["name"])
        said = [line.partition(": ")[2] for line in solution["line"]]
        assert [re.sub(r" at the (.).*", lambda end: f" {end[1].upper()}", move) for move in said] == list(
            each.answer
        )
        assert solution["position"] == tried["position"]
        wrong = next(move for move in position["legal"] if move != mine[0])
        refuted = asked("attempt", date=day, game=shown["name"], moves=[wrong])
        assert (refuted["right"], refuted["solved"]) == (False, False)
        assert refuted["words"] == list(each.attempt([wrong]).words)


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("day", {"date": "today"}),
        ("attempt", {"date": "2026-01-05", "game": "chess", "moves": []}),
        ("attempt", {"date": "2026-01-05", "game": "bit-flip", "moves": ["x"]}),
    ],
)
def test_what_a_tab_cannot_ask_is_said_in_a_sentence(name: str, params: dict[str, Any]) -> None:
    assert asked(name, **params)["problem"]["text"]


def test_a_puzzle_says_how_hard_it_is_and_where_the_tempting_move_leads() -> None:
    found = puzzle("bit-flip", date(2026, 1, 5))
    solved = found.attempt(["2"])
    assert (
        solved.words[-1] == "The tempting move: 0 throws away the win. You lose in 4 moves against best play."
    )
    assert {puzzle(name, day).difficulty for name in pp.names() for day in DAYS[:12]} == {
        "easy",
        "medium",
        "hard",
    }
    assert puzzle("race-to-the-center", date(2026, 1, 1)).difficulty == "easy"


@pytest.mark.parametrize(("move", "code"), [("1", 1), ("2", 0)])
def test_a_wrong_answer_exits_with_1(move: str, code: int, run: Run) -> None:
    asked = ("puzzle", "bit-flip", "--date", "2026-01-05", "--try", move)
    assert run(*asked).returncode == code
    done = run(*asked, "--json")
    assert (done.returncode, json.loads(done.stdout)["difficulty"]) == (code, "hard")
