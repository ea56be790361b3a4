"""The same measure on the device, over all positions at once: fast enough to be taken after every update."""

from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, NamedTuple

import jax
import numpy as np
from jax import Array, lax
from jax import numpy as jnp
from numpy.typing import NDArray

from perfectplay.core.game import Game
from perfectplay.evals.policies.measure import opponents, payoffs
from perfectplay.evals.policies.positions import positions_of
from perfectplay.players.base import DEFAULT_LEVEL
from perfectplay.simulate.arguments import as_game
from perfectplay.simulate.positions import TableSizeError
from perfectplay.simulate.table import PositionTable
from perfectplay.strength.points import ENDLESS_PAYS

NONE = 1e-9
"""A smaller chance counts as none."""
SWEEPS, ROUNDS = 500, 50
MOST_WITH_LOOPS = 1_024
"""Where play can return to a position, the equations of all positions are solved at once."""


class Figures(NamedTuple):
    """What is measured, as arrays."""

    kept: Any
    corrected: Any
    points: Any
    """For random, the level, perfect and the best response: the points in the first and the second
    seat; NaN where not all positions are known."""
    lost: Any
    """The chance of losing value in each position."""


@jax.tree_util.register_dataclass
@dataclass(frozen=True, eq=False)
class JaxMeasure:
    """Measures tables of probabilities with a row for each position. `jax_measure` makes one."""

    legal: Array
    best: Array
    decision: Array
    guess: float = field(metadata={"static": True})
    after: Any = None
    """The position after each move; this and what follows is None if not all positions are known."""
    own: Any = None
    """For each seat, the positions in which it is to move."""
    pays: Any = None
    ended: Any = None
    opponents: Any = None
    layers: Any = None
    """The positions that go on, by the longest play left; rows are filled up with positions of the same.
    None if play can return to a position."""

    def __call__(self, chances: Array) -> Figures:
        """Measure policies in double precision, from outside of compiled code.

        The probabilities have the shape `(..., positions, actions)`; those of illegal moves must be 0.
        """
        with jax.enable_x64(True):
            found: Figures = jax.tree.map(np.asarray, _measure(self, chances))
        return found

    def figures(self, chances: Array) -> Figures:
        """Measure one policy in the precision of its probabilities, which 32 bits make too low for
        long loops."""
        measure: JaxMeasure = jax.tree.map(partial(_as_precise, chances.dtype), self)
        kept = (chances * measure.best).sum(axis=-1)
        share = jnp.where(measure.decision, kept, 0).sum() / jnp.maximum(measure.decision.sum(), 1)
        share = jnp.where(measure.decision.any(), share, 1.0)
        lost = jnp.where(measure.legal.any(axis=-1), 1 - kept, 0)
        points = jnp.full((4, 2), jnp.nan) if self.after is None else measure._points(chances)
        corrected = 1 - (1 - share) / (1 - self.guess) if self.guess < 1 else share
        return Figures(share, corrected, points, lost)

    def _points(self, chances: Array) -> Array:
        chances = jnp.where(chances < NONE, 0, chances)
        own = self.own[None, :, :, None]
        weights = jnp.where(own, chances, self.opponents[:, None])
        mine = jnp.where(own[0], chances, 0)
        if self.layers is None:
            met, worst = self._follow(weights)[..., 0], self._best_response(mine)
            return jnp.concatenate([met, worst[None]])
        # One look at a position finds what it is worth in all eight games.
        own = self.own.T
        weights = jnp.moveaxis(jnp.concatenate([weights, mine[None]]), (0, 1), (-2, -1))
        pays = jnp.broadcast_to(self.pays.T[:, None], (*own.shape[:1], 4, 2))

        def back(layer: Any, worth: Array) -> Array:
            rows = self.layers[layer]
            there = worth[self.after[rows]]
            means = (weights[rows] * there).sum(axis=1)
            least = jnp.where(self.legal[rows][..., None], there[:, :, 3], jnp.inf).min(axis=1)
            means = means.at[:, 3].set(jnp.where(own[rows], means[:, 3], least))
            return worth.at[rows].set(means)

        return lax.fori_loop(0, len(self.layers), back, pays)[0]

    def _follow(self, weights: Array) -> Array:
        """What each position is worth to each seat if play follows these chances: half where it cannot
        end."""
        used = weights > 0

        def onward(now: tuple[Array, Array]) -> tuple[Array, Array]:
            found = now[0] | (used & now[0][..., self.after]).any(axis=-1)
            return found, (found != now[0]).any()

        ends = jnp.broadcast_to(self.ended, weights.shape[:-1])
        live = lax.while_loop(lambda now: now[1], onward, (ends, jnp.bool_(True)))[0] & ~self.ended
        rows = jnp.arange(self.after.shape[0])[:, None]
        matrix = (
            jnp.zeros((*live.shape, live.shape[-1]), weights.dtype)
            .at[..., rows, self.after]
            .add(jnp.where(live[..., None], -weights, 0))
        )
        matrix += jnp.eye(live.shape[-1], dtype=weights.dtype)
        right = jnp.where(live, 0, jnp.broadcast_to(self.pays, live.shape))
        return jnp.linalg.solve(matrix, right[..., None])[..., 0]

    def _best_response(self, mine: Array) -> Array:
        """What is left against an opponent who, wherever it moves, chooses what is worst for the policy.

        The opponent is first sure only of endless play where it can, and elsewhere of nothing. Sweeps over
        all positions, in which it changes only to what is strictly better, find choices nearly as good as the
        best; then, as in `strength/best_response.py`, what the choices bring is computed and compared.
        """
        free = ~self.own & ~self.ended
        steps = self.legal & (free[..., None] | (mine > 0))

        def lasts(now: tuple[Array, Array]) -> tuple[Array, Array]:
            there = now[0][:, self.after]
            stays = jnp.where(free, (there & steps).any(axis=-1), (there | ~steps).all(axis=-1))
            return now[0] & stays, (now[0] & ~stays).any()

        going_on = jnp.broadcast_to(~self.ended, free.shape)
        lasting = lax.while_loop(lambda now: now[1], lasts, (going_on, jnp.bool_(True)))[0]
        first = jnp.argmax(self.legal & (lasting[:, self.after] | ~lasting[..., None]), axis=-1)
        least = 1e-12 if mine.dtype == jnp.float64 else 1e-5

        def better(picked: Array, worth: Array, sweep: bool) -> tuple[Array, Array, Array]:
            there = jnp.where(self.legal, worth[:, self.after], jnp.inf)
            change = free & (there.min(axis=-1) < worth - least)
            picked = jnp.where(change, there.argmin(axis=-1), picked)
            if sweep:
                mean = (mine * worth[:, self.after]).sum(axis=-1)
                after = jnp.where(
                    free, jnp.minimum(there.min(axis=-1), worth), jnp.where(self.ended, worth, mean)
                )
                return picked, after, (worth - after).max() > least
            return picked, worth_of(picked), change.any()

        def worth_of(picked: Array) -> Array:
            choice = jax.nn.one_hot(picked, self.after.shape[1], dtype=mine.dtype)
            return jnp.clip(self._follow(jnp.where(free[..., None], choice, mine)), 0, 1)

        def loop(picked: Array, worth: Array, most: int, sweep: bool) -> Array:
            def step(now: tuple[Array, ...]) -> tuple[Array, ...]:
                return *better(now[0], now[1], sweep), now[3] + 1

            begin = picked, worth, jnp.bool_(True), 0
            return lax.while_loop(lambda now: now[2] & (now[3] < most), step, begin)

        sure = jnp.where(lasting, ENDLESS_PAYS, jnp.where(self.ended, self.pays, 1.0)).astype(mine.dtype)
        picked = loop(first, sure, SWEEPS, sweep=True)[0]
        return loop(picked, worth_of(picked), ROUNDS, sweep=False)[1][:, 0]


