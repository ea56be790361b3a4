"""The same tables as JAX arrays: a game as pure functions, for jit, vmap and scan on any device.

Nothing can be raised while compiled code runs, so that an illegal action ends the game instead, lost by
whoever made it: `step` never plays another action in its place. `play` raises, and is for single steps
outside of compiled code.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any, NamedTuple

import numpy as np

from perfectplay.core.errors import (
    BadParameterError,
    MatchStateError,
    MissingExtraError,
    PerfectplayError,
)
from perfectplay.core.game import Game
from perfectplay.games.bit_flip.rules import BitFlip
from perfectplay.games.bit_flip.rules import State as BitFlipState
from perfectplay.games.mirror_match.rules import MirrorMatch
from perfectplay.games.mirror_match.rules import State as MirrorMatchState
from perfectplay.simulate.arguments import game_of, illegal_action, whole
from perfectplay.simulate.observation import Observer, observer_for
from perfectplay.simulate.positions import TableSizeError, checked_horizon, kernel_module
from perfectplay.simulate.table import Table, table_for

try:
    import jax
    from jax import Array, lax
    from jax import numpy as jnp
except ImportError as error:
    raise MissingExtraError("jax", "jax") from error

NOBODY = -1
"""What `JaxState.offender` holds while nobody has made an illegal move."""
WORD = 32
"""How many bits a game takes in `RandomPlay`, beside as many of its generator."""

_GOLDEN = np.uint32(0x9E3779B9)


class JaxState(NamedTuple):
    """Games in progress: each field has the shape of `init`, and those of `position` may have more axes."""

    position: Any
    """A row of the table, or whatever a kernel makes of a position."""
    plies: Array
    """How many moves have been played."""
    offender: Array
    """The side that has lost by an illegal move; -1 for none."""
    late: Array
    """Whether the last step came after the end and did nothing, so that it is not rewarded again."""


@dataclass(frozen=True, eq=False)
class JaxGame(ABC):
    """A game as pure functions of arrays. `jax_game` makes one.

    Every function takes a single game or many: the arrays of a state may have any leading axes. A JaxGame
    is itself a tree of arrays, so that a compiled function can take it as an argument.

    >>> game = jax_game("bit-flip:bits=3")
    >>> state = game.step(game.init(), 1)
    >>> bool(game.terminated(state)), game.reward(state).tolist()
    (True, [1.0, -1.0])
    """

    game: Game[Any]
    horizon: int | None

    @property
    def num_actions(self) -> int:
        """How many actions there are; every action is below this."""
        return self.game.num_actions

    @property
    def observer(self) -> Observer[Any]:
        """What tells the shape of an observation, and what is in it."""
        return observer_for(self.game, self.horizon)

    def init(self, shape: int | tuple[int, ...] = ()) -> JaxState:
        """Games at their start: one, or as many as a shape says.

        >>> jax_game("bit-flip").init(4).plies.tolist()
        [0, 0, 0, 0]
        """
        axes = _shape(shape)
        start: Any = jax.tree.map(lambda part: jnp.broadcast_to(part, axes + part.shape), self._start())
        return JaxState(
            start, jnp.zeros(axes, jnp.int32), jnp.full(axes, NOBODY, jnp.int32), jnp.zeros(axes, jnp.bool_)
        )

    def step(self, state: JaxState, action: Any) -> JaxState:
        """The state after an action: an array of whole numbers with one for each game.

        An illegal action, or one out of range, ends the game: its side loses, the position stays. A game
        that is over stays as it is and rewards nobody again.
        """
        chosen, inside = self.chosen(state, action)
        over = self.over(state)
        after, allowed = self._move(state.position, chosen)
        legal = allowed & inside
        return JaxState(
            _where(legal & ~over, after, state.position),
            state.plies + (legal & ~over),
            jnp.where(legal | over, state.offender, self.side(state)),
            over,
        )

    def step_or_restart(self, state: JaxState, action: Any) -> JaxState:
        """`step`, or where a game is over, a new one at its start, whatever the action."""
        start = self.init(state.plies.shape)
        after: JaxState = _where(self.over(state), start, self.step(state, action))
        return after

    def play(self, state: JaxState, action: Any) -> JaxState:
        """`step` for single steps outside of compiled code: anything but a legal action raises an error.

        >>> game = jax_game("bit-flip:bits=3")
        >>> game.play(game.play(game.init(), 0), 0)
        Traceback (most recent call last):
            ...
        perfectplay.core.errors.IllegalActionError: action=0, "0": Bit 0 is already 1. Allowed: 2.
        """
        chosen, inside = self.chosen(state, action)
        given = np.asarray(action)
        bad = _first(~np.asarray(inside))
        if bad is not None:
            allowed = f"a whole number from 0 to {self.num_actions - 1}"
            raise BadParameterError(_named("action", bad), given[bad], allowed)
        bad = _first(np.asarray(self.over(state)))
        if bad is not None:
            why = (
                "over" if self.terminated(state)[bad] else f"cut short at its horizon of {self.horizon} plies"
            )
            raise MatchStateError(f"{_named('the game', bad)} is {why}: start another before the next step")
        after = self.step(state, chosen)
        bad = _first(np.asarray(after.offender != NOBODY))
        if bad is not None:
            position, number = self.rules_state(state, bad), int(given[bad])
            raise illegal_action(f"{_named('action', bad)}={number}", self.game, position, number)
        return after

    def legal(self, state: JaxState) -> Array:
        """A mask of the legal actions; none once the game is over. Those of a truncated game stay."""
        return self._legal(state.position) & (state.offender == NOBODY)[..., None]

    def observe(self, state: JaxState) -> Array:
        """What `observer` makes of the positions."""
        return self._observe(state.position)

    def side(self, state: JaxState) -> Array:
        """Whose turn it is; in a finished game, whose turn it would have been."""
        return self._side(state.position)

    def terminated(self, state: JaxState) -> Array:
        """Whether a game has ended by its rules or by an illegal action."""
        return self._ended(state.position) | (state.offender != NOBODY)

    def truncated(self, state: JaxState) -> Array:
        """Whether the horizon has cut a game short, which is no result."""
        if self.horizon is None:
            return jnp.zeros_like(state.late)
        return (state.plies >= self.horizon) & ~self.terminated(state)

    def over(self, state: JaxState) -> Array:
        """Whether no step changes a game any more."""
        return self.terminated(state) | self.truncated(state)

    def reward(self, state: JaxState) -> Array:
        """What the last step brought each side: 1 for a win, -1 for a loss, else 0."""
        offended = jnp.where(state.offender[..., None] == jnp.arange(2), -1.0, 1.0)
        ended = jnp.where((state.offender == NOBODY)[..., None], self._result(state.position), offended)
        return jnp.where(state.late[..., None], 0.0, ended).astype(jnp.float32)

    def value(self, state: JaxState) -> Array:
        """What the position is worth to the side to move, as a number in `simulate.KINDS`."""
        raise self._unlabelled()

    def distance(self, state: JaxState) -> Array:
        """In how many plies that comes about; -1 where play is endless."""
        raise self._unlabelled()

    def best(self, state: JaxState) -> Array:
        """A mask of the moves of the best value and distance."""
        raise self._unlabelled()

    def random_action(self, state: JaxState, words: Array) -> Array:
        """A legal action for each game, drawn evenly by 16 bits of a word; any for one that is over.

        >>> game = jax_game("bit-flip")
        >>> game.random_action(game.init(4), next_words(first_words(seed=0, shape=4))).tolist()
        [5, 1, 7, 2]
        """
        return self._choose(state.position, words).astype(jnp.int32)

    def play_random(self, state: JaxState, words: Array, steps: int) -> tuple[JaxState, Array]:
        """So many random steps in each game, with a new game after each end or truncation.

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
        """The position of one game as the plain rules have it.

        >>> game = jax_game("bit-flip:bits=3")
        >>> game.rules_state(game.step(game.init(2), np.array([1, 0])), (1,))
        State(flipped=1, side=1)
        """
        return self._rules_state(jax.tree.map(lambda part: np.asarray(part[number]), state.position))

    def chosen(self, state: JaxState, action: Any) -> tuple[Array, Any]:
        """The actions, or 0 where they are out of range; and whether they are not."""
        given: Any = action if isinstance(action, Array) else np.asarray(action)
        if not jnp.issubdtype(given.dtype, jnp.integer):
            raise BadParameterError("action", f"an array of {given.dtype}", "an array of whole numbers")
        shape = state.plies.shape
        if given.shape != shape:
            raise BadParameterError("action", f"an array of shape {given.shape}", f"of shape {shape}")
        # Numbers of few bits could not be compared with more actions than they can count.
        wide = given.astype(np.int32) if given.dtype.itemsize < 4 else given
        inside = (wide >= 0) & (wide < self.num_actions)
        return jnp.where(inside, wide, 0).astype(jnp.int32), inside

    def _unlabelled(self) -> PerfectplayError:
        return TableSizeError(f"{self.game.spec} is played without a table, which alone has exact values")

    @abstractmethod
    def _start(self) -> Any:
        """The position of one game at its start."""

    @abstractmethod
    def _move(self, position: Any, action: Array) -> tuple[Any, Array]:
        """The positions after the actions, and whether these are legal; elsewhere anything will do."""

    @abstractmethod
    def _legal(self, position: Any) -> Array: ...

    @abstractmethod
    def _choose(self, position: Any, words: Array) -> Array:
        """A legal action each, drawn by the words."""

    @abstractmethod
    def _observe(self, position: Any) -> Array: ...

    @abstractmethod
    def _side(self, position: Any) -> Array: ...

    @abstractmethod
    def _ended(self, position: Any) -> Array: ...

    @abstractmethod
    def _result(self, position: Any) -> Array:
        """What the rules give each side in these positions."""

    @abstractmethod
    def _rules_state(self, position: Any) -> Any: ...


