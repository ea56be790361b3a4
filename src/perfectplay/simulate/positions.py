"""Decides how a game becomes arrays: as a table of all positions, or by a kernel of its own."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol, cast

from perfectplay.core.errors import PerfectplayError
from perfectplay.core.game import Game, S
from perfectplay.core.limits import MOST_SOLVED
from perfectplay.core.parts import part_of
from perfectplay.core.walks import BreadthFirst, steps
from perfectplay.simulate.arguments import whole
from perfectplay.solver.errors import TooLargeError
from perfectplay.solver.graph import explore
from perfectplay.solver.oracle import load_table_base
from perfectplay.solver.retrograde import Solution, retrograde

if TYPE_CHECKING:
    from perfectplay.simulate.kernel import Kernel
    from perfectplay.simulate.observation import Observer
    from perfectplay.simulate.single import SingleGame


MEMORY = 1 << 30
"""How many bytes a table may take by default."""
MAX_BITS = 1 << 16
"""The most bits an observation may have."""
PLIES = 200
"""The default number of plies after which a game that need not end is truncated."""


class KernelModule(Protocol):
    """The module `kernel` beside the rules of a game, which steps batches of it without a table."""

    def serves(self, game: Game[Any]) -> bool:
        """Whether a game has too many positions for a table, so that the kernel takes over."""

    def positions(self, game: Game[Any], limit: int) -> int | None:
        """The number of positions, or any number above `limit` if there are more; None if it is infinite."""

    def horizon(self, game: Game[Any]) -> int | None:
        """The longest horizon that the kernel supports; None if it needs none."""

    def longest(self, game: Game[Any]) -> int | None:
        """The most plies a game can take; None if it need not end."""

    def observer(self, game: Game[Any], horizon: int | None) -> "Observer[Any]":
        """The result of `observer_for` for a game that uses the kernel."""

    def single(self, game: Game[Any], horizon: int | None) -> "SingleGame[Any]":
        """One game, played move by move."""

    def kernel(self, game: Game[Any], horizon: int | None) -> "Kernel":
        """The kernel itself."""


def kernel_module(game: Game[Any]) -> KernelModule | None:
    """Return the module that steps a game without a table; None if the game has a table."""
    found = cast(KernelModule | None, part_of(type(game), "kernel"))
    return found if found is not None and found.serves(game) else None


class TableSizeError(PerfectplayError):
    """A game whose positions do not fit in a table."""


def solution_of(game: Game[S], memory: int | None = None) -> Solution[S]:
    """Return every position of a game, solved, from a cache. Raises TableSizeError if there are too many.

    A game that its parameters show to be too large is refused at once. With `memory`, the search ends as
    soon as a table of at most `memory` bytes could not hold what was found.
    """
    module = kernel_module(game)
    if module is not None:
        count = module.positions(game, MOST_SOLVED)
        if count is None:
            raise TableSizeError(f"{game.spec} has infinitely many positions; no table can hold them")
        if count > MOST_SOLVED:
            raise _too_many(game)
    elif type(game).__module__.startswith("perfectplay.games.") and any(
        type(each) is int and each > MAX_BITS for each in vars(game).values()
    ):  # the numbers of the games in this package are lengths of their boards
        raise TableSizeError(f"{game.spec} would be shown as more than {MAX_BITS:,} bits, the most allowed")
    limit = MOST_SOLVED if memory is None else min(MOST_SOLVED, memory // _least_bytes(game))
    try:
        return solve_within(game, limit)
    except TooLargeError:
        if limit == MOST_SOLVED:
            raise _too_many(game) from None
        raise TableSizeError(
            f"{game.spec} needs a table of more than {memory:,} bytes, which is the limit"
        ) from None


@lru_cache(maxsize=8)
def solve_within(game: Game[S], limit: int) -> Solution[S]:
    """Return every position of a game, solved. Raises TooLargeError if there are more than `limit`."""
    table = load_table_base(game)
    if table is not None and table.counts["positions"] > limit:
        raise TooLargeError(game.spec, limit)
    graph = explore(game, limit=limit)
    return retrograde(graph) if table is None or not graph.forward else table.values_of(graph)


def _least_bytes(game: Game[Any]) -> int:
    """What a position takes in a table at least: see `bytes_per_state`. Other pieces may come later."""
    cells = [cell for row in game.view(game.initial()).rows for cell in row]
    pieces = {piece for cell in cells for piece in cell.pieces}
    return 6 * game.num_actions + 16 + len(cells) * max(1, len(pieces))


def positions_of(game: Game[S]) -> Sequence[S]:
    """Every position of a game, the start first, including those that only a forfeited turn leads to."""
    states = solution_of(game).graph.states
    if game.after_forfeit(game.initial()) is None:
        return states
    walk = BreadthFirst(states, steps(game, forfeits=True), limit=MOST_SOLVED)
    found = list(walk)
    if not walk.whole:
        raise _too_many(game)
    return found


def _too_many(game: Game[Any]) -> TableSizeError:
    return TableSizeError(f"{game.spec} has more than {MOST_SOLVED:,} positions, too many for a table")


def horizon_for(game: Game[Any]) -> int | None:
    """Return the default number of plies after which a game is truncated; None if it always ends.

    Reaching the horizon truncates a game. A truncated game has no result.

    >>> import perfectplay as pp
    >>> [horizon_for(pp.load(name)) for name in ("bit-flip", "dual-direction", "mirror-match")]
    [None, 200, 19]
    """
    module = kernel_module(game)
    if module is not None:
        return module.horizon(game)
    return PLIES if solution_of(game, MEMORY).cyclic else None


@lru_cache(maxsize=32)
def longest_for(game: Game[Any]) -> int | None:
    """Return the most plies a game can take; None if it need not end."""
    module = kernel_module(game)
    if module is not None:
        return module.longest(game)
    solution = solution_of(game, MEMORY)
    if solution.cyclic:
        return None
    plies, reached = -1, {0}
    while reached:
        plies += 1
        reached = {after for number in reached for _, after in solution.graph.moves(number)}
    return plies


def check_horizon(game: Game[Any], horizon: int | None) -> int | None:
    """Check a given horizon, or return the game's default."""
    if horizon is None:
        return horizon_for(game)
    return whole("horizon", horizon, 1)
