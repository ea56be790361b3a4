"""The JAX form of every game: its state, and pure functions of it."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import jax
import numpy as np
from jax import Array, lax
from jax import numpy as jnp

from perfectplay.core.errors import BadParameterError, MatchStateError, PerfectplayError
from perfectplay.core.game import Game
from perfectplay.simulate.arguments import illegal_error, range_error
from perfectplay.simulate.jax_tables.prng import axes_of, next_words
from perfectplay.simulate.observation import Observer, observer_for
from perfectplay.simulate.positions import TableSizeError
from perfectplay.simulate.rewards import WIN

NOBODY = -1
"""The value of `JaxState.offender` while nobody has made an illegal move."""


class JaxState(NamedTuple):
    """Games in progress. Each field has the shape given to `init`; those of `position` may have more axes.

    >>> from perfectplay.simulate.jax_tables import jax_game
    >>> state = jax_game("dual-direction").init(3)
    >>> state.position.tolist(), state.plies.shape
    ([0, 0, 0], (3,))
    """

    position: Any
    """An int32 row of the table, or the arrays that a kernel uses for a position."""
    plies: Array
    """The number of moves played, int32."""
    offender: Array
    """The side that has lost by an illegal move, int32; -1 if there is none."""
    late: Array
    """Whether the last step came after the end, bool: it did nothing and is not rewarded again."""


@dataclass(frozen=True, eq=False)
class JaxGame(ABC):
    """A game as pure functions of arrays. `jax_game` makes one.

    Every function takes a single game or many: the arrays of a state may have any leading axes. A JaxGame
    is itself a tree of arrays, so that a compiled function can take it as an argument.

    >>> from perfectplay.simulate.jax_tables import jax_game
    >>> game = jax_game("bit-flip:bits=3")
    >>> state = game.step(game.init(), 1)
    >>> bool(game.terminated(state)), game.reward(state).tolist()
    (True, [1.0, -1.0])
    """

    game: Game[Any] = field(metadata={"static": True})
    horizon: int | None = field(metadata={"static": True})

    @property
    def num_actions(self) -> int:
        """The number of actions; every action is below this."""
        return self.game.num_actions

    @property
    def observer(self) -> Observer[Any]:
        """Describes the shape and the content of observations."""
        return observer_for(self.game, self.horizon)

    def init(self, shape: int | tuple[int, ...] = ()) -> JaxState:
        """Return one game at its start, or an array of games of the given shape.

        >>> from perfectplay.simulate.jax_tables import jax_game
        >>> jax_game("bit-flip").init(4).plies.tolist()
        [0, 0, 0, 0]
        """
        axes = axes_of(shape)
        start: Any = jax.tree.map(lambda part: jnp.broadcast_to(part, axes + part.shape), self._start())
        return JaxState(
            start, jnp.zeros(axes, jnp.int32), jnp.full(axes, NOBODY, jnp.int32), jnp.zeros(axes, jnp.bool_)
        )

    def step(self, state: JaxState, action: Any) -> JaxState:
        """Return the state after `action`: integers of the same shape as the games.

        An illegal or out-of-range action ends the game: its side loses, and the position stays. A game
        that is over stays as it is and gives no further reward.
        """
        chosen, inside = self.read_actions(state, action)
        over = self.over(state)
        after, allowed = self._move(state.position, chosen)
        legal = allowed & inside
        return JaxState(
            select(legal & ~over, after, state.position),
            state.plies + (legal & ~over),
            jnp.where(legal | over, state.offender, self.side(state)),
            over,
        )

    def step_or_restart(self, state: JaxState, action: Any) -> JaxState:
        """Like `step`, but a game that is over is replaced by a new one, whatever the action."""
        start = self.init(state.plies.shape)
        after: JaxState = select(self.over(state), start, self.step(state, action))
        return after

    def play(self, state: JaxState, action: Any) -> JaxState:
        """Like `step`, for use outside of compiled code: anything but a legal action raises an error.

        >>> from perfectplay.simulate.jax_tables import jax_game
        >>> game = jax_game("bit-flip:bits=3")
        >>> game.play(game.play(game.init(), 0), 0)
        Traceback (most recent call last):
            ...
        perfectplay.core.errors.IllegalActionError: action=0, "0": Bit 0 is already 1. Allowed: 2.
        """
        chosen, inside = self.read_actions(state, action)
        given = np.asarray(action)
        bad = _first(~np.asarray(inside))
        if bad is not None:
            raise range_error(_name("action", bad), given[bad], self.num_actions)
        bad = _first(np.asarray(self.over(state)))
        if bad is not None:
            why = (
                "over" if self.terminated(state)[bad] else f"cut short at its horizon of {self.horizon} plies"
            )
            raise MatchStateError(f"{_name('the game', bad)} is {why}: start another before the next step")
        after = self.step(state, chosen)
        bad = _first(np.asarray(after.offender != NOBODY))
        if bad is not None:
            position, number = self.rules_state(state, bad), int(given[bad])
            raise illegal_error(f"{_name('action', bad)}={number}", self.game, position, number)
        return after

    def legal(self, state: JaxState) -> Array:
        """A bool mask of the legal actions, of shape `(..., num_actions)`.

        It is all False once the game is over; a truncated game keeps its legal actions.
        """
        return self._legal(state.position) & (state.offender == NOBODY)[..., None]

    def observe(self, state: JaxState) -> Array:
        """The observations of the positions, bool, of shape `(..., *observer.shape)`."""
        return self._observe(state.position)

    def side(self, state: JaxState) -> Array:
        """The side to move, int32; in a finished game, the side that would move next."""
        return self._side(state.position)

    def terminated(self, state: JaxState) -> Array:
        """Whether a game has ended by its rules or by an illegal action, bool."""
        return self._is_over(state.position) | (state.offender != NOBODY)

    def truncated(self, state: JaxState) -> Array:
        """Whether the horizon has cut a game short, bool. A truncated game has no result."""
        if self.horizon is None:
            return jnp.zeros_like(state.late)
        return (state.plies >= self.horizon) & ~self.terminated(state)

    def over(self, state: JaxState) -> Array:
        """Whether a game is terminated or truncated, bool: further steps change nothing."""
        return self.terminated(state) | self.truncated(state)

    def reward(self, state: JaxState) -> Array:
        """The rewards of the last step: 1 for the winner, -1 for the loser, else 0: float32, `(..., 2)`."""
        offended = jnp.where(state.offender[..., None] == jnp.arange(2), -WIN, WIN)
        ended = jnp.where((state.offender == NOBODY)[..., None], self._result(state.position), offended)
        return jnp.where(state.late[..., None], 0.0, ended).astype(jnp.float32)

    def value(self, state: JaxState) -> Array:
        """The value of the position to the side to move, int8: an index into `simulate.KINDS`."""
        raise self._refuse_labels()

    def distance(self, state: JaxState) -> Array:
        """The number of plies until the game ends, int32; -1 if play is endless or the value undecided."""
        raise self._refuse_labels()

    def best(self, state: JaxState) -> Array:
        """A bool mask of the moves with the best value and distance, of shape `(..., num_actions)`."""
        raise self._refuse_labels()

    def random_action(self, state: JaxState, words: Array) -> Array:
        """Draw a legal action for each game, int32, uniformly by 16 bits of a word; arbitrary after the end.

        >>> from perfectplay.simulate.jax_tables import first_words, jax_game, next_words
        >>> game = jax_game("bit-flip")
        >>> game.random_action(game.init(4), next_words(first_words(seed=0, shape=4))).tolist()
        [5, 1, 7, 2]
        """
        return self._choose(state.position, words).astype(jnp.int32)

    def play_random(self, state: JaxState, words: Array, steps: int) -> tuple[JaxState, Array]:
        """Make `steps` random steps in each game. A new game follows each end or truncation.

        >>> from perfectplay.simulate.jax_tables import first_words, jax_game
        >>> game = jax_game("mirror-match", horizon=20)
        >>> state, words = game.play_random(game.init(4), first_words(seed=0, shape=4), 25)
        >>> state.plies.tolist()
        [4, 4, 4, 4]
        """

        def body(_: Any, carry: tuple[JaxState, Array]) -> tuple[JaxState, Array]:
            now, drawn = carry[0], next_words(carry[1])
            return self.step_or_restart(now, self.random_action(now, drawn)), drawn

        played: tuple[JaxState, Array] = lax.fori_loop(0, steps, body, (state, words))
        return played

    def rules_state(self, state: JaxState, number: tuple[int, ...] = ()) -> Any:
        """Return the position of one game as a state of the rules.

        >>> from perfectplay.simulate.jax_tables import jax_game
        >>> game = jax_game("bit-flip:bits=3")
        >>> game.rules_state(game.step(game.init(2), np.array([1, 0])), (1,))
        State(flipped=1, side=1)
        """
        return self._rules_state(jax.tree.map(lambda part: np.asarray(part[number]), state.position))

    def read_actions(self, state: JaxState, action: Any) -> tuple[Array, Any]:
        """Return the actions as int32, with 0 for those out of range, and a bool mask of those in range."""
        given: Any = action if isinstance(action, Array) else np.asarray(action)
        if not jnp.issubdtype(given.dtype, jnp.integer):
            raise BadParameterError("action", f"an array of {given.dtype}", "an array of whole numbers")
        shape = state.plies.shape
        if given.shape != shape:
            raise BadParameterError("action", f"an array of shape {given.shape}", f"of shape {shape}")
        # Narrow integers cannot be compared with more actions than they can count.
        wide = given.astype(np.int32) if given.dtype.itemsize < 4 else given
        inside = (wide >= 0) & (wide < self.num_actions)
        return jnp.where(inside, wide, 0).astype(jnp.int32), inside

    def _refuse_labels(self) -> PerfectplayError:
        return TableSizeError(f"{self.game.spec} has no table, and only tables have exact values")

    @abstractmethod
    def _start(self) -> Any:
        """The position of one game at its start."""

    @abstractmethod
    def _move(self, position: Any, action: Array) -> tuple[Any, Array]:
        """The positions after the actions, valid only if these are legal; and whether they are legal."""

    @abstractmethod
    def _legal(self, position: Any) -> Array: ...

    @abstractmethod
    def _choose(self, position: Any, words: Array) -> Array:
        """Draw a legal action for each game by its word."""

    @abstractmethod
    def _observe(self, position: Any) -> Array: ...

    def _side(self, position: Any) -> Array:
        side: Array = position.side
        return side

    @abstractmethod
    def _is_over(self, position: Any) -> Array: ...

    def _result(self, position: Any) -> Array:
        """The rewards of both sides in these positions; by default, who has just moved last has won."""
        won = jnp.where(self._side(position)[..., None] == jnp.arange(2), -WIN, WIN)
        return jnp.where(self._is_over(position)[..., None], won, 0.0)

    @abstractmethod
    def _rules_state(self, position: Any) -> Any: ...


def select(mask: Array, then: Any, other: Any) -> Any:
    """Choose between whole states or positions for each game, of one batch or of another."""

    def choose(one: Array, two: Array) -> Array:
        return jnp.where(mask.reshape(mask.shape + (1,) * (one.ndim - mask.ndim)), one, two)

    return jax.tree.map(choose, then, other)


def _first(bad: Any) -> tuple[int, ...] | None:
    """The index of the first True, if there is one."""
    found = np.argwhere(bad)
    return tuple(found[0].tolist()) if len(found) else None


def _name(name: str, number: tuple[int, ...]) -> str:
    return f"{name}[{', '.join(map(str, number))}]" if number else name
