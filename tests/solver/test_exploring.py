"""Exploring: packed positions, several processes, and what stops it. The graph is always the same."""

import random
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest

import perfectplay as pp
from perfectplay.solver import graph as graphs
from perfectplay.solver.graph import Graph, explore
from perfectplay.solver.packing import Codec, PackedStates
from perfectplay.solver.retrograde import retrograde
from tests.conftest import ROOT, Run
from tests.core.listed_games import Doubles, DoublesState

SMALL = f"{ROOT / 'examples' / 'connect_four.py'}:columns=4,rows=3,line=3"
GAMES = [
    SMALL,
    str(ROOT / "examples" / "tic_tac_toe.py"),
    "inversion-race",
    "dual-direction",
    "bit-flip:bits=14",
]


def facts(graph: Graph[Any]) -> tuple[object, ...]:
    solution = retrograde(graph)
    return (
        list(graph.states),
        graph.offsets.tolist(),
        graph.actions.tolist(),
        graph.targets.tolist(),
        graph.forward,
        bytes(solution.winners),
        solution.plies.tolist(),
        solution.cyclic,
    )


@pytest.fixture
def packs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions are packed as soon as there are ten."""
    monkeypatch.setattr(graphs, "PACKED_FROM", 10)


@pytest.mark.parametrize("spec", GAMES)
def test_packed_positions_give_the_same_graph(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = pp.load(spec)
    plain = explore(game)
    assert isinstance(plain.states, list)
    monkeypatch.setattr(graphs, "PACKED_FROM", 10)
    packed = explore(game)
    assert isinstance(packed.states, PackedStates)
    assert facts(packed) == facts(plain)
    for number, state in enumerate(plain.states):
        assert packed.states[number] == state
        assert type(packed.states[number]) is type(state)
        assert packed.find(state) == number
    assert packed.states[2:5] == plain.states[2:5]
    assert packed.states[-1] == plain.states[-1]
    assert packed.find("nowhere") is None


@pytest.mark.usefixtures("packs")
@pytest.mark.parametrize("spec", [SMALL, "inversion-race"])
def test_the_graph_is_the_same_with_one_process_two_or_three(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("perfectplay.solver.expansion.BLOCK", 50)
    game = pp.load(spec)
    plain = facts(explore(game))
    assert facts(explore(game, processes=2)) == plain
    assert facts(explore(game, processes=3)) == plain
    whole = len(explore(game).states)
    for limit in (70, whole - 1):
        cut = [explore(game, first=limit, limit=limit, processes=count) for count in (1, 3)]
        assert cut[0].visited == cut[1].visited
        assert list(cut[0].states) == list(cut[1].states)
        told = []
        for count in (1, 3):
            with pytest.raises(pp.TooLargeError) as error:
                explore(game, limit=limit, processes=count)
            told.append(str(error.value))
        assert told[0] == told[1]
    assert len(explore(game, limit=whole, processes=2).states) == whole


@dataclass(frozen=True)
class Flags(Doubles):
    """A game with positions that are equal but have other types: (0, 0) and (0, False)."""

    def initial(self) -> DoublesState:
        return DoublesState(0, 0)

    def legal_actions(self, state: DoublesState) -> tuple[int, ...]:
        return (0, 1) if state.taken < 40 else ()

    def side_to_move(self, state: DoublesState) -> pp.Side:
        return 1 if state.total else 0

    def apply(self, state: DoublesState, action: int) -> DoublesState:
        return DoublesState(state.taken + action, not state.total)

    def outcome(self, state: DoublesState) -> pp.Outcome | None:
        return None if state.taken < 40 else pp.Outcome(0, "odd")


@pytest.mark.usefixtures("packs")
def test_positions_that_cannot_be_packed_are_kept_as_they_are() -> None:
    graph = explore(Flags())
    assert isinstance(graph.states, list)
    assert len(graph.states) == len(set(graph.states)) == 82
    assert explore(Flags(), processes=2).targets == graph.targets  # and no process could load this game


class Late(NamedTuple):
    """A position of another type."""

    taken: int
    total: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Late) and self.taken == other.taken

    def __hash__(self) -> int:
        return hash(self.taken)


@dataclass(frozen=True)
class LateFlags(Flags):
    """A game with positions of another type from the 15th turn on."""

    def apply(self, state: DoublesState, action: int) -> DoublesState:
        kind: Any = Late if state.taken + action >= self.late else DoublesState
        after = super().apply(state, action)
        return cast(DoublesState, kind(after.taken, int(after.total)))

    def initial(self) -> DoublesState:
        return self.apply(DoublesState(0, 1), 0)

    late = 15


@dataclass(frozen=True)
class OnlyLate(LateFlags):
    """The same, with one type whose positions are equal in their own way."""

    late = 0


@pytest.mark.usefixtures("packs")
@pytest.mark.parametrize("game", [LateFlags(), OnlyLate()])
def test_positions_that_would_change_by_packing_are_kept_as_they_are(
    game: LateFlags, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = explore(game)
    monkeypatch.undo()
    plain = explore(game)
    assert list(map(type, found.states)) == list(map(type, plain.states))
    assert found.targets == plain.targets


@pytest.mark.parametrize(
    ("example", "states", "fits"),
    [
        ((0, "a"), [(1, "b"), (None, ("c", (2,)))], True),
        ((0, "a"), [(1, "b"), (None, ("c", (2.0,)))], False),
        ((0, "a"), [(1, "b"), (None, ("c", (True,)))], False),
        ((0, "a"), [(1, "b"), (True, "b")], False),
        ((0, False), [(1, True), (2, False)], True),
        ((0, False), [(1, True), (2, 0)], False),
        ((0, False), [(1, True), (2, 0, True)], False),
        ((0, False), [(1, True), (2, True, (3,))], True),
        ((0, False), [(1,), (2,)], False),
        ((0, False), [(False, True)], False),
        (0, [1, 2], True),
        (0, [1, True], False),
        ("a", ["b", "c"], True),
        ((), [(), (1,)], True),
    ],
)
def test_what_can_be_packed(example: Any, states: list[Any], fits: bool) -> None:
    codec = Codec(example)
    assert codec.fits(states) is fits
    if fits:
        assert codec.unpack(len(states), b"".join(codec.pack(states))) == states
        assert codec.fits([*states, 0.5]) is codec.fits([0.5, *states]) is False


@pytest.mark.parametrize("bits", [30, 1])  # with one, most slots have a hash like that of another position
def test_positions_keep_the_numbers_of_their_discovery_while_the_table_grows(
    bits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("perfectplay.solver.packing.FIRST_BITS", 4)
    monkeypatch.setattr("perfectplay.solver.packing.HASH_BITS", bits)
    rng = random.Random(1)
    states = PackedStates(Codec((0, "")), [(0, "")])
    numbers = {(0, ""): 0}
    for _ in range(60):
        block = list(dict.fromkeys((rng.randrange(3000), "x" * rng.randrange(3)) for _ in range(200)))
        merged = states.merge(states.codec.pack(block))
        assert merged == [numbers.setdefault(state, len(numbers)) for state in block]
    assert list(states) == list(numbers)
    assert [states.find(state) for state in numbers] == list(numbers.values())
    assert states.find((3000, "")) is None


@pytest.mark.usefixtures("packs")
def test_a_process_that_ends_too_early_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", shutil.which("true"))
    with pytest.raises(pp.PerfectplayError, match="a process that explores the game has ended too early"):
        explore(pp.load(SMALL), processes=2)


@pytest.mark.usefixtures("packs")
def test_a_game_file_that_prints_can_be_explored_by_several_processes(tmp_path: Path) -> None:
    loud = tmp_path / "loud.py"
    text = (ROOT / "examples" / "connect_four.py").read_text()
    loud.write_text(f"{text}\nprint('loaded')\n__import__('os').write(1, b'loaded')\n")
    game = pp.load(f"{loud}:columns=3,rows=4")
    assert facts(explore(game, processes=2)) == facts(explore(game))


@pytest.mark.usefixtures("packs")
def test_a_rule_that_fails_in_another_process_fails_here(tmp_path: Path) -> None:
    text = (ROOT / "examples" / "connect_four.py").read_text()
    bad = tmp_path / "bad.py"
    broken = text.replace(
        "squares, side = state\n        place",
        "squares, side = state\n        1 / (squares[3] == '.')\n        place",
    )
    assert broken != text
    bad.write_text(broken)
    with pytest.raises(ZeroDivisionError):
        explore(pp.load(f"{bad}:columns=3,rows=4"), processes=2)


@pytest.mark.usefixtures("packs")
def test_memory_stops_it(monkeypatch: pytest.MonkeyPatch) -> None:
    used = iter([1000, *range(1000, 10**6, 600)])
    monkeypatch.setattr(graphs, "measure_memory", lambda: next(used))
    monkeypatch.setattr("perfectplay.solver.expansion.BLOCK", 50)
    with pytest.raises(pp.TooLargeError, match=r"its first [0-9,]+ positions \(.*\) take more than 0 MiB"):
        explore(pp.load(SMALL), memory=1000)


def test_the_limits_of_the_command_come_from_the_machine(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    said = run("solve", SMALL, "--memory", "0")
    assert (said.returncode, "Traceback" in said.stderr) == (2, False)
    said = run("solve", SMALL, "--limit", "1000", "--processes", "1")
    assert said.returncode == 2
    assert "more than 1,000 positions" in said.stderr
    monkeypatch.setattr("perfectplay.solver.memory.free_memory", lambda: 2 * 120 * 1000)
    with pytest.raises(pp.TooLargeError, match="more than 1,000 positions"):
        pp.solve(pp.load(SMALL))


@pytest.mark.parametrize(
    ("name", "given"),
    [("limit", 0), ("limit", "many"), ("memory", -1), ("memory", 0.5), ("memory", "much"), ("processes", 0)],
)
def test_bounds_are_whole_numbers(name: str, given: Any) -> None:
    bounds: dict[str, Any] = {name: given}
    with pytest.raises(pp.BadParameterError, match=f"{name}={given!r}: must be a whole number, at least 1"):
        pp.solve(pp.load(SMALL), **bounds)


def test_an_interrupt_ends_it_and_its_processes_without_a_traceback() -> None:
    command = [sys.executable, "-c", INTERRUPTED, f"{ROOT / 'examples' / 'connect_four.py'}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.stdout == "interrupted, [0, 0] left\n"
    assert done.stderr == ""


INTERRUPTED = f"""
import os, signal, sys
from perfectplay.solver import expansion, graph
import perfectplay as pp
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
started = []
popen = expansion.subprocess.Popen
expansion.subprocess.Popen = lambda *a, **s: started.append(popen(*a, **s)) or started[-1]
graph.PACKED_FROM = 1000
def stop(count):
    if started:
        os.kill(os.getpid(), {int(signal.SIGINT)})
try:
    graph.explore(pp.load(sys.argv[1]), processes=2, progress=stop)
except KeyboardInterrupt:
    print(f"interrupted, {{[0 if each.poll() is not None else 1 for each in started]}} left")
"""
