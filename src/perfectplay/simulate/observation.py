"""A position as a bool array, derived from the view that every game draws itself with.

The array has the rows and columns of the board and a plane for each kind of piece. Whatever the board does
not show follows in constant planes: one for each caption that comes and goes (unless an earlier plane
says the same), one for each binary digit of a number, and one for the side to move if a board can occur
with either. So different positions always have different observations.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from math import prod
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from perfectplay.core.errors import PerfectplayError
from perfectplay.core.formatting import quote
from perfectplay.core.game import Game, S
from perfectplay.core.view import View
from perfectplay.players.learned.policy import Inputs
from perfectplay.simulate.arguments import as_game
from perfectplay.simulate.positions import MAX_BITS, TableSizeError, horizon_for, kernel_module, positions_of

BIT = "{}, bit {}"


def check_shown(game: Game[Any], bits: int) -> None:
    """Raise TableSizeError if an observation would have too many bits."""
    if bits > MAX_BITS:
        raise TableSizeError(f"{game.spec} would be shown as {bits:,} bits; at most {MAX_BITS:,} are allowed")


@dataclass(frozen=True)
class Observer(Inputs, Generic[S]):
    """Turns positions of one game into bool arrays of shape `shape`.

    >>> import perfectplay as pp
    >>> observer = observer_for(pp.load("inversion-race"))
    >>> observer.shape, observer.planes
    ((11, 4), ('A', 'B', 'Goal: Cell 10', 'Player B to move'))
    """

    game: Game[S] = field(kw_only=True)

    def __post_init__(self) -> None:
        check_shown(self.game, prod(self.shape))

    @cached_property
    def planes(self) -> tuple[str, ...]:
        """What a 1 in each plane means: a piece on that cell, or something true of the whole position."""
        sides = (f"{self.game.side_names[1]} to move",) if self.shows_side else ()
        return (*self.pieces, *self.captions, *(BIT.format(*bit) for bit in self.bits), *sides)

    def observe(self, state: S) -> NDArray[np.bool_]:
        """Return the observation of a position: a new bool array of shape `shape`.

        >>> import perfectplay as pp
        >>> game = pp.load("bit-flip:bits=3")
        >>> observer_for(game).observe(game.parse_state("010 2")).astype(int).tolist()
        [[1, 0], [0, 1], [1, 0]]
        """
        drawn = np.zeros(prod(self.shape), np.bool_)
        drawn[self.list_ones(self.game.view(state), self.game.side_to_move(state))] = True
        return drawn.reshape(self.shape)


def observer_for(game: Game[S] | str, horizon: int | None = None) -> Observer[S]:
    """Return the observer of a game. A game whose board grows needs a horizon; it has a default one.

    >>> observer = observer_for("race-to-the-center:positions=7")
    >>> observer.shape, observer.planes
    ((7, 3), ('P1', 'P2', 'Player 2 to move'))
    """
    return _observer(as_game(game), horizon)


@lru_cache(maxsize=16)
def _observer(game: Game[S], horizon: int | None) -> Observer[S]:
    module = kernel_module(game)
    if module is not None:
        return module.observer(game, horizon_for(game) if horizon is None else horizon)
    return observer_of(game, positions_of(game))


def observer_of(game: Game[S], states: Sequence[S]) -> Observer[S]:
    """Return an observer that tells all these positions apart. The first position is the start."""
    views = [game.view(state) for state in states]
    rows = max(len(view.rows) for view in views)
    # Without a board, one cell carries the constant planes.
    columns = max([1, *(len(row) for view in views for row in view.rows)])
    board = (columns,) if rows <= 1 else (rows, columns)
    pieces = _sort({piece for view in views for row in view.rows for cell in row for piece in cell.pieces})
    observer = Observer(board, pieces, _find_telling(views), _digits(views), game=game)
    if _alike(observer, states, views) is not None:
        observer = replace(observer, shows_side=True)
        alike = _alike(observer, states, views)
        if alike is not None:
            one, two = (quote(game.state_text(state)) for state in alike)
            raise PerfectplayError(f"{game.name}: the view of {one} is the same as that of {two}")
    return observer


def _sort(labels: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(labels, key=lambda label: (len(label), label)))


def _find_telling(views: Sequence[View]) -> tuple[str, ...]:
    """The captions that come and go and that add information; those of the start come last."""
    start = set(views[0].captions)
    texts = {text for view in views for text in view.captions}
    told: dict[tuple[bool, ...], str] = {}
    for text in (*_sort(texts - start), *_sort(start)):
        shown = tuple(text in view.captions for view in views)
        if not all(shown) and tuple(not each for each in shown) not in told:
            told.setdefault(shown, text)
    return tuple(told.values())


def _digits(views: Sequence[View]) -> tuple[tuple[str, int], ...]:
    """Every binary digit of each number that changes, and a sign digit above the highest if needed."""
    shown = [dict(view.numbers) for view in views]
    digits: list[tuple[str, int]] = []
    for name in dict.fromkeys(name for numbers in shown for name in numbers):
        found = {numbers.get(name, 0) for numbers in shown}
        if len(found) > 1:
            places = max(number.bit_length() for number in found) + (min(found) < 0)
            digits += [(name, place) for place in range(places)]
    return tuple(digits)


def _alike(observer: Observer[S], states: Sequence[S], views: Sequence[View]) -> tuple[S, S] | None:
    """Two positions that look the same, or None."""
    seen: dict[Any, S] = {}
    for state, view in zip(states, views, strict=True):
        key = tuple(observer.list_ones(view, observer.game.side_to_move(state)))
        if seen.setdefault(key, state) != state:
            return seen[key], state
    return None