@partial(
    jax.tree_util.register_dataclass,
    data_fields=[
        *("after", "counts", "choices", "sides", "rewards", "ended"),
        *("values", "distances", "bests", "observations"),
    ],
    meta_fields=["game", "horizon"],
)
@dataclass(frozen=True, eq=False)
class JaxTable(JaxGame):
    """A game whose positions are all laid out, see `Table`. A position is the number of its row."""

    after: Array
    counts: Array
    """How many legal actions there are."""
    choices: Array
    """The legal actions in ascending order, then the others."""
    sides: Array
    rewards: Array
    ended: Array
    values: Array
    distances: Array
    bests: Array
    observations: Array

    def value(self, state: JaxState) -> Array:
        return _row(self.values, state.position)

    def distance(self, state: JaxState) -> Array:
        return _row(self.distances, state.position)

    def best(self, state: JaxState) -> Array:
        return _row(self.bests, state.position)

    def _start(self) -> Array:
        return jnp.int32(0)

    def _move(self, position: Array, action: Array) -> tuple[Array, Array]:
        after = self.after.at[position, action].get(mode="promise_in_bounds")
        return after, after >= 0

    def _legal(self, position: Array) -> Array:
        return _row(self.after, position) >= 0

    def _choose(self, position: Array, words: Array) -> Array:
        number = _drawn(words, _row(self.counts, position))
        return self.choices.at[position, number].get(mode="promise_in_bounds")

    def _observe(self, position: Array) -> Array:
        return _row(self.observations, position)

    def _side(self, position: Array) -> Array:
        return _row(self.sides, position).astype(jnp.int32)

    def _ended(self, position: Array) -> Array:
        return _row(self.ended, position)

    def _result(self, position: Array) -> Array:
        return _row(self.rewards, position)

    def _rules_state(self, position: Any) -> Any:
        return table_for(self.game).states[position]


