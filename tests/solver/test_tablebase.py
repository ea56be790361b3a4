"""Rules on arrays: the same values as the plain solver, kept on disk, and never trusted when they are damaged."""

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import Mock
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import perfectplay as pp
from perfectplay.audit.case import FIRST_POSITIONS, prepare
from perfectplay.audit.findings.value import forced_win
from perfectplay.audit.report import audit, describe_scope
from perfectplay.audit.visit import visit
from perfectplay.core.value import best_of
from perfectplay.core.walks import positions
from perfectplay.simulate import positions as positions_of_arrays
from perfectplay.simulate.dataset import examples
from perfectplay.simulate.table import tabulate
from perfectplay.solver.graph import explore
from perfectplay.solver.oracle_cache import OracleCache
from perfectplay.solver.retrograde import retrograde
from perfectplay.solver.tablebase import array_conformance, checksums, files
from perfectplay.solver.tablebase import engine as engines
from perfectplay.solver.tablebase.array_conformance import find_array_violation
from perfectplay.solver.tablebase.files import MANIFEST, SUMS, FolderStore, describe
from perfectplay.solver.tablebase.oracle import open_table, save_table, solve_arrays
from perfectplay.solver.tablebase.ranks import Ranks
from tests.conftest import ROOT, Run
from tests.core.listed_games import ListedGame, random_table_games, table_game
from tests.extras import tries

CONNECT_FOUR = str(ROOT / "examples" / "connect_four.py")
SMALL, WON = (f"{CONNECT_FOUR}:{size},line=3" for size in ("columns=3,rows=4", "columns=4,rows=3"))
MUCH: dict[str, Any] = {"limit": 10**9, "memory": 10**9}
GAMES = [
    f"{CONNECT_FOUR}:columns=3,rows=3,line=3",
    f"{CONNECT_FOUR}:columns=2,rows=4",  # lines of four stand upright only
    f"{CONNECT_FOUR}:columns=5,rows=2,line=2",
    f"{CONNECT_FOUR}:columns=1,rows=1",
    *(f"bit-flip:bits={bits}" for bits in (1, 2, 7, 12)),
    "bit-flip:bits=9,first=2",
]


class TableRules(pp.ArrayRules[str]):
    """The rules of a table game on arrays."""

    game: ListedGame
    bits = 40

    def __init__(self, game: ListedGame) -> None:
        super().__init__(game)
        self.names = sorted({*game.table, *game.ends, game.start})

    def code(self, state: str) -> int:
        return self.names.index(state) << 35

    def state(self, code: int) -> str:
        return self.names[code >> 35]

    def look(self, xp: Any, codes: Any) -> tuple[Any, Sequence[tuple[Any, Any]]]:
        game, rows = self.game, (codes >> 35).astype(int)
        ends = [self._end(name) for name in self.names]
        moves = []
        for action in range(game.num_actions):
            legal = [action in game.legal_actions(name) for name in self.names]
            after = [
                self.code(game.apply(n, action)) if ok else 0 for n, ok in zip(self.names, legal, strict=True)
            ]
            moves.append((xp.asarray(after, codes.dtype)[rows], xp.asarray(legal)[rows]))
        return xp.asarray(ends)[rows], moves

    def _end(self, name: str) -> int:
        if name not in self.game.ends:
            return self.GOES_ON
        winner = self.game.ends[name]
        return (
            self.TIED if winner is None else self.WON if winner == self.game.side_to_move(name) else self.LOST
        )

    def sides(self, xp: Any, codes: Any) -> Any:
        return xp.asarray([self.game.side_to_move(name) for name in self.names])[(codes >> 35).astype(int)]


def agree(game: pp.Game[Any], oracle: pp.Oracle[Any]) -> None:
    solution = retrograde(explore(game))
    states = solution.graph.states
    assert [oracle.value(state) for state in states] == [solution.value(i) for i in range(len(states))]
    for number, state in enumerate(states):
        assert oracle.best(state) == best_of(solution.moves(number))
    assert oracle.counts["positions"] == len(states)