def _as_precise(kind: Any, part: Any) -> Any:
    constant = not isinstance(part, jax.core.Tracer) and part.dtype == np.float64
    return np.asarray(part, kind) if constant else part


@partial(jax.jit)
def _measure(measure: JaxMeasure, chances: Array) -> Figures:
    one = measure.figures
    for _ in chances.shape[:-2]:
        one = jax.vmap(one)
    exact = chances.astype(jnp.float64)
    return one(exact / jnp.maximum(exact.sum(axis=-1, keepdims=True), NONE))


def jax_measure(game: Game[Any] | str, level: int = DEFAULT_LEVEL) -> JaxMeasure:
    """What measures policies of a game on the device. Raises TableSizeError for large games with loops.

    >>> measure = jax_measure("bit-flip")
    >>> figures = measure(measure.legal / np.maximum(measure.legal.sum(axis=1, keepdims=True), 1))
    >>> figures.points[:, 0].round(3).tolist()
    [0.62, 0.293, 0.151, 0.14]
    """
    with jax.enable_x64(True):
        return _jax_measure(as_game(game), level)


@lru_cache(maxsize=8)
def _jax_measure(game: Game[Any], level: int) -> JaxMeasure:
    positions = positions_of(game)
    table, count = positions.table, len(positions.states)
    parts: list[Any] = [positions.legal, positions.best, positions.decision]
    if table is not None:
        if positions.depth is None and count > MOST_WITH_LOOPS:
            raise TableSizeError(
                f"{game.spec} has loops and too many positions for JAX; measure_policy measures it"
            )
        seats = np.stack([table.side == 0, table.side == 1])
        paid = np.stack([payoffs(table, 0), payoffs(table, 1)])
        chances = np.stack(list(opponents(positions, level).values()))
        parts += [np.maximum(table.next, 0), seats, paid, table.terminated, chances]
        if positions.depth is not None:
            parts.append(_layers(table, positions.depth))
    legal, best, decision, *rest = (jnp.asarray(each) for each in parts)
    return JaxMeasure(legal, best, decision, positions.guess, *rest)


def _layers(table: PositionTable[Any], depth: int) -> NDArray[np.int32]:
    left = np.zeros(len(table.next), np.int32)
    for _ in range(depth):
        left = np.where(table.terminated, 0, 1 + np.where(table.legal, left[table.next], 0).max(axis=1))
    plies = [np.flatnonzero(left == each).astype(np.int32) for each in range(1, depth + 1)]
    return np.stack([np.resize(rows, max(map(len, plies))) for rows in plies])