class MirrorPosition(NamedTuple):
    """A sequence with zeros behind it, its length, the side to add to it, and whether that is too late."""

    sequence: Array
    length: Array
    side: Array
    won: Array


@partial(jax.tree_util.register_dataclass, data_fields=[], meta_fields=["game", "horizon"])
@dataclass(frozen=True, eq=False)
class JaxMirrorMatch(JaxGame):
    """Mirror Match, whose positions have no end; its horizon bounds the sequence."""

    game: MirrorMatch
    horizon: int

    def _start(self) -> MirrorPosition:
        number = jnp.int8 if self.game.digits < 1 << 7 else jnp.int32
        side = self.game.initial().side
        return MirrorPosition(
            jnp.zeros(self.horizon, number), jnp.int32(0), jnp.int32(side), jnp.bool_(False)
        )

    def _move(self, position: MirrorPosition, action: Array) -> tuple[MirrorPosition, Array]:
        sequence, length, side, won = position
        digits = self.game.digits
        places = jnp.arange(self.horizon)
        number = (action % digits + 1).astype(sequence.dtype)[..., None]
        begun = jnp.where(places == 0, number, jnp.roll(sequence, 1, axis=-1))
        ended = jnp.where(places == length[..., None], number, sequence)
        added = jnp.where((action < digits)[..., None], begun, ended)
        passed = action == 2 * digits
        sequence = jnp.where(passed[..., None], sequence, added)
        length = jnp.where(passed, length, length + 1)
        facing = length[..., None] - 1 - places
        mirrored = jnp.take_along_axis(sequence, jnp.maximum(facing, 0), axis=-1)
        palindrome = jnp.all((facing < 0) | (sequence == mirrored), axis=-1)
        after = MirrorPosition(sequence, length, 1 - side, palindrome & (length >= self.game.shortest))
        return after, ~won

    def _legal(self, position: MirrorPosition) -> Array:
        return jnp.broadcast_to(~position.won[..., None], (*position.won.shape, self.num_actions))

    def _choose(self, position: MirrorPosition, words: Array) -> Array:
        return _drawn(words, jnp.uint32(self.num_actions))

    def _observe(self, position: MirrorPosition) -> Array:
        numbers = position.sequence[..., None] == jnp.arange(1, self.game.digits + 1)
        side = jnp.broadcast_to(position.side[..., None, None] == 1, (*position.sequence.shape, 1))
        return jnp.concatenate([numbers, side], axis=-1)

    def _side(self, position: MirrorPosition) -> Array:
        return position.side

    def _ended(self, position: MirrorPosition) -> Array:
        return position.won

    def _result(self, position: MirrorPosition) -> Array:
        return _last_wins(position.won, position.side)

    def _rules_state(self, position: MirrorPosition) -> MirrorMatchState:
        sequence = tuple(position.sequence[: position.length].tolist())
        return MirrorMatchState(sequence, 1 if position.side else 0)


