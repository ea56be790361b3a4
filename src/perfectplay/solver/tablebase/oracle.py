"""An oracle that answers from a table base, in memory or on disk."""

from array import array
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib.metadata import entry_points
from importlib.util import find_spec
from operator import itemgetter
from os.path import isdir
from pathlib import Path
from typing import Any, Literal

import numpy as np

from perfectplay.core.errors import PerfectplayError, needs
from perfectplay.core.formatting import quote
from perfectplay.core.game import Action, Game, S
from perfectplay.core.value import Value
from perfectplay.solver.graph import Graph
from perfectplay.solver.memory import BYTES_PER_POSITION, default_memory
from perfectplay.solver.oracle import TABLES, Oracle, Progress
from perfectplay.solver.retrograde import ENDLESS, TIE, Solution
from perfectplay.solver.tablebase import files
from perfectplay.solver.tablebase.checksums import CheckedArray, CheckedPly
from perfectplay.solver.tablebase.engine import Engine
from perfectplay.solver.tablebase.interrupts import postpone_interrupts
from perfectplay.solver.tablebase.worth import LONGEST, value_of


class TableOracle(Oracle[S]):
    """Knows the exact value of every position in a table base. Others are solved when they are asked for."""

    def __init__(
        self,
        game: Game[S],
        plies: list[CheckedPly],
        counts: dict[str, int],
        limit: int,
        folder: Path | None = None,
    ) -> None:
        super().__init__(game, None, None, limit, counts, folder)
        self._rules, self._plies = files.expect_arrays(game), plies
        self._ply = 0
        """Where the last answer was: the next is often near."""

    @property
    def source(self) -> Literal["graph", "theory", "table"]:
        return "table"

    def worth(self, state: S) -> int | None:
        """The two bytes of a position; None if it is not in the table base."""
        self._expect_position(state)
        return self._find([state])[0]

    def _find(self, states: list[S]) -> list[int | None]:
        """The two bytes of positions, asked for at once; None for those that are not in the table base."""
        rules = self._rules
        codes = [rules.code(state) for state in states]
        own = [  # a position that play never reaches may share the code of another
            0 <= code < 1 << rules.bits and rules.state(code) == state
            for code, state in zip(codes, states, strict=True)
        ]
        worths, missing = self._worths([code if sure else 0 for code, sure in zip(codes, own, strict=True)])
        given = zip(worths.tolist(), missing.tolist(), own, strict=True)
        return [worth if sure and not lost else None for worth, lost, sure in given]

    def _worths(self, codes: list[int]) -> tuple[Any, Any]:
        """The two bytes of codes, and which of them are not in the table base."""
        given = np.array(codes, np.uint32 if self._rules.bits <= 32 else np.uint64)
        wanted = self._rules.canonical(np, given)
        worths, missing = np.zeros(len(wanted), np.uint16), np.ones(len(wanted), np.bool_)
        plies = range(len(self._plies))
        for ply in (*plies[self._ply :], *plies[: self._ply]):
            known, values = self._plies[ply]
            places, found = known.find(wanted)
            worths[found] = values.at(places[found])
            missing[found] = False
            if not missing.any():
                self._ply = ply
                break
        return worths, missing

    def value(self, state: S) -> Value:
        worth = self.worth(state)
        return super().value(state) if worth is None else value_of(worth)

    def dead_ends(self, state: S) -> int:
        return 0 if self.worth(state) is not None else super().dead_ends(state)

    def best(self, state: S) -> tuple[Action, ...]:
        best = super().best(state)
        if not best and self.value(state).plies:
            raise self._contradiction(state)
        return best

    def reachable(self, state: S) -> bool | None:
        if self.worth(state) is not None:
            return True
        return False if self.game.after_forfeit(self.game.initial()) is None else super().reachable(state)

    def _pairs(self, state: S) -> tuple[tuple[Action, Value], ...]:
        if self.worth(state) is None:
            return super()._pairs(state)
        game, side = self.game, self.game.side_to_move(state)
        after = [(action, game.apply(state, action)) for action in game.legal_actions(state)]
        worths = self._find([each for _, each in after])
        if None in worths:
            raise self._contradiction(state)
        return tuple(
            (action, value_of(worth).before(game.side_to_move(each) == side))
            for (action, each), worth in zip(after, worths, strict=True)
            if worth is not None
        )

    def values_of(self, graph: Graph[S]) -> Solution[S]:
        """The values of all positions of a graph without loops."""
        states = graph.states
        worths, missing = self._worths([*map(self._rules.code, states)])
        if missing.any():
            raise self._contradiction(states[int(missing.argmax())])
        kinds, rest = np.divmod(worths, LONGEST + 1)
        sides = np.fromiter(map(self.game.side_to_move, states), np.uint8, len(states))
        winners = np.choose(kinds, [1 - sides, ENDLESS, TIE, sides]).astype(np.uint8)
        plies = np.where(kinds == 0, rest, LONGEST - rest).astype(np.int32)
        return Solution(graph, bytearray(winners), array("i", plies.tobytes()), cyclic=False)

    def _contradiction(self, state: S) -> PerfectplayError:
        text = quote(self.game.state_text(state), 100)
        if self.folder is not None:
            return files.explain_damage(
                self.folder, f"it contradicts the rules of the game at {text}, as check-game may show"
            )
        return PerfectplayError(f"the rules on arrays contradict the others at {text}: check-game shows how")


