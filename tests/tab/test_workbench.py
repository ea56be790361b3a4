"""What the workbench is told about a game file."""

import json
from pathlib import Path
from typing import Any

import pytest

import perfectplay as pp
from perfectplay.audit.report import audit
from perfectplay.games.registry import game_class
from tab.bridge import answer
from tab.limits import MOST_PRINTED, MOST_STEPS
from tab.workbench import (
    REQUESTS,
    findings,
    game,
    judge,
    laws,
    position,
    setting,
    steps,
)
from tests.conftest import ROOT
from tools.site.workbench import one_file

EXAMPLE = (ROOT / "examples" / "tic_tac_toe.py").read_text("utf-8")
SKELETON = (ROOT / "site" / "workbench" / "skeleton.py").read_text("utf-8")
START = 'return ".........", 0'


def rules(name: str) -> str:
    """A game of the package as one file."""
    return one_file(game_class(name))


def test_a_file_says_what_its_game_is() -> None:
    found = game(SKELETON, {"counters": "5"})
    assert (found["title"], found["file"]) == ("My Game", "my_game.py")
    assert found["summary"] == "Take one or two counters. Whoever takes the last one wins."
    (counters,) = found["parameters"]
    assert counters == {
        "name": "counters",
        "doc": "how many counters there are",
        "default": "7",
        "allowed": "a whole number from 1 to 40",
        "value": "5",
        "kind": "whole",
        "choices": [],
        "least": 1,
        "most": 40,
    }
    kinds = {each["name"]: each["kind"] for each in game(rules("race-to-the-center"), {})["parameters"]}
    assert kinds == {"positions": "whole", "steps": "text", "arrival": "choice"}


def test_values_and_laws_of_the_example() -> None:
    found = judge(EXAMPLE, {})
    assert found["broken"] == []
    assert (found["kind"], found["plies"], found["positions"], found["moves"]) == ("tie", 9, 5478, 16167)
    assert laws(EXAMPLE, {}) == {"broken": [], "leftovers": [], "printed": ""}


def test_the_skeleton_keeps_every_law() -> None:
    assert laws(SKELETON, {})["broken"] == []
    assert judge(SKELETON, {})["result"] == "Player 1 wins"
    assert judge(SKELETON, {"counters": "6"})["result"] == "Player 2 wins"


def test_what_a_file_prints_is_part_of_the_answer_with_or_without_an_error() -> None:
    assert game(SKELETON, {})["printed"] == ""
    assert game(f"{SKELETON}\nprint('a', 'b')\n", {})["printed"] == "a b\n"
    aside = "import sys\nprint('note', file=sys.stderr)\n1 / 0\n"
    assert (game(aside, {})["printed"], game(aside, {})["error"]["line"]) == ("note\n", 3)
    assert len(game(f"{SKELETON}\nfor n in range(99_999): print(n)\n", {})["printed"]) == MOST_PRINTED


def test_an_edit_of_the_same_length_within_the_same_second_changes_the_answer() -> None:
    for number in "567":
        changed = SKELETON.replace("parameter(7", f"parameter({number}")
        assert game(changed, {})["parameters"][0]["value"] == number


@pytest.mark.parametrize(
    ("source", "line", "text"),
    [
        ("x = = 1", 1, "SyntaxError: invalid syntax"),
        ("\nraise KeyError(3)", 2, "KeyError: 3"),
        ("import sys\nsys.exit(1)", 2, "SystemExit: 1"),
        ("def f():\n    f()\nf()", 2, "RecursionError: maximum recursion depth exceeded"),
        ("a\0b", None, "source code string cannot contain null bytes"),
        ("x = 1", None, "the file must define one game class"),
        ("", None, "the file must define one game class"),
        (EXAMPLE.replace("def view", "def sight"), None, "the game does not define view"),
        (EXAMPLE.replace(START, "return 1 / 0"), 32, "ZeroDivisionError: division by zero"),
    ],
    ids=["syntax", "raise", "exit", "recursion", "nul", "no-class", "empty", "no-view", "start"],
)
def test_an_error_has_its_line(source: str, line: int | None, text: str) -> None:
    for found in (game(source, {}), position(source, {}, [])):
        if "error" in found:
            assert found["error"]["kind"] == "file"
            assert found["error"]["line"] == line
            assert text in found["error"]["text"]
            return
    raise AssertionError("nothing was wrong")


@pytest.mark.parametrize(
    ("raised", "kind", "text"),
    [
        ("KeyboardInterrupt", "time", "This took too long and was stopped."),
        ("MemoryError", "memory", "Python ran out of memory."),
    ],
)
def test_time_and_memory_that_ran_out_have_the_line_too(raised: str, kind: str, text: str) -> None:
    at_start = position(EXAMPLE.replace(START, f"raise {raised}"), {}, [])
    assert at_start["error"] == {"kind": kind, "line": 32, "text": text}
    while_loading = game(f"{EXAMPLE}\nraise {raised}\n", {})
    assert while_loading["error"] == {"kind": kind, "line": 79, "text": text}
    assert game(EXAMPLE, {})["title"] == "Tic-Tac-Toe"  # as if nothing had happened


