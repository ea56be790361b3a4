"""An oracle that answers from a table base, in memory or on disk."""

import os
from collections.abc import Hashable
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np

from perfectplay.core.errors import PerfectplayError
from perfectplay.core.game import Action, Game
from perfectplay.core.value import Value, best_of
from perfectplay.solver.oracle import Oracle, Progress
from perfectplay.solver.tablebase.engine import Engine, MemoryStore
from perfectplay.solver.tablebase.files import MANIFEST, begin, finish, is_of, open_plies
from perfectplay.solver.tablebase.worth import value_of

S = TypeVar("S", bound=Hashable)

BYTES_PER_POSITION = 40
"""What a position takes at most while a game is solved by rules on arrays, in memory."""


class TableOracle(Oracle[S]):
    """Knows the exact value of every position in a table base. Others are solved when they are asked for."""

    def __init__(
        self, game: Game[S], plies: list[tuple[Any, Any]], counts: dict[str, int], limit: int
    ) -> None:
        super().__init__(game, None, None, limit)
        rules = game.array_rules()
        assert rules is not None  # it was solved by them
        self._rules, self._plies = rules, plies
        self.counts = counts

    @property
    def source(self) -> Literal["graph", "theory", "table"]:
        return "table"

    def worth(self, state: S) -> int | None:
        """The two bytes of a position; None if it is not in the table base."""
        self._expect_position(state)
        code = self._rules.code(state)
        if not 0 <= code < 1 << self._rules.bits:
            return None
        canonical = code
        if self._rules.images(np, np.zeros(1, np.uint64)):
            one = np.array([code], np.uint32 if self._rules.bits <= 32 else np.uint64)
            canonical = min(code, *(int(image[0]) for image in self._rules.images(np, one)))
        for codes, values in self._plies:
            place = int(np.searchsorted(codes, codes.dtype.type(canonical)))
            if place < len(codes) and codes[place] == canonical:
                return int(values[place])
        return None

    def value(self, state: S) -> Value:
        worth = self.worth(state)
        return super().value(state) if worth is None else value_of(worth)

    def dead_ends(self, state: S) -> int:
        return 0 if self.worth(state) is not None else super().dead_ends(state)

    def best(self, state: S) -> tuple[Action, ...]:
        return best_of(self._pairs(state))

    def reachable(self, state: S) -> bool | None:
        if self.worth(state) is not None:
            return True
        return False if self.game.after_forfeit(self.game.initial()) is None else super().reachable(state)

    def _pairs(self, state: S) -> tuple[tuple[Action, Value], ...]:
        if self.worth(state) is None:
            return super()._pairs(state)
        game, side = self.game, self.game.side_to_move(state)
        after = [(action, game.apply(state, action)) for action in game.legal_actions(state)]
        return tuple((a, self.value(each).before(game.side_to_move(each) == side)) for a, each in after)


def solve_arrays(
    game: Game[S], *, limit: int, memory: int, progress: Progress | None = None
) -> TableOracle[S]:
    """Solve a game by its rules on arrays, in memory."""
    store = MemoryStore()
    engine, plies = _run(game, store, min(limit, memory // BYTES_PER_POSITION), progress)
    found = [(store.get("codes", ply), store.get("values", ply)) for ply in range(plies)]
    return TableOracle(game, found, _counts(engine), limit)


def save_table(
    game: Game[S], folder: Path, *, limit: int | None = None, progress: Progress | None = None
) -> TableOracle[S]:
    """Solve a game by its rules on arrays into a folder, or go on where a run was killed."""
    if game.array_rules() is None:
        raise PerfectplayError(f"{game.spec} has no rules on arrays, so no table base can be made of it")
    store = begin(folder, game)
    engine, plies = _run(game, store, limit, progress)
    finish(store, game, plies, _counts(engine))
    return open_table(game, folder)


def open_table(game: Game[S], folder: Path, limit: int = 1) -> TableOracle[S]:
    """An oracle that asks a table base on disk."""
    if game.array_rules() is None:
        raise PerfectplayError(f"{game.spec} has no rules on arrays, so it has no table base")
    plies, facts = open_plies(folder, game)
    counts = {name: facts[name] for name in ("positions", "stored")}
    size = sum(codes.nbytes + values.nbytes for codes, values in plies)
    return TableOracle(game, plies, {**counts, "bytes": size}, limit)


def find_table(game: Game[S], path: str, limit: int) -> TableOracle[S] | None:
    """The table base of a game in a list of folders, or in folders in these; None if it is in none.

    Table bases of other games are passed over. A damaged one of this game is an error.
    """
    for entry in filter(None, path.split(os.pathsep)):
        for manifest in sorted({*Path(entry).glob(MANIFEST), *Path(entry).glob(f"*/{MANIFEST}")}):
            if is_of(manifest.parent, game):
                return open_table(game, manifest.parent, limit)
    return None


def _run(game: Game[S], store: Any, limit: int | None, progress: Progress | None) -> tuple[Engine[S], int]:
    rules = game.array_rules()
    assert rules is not None
    engine = Engine(rules, store, limit=limit, progress=progress)
    return engine, engine.solve(game.initial())


def _counts(engine: Engine[Any]) -> dict[str, int]:
    return {"positions": engine.positions, "stored": engine.stored}