class BitFlipPosition(NamedTuple):
    """The bits, and the side to flip next."""

    flipped: Array
    side: Array


@partial(jax.tree_util.register_dataclass, data_fields=[], meta_fields=["game", "horizon"])
@dataclass(frozen=True, eq=False)
class JaxBitFlip(JaxGame):
    """Bit Flip on rows with too many positions for a table."""

    game: BitFlip

    def _start(self) -> BitFlipPosition:
        return BitFlipPosition(jnp.zeros(self.game.bits, jnp.bool_), jnp.int32(self.game.initial().side))

    def _move(self, position: BitFlipPosition, action: Array) -> tuple[BitFlipPosition, Array]:
        flip = jnp.arange(self.game.bits) == action[..., None]
        legal = jnp.any(self._legal(position) & flip, axis=-1)
        return BitFlipPosition(position.flipped | flip, 1 - position.side), legal

    def _legal(self, position: BitFlipPosition) -> Array:
        flipped = position.flipped
        beyond = jnp.zeros_like(flipped[..., :1])
        left = jnp.concatenate([beyond, flipped[..., :-1]], axis=-1)
        right = jnp.concatenate([flipped[..., 1:], beyond], axis=-1)
        return ~(flipped | left | right)

    def _choose(self, position: BitFlipPosition, words: Array) -> Array:
        passed = jnp.cumsum(self._legal(position), axis=-1, dtype=jnp.uint32)
        return jnp.argmax(passed > _drawn(words, passed[..., -1])[..., None], axis=-1)

    def _observe(self, position: BitFlipPosition) -> Array:
        return jnp.stack([~position.flipped, position.flipped], axis=-1)

    def _side(self, position: BitFlipPosition) -> Array:
        return position.side

    def _ended(self, position: BitFlipPosition) -> Array:
        return ~jnp.any(self._legal(position), axis=-1)

    def _result(self, position: BitFlipPosition) -> Array:
        return _last_wins(self._ended(position), position.side)

    def _rules_state(self, position: BitFlipPosition) -> BitFlipState:
        row = "".join("1" if bit else "0" for bit in position.flipped)
        return self.game.parse_state(f"{row} {int(position.side) + 1}")