def solve_arrays(
    game: Game[S],
    *,
    limit: int | None,
    memory: int,
    on: str | None = None,
    progress: Progress | None = None,
    narrow: bool = True,
) -> TableOracle[S]:
    """Solve a game by its rules on arrays, in memory; if not `narrow`, none that is deep and narrow."""
    store = files.MemoryStore()
    plies, counts = _run(game, store, limit, memory, on, progress, narrow=narrow)
    found = [
        (CheckedArray(store.get("codes", ply)), CheckedArray(store.get("values", ply)))
        for ply in range(plies)
    ]
    return TableOracle(game, found, counts, memory // BYTES_PER_POSITION if limit is None else limit)


def save_table(
    game: Game[S],
    folder: Path,
    *,
    limit: int | None = None,
    memory: int | None = None,
    on: str | None = None,
    progress: Progress | None = None,
) -> TableOracle[S]:
    """Solve a game by its rules on arrays into a folder, or continue a run that was killed.

    Plies that do not fit into `memory` (bytes; by default, half of what is free) are worked on in parts.
    """
    memory = default_memory() if memory is None else memory
    try:
        with files.begin(folder, game) as store:
            files.finish(store, game, *_run(game, store, limit, memory, on, progress))
    except OSError as error:
        problem = "cannot be written (the same command continues it once it can)"
        raise files.explain_system(folder, problem, error) from None
    return open_table(game, folder)


def open_table(game: Game[S], folder: Path, limit: int = 1) -> TableOracle[S]:
    """An oracle that asks a table base on disk."""
    try:
        plies, facts = files.open_plies(folder, game)
    except OSError as error:
        raise files.explain_system(folder, "cannot be read", error) from None
    counts = {name: facts[name] for name in ("positions", "stored")}
    size = sum(each.array.nbytes for ply in plies for each in ply)
    oracle = TableOracle(game, plies, {**counts, "bytes": size}, limit, folder)
    if oracle.worth(game.initial()) is None:
        raise files.explain_damage(folder, "it lacks the start")
    return oracle


def find_table(game: Game[S], folders: Iterable[str], limit: int) -> TableOracle[S] | None:
    """The table base of a game in a list of folders, or in folders in these; None if it is in none.

    Table bases of other games are passed over. A damaged one of this game is an error.
    """
    wanted = files.describe(game)
    found = [
        (facts.get("rules") != wanted["rules"], folder)
        for entry in filter(None, folders)
        for folder, facts in _manifests(Path(entry))
        if facts["game"] == wanted["game"]
    ]
    # A table base of other rules is chosen only if these rules have none.
    return open_table(game, min(found, key=itemgetter(0))[1], limit) if found else None


def _manifests(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    if not isdir(folder):
        raise PerfectplayError(f"{TABLES} names {quote(str(folder), 200)}, which is not a folder")
    if (folder / files.MANIFEST).exists():
        yield folder, files.read_manifest(folder)
        return
    for manifest in sorted(folder.glob(f"*/{files.MANIFEST}")):
        with suppress(files.TableBaseError):  # another program may have files of this name
            facts = files.read_manifest(manifest.parent)
            if "plies" in facts:  # it is finished
                yield manifest.parent, facts


def _run(
    game: Game[S],
    store: files.Store,
    limit: int | None,
    memory: int,
    on: str | None,
    progress: Progress | None,
    *,
    narrow: bool = True,
) -> tuple[int, dict[str, int]]:
    """Solve a game into a store. By default, JAX does it where it finds an accelerator."""
    rules = files.expect_arrays(game)
    kind: type[Engine[Any]] = Engine
    if on == "jax" or (on is None and _may_have_accelerator()):
        with needs("jax", "jax"), postpone_interrupts():
            import jax

            from perfectplay.solver.tablebase.jax_engine import JaxEngine

            if jax.default_backend() != "cpu" or on == "jax":
                kind = JaxEngine
    engine = kind(rules, store, limit=limit, memory=memory, progress=progress, narrow=narrow)
    plies = engine.solve(game.initial())
    return plies, {"positions": engine.positions, "stored": engine.stored}


def _may_have_accelerator() -> bool:
    """Whether JAX is installed with what it needs for one. Otherwise, loading it would only take a second."""
    return find_spec("jax") is not None and (
        bool(entry_points(group="jax_plugins"))
        or any(find_spec(name) is not None for name in ("jax_plugins", "libtpu"))
    )