def test_a_broken_law_has_its_line_and_its_moves() -> None:
    forgetful = EXAMPLE.replace("        if self.outcome(state) is not None:\n            return ()\n", "")
    found = judge(forgetful, {})
    assert (found["trusted"], found["kind"], found["positions"]) == (False, None, None)
    (broken,) = laws(forgetful, {})["broken"]
    assert broken["laws"] == ["outcome"]
    shown = steps(forgetful, {}, broken["witness"])
    assert "three in a row" in shown["positions"][-1]["result"]["text"]

    crashing = judge(EXAMPLE.replace("squares, side = state\n        return f", "return f"), {})
    assert {each["line"] for each in crashing["broken"]} >= {43}
    assert "NameError" in crashing["broken"][0]["problem"]


def test_positions_are_those_that_the_pages_draw() -> None:
    match = pp.Match(pp.load(str(ROOT / "examples" / "tic_tac_toe.py")))
    match.play("5")
    found = position(EXAMPLE, {}, ["5"], values=True)
    assert found["position"]["state"] == match.game.state_text(match.state)
    assert found["position"]["legal"] == list(match.legal())
    assert [move["text"] for move in found["played"]] == ["5"]
    assert found["values"]["value"] == {"kind": "tie", "plies": 8}
    best = {move["text"] for move in found["values"]["moves"] if move["best"]}
    assert best == {"1", "3", "7", "9"}
    assert position(EXAMPLE, {}, ["5"])["values"] is None
    over = position(EXAMPLE, {}, ["1", "4", "2", "5", "3"], values=True)
    assert (over["position"]["result"]["winner_side"], over["values"]) == (0, None)


def test_moves_that_are_not_legal_are_refused() -> None:
    found = position(EXAMPLE, {}, ["5", "5"])
    assert found["error"]["kind"] == "settings"
    assert "Square 5 is taken" in found["error"]["text"]
    assert game(SKELETON, {"counters": "41"})["error"]["text"] == (
        "counters=41: must be a whole number from 1 to 40"
    )


def test_a_forfeited_turn_of_a_witness_is_played() -> None:
    shown = steps(rules("mirror-match"), {}, ["3 B", "forfeit", "4 E"])
    assert [move["kind"] for move in shown["played"]] == ["move", "forfeit", "move"]
    assert len(shown["positions"]) == 4


def test_a_witness_that_cannot_be_played_ends_where_it_breaks() -> None:
    shown = steps(EXAMPLE, {}, ["1", "1"])
    assert len(shown["positions"]) == 2
    assert "taken" in shown["stopped"]["text"]
    long = steps(rules("dual-direction"), {}, ["left", "right"] * MOST_STEPS)
    assert (len(long["positions"]), long["left_out"]) == (MOST_STEPS + 1, MOST_STEPS)


def test_a_board_too_large_to_draw_is_refused() -> None:
    found = position(rules("dual-direction"), {"positions": "1000"}, [])
    assert "too large to draw" in found["error"]["text"]


@pytest.mark.parametrize("name", ["bit-flip", "dual-direction", "inversion-race", "race-to-the-center"])
def test_findings_are_those_of_the_command(name: str) -> None:
    found = findings(rules(name), {})["findings"]
    expected = audit(pp.load(name)).findings
    assert [(each["code"], each["severity"], each["text"], tuple(each["witness"])) for each in found] == [
        tuple(each) for each in expected
    ]
    assert all(each["meaning"] for each in found)


def test_an_edited_file_of_the_package_is_a_game_of_its_own() -> None:
    source = rules("dual-direction")
    assert findings(source, {})["readings"] is not None  # with the examples of its rulebook
    assert findings(source.replace('"Dual Direction"', '"Mine"'), {})["readings"] is None


def test_a_row_of_a_sweep() -> None:
    row: dict[str, Any] = setting(SKELETON, {}, "counters", 6)["row"]
    assert (row["result"], row["side"], row["plies"]) == ("Player 2 wins", 1, 4)
    # With 1, 3 or 6 counters no choice matters; with n others, 1 plus the mean of what follows.
    assert row["decisions"] == 1.9375
    assert setting(SKELETON, {}, "counters", 41)["row"] is None


def test_the_bridge_finds_every_request_and_takes_json() -> None:
    request = {"id": 7, "ask": "workbench.judge", "with": {"source": EXAMPLE, "settings": {}}}
    reply = json.loads(answer(json.dumps(request)))
    assert (reply["id"], reply["answer"]["kind"]) == (7, "tie")
    one_file = {"game", "position", "judge", "laws", "findings", "steps", "setting"}
    assert set(REQUESTS) == one_file | {"difference", "changes", "changed_findings"}


def test_nothing_is_left_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    assert game(SKELETON.replace("My Game", "Once More"), {})["title"] == "Once More"
    assert list(folder.iterdir()) == []
