"""Every finding code has an environment that shows it; a sound one shows none."""

import json
import re
import sys
from enum import IntEnum
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest
from gymnasium import spaces

from perfectplay_foreign.adapter import move_from_json
from perfectplay_foreign.audit import audit_environment
from perfectplay_foreign.check import FaultyEnvironmentError, check_env
from perfectplay_foreign.environment import Environment
from perfectplay_foreign.examine import Examination
from perfectplay_foreign.findings import CODES
from perfectplay_foreign.load import FOREIGN, environment
from perfectplay_foreign.probe import Suspect
from perfectplay_foreign.records import Found
from perfectplay_foreign.sandbox.client import ForkServer
from perfectplay_foreign.sandbox.request import AuditOptions, JobRequest
from perfectplay_foreign.state import canonical
from perfectplay_foreign.transitions import TransitionTable

ENVS = Path(__file__).parent / "envs"
ENDING = ("hang", "memory", "killed")
"""The codes that are seen from outside: the process ends, or has to be ended."""
HOSTED = ("turn-contradicted", "turn-unused")
"""The codes about environments whose host lets the sides alternate."""
SEVERITIES = {
    "problem": "import-fails construct-fails reset-fails moves-fail no-moves crash hang memory killed dead-end"
    " over-at-start legal-refused illegal-accepted turn-stuck turn-contradicted moves-outside moves-mutate"
    " render-mutates bad-reset bad-step bad-reward seed-ignored not-repeatable threads global-state"
    " reset-leaks copy-differs merge-differs",
    "warning": "legal-punished reward-before-end plays-on illegal-changes illegal-crashes cut-only moves-repeat"
    " moves-not-whole render-fails observation-outside four-values odd-reward random-setup random-step"
    " clock not-zero-sum observation-hides endless-sampled turn-unused reward-contradicted",
    "note": "turn-kept render-none no-turn unreadable",
}


def file_of(code: str) -> str:
    return str(ENVS / f"{code.replace('-', '_')}.py")


@cache
def examined(what: str, moves: int = 3_000) -> Examination:
    env = environment(what)
    env.alternating = what in map(file_of, HOSTED)
    return Examination(env, moves=moves)


def test_the_codes_and_severities_are_those_that_were_decided() -> None:
    assert {name: code.severity for name, code in CODES.items()} == {
        code: severity for severity, codes in SEVERITIES.items() for code in codes.split()
    }
    assert all(code.meaning for code in CODES.values())


