"""What learners in self-play share: the games they play, their minibatches and the compiled loop.

One network plays both sides. Games start from all positions, so that the learner also meets those that
good play never leads to. The value of a position is that for the side to move: what comes after the
opponent's move counts with the opposite sign.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import jax
import optax
from jax import Array, lax
from jax import numpy as jnp

from perfectplay.learning.networks import Network, draw_starts, new_network, starts_for, values_of
from perfectplay.simulate.jax_tables import JaxGame, JaxState
from perfectplay.simulate.jax_tables.game import select


@dataclass(frozen=True)
class Settings:
    """How a learner plays and learns."""

    updates: int = 400
    games: int = 256
    """How many games are played at the same time."""
    steps: int = 8
    """How many moves are made in each between two updates."""
    epochs: int = 4
    batches: int = 4
    rate: float = 3e-3
    """The learning rate at the beginning; it falls to a hundredth of that."""
    discount: float = 0.97
    trace: float = 0.9
    hidden: tuple[int, ...] = (64, 64)


class Learner(NamedTuple):
    """Everything that changes during training."""

    network: Network
    optimizer: Any
    games: JaxState
    key: Array
    update: Array


class Steps(NamedTuple):
    """One move in each game, and what came of it."""

    observation: Array
    legal: Array
    value: Array
    """What the position was expected to be worth."""
    choice: Any
    """What the learner notes about its choice."""
    reward: Array
    onward: Array
    """What the value of the next position counts for the side that moved; 0 after an end."""


@dataclass(frozen=True, eq=False)
class SelfPlay(ABC):
    """A learner for one game. A kind of learner chooses moves, judges what came of them, and has a loss."""

    game: JaxGame
    settings: Settings

    def __init_subclass__(cls) -> None:
        jax.tree_util.register_dataclass(cls, ["game"], ["settings"])

    @abstractmethod
    def choose(
        self, network: Network, games: JaxState, seen: Array, legal: Array, key: Array
    ) -> tuple[Array, Array, Any]:
        """A move in each game, what the positions seem to be worth, and what to note about the choice."""

    @abstractmethod
    def judge(self, played: Steps, last: Array) -> Any:
        """What to learn from the moves of some games; `last` is what their positions are worth now."""

    @abstractmethod
    def loss(self, network: Network, sample: Any, done: Array) -> Array:
        """What a network loses on some of that, after a share of the training is done."""

    @property
    def optimizer(self) -> optax.GradientTransformation:
        """What turns gradients into changes: Adam."""
        return optax.adam(self.rate)

    @property
    def rate(self) -> optax.Schedule:
        """The learning rate by the number of minibatches."""
        settings = self.settings
        steps = settings.updates * settings.epochs * settings.batches
        return optax.linear_schedule(settings.rate, settings.rate / 100, steps)

    def begin(self, key: Array) -> Learner:
        """A learner that has learned nothing yet, from a random key."""
        one, two, three = jax.random.split(key, 3)
        network = new_network(one, self.game, self.settings.hidden)
        games = draw_starts(starts_for(self.game), two, self.settings.games)
        return Learner(network, self.optimizer.init(network), games, three, jnp.int32(0))

    def advance(self, learner: Learner, updates: int) -> Learner:
        """Play and learn for some updates; one learner, or any number with one more axis in front."""
        after: Learner = _advance(self, starts_for(self.game), learner, updates)
        return after

    def outcome(self, before: JaxState, after: JaxState) -> tuple[Array, Array]:
        """The reward of the side that moved, and what the value of the next position counts for it."""
        side = self.game.side(before)
        reward = jnp.take_along_axis(self.game.reward(after), side[:, None], axis=1)[:, 0]
        sign = jnp.where(self.game.side(after) == side, 1.0, -1.0)
        return reward, jnp.where(self.game.over(after), 0.0, self.settings.discount * sign)

    def update(self, starts: JaxState, learner: Learner) -> Learner:
        """Play some moves, then learn from them in minibatches."""
        key, one, two = jax.random.split(learner.key, 3)
        games, played = self._play(starts, learner.network, learner.games, one)
        last = values_of(learner.network, self.game.observe(games), self.game.legal(games))
        samples = self.judge(played, last)
        flat = jax.tree.map(lambda part: part.reshape(-1, *part.shape[2:]), samples)
        settings, optimizer, done = self.settings, self.optimizer, learner.update / self.settings.updates

        def batch(now: tuple[Network, Any], rows: Array) -> tuple[tuple[Network, Any], None]:
            network, state = now
            part = jax.tree.map(lambda each: each[rows], flat)
            change, state = optimizer.update(jax.grad(self.loss)(network, part, done), state)
            return (optax.apply_updates(network, change), state), None

        keys = jax.random.split(two, settings.epochs)
        orders = jax.vmap(lambda each: jax.random.permutation(each, settings.games * settings.steps))(keys)
        rows = orders.reshape(settings.epochs * settings.batches, -1)
        (network, state), _ = lax.scan(batch, (learner.network, learner.optimizer), rows)
        return Learner(network, state, games, key, learner.update + 1)

    def _play(
        self, starts: JaxState, network: Network, games: JaxState, key: Array
    ) -> tuple[JaxState, Steps]:
        """Make some moves in all games. A game that is over is replaced by a new one."""

        def step(now: JaxState, each: Array) -> tuple[JaxState, Steps]:
            one, two = jax.random.split(each)
            seen, legal = self.game.observe(now), self.game.legal(now)
            action, value, choice = self.choose(network, now, seen, legal, one)
            after = self.game.step(now, action)
            made = Steps(seen, legal, value, choice, *self.outcome(now, after))
            new = draw_starts(starts, two, self.settings.games)
            return select(self.game.over(after), new, after), made

        found: tuple[JaxState, Steps] = lax.scan(step, games, jax.random.split(key, self.settings.steps))
        return found


@partial(jax.jit, static_argnames="updates")
def _advance(learning: SelfPlay, starts: JaxState, learner: Learner, updates: int) -> Learner:
    def several(one: Learner) -> Learner:
        after: Learner = lax.scan(
            lambda now, _: (learning.update(starts, now), None), one, None, length=updates
        )[0]
        return after

    return jax.vmap(several)(learner) if learner.update.ndim else several(learner)