@pytest.mark.parametrize("spec", GAMES)
def test_values_equal_those_of_the_plain_solver_in_every_position(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = pp.load(spec)
    agree(game, solve_arrays(game, **MUCH))
    monkeypatch.setattr(engines, "BLOCK", 50)  # many blocks, and many parts to merge
    agree(game, solve_arrays(game, **MUCH))
    rules: Any = game.array_rules()
    monkeypatch.setattr(type(rules), "layered", False)  # by sweeps
    agree(game, solve_arrays(game, **MUCH))


@settings(max_examples=tries(150))
@given(random_table_games(least=1, array_rules=lambda self: TableRules(self)))
def test_values_equal_those_of_the_plain_solver_in_games_with_loops(game: ListedGame) -> None:
    assert find_array_violation(game, Random(0)) is None
    agree(game, solve_arrays(game, **MUCH))


def test_a_tie_that_is_refuted_later_does_not_count_up_around_a_loop() -> None:
    table = {
        "a": {"round": "b", "down": "d"},
        "b": {"round": "a"},
        "d": {"draw": "tie", "win": "e"},
        "e": {"on": "f"},
        "f": {"on": "won"},
    }
    movers: dict[str, pp.Side] = {"a": 0, "b": 1, "d": 1, "e": 0, "f": 1}
    ends: dict[str, pp.Side | None] = {"tie": None, "won": 1}
    game = table_game(table, ends, movers, start="a", array_rules=lambda self: TableRules(self))
    oracle = solve_arrays(game, **MUCH)
    assert oracle.value("a").kind == "endless"
    agree(game, oracle)


@given(st.sets(st.integers(0, 2**40 - 1), min_size=1), st.integers(0, 34))
def test_places_of_codes(codes: set[int], shift: int) -> None:
    found = np.array(sorted({code >> shift for code in codes}), np.uint64)
    places = Ranks(found, 40).find(found)
    assert places.tolist() == list(range(len(found)))


def test_a_large_game_is_solved_by_arrays_without_being_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perfectplay.solver.oracle.PACKED_FROM", 1000)
    game = pp.load(SMALL)
    oracle = pp.solve(game)
    assert (oracle.source, oracle.graph, oracle.counts["positions"]) == ("table", None, 2715)
    with pytest.raises(pp.TooLargeError, match="more than 2,000 positions"):
        pp.solve(game, limit=2000)


def test_only_memory_bounds_rules_on_arrays_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their positions take a fraction of what the plain solver reckons with."""
    monkeypatch.setattr("perfectplay.solver.oracle.PACKED_FROM", 1000)
    monkeypatch.setattr(engines, "measure_memory", lambda: 0)
    game = pp.load(SMALL)
    bounds: dict[str, Any]
    for bounds in ({"memory": 120 * 1500}, {"memory": 120 * 100, "on": "numpy"}):
        assert pp.solve(game, **bounds).counts["positions"] == 2715


@pytest.mark.parametrize("layered", [True, False])
def test_a_deep_and_narrow_game_is_solved_by_its_plain_rules(
    layered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("perfectplay.solver.oracle.PACKED_FROM", 1000)
    monkeypatch.setattr(engines, "DEEP", 5)
    game = pp.load(SMALL)
    monkeypatch.setattr(type(game.array_rules()), "layered", layered)
    monkeypatch.setattr(engines, "NARROW", 10**6)
    assert pp.solve(game).source == "graph"
    assert solve_arrays(game, **MUCH).source == "table"  # as it was asked for
    monkeypatch.setattr(engines, "NARROW", 1)
    assert pp.solve(game).source == "table"


@pytest.mark.parametrize("layered", [True, False])
def test_the_limit_counts_positions_and_stops_what_never_ends(
    layered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = pp.load("bit-flip:bits=12")
    rules: Any = game.array_rules()
    monkeypatch.setattr(type(rules), "layered", layered)
    whole = len(explore(game).states)
    with pytest.raises(pp.TooLargeError, match=f"more than {whole - 1} positions"):
        solve_arrays(game, limit=whole - 1, memory=10**9)
    loop = table_game({"start": {"on": "start"}}, {}, {}, array_rules=lambda self: TableRules(self))
    assert solve_arrays(loop, **MUCH).value("start") == pp.Value("endless")
    monkeypatch.setattr(TableRules, "layered", True)  # which is not true
    monkeypatch.setattr(engines, "LONGEST", 200)
    with pytest.raises(pp.PerfectplayError, match="more than 200 plies"):
        solve_arrays(loop, **MUCH)


def test_memory_is_a_bound_where_everything_is_kept_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    used = iter(range(0, 10**9, 1000))
    monkeypatch.setattr(engines, "measure_memory", lambda: next(used))
    game = pp.load(SMALL)
    with pytest.raises(pp.TooLargeError, match="take more than 0 MiB"):
        solve_arrays(game, limit=10**9, memory=5000)
    monkeypatch.setattr(type(game.array_rules()), "layered", False)  # sweeps keep everything there too
    with pytest.raises(pp.TooLargeError, match="take more than 0 MiB"):
        save_table(game, tmp_path / "swept", memory=5000)


# What check-game finds.

FAULTS: dict[str, tuple[str, str, str]] = {
    "shape": ("return ends, moves", "return ends[:1], moves", "ends: has the shape (1,), not ("),
    "type": (
        "(dropped != 0) & ~lost)",
        "((dropped != 0) & ~lost).astype(int))",
        "has the type int64, not bool",
    ),
    "twice": ("code |= (own | 1 << len(stones))", "code |= 1 << len(stones)", "is used twice"),
    "unknown": ("(others | free) + dropped,", "(others | free) + dropped + 1,", "leads to the unknown code"),
    "outcome": ("(dropped != 0) & ~lost)", "(dropped != 0))", "has an outcome, and moves"),
    "legal": ("& ~lost)", "& ~lost & (others == 0))", "is legal, but not on arrays"),
    "end": ("self.LOST, xp.where", "self.TIED, xp.where", "gives TIED for how it has ended, not LOST"),
    "number": ("self.LOST, xp.where", "7, xp.where", "gives 7 for how it has ended, not LOST"),
    "kind": (
        "return rules if rules.bits <= 64",
        "return 5 if rules",
        "must return ArrayRules or None, not int",
    ),
    "image": ("(last - column) * self.high", "column * self.high ^ 1", "symmetry has another outcome"),
    "actions": ("return ends, moves", "return ends, moves[1:]", "the moves of 2 actions, not of 3"),
    "crash": ("free = filled + self.bottom", "free = filled / 0 + self.bottom", "Error"),
    "lines": (
        "free = filled + self.bottom",
        "raise ValueError('two\\nlines')",
        "ValueError: two lines (faulty.py, line ",
    ),
    "nothing": ("return ends, moves", "return None", "look() must give how positions have ended, and a list"),
    "generator": ("return ends, moves", "return ends, iter(moves)", "look() must give how positions"),
    "bits": ("self.bits = game.columns * self.high", "self.bits = 9", "at most 9 bits"),
    "forgotten": (
        "return rules if rules.bits <= 64 else None",
        "del rules.bits; return rules",
        "set bits to a whole number from 1 to 64; it is None",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_check_game_names_every_fault_in_one_line(name: str, run: Run, tmp_path: Path) -> None:
    old, new, said = FAULTS[name]
    text = Path(CONNECT_FOUR).read_text()
    assert old in text
    file = tmp_path / "faulty.py"
    file.write_text(text.replace(old, new))
    done = run("check-game", f"{file}:columns=3,rows=3,line=3")
    assert done.returncode == 1
    assert said in done.stdout.splitlines()[0]
    assert done.stdout.startswith("array-rules: ")
    assert [line for line in done.stdout.splitlines()[1:] if not line.startswith("  Shown by: ")] == []
    assert "Traceback" not in done.stderr


def test_check_game_says_that_rules_on_arrays_agree(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    said = run("check-game", SMALL).stdout
    assert "Its rules on arrays agree with its plain rules.\n" in said
    monkeypatch.setattr(array_conformance, "FIRST", 2000)
    assert find_array_violation(pp.load(CONNECT_FOUR), Random(1)) is None  # too large to compare everything
    assert find_array_violation(pp.load("bit-flip:bits=64"), Random(1)) is None


@pytest.mark.parametrize("seed", range(5))
def test_check_game_shows_the_position_of_a_fault_behind_a_loop(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Faulty(TableRules):
        def _end(self, name: str) -> int:
            return self.TIED if name == "far" else super()._end(name)

    monkeypatch.setattr(array_conformance, "FIRST", 1)  # the rest is met in random games
    table = {"start": {"stay": "start", "on": "near"}, "near": {"back": "start", "on": "far"}}
    game = table_game(table, {"far": 0}, {}, array_rules=lambda self: Faulty(self))
    found = find_array_violation(game, Random(seed))
    assert found is not None
    assert found.where == 'position "far"'
    assert [*positions(game, found.path)].index("far") == len(found.path)


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize(
    ("image", "said"),
    [("twin", "is never reached by play"), ("nothing", "which is the code of no position")],
)
def test_check_game_names_images_that_play_never_reaches(
    image: str, said: str, whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They would be counted, and said to be reachable."""

    class Mirrored(TableRules):
        def images(self, xp: Any, codes: Any) -> Sequence[Any]:
            if image == "nothing":
                return (codes ^ (1 << 39),)
            start, twin = (self.code(name) for name in ("start", "twin"))
            return (
                xp.where(codes == start, twin, xp.where(codes == twin, start, codes)).astype(codes.dtype),
            )

    monkeypatch.setattr(array_conformance, "FIRST", array_conformance.FIRST if whole else 1)
    monkeypatch.setattr(TableRules, "layered", True)
    table = {"start": {"on": "end"}, "twin": {"on": "end"}}
    game = table_game(table, {"end": None}, {"end": 1}, array_rules=lambda self: Mirrored(self))
    found = find_array_violation(game, Random(0))
    assert found is not None
    assert (found.where, found.path) == ('position "start"', ())
    assert said in found.problem


# On disk.


@pytest.fixture
def table(tmp_path: Path) -> Path:
    save_table(pp.load(SMALL), tmp_path / "table")
    return tmp_path / "table"


@pytest.fixture
def unfinished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose plies are all there, but not its last manifest."""
    with monkeypatch.context() as stopped:
        stopped.setattr(files, "finish", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            save_table(pp.load(SMALL), tmp_path / "unfinished")
    return tmp_path / "unfinished"


def test_a_table_base_answers_everything_that_an_oracle_does(table: Path, run: Run) -> None:
    game = pp.load(SMALL)
    agree(game, open_table(game, table))
    plain = run("analyze", SMALL).stdout
    assert run("analyze", SMALL, env={"PERFECTPLAY_TABLES": str(table)}).stdout == plain
    said = run("solve", SMALL, env={"PERFECTPLAY_TABLES": str(table.parent)}).stdout
    assert f"from the table base in {table}, 6.0 bytes for each stored." in said
    assert "table base" not in run("solve", "bit-flip", env={"PERFECTPLAY_TABLES": str(table)}).stdout


def test_a_question_is_asked_first_where_the_last_answer_was(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game of thousands of plies would take hours otherwise."""
    game = pp.load(SMALL)
    oracle, asked = open_table(game, table), list[object]()
    find = checksums.CheckedArray.find

    def find_and_note(self: checksums.CheckedArray, wanted: Any) -> Any:
        asked.append(self)
        return find(self, wanted)

    monkeypatch.setattr(checksums.CheckedArray, "find", find_and_note)
    start = game.initial()
    counts = []
    for action in (0, 1):
        asked.clear()
        assert oracle.worth(game.apply(start, action)) is not None
        counts.append(len(asked))
    assert counts == [2, 1]


def test_players_and_hints_ask_a_table_base_and_nothing_else(table: Path, run: Run) -> None:
    game = pp.load(SMALL)
    oracle, plain = open_table(game, table, limit=1), pp.solve(game)
    for state in explore(game, first=200, limit=200).states:
        assert oracle.tempting(state) == plain.tempting(state)
        assert oracle.line(state) == plain.line(state)
    told = [
        run("play", SMALL, "--p2", player, "--line", "--seed", "1", typed="hint\n2\nquit\n", env=env).stdout
        for player in ("perfect", "level:3")
        for env in ({"PERFECTPLAY_TABLES": str(table)}, {})
    ]
    assert "A good move: " in told[0]
    assert told[0] == told[1]
    assert told[2] == told[3]


def test_audits_say_what_a_table_base_knows_and_visit_no_more_than_they_show(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = pp.load(WON)
    whole = prepare(game)
    save_table(game, tmp_path / "table")
    monkeypatch.setenv("PERFECTPLAY_TABLES", str(tmp_path / "table"))
    visited = []

    def visit_and_note(game: Any, *, limit: int, first: int | None = None) -> Any:
        visited.append(first)
        return visit(game, limit=limit, first=first)

    monkeypatch.setattr("perfectplay.audit.case.visit", visit_and_note)
    case = (found := audit(game, limit=100)).case
    assert visited == [FIRST_POSITIONS]
    assert not case.whole
    assert (case.positions, case.value(0)) == (whole.positions, whole.value(0))
    assert case.texts(case.line) == whole.texts(whole.line)
    assert [each for each in found.findings if each.code == "forced-win"] == [*forced_win(whole)]
    said = describe_scope(found)
    assert said.startswith(f"A table base of all {case.positions:,} positions says what they are worth: ")
    assert "theory" not in said
    assert not prepare(game, limit=100_001).table  # a small game is visited whole
    assert prepare(pp.load("bit-flip:bits=40")).table is None  # of which there is no table base


def test_arrays_take_their_values_from_a_table_base(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = pp.load(SMALL)
    plain = tabulate(game)
    monkeypatch.setenv("PERFECTPLAY_TABLES", str(table))
    positions_of_arrays.solve_within.cache_clear()
    monkeypatch.setattr(positions_of_arrays, "retrograde", None)  # nothing is worked out again
    asked = tabulate(game)
    for name, array in vars(plain).items():
        if isinstance(array, np.ndarray):
            assert np.array_equal(getattr(asked, name), array), name
    oracle = pp.Oracle(game, None, retrograde(explore(game)), 1)
    for row in examples(game):
        state = game.parse_state(row.state)
        assert (row.value, row.plies) == (oracle.value(state).kind, oracle.value(state).plies)
        assert row.best == list(oracle.best(state))
    positions_of_arrays.solve_within.cache_clear()
    monkeypatch.setattr(positions_of_arrays, "explore", None)  # the table base knows that there are too many
    with pytest.raises(pp.PerfectplayError, match="needs a table of more than 9,999 bytes"):
        tabulate(game, memory=9_999)
    positions_of_arrays.solve_within.cache_clear()


def test_other_files_and_other_games_are_passed_over(table: Path, tmp_path: Path, run: Run) -> None:
    """Files of other programs, table bases that are not finished, and games with the same parameters."""
    other = tmp_path / "other.py"
    other.write_text(Path(CONNECT_FOUR).read_text().replace("ConnectFour", "Another"))
    for name, text in (("a", "[]"), ("b", "{}"), ("c", "nothing")):
        (tmp_path / name).mkdir()
        (tmp_path / name / MANIFEST).write_text(text)
    facts = json.loads((table / MANIFEST).read_text())
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / MANIFEST).write_text(json.dumps({**facts, "rules": "0"}))
    (tmp_path / "e").mkdir()
    (tmp_path / "e" / MANIFEST).write_text(json.dumps({key: facts[key] for key in ("format", "game")}))
    env = {"PERFECTPLAY_TABLES": str(tmp_path)}
    assert "theory" in run("solve", "bit-flip", env=env).stdout
    assert f"from the table base in {table}" in run("solve", SMALL, env=env).stdout
    said = run("solve", f"{other}:columns=4,rows=3,line=3", env=env)
    assert (said.returncode, "table base" in said.stdout) == (0, False)
    (table / MANIFEST).unlink()
    assert "was made by other rules" in run("solve", SMALL, env=env).stderr
    for name in ("nowhere", "x" * 5000):
        said = run("solve", SMALL, env={"PERFECTPLAY_TABLES": str(tmp_path / name)})
        assert (said.returncode, said.stderr.count("\n"), "which is not a folder" in said.stderr) == (
            2,
            1,
            True,
        )
    said = run("solve", SMALL, env={"PERFECTPLAY_TABLES": str(tmp_path / "b")})
    assert (said.returncode, "is not a valid manifest" in said.stderr) == (2, True)


def test_positions_outside_a_table_base(table: Path) -> None:
    game = pp.load(SMALL)
    oracle = open_table(game, table, limit=100_000)
    outside = game.parse_state("OO../..../.... X")
    assert (oracle.reachable(game.initial()), oracle.reachable(outside)) == (True, False)
    assert oracle.value(outside) == pp.solve(game).value(outside)
    bits = pp.load("bit-flip")
    unreachable = bits.parse_state("0000000000 2")  # it has the code of the start
    oracle = solve_arrays(bits, **MUCH)
    assert (oracle.reachable(bits.initial()), oracle.reachable(unreachable)) == (True, False)


@pytest.mark.parametrize("worth", [100, (3 << 14) + 3])
def test_values_that_contradict_the_rules_get_one_clear_line(worth: int, table: Path) -> None:
    """Whoever wrote them has written their checksums too."""
    sums = b""
    for codes in sorted(table.glob("*.codes")):
        values = codes.with_suffix(".values")
        values.write_bytes(np.full(values.stat().st_size // 2, worth, "<u2").tobytes())
        sums += b"".join(crc32(each.read_bytes()).to_bytes(4, "little") for each in (codes, values))
    (table / SUMS).write_bytes(sums)
    manifest(checksum=crc32(sums))(table / MANIFEST)
    game = pp.load(SMALL)
    oracle = open_table(game, table)
    with pytest.raises(pp.PerfectplayError, match="contradicts the rules of the game at"):
        oracle.line(game.initial())


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-2])


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def manifest(**changes: object) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        facts = json.loads(path.read_text())
        path.write_text(json.dumps({**facts, **changes}))

    return change


def replace_by_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGES: list[tuple[str, Callable[[Path], object], str]] = [
    ("ply-0005.codes", cut, "ply-0005.codes is not what was written"),
    ("ply-0005.values", cut, "ply-0005.values is not what was written"),
    ("ply-0005.codes", flip, "ply-0005.codes is not what was written"),
    ("ply-0005.values", flip, "ply-0005.values is not what was written"),
    ("ply-0005.values", Path.unlink, "ply-0005.values is missing"),
    ("ply-0005.values", replace_by_folder, "cannot be read: Is a directory"),
    (MANIFEST, Path.unlink, "cannot be read: No such file or directory"),
    (MANIFEST, lambda path: path.write_text(""), "is not a valid manifest"),
    (MANIFEST, lambda path: path.write_text("[1]"), "is not a valid manifest"),
    (MANIFEST, lambda path: path.write_bytes(b"\xff\xfe"), "is not a valid manifest"),
    (MANIFEST, lambda path: path.write_text("[" * 100_000), "is not a valid manifest"),
    (MANIFEST, lambda path: path.write_text(" " * (1 << 20) + "{}"), "is not a valid manifest"),
    (MANIFEST, manifest(format=1), "has a format that this version does not read"),
    (MANIFEST, manifest(game="Hex:rows=9"), 'is of another game: "Hex:rows=9"'),
    (MANIFEST, manifest(game=None), "is not a valid manifest"),
    (MANIFEST, manifest(rules="0"), "was made by other rules"),
    (MANIFEST, manifest(plies=None), "is not finished"),
    (MANIFEST, manifest(plies=[10**12], stored=10**12, positions=2**20), "counts what is not there"),
    (MANIFEST, manifest(plies=[1] * 10**4, stored=10**4, positions=10**4), "is not what was written"),
    (MANIFEST, manifest(plies="4"), "lacks what it must say"),
    (MANIFEST, manifest(plies=[1.0]), "lacks what it must say"),
    (MANIFEST, manifest(positions=None), "lacks what it must say"),
    (MANIFEST, manifest(positions=-1), "counts what is not there"),
    (MANIFEST, manifest(positions=10**100), "counts what is not there"),
    (MANIFEST, manifest(plies=[]), "counts what is not there"),
    (MANIFEST, manifest(plies=[-1, 2], stored=1), "counts what is not there"),
    (MANIFEST, manifest(stored=5), "counts what is not there"),
    (MANIFEST, manifest(positions=7), "counts what is not there"),
    (MANIFEST, manifest(checksum=1), "checksums is not what was written"),
    (SUMS, flip, "checksums is not what was written"),
    (SUMS, cut, "checksums is not what was written"),
    (SUMS, Path.unlink, "checksums is missing"),
]


@pytest.mark.parametrize(("name", "damage", "said"), DAMAGES)
def test_a_damaged_table_base_gets_one_clear_line(
    name: str, damage: Callable[[Path], object], said: str, table: Path
) -> None:
    damage(table / name)
    with pytest.raises(pp.PerfectplayError) as error:
        open_table(pp.load(SMALL), table)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", ["codes", "values"])
def test_a_flipped_bit_in_a_large_file_is_found_by_whoever_asks_there(
    name: str, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Large files are not read as a whole when they are opened."""
    monkeypatch.setattr(files, "LARGEST_READ", 8)
    monkeypatch.setattr(checksums, "BLOCK", 64)
    game = pp.load(SMALL)
    shutil.rmtree(table)
    save_table(game, table)
    graph = explore(game)
    solution = retrograde(graph)
    for ply in ("0004", "0007"):
        path = table / f"ply-{ply}.{name}"
        flip(path)
        oracle, told = open_table(game, table), set[str]()
        for number, state in enumerate(graph.states):
            try:
                assert oracle.worth(state) is not None
                assert oracle.value(state) == solution.value(number)
            except pp.PerfectplayError as error:
                told.add(str(error))
        assert [f"{path.name} is not what was written" in each for each in told] == [True]
        flip(path)


def test_a_table_base_is_never_overwritten_or_mixed_with_other_files(table: Path, run: Run) -> None:
    done = run("solve", SMALL, "--save", str(table))
    assert (done.returncode, "was made already" in done.stderr) == (2, True)
    assert done.stderr.endswith("or name it in PERFECTPLAY_TABLES\n")
    done = run("solve", SMALL, "--save", str(table.parent))
    assert (done.returncode, "the folder is not empty" in done.stderr) == (2, True)
    done = run("solve", "dual-direction", "--save", str(table.parent / "new"))
    assert (done.returncode, "has no rules on arrays" in done.stderr) == (2, True)
    assert "Traceback" not in done.stderr
    flip(table / "ply-0005.codes")
    assert "is damaged: ply-0005.codes" in run("solve", SMALL, "--save", str(table)).stderr


@pytest.mark.parametrize(
    ("spec", "option"),
    [("dual-direction", "--on=numpy"), (f"{CONNECT_FOUR}:columns=20,rows=20", "--save=new")],
)
def test_games_without_rules_on_arrays_get_one_true_line(
    spec: str, option: str, tmp_path: Path, run: Run
) -> None:
    done = run("solve", spec, option, cwd=tmp_path)
    said = "has no rules on arrays, or they need more than 64 bits"
    assert (done.returncode, done.stderr) == (2, f"perfectplay: {spec} {said}\n")
    assert not (tmp_path / "new").exists()


def test_a_limit_that_stops_saving_says_how_to_continue(tmp_path: Path, run: Run) -> None:
    done = run("solve", SMALL, "--limit", "100", "--save", "new", cwd=tmp_path)
    told = "the same command with more or no --limit and --memory continues new\n"
    assert (done.returncode, done.stderr.partition("; ")[2]) == (2, told)
    assert run("solve", SMALL, "--save", "new", cwd=tmp_path).returncode == 0
    env = {"PERFECTPLAY_TABLES": ""}
    assert "PERFECTPLAY_TABLES names;" in run("solve", SMALL, "--limit", "100", env=env).stderr


def test_a_folder_without_a_name_is_refused(tmp_path: Path, run: Run) -> None:
    done = run("solve", SMALL, "--save", "", cwd=tmp_path)
    assert (done.returncode, "it has no name" in done.stderr) == (2, True)
    assert [*tmp_path.glob("ply-*")] == []


def test_two_processes_do_not_make_the_same_table_base(tmp_path: Path, run: Run) -> None:
    """Each would cut off the other's files."""
    folder = tmp_path / "new"
    with files.begin(folder, pp.load(SMALL)):
        done = run("solve", SMALL, "--save", str(folder))
    assert (done.returncode, "is being made by another process" in done.stderr) == (2, True)
    assert run("solve", SMALL, "--save", str(folder)).returncode == 0


def test_a_full_disk_gets_one_clear_line(table: Path, tmp_path: Path) -> None:
    folder = tmp_path / "full"
    code = f"""
import resource
from pathlib import Path
import perfectplay as pp
from perfectplay.solver.tablebase.oracle import save_table
resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))  # much the same: a file cannot grow
try:
    save_table(pp.load({SMALL!r}), Path({str(folder)!r}))
except pp.PerfectplayError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    told = "cannot be written (the same command continues it once it can): File too large\n"
    assert (done.stdout, done.stderr) == (f'the table base "{folder}" {told}', "")
    save_table(pp.load(SMALL), folder)
    for each in table.glob("ply-*"):
        assert (folder / each.name).read_bytes() == each.read_bytes()


@pytest.mark.parametrize(("last", "before"), [("ply-0004.codes", 4), ("ply-0006.values", 19)])
def test_a_killed_run_goes_on_and_makes_the_same_files(
    last: str, before: int, table: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "killed"
    code = f"""
import os, signal
from pathlib import Path
from perfectplay.solver.tablebase import files, oracle
import perfectplay as pp
put = files.FolderStore.put
def put_and_die(self, name, ply, parts, dtype):
    if self.path(name, ply).name == {last!r}:
        (self.folder / "ply-0099.codes-partial").write_bytes(b"half")
        os.kill(os.getpid(), signal.SIGKILL)
    return put(self, name, ply, parts, dtype)
files.FolderStore.put = put_and_die
oracle.save_table(pp.load({SMALL!r}), Path({str(folder)!r}))
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -signal.SIGKILL
    names = [each.name for each in table.glob("ply-*")]
    kept = {name: (folder / name).stat().st_mtime_ns for name in names if (folder / name).is_file()}
    assert len(kept) == before
    save_table(pp.load(SMALL), folder)
    for name in names:
        assert (folder / name).read_bytes() == (table / name).read_bytes()
    assert {name: (folder / name).stat().st_mtime_ns for name in kept} == kept
    assert (folder / MANIFEST).read_text() == (table / MANIFEST).read_text()


def test_plies_larger_than_memory_are_solved_in_parts(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spilled: list[int] = []
    spill = FolderStore.spill

    def spill_and_note(self: FolderStore, parts: Any, dtype: Any) -> Any:
        found = spill(self, parts, dtype)
        spilled.append(found.nbytes)
        return found

    monkeypatch.setattr(FolderStore, "spill", spill_and_note)
    monkeypatch.setattr(engines, "BLOCK", 64)
    save_table(pp.load(SMALL), tmp_path / "parts", memory=1 << 14)
    assert len(spilled) > 10
    assert max(spilled) > 0
    for each in table.glob("ply-*"):
        assert (tmp_path / "parts" / each.name).read_bytes() == each.read_bytes()
    assert (tmp_path / "parts" / MANIFEST).read_text() == (table / MANIFEST).read_text()


def test_files_have_the_same_bytes_on_every_machine(tmp_path: Path) -> None:
    store = FolderStore(tmp_path, 64)
    store.put("codes", 0, [np.array([1, 2], ">u8")], ">u8")
    assert store.path("codes", 0).read_bytes() == b"\1" + bytes(7) + b"\2" + bytes(7)


def test_a_table_base_notices_every_file_of_the_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also what the game file imports."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "c4_helper.py").write_text("def look():\n    return 1\n")
    (tmp_path / "c4_kind.py").write_text("class Kind:\n    pass\n")
    (tmp_path / "c4_numbers.py").write_text("LINE = 4\n")
    source = Path(CONNECT_FOUR).read_text()
    head = "import re\nfrom c4_helper import look\nfrom c4_numbers import LINE\nimport c4_kind\n"
    (tmp_path / "game.py").write_text(source.replace("import re\n", head, 1))
    game = pp.load(f"{tmp_path / 'game.py'}:columns=3,rows=3,line=3")
    found = [describe(game)]
    for name in ("c4_helper", "c4_kind", "c4_numbers", "game"):
        file = tmp_path / f"{name}.py"
        file.write_text(file.read_text() + "# changed\n")
        assert describe(game) not in found
        found.append(describe(game))
    for name in ("c4_helper", "c4_kind", "c4_numbers"):
        monkeypatch.delitem(sys.modules, name)


def test_a_long_game_needs_few_open_files(tmp_path: Path) -> None:
    code = f"""
import resource
from pathlib import Path
import perfectplay as pp
from perfectplay.solver.tablebase import oracle
resource.setrlimit(resource.RLIMIT_NOFILE, (30, 30))
game = pp.load({f"{CONNECT_FOUR}:columns=1,rows=20,line=20"!r})
print(oracle.save_table(game, Path({str(tmp_path / "long")!r})).value(game.initial()))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "tie in 20\n", done.stderr


@pytest.mark.parametrize(
    ("name", "damage", "said"),
    [
        ("ply-0005.codes", lambda data: data[:-1], "ply-0005.codes is not what was written"),
        ("ply-0005.codes", lambda data: data[4:8] + data[:4] + data[8:], "ply-0005.codes is not what was"),
        ("ply-0005.codes", lambda data: data[:-4] + b"\xff" * 4, "ply-0005.codes is not what was written"),
        ("ply-0003.codes", lambda data: data[:4] + bytes([data[4] ^ 7]) + data[5:], "ply-0003.codes is not"),
        ("ply-0005.values", lambda data: data[:-2], "ply-0005.values is not what was written"),
        ("ply-0005.values", lambda data: bytes([data[0] ^ 1]) + data[1:], "ply-0005.values is not what was"),
        ("ply-0005.codes-sums", lambda data: b"", "ply-0005.codes is not what was written"),
        ("ply-0000.codes", lambda data: b"\0" * 4, "ply-0000.codes is not what was written"),
    ],
)
def test_a_run_with_a_damaged_ply_is_not_continued(
    name: str, damage: Callable[[bytes], bytes], said: str, unfinished: Path
) -> None:
    (unfinished / name).write_bytes(damage((unfinished / name).read_bytes()))
    with pytest.raises(pp.PerfectplayError, match=f"is damaged: {said}"):
        save_table(pp.load(SMALL), unfinished)


def test_plies_that_nothing_vouches_for_are_made_again(unfinished: Path, table: Path) -> None:
    flip(unfinished / "ply-0005.codes")
    (unfinished / "ply-0005.codes-sums").unlink()
    save_table(pp.load(SMALL), unfinished)
    assert {each.name: each.read_bytes() for each in unfinished.iterdir()} == {
        each.name: each.read_bytes() for each in table.iterdir()
    }


def test_stored_plies_begin_with_the_start_position(tmp_path: Path) -> None:
    with files.begin(tmp_path / "new", pp.load(SMALL)) as store:
        store.put("codes", 0, [np.zeros(1)], np.uint32)
    with pytest.raises(pp.PerfectplayError, match="do not begin with the start position"):
        save_table(pp.load(SMALL), tmp_path / "new")


@pytest.mark.parametrize("on", ["numpy", "jax"])
def test_progress_says_what_is_being_done(on: str, unfinished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if on == "jax":
        pytest.importorskip("jax")
    game, calls = pp.load(SMALL), list[tuple[int, str]]()

    def note(positions: int, doing: str = "") -> None:
        calls.append((positions, doing))

    back = [(2715, f"working back: {number} of 13 plies") for number in range(1, 14)]
    solve_arrays(game, **MUCH, on=on, progress=note)
    assert [doing for _, doing in calls] == [""] * 13 + [doing for _, doing in back]
    forward = calls[:13]
    calls.clear()
    for ply in range(7, 14):
        (unfinished / f"ply-{ply:04}.codes").unlink()
    save_table(game, unfinished, on=on, progress=note)
    assert [positions for positions, _ in calls[:13]] == [positions for positions, _ in forward]
    read = [doing for _, doing in calls[:13]].count("reading what is stored")
    assert (read, calls[13:]) == (6, back)
    calls.clear()
    monkeypatch.setattr(type(game.array_rules()), "layered", False)
    solve_arrays(game, **MUCH, on=on, progress=note)
    swept = [doing for _, doing in calls if doing]
    assert swept[:2] == ["wins and losses: sweep 1", "wins and losses: sweep 2"]
    assert "ties: sweep 2" in swept


@pytest.mark.parametrize("option", ["--processes=2", "--exact-distance"])
def test_options_that_saving_does_not_heed_are_refused(option: str, tmp_path: Path, run: Run) -> None:
    done = run("solve", "bit-flip:bits=8", "--save", str(tmp_path / "new"), option)
    assert done.returncode == 2
    assert f"--save and {option.partition('=')[0]} exclude each other" in done.stderr.replace("\n", " ")
    assert not (tmp_path / "new").exists()


def test_the_cache_counts_the_positions_of_a_table_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "perfectplay.solver.oracle_cache.solve", lambda game, limit: solve_arrays(game, **MUCH)
    )
    games = [pp.load(f"bit-flip:bits={bits}") for bits in (16, 17)]
    cache = OracleCache(most=3000)
    stored = [cache(game).counts["stored"] for game in games]
    assert max(stored) < 3000 < sum(stored)
    assert [game in cache for game in games] == [False, True]