def test_no_other_module_is_asked_whether_it_is_foreign(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    loads_late = ModuleType("loads_late")
    monkeypatch.setattr(loads_late, "__getattr__", asked.append, raising=False)
    monkeypatch.setitem(sys.modules, loads_late.__name__, loads_late)
    assert "clock" in {each.code for each in Examination(environment(file_of("clock")), moves=50).findings}
    assert FOREIGN not in asked


@pytest.mark.parametrize("code", [code for code in CODES if code not in ENDING])
def test_an_environment_shows_its_code(code: str) -> None:
    done = examined(file_of(code))
    found = {each.code: each for each in done.findings}
    assert code in found, list(found)
    shown = found[code]
    assert shown.severity == CODES[code].severity
    # The witness replays in a new environment as well.
    again = Suspect(code, shown.witness, shown.beside, shown.seed)
    assert done.conduct.replay(CODES[code], again) is not None


@pytest.mark.parametrize("what", ["sound", "zoo"])
def test_a_sound_environment_shows_none(what: str) -> None:
    done = examined(file_of(what))
    assert [each.code for each in done.findings] == []
    assert done.conduct.dropped == []
    assert done.done is not None
    assert done.done.table.whole


@pytest.mark.parametrize("code", [code for code in CODES if code not in ENDING])
def test_a_sound_environment_does_not_replay_the_witness_of_a_faulty_one(code: str) -> None:
    shown = next(each for each in examined(file_of(code)).findings if each.code == code)
    sound = examined(file_of("zoo" if code == "not-zero-sum" else "sound"))
    suspect = Suspect(code, shown.witness, shown.beside, shown.seed)
    assert sound.conduct.replay(CODES[code], suspect) is None


def test_what_ends_a_process_is_found_from_outside(server: ForkServer) -> None:
    options = AuditOptions(hang=0.2, memory=100 << 20)
    for code in ENDING:
        record = audit_environment(file_of(code), options, server).record
        [found] = [each for each in record["findings"] if each["code"] == code]
        assert found["witness"], code
        assert server.run(JobRequest(file_of("sound"), options, steps=found["witness"][:2])).ended == ""


def test_an_author_can_check_an_environment() -> None:
    sound = environment(file_of("sound")).make
    assert {each.code for each in check_env(sound)} == {"forced-win", "skill"}
    broken = environment(file_of("dead-end")).make
    with pytest.raises(FaultyEnvironmentError, match="dead-end: Play can get stuck") as raised:
        check_env(broken)
    codes = [each.code for each in raised.value.findings]
    assert "dead-end" in codes
    assert "dead-end" in {each.code for each in check_env(broken, ignore=codes)}


class Late:
    """An attribute that seems constant changes after many moves; the board lies in a list."""

    def reset(self, seed: int | None = None) -> object:
        self.board, self.current_player, self.wraps = [0] * 12, 0, 0
        return 0, {}

    def valid_moves(self) -> list[int]:
        return [place for place in range(2) if self.board[place] < 60]

    def step(self, move: int) -> object:
        self.board[move] += 1
        self.current_player = 1 - self.current_player
        if sum(self.board) == 118:
            self.wraps = 1
        over = not self.valid_moves()
        return 0, float(over), over, False, {}


def test_a_pass_is_started_again_when_a_constant_changes() -> None:
    done = Examination(Environment(Late), moves=10_000)
    assert done.done is not None
    assert "wraps" in done.done.copies.varying
    assert len(done.done.table.sides) == 61 * 61 - 1  # all but the end
    assert not [each for each in done.findings if each.code in ("copy-differs", "merge-differs")]


class WithObservation(Late):
    """An ordinary environment with a method that those in free text have, too."""

    def get_observation(self) -> int:
        return 0


def test_each_environment_gets_its_own_adapter() -> None:
    found = {}
    for name, env in {
        "gymnasium": Environment(WithObservation),
        "pettingzoo": environment(str(ENVS / "zoo.py")),
        "text": environment(str(ENVS / "text_nim.py")),
    }.items():
        env.fresh(0)
        assert env.adapter is not None
        found[name] = env.adapter.__module__.rpartition(".")[2]
    assert found == {name: name for name in found}


def test_the_first_start_is_like_every_other() -> None:
    env = environment(file_of("seed-ignored"))
    assert (env.fresh(0).moves(), canonical(env.fresh(0).look())) == (
        env.fresh(0).moves(),
        canonical(env.fresh(0).look()),
    )
    first = canonical(environment(file_of("seed-ignored")).fresh(3).look())
    assert first == canonical(env.fresh(3).look())


@pytest.mark.parametrize(
    ("space", "seen", "why"),
    [
        (spaces.Box(0, 9, (2,), np.int64), np.array([3, 12]), "12 is above what is allowed"),
        (spaces.Box(0, 9, (2,), np.int64), np.array([3, -1]), "-1 is below what is allowed"),
        (spaces.Box(0, 9, (2,), np.int64), np.array([3]), "its shape is (1,), not (2,)"),
        (spaces.Box(0, 9, (2,), np.int8), np.array([3, 3]), "its type is int64, not int8"),
        (spaces.Discrete(3), 7, 'it is "7" (int)'),
        (spaces.MultiDiscrete([2, 2]), np.array([5, 0]), "a value is out of range"),
        (spaces.Dict({"a": spaces.Discrete(2)}), {"b": 0}, "it has the parts b, not a"),
        (spaces.Dict({"a": spaces.Discrete(2)}), {"a": 5}, 'in the part a, it is "5" (int)'),
        (spaces.Tuple([spaces.Discrete(2)]), (5,), 'in the part 0, it is "5" (int)'),
    ],
)
def test_an_observation_outside_its_space_comes_with_the_reason(space: Any, seen: Any, why: str) -> None:
    class Env:
        observation_space = space

        def reset(self, seed: int | None = None) -> Any:
            self.current_player = 0
            return seen, {}

        def valid_moves(self) -> list[int]:
            return [0]

        def step(self, move: int) -> Any:
            return seen, 1.0, True, False, {}

    [found] = [each for each in Examination(Environment(Env)).findings if each.code == "observation-outside"]
    assert found.text.endswith(f": {why}.")


def test_positions_that_look_alike_come_with_what_differs() -> None:
    [found] = [
        each for each in examined(file_of("observation-hides")).findings if each.code == "observation-hides"
    ]
    assert re.search(
        r"the observation is the same as after the moves .+, but the move \d is legal", found.text
    )


class Moving(Late):
    """Three plies, with moves of some type or other."""

    moves: ClassVar[list[Any]] = []

    def valid_moves(self) -> list[Any]:
        return self.moves

    def step(self, move: Any) -> object:
        self.board[0] += 1
        self.current_player = 1 - self.current_player
        return 0, float(self.board[0] == 3), self.board[0] == 3, False, {}


class Direction(IntEnum):
    LEFT, RIGHT = 0, 1


@pytest.mark.parametrize(
    ("moves", "names"),
    [
        ([np.int64(4), np.int8(5)], [4, 5]),
        ([(np.int64(0), np.int64(1)), [2, 3]], [(0, 1), (2, 3)]),
        ([((0, 1), (2, 3)), ("a", 1)], [((0, 1), (2, 3)), ("a", 1)]),
        (list(Direction), [0, 1]),
        ([0.5, 1.5], [0.5, 1.5]),
        ([np.str_("e4"), "7"], ["e4", "7"]),
    ],
)
def test_moves_of_any_plain_type_leave_the_sandbox(moves: list[Any], names: list[Any]) -> None:
    done = Examination(Environment(type("Env", (Moving,), {"moves": moves})))
    sent = json.loads(json.dumps(done.as_dict()))
    assert TransitionTable.from_dict(sent["table"]).names == tuple(names)
    assert [each["code"] for each in sent["findings"] if each["code"] == "moves-fail"] == []
    late = next(each for each in sent["findings"] if each["code"] == "plays-on")
    [replayed] = done.replay([Suspect("plays-on", tuple(map(move_from_json, late["witness"])))])
    assert isinstance(replayed, Found)
    assert json.loads(json.dumps(replayed.record())) == late


@pytest.mark.parametrize("move", [None, b"1", frozenset({1}), object])
def test_moves_that_nobody_can_write_down_are_found(move: Any) -> None:
    [found] = Examination(Environment(type("Env", (Moving,), {"moves": [move]}))).findings[:1]
    assert found.code == "moves-fail"
    assert "is neither a number nor text nor a tuple of these" in found.text