def jax_game(game: Game[Any] | str, horizon: int | None = None) -> JaxGame:
    """A game as pure functions of JAX arrays, from its table where there can be one.

    A game that need not end is cut short after `horizon` plies, see `horizon_for`. Raises TableSizeError
    where the positions are too many for a table and there is no other way.

    >>> jax_game("dual-direction").horizon
    200
    """
    rules = game_of(game)
    limit = checked_horizon(rules, horizon)
    if kernel_module(rules) is None:
        table = table_for(rules)
        counts = table.legal.sum(axis=1, dtype=np.uint32)
        choices = np.argsort(~table.legal, axis=1, kind="stable").astype(np.int32)
        arrays = (table.next, counts, choices, table.side, table.reward, table.terminated)
        labels = (table.value, table.distance, table.best)
        return JaxTable(rules, limit, *map(jnp.asarray, (*arrays, *labels, table.observation)))
    if isinstance(rules, MirrorMatch):
        assert limit is not None  # it is the one game that always has a horizon
        return JaxMirrorMatch(rules, limit)
    assert isinstance(rules, BitFlip)  # the only other game with a kernel
    return JaxBitFlip(rules, limit)


class RandomCarry(NamedTuple):
    """Games of random play: for each, where its moves are listed and how many; and its random word."""

    packed: Array
    words: Array


@partial(
    jax.tree_util.register_dataclass, data_fields=["slots", "owners"], meta_fields=["shift", "start_packed"]
)
@dataclass(frozen=True, eq=False)
class RandomPlay:
    """Random games at full speed. `random_play` makes one.

    A game is two words of 32 bits, and a step one lookup: nothing is observed on the way, and no horizon
    counts. The step after an end starts a new game. Several steps are compiled into one pass over the
    games, `unroll` of them, so that they need not go through memory in between.

    >>> play = random_play("bit-flip")
    >>> carry = play.play(play.start(seed=0, shape=4), steps=100)
    >>> play.rows(carry).tolist()
    [124, 69, 22, 0]
    """

    slots: Array
    """The moves of each position one after another: each is the packed position it leads to."""
    owners: Array
    """The row of the table that each slot is a move of."""
    shift: int
    """How many of the low bits of a packed position count its moves; the others tell its first slot."""
    start_packed: int

    def start(self, seed: int, shape: int | tuple[int, ...]) -> RandomCarry:
        """So many games at their start, each with its own stream of random numbers."""
        words = first_words(seed, shape)
        return RandomCarry(jnp.full(words.shape, self.start_packed, jnp.uint32), words)

    def step(self, carry: RandomCarry) -> RandomCarry:
        """A legal move in each game, drawn evenly; where a game is over, a new one."""
        packed, words = carry.packed, next_words(carry.words)
        count = packed & np.uint32((1 << self.shift) - 1)
        slot = (packed >> np.uint32(self.shift)) + _drawn(words, count)
        return RandomCarry(self.slots.at[slot].get(mode="promise_in_bounds"), words)

    def play(self, carry: RandomCarry, steps: int, unroll: int = 4) -> RandomCarry:
        """So many steps in each game."""

        def several(count: int, now: RandomCarry) -> RandomCarry:
            for _ in range(count):
                now = self.step(now)
            return now

        passes, rest = divmod(whole("steps", steps, 0), whole("unroll", unroll, 1))
        carry = lax.fori_loop(0, passes, lambda _, now: several(unroll, now), carry)
        return several(rest, carry)

    def rows(self, carry: RandomCarry) -> Array:
        """The positions as rows of the table."""
        return _row(self.owners, carry.packed >> np.uint32(self.shift))


