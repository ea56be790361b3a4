"""Every finding code has an environment that shows it; a sound one shows none."""

from functools import cache
from pathlib import Path

import pytest

from perfectplay.foreign.audit import audit_environment
from perfectplay.foreign.check import FaultyEnvironmentError, check_env
from perfectplay.foreign.client import Server, Settings
from perfectplay.foreign.codes import CODES
from perfectplay.foreign.environment import Environment
from perfectplay.foreign.examine import Examination
from perfectplay.foreign.load import environment
from perfectplay.foreign.probe import Suspect

ENVS = Path(__file__).parent / "envs"
ENDING = ("hang", "memory", "killed")
"""The codes that are seen from outside: the process ends, or has to be ended."""
SEVERITIES = {
    "problem": "import-fails construct-fails reset-fails moves-fail no-moves crash hang memory killed dead-end"
    " over-at-start legal-refused illegal-accepted plays-on turn-stuck moves-outside moves-mutate"
    " render-mutates bad-reset bad-step bad-reward seed-ignored not-repeatable threads global-state"
    " reset-leaks copy-differs merge-differs",
    "warning": "legal-punished reward-before-end illegal-changes illegal-crashes cut-only moves-repeat"
    " moves-not-whole render-fails observation-outside four-values odd-reward random-setup random-step"
    " clock not-zero-sum observation-hides endless-sampled",
    "note": "turn-kept render-none no-turn unreadable",
}


def file_of(code: str) -> str:
    return str(ENVS / f"{code.replace('-', '_')}.py")


@cache
def examined(what: str, moves: int = 3_000) -> Examination:
    return Examination(environment(what), moves=moves)


def test_the_codes_and_severities_are_those_that_were_decided() -> None:
    assert {name: code.severity for name, code in CODES.items()} == {
        code: severity for severity, codes in SEVERITIES.items() for code in codes.split()
    }
    assert all(code.meaning for code in CODES.values())


@pytest.mark.parametrize("code", [code for code in CODES if code not in ENDING])
def test_an_environment_shows_its_code(code: str) -> None:
    done = examined(file_of(code))
    found = {each.code: each for each in done.findings}
    assert code in found, list(found)
    shown = found[code]
    assert shown.severity == CODES[code].severity
    # The witness replays in a new environment as well.
    again = Suspect(code, shown.witness, shown.beside, shown.seed)
    assert done.conduct.shown(CODES[code], again) is not None


@pytest.mark.parametrize("what", ["sound", "zoo"])
def test_a_sound_environment_shows_none(what: str) -> None:
    done = examined(file_of(what))
    assert [each.code for each in done.findings] == []
    assert done.dropped == []
    assert done.done is not None
    assert done.done.table.whole


@pytest.mark.parametrize("code", [code for code in CODES if code not in ENDING])
def test_a_sound_environment_does_not_replay_the_witness_of_a_faulty_one(code: str) -> None:
    shown = next(each for each in examined(file_of(code)).findings if each.code == code)
    sound = examined(file_of("zoo" if code == "not-zero-sum" else "sound"))
    suspect = Suspect(code, shown.witness, shown.beside, shown.seed)
    assert sound.conduct.shown(CODES[code], suspect) is None


def test_what_ends_a_process_is_found_from_outside(server: Server) -> None:
    settings = Settings(hang=0.2, memory=100 << 20)
    for code in ENDING:
        record = audit_environment(file_of(code), settings, server).record
        [found] = [each for each in record["findings"] if each["code"] == code]
        assert found["witness"], code
        assert server.run(file_of("sound"), settings, steps=found["witness"][:2]).ended == ""


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


def test_each_environment_gets_its_own_face() -> None:
    found = {}
    for name, env in {
        "gymnasium": Environment(WithObservation),
        "pettingzoo": environment(str(ENVS / "zoo.py")),
        "text": environment(str(ENVS / "text_nim.py")),
    }.items():
        env.fresh(0)
        assert env.face is not None
        found[name] = env.face.__module__.rpartition(".")[2]
    assert found == {name: name for name in found}


def test_the_first_start_is_like_every_other() -> None:
    env = environment(file_of("seed-ignored"))
    assert [env.fresh(0).moves(), env.fresh(0).look().tolist()] == [
        env.fresh(0).moves(),
        env.fresh(0).look().tolist(),
    ]
    first = environment(file_of("seed-ignored")).fresh(3).look().tolist()
    assert first == env.fresh(3).look().tolist()