def random_play(game: Game[Any] | str) -> RandomPlay:
    """Random play of a game that has a table; TableSizeError for any other."""
    return packed_table(table_for(game_of(game)))


def packed_table(table: Table[Any], word: int = WORD) -> RandomPlay:
    """A table for random play, with positions packed into so many bits."""
    moves = table.legal.sum(axis=1)
    counts = np.maximum(moves, 1)  # from an end, one move leads back to the start
    firsts = np.cumsum(counts) - counts
    shift = int(counts.max()).bit_length()
    if int(firsts[-1]).bit_length() + shift > word:
        raise TableSizeError(
            f"{table.game.spec} has {int(moves.sum()):,} moves, too many to number in {word} bits"
        )
    packed = (firsts << shift | counts).astype(np.uint32)
    owners = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    slots = np.full(len(owners), packed[0], np.uint32)
    slots[moves[owners] > 0] = packed[table.next[table.legal]]
    return RandomPlay(jnp.asarray(slots), jnp.asarray(owners), shift, int(packed[0]))


def first_words(seed: int, shape: int | tuple[int, ...]) -> Array:
    """A word of 32 bits for each game to draw random numbers from, hashed from the seed and its number.

    No two games of one seed start from the same word but by the rarest chance. Still all lie on the one
    cycle that 32 bits allow: of very many games, one sooner or later draws what another has drawn before.

    >>> first_words(seed=0, shape=2).tolist() == first_words(seed=0, shape=3).tolist()[:2]
    True
    """
    axes = _shape(shape)
    one, two = np.random.SeedSequence(whole("seed", seed, 0)).generate_state(2)
    numbers = jnp.arange(prod(axes), dtype=jnp.uint32)
    words = _mixed(_mixed(numbers * _GOLDEN + one) ^ two)
    return jnp.where(words == 0, _GOLDEN, words).reshape(axes)  # from 0, xorshift gives nothing but 0


def next_words(words: Array) -> Array:
    """The next words of the generators (xorshift, Marsaglia 2003)."""
    words = words ^ (words << np.uint32(13))
    words = words ^ (words >> np.uint32(17))
    return words ^ (words << np.uint32(5))


def _mixed(words: Array) -> Array:
    """Every bit spread over all (the finish of MurmurHash3); different words stay different."""
    words = (words ^ (words >> np.uint32(16))) * np.uint32(0x85EBCA6B)
    words = (words ^ (words >> np.uint32(13))) * np.uint32(0xC2B2AE35)
    return words ^ (words >> np.uint32(16))


def _drawn(words: Array, count: Array) -> Array:
    """A number below `count`, by the upper half of each word, which is the better one."""
    return ((words >> np.uint32(16)) * count) >> np.uint32(16)


def _row(array: Array, position: Array) -> Array:
    return array.at[position].get(mode="promise_in_bounds")


def _last_wins(ended: Array, side: Array) -> Array:
    """What the sides get if the one that has just moved has won."""
    won = jnp.where(side[..., None] == jnp.arange(2), -1.0, 1.0)
    return jnp.where(ended[..., None], won, 0.0)


def _where(mask: Array, then: Any, other: Any) -> Any:
    """Whole states or positions, chosen for each game."""

    def chosen(one: Array, two: Array) -> Array:
        return jnp.where(mask.reshape(mask.shape + (1,) * (one.ndim - mask.ndim)), one, two)

    return jax.tree.map(chosen, then, other)


def _shape(shape: int | tuple[int, ...]) -> tuple[int, ...]:
    return tuple(whole("shape", axis, 0) for axis in (shape if isinstance(shape, tuple) else (shape,)))


def _first(bad: Any) -> tuple[int, ...] | None:
    """Where the first True stands, if there is one."""
    found = np.argwhere(bad)
    return tuple(found[0].tolist()) if len(found) else None


def _named(name: str, number: tuple[int, ...]) -> str:
    return f"{name}[{', '.join(map(str, number))}]" if number else name
