"""PPO in self-play: one network plays both sides, and the whole loop is compiled over the tables of a game.

Games start from all positions, so that the learner also meets those that good play never leads to. The
value of
a position is that for the side to move: what comes after the opponent's move counts with the opposite sign.
"""

from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, NamedTuple

from perfectplay.core.errors import needs
from perfectplay.learning.networks import (
    Network,
    draw_starts,
    logits_of,
    new_network,
    select,
    starts_for,
    values_of,
)

with needs("jax", "jax"):
    import jax
    from jax import Array, lax
    from jax import numpy as jnp

    from perfectplay.simulate.jax_tables import JaxGame, JaxState

with needs("optax", "jax"):
    import optax


@dataclass(frozen=True)
class PpoSettings:
    """How PPO learns. The defaults learn the games of this package at their default settings in seconds.

    >>> PpoSettings(updates=100).games
    256
    """

    updates: int = 400
    games: int = 256
    """How many games are played at the same time."""
    steps: int = 8
    """How many moves are made in each between two updates."""
    epochs: int = 4
    batches: int = 4
    rate: float = 3e-3
    """The learning rate at the beginning; it falls to a hundredth of that, and the bonus for entropy to 0."""
    entropy: float = 0.3
    discount: float = 0.97
    trace: float = 0.9
    clip: float = 0.2
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
    action: Array
    logarithm: Array
    """Of the probability with which the action was chosen."""
    value: Array
    reward: Array
    onward: Array
    """What the value of the next position counts for the side that moved: 1, -1, or 0 after an end."""


class Sample(NamedTuple):
    """What an update learns from one move."""

    step: Steps
    advantage: Array
    target: Array


@dataclass(frozen=True, eq=False)
class Ppo:
    """The learner for one game.

    >>> from perfectplay.simulate.jax_tables import jax_game
    >>> ppo = Ppo(jax_game("bit-flip:bits=4"), PpoSettings(updates=4, games=16))
    >>> int(ppo.advance(ppo.begin(jax.random.PRNGKey(0)), 2).update)
    2
    """

    game: JaxGame
    settings: PpoSettings

    def begin(self, key: Array) -> Learner:
        """A learner that has learned nothing yet."""
        one, two, three = jax.random.split(key, 3)
        network = new_network(one, self.game, self.settings.hidden)
        starts = starts_for(self.game)
        games = draw_starts(starts, two, self.settings.games)
        return Learner(network, _optimizer(self.settings).init(network), games, three, jnp.int32(0))

    def advance(self, learner: Learner, updates: int) -> Learner:
        """Play and learn for some updates; one learner, or any number with one more axis in front."""
        after: Learner = _advance(self.game, starts_for(self.game), learner, self.settings, updates)
        return after


@lru_cache(maxsize=8)
def _optimizer(settings: PpoSettings) -> optax.GradientTransformation:
    steps = settings.updates * settings.epochs * settings.batches
    rate = optax.linear_schedule(settings.rate, settings.rate / 100, steps)
    return optax.chain(optax.clip_by_global_norm(0.5), optax.adam(rate, eps=1e-5))


@partial(jax.jit, static_argnames=("settings", "updates"))
def _advance(
    game: JaxGame, starts: JaxState, learner: Learner, settings: PpoSettings, updates: int
) -> Learner:
    def several(one: Learner) -> Learner:
        def update(now: Learner, _: None) -> tuple[Learner, None]:
            return _update(game, starts, now, settings), None

        after: Learner = lax.scan(update, one, None, length=updates)[0]
        return after

    return jax.vmap(several)(learner) if learner.update.ndim else several(learner)


def _update(game: JaxGame, starts: JaxState, learner: Learner, settings: PpoSettings) -> Learner:
    key, one, two = jax.random.split(learner.key, 3)
    games, played = _play(game, starts, learner.network, learner.games, one, settings)
    samples = _judge(game, learner.network, games, played, settings)
    flat = jax.tree.map(lambda part: part.reshape(-1, *part.shape[2:]), samples)
    entropy = settings.entropy * jnp.maximum(0.0, 1 - 1.25 * learner.update / settings.updates)
    optimizer = _optimizer(settings)

    def batch(now: tuple[Network, Any], rows: Array) -> tuple[tuple[Network, Any], None]:
        network, state = now
        part = jax.tree.map(lambda each: each[rows], flat)
        gradients = jax.grad(_loss)(network, part, entropy, settings)
        change, state = optimizer.update(gradients, state, network)
        return (optax.apply_updates(network, change), state), None

    count = settings.games * settings.steps
    orders = jax.vmap(lambda each: jax.random.permutation(each, count))(
        jax.random.split(two, settings.epochs)
    )
    rows = orders.reshape(settings.epochs * settings.batches, -1)
    (network, state), _ = lax.scan(batch, (learner.network, learner.optimizer), rows)
    return Learner(network, state, games, key, learner.update + 1)


def _play(
    game: JaxGame, starts: JaxState, network: Network, games: JaxState, key: Array, settings: PpoSettings
) -> tuple[JaxState, Steps]:
    """Make some moves in all games. A game that is over is replaced by a new one."""

    def step(now: JaxState, each: Array) -> tuple[JaxState, Steps]:
        one, two = jax.random.split(each)
        seen, legal, side = game.observe(now), game.legal(now), game.side(now)
        logits = logits_of(network, seen, legal)
        action = jax.random.categorical(one, logits)
        chosen = jnp.take_along_axis(jax.nn.log_softmax(logits), action[:, None], axis=1)[:, 0]
        after = game.step(now, action)
        over = game.over(after)
        reward = jnp.take_along_axis(game.reward(after), side[:, None], axis=1)[:, 0]
        onward = jnp.where(over, 0.0, jnp.where(game.side(after) == side, 1.0, -1.0))
        made = Steps(seen, legal, action, chosen, values_of(network, seen, legal), reward, onward)
        return select(over, draw_starts(starts, two, settings.games), after), made

    found: tuple[JaxState, Steps] = lax.scan(step, games, jax.random.split(key, settings.steps))
    return found


def _judge(game: JaxGame, network: Network, games: JaxState, played: Steps, settings: PpoSettings) -> Sample:
    """How much better each move was than expected, from what followed it (generalized advantages)."""
    last = values_of(network, game.observe(games), game.legal(games))

    def back(now: tuple[Array, Array], made: Steps) -> tuple[tuple[Array, Array], Array]:
        value, advantage = now
        onward = settings.discount * made.onward
        surprise = made.reward + onward * value - made.value
        advantage = surprise + settings.trace * onward * advantage
        return (made.value, advantage), advantage

    _, advantages = lax.scan(back, (last, jnp.zeros_like(last)), played, reverse=True)
    return Sample(played, advantages, advantages + played.value)


def _loss(network: Network, sample: Sample, entropy: Array, settings: PpoSettings) -> Array:
    step = sample.step
    logarithms = jax.nn.log_softmax(logits_of(network, step.observation, step.legal))
    chosen = jnp.take_along_axis(logarithms, step.action[:, None], axis=1)[:, 0]
    ratio = jnp.exp(chosen - step.logarithm)
    clipped = jnp.clip(ratio, 1 - settings.clip, 1 + settings.clip)
    gain = jnp.minimum(ratio * sample.advantage, clipped * sample.advantage).mean()
    chances = jnp.exp(logarithms)
    spread = -(chances * jnp.where(step.legal, logarithms, 0)).sum(axis=-1).mean()
    miss = jnp.square(values_of(network, step.observation, step.legal) - sample.target).mean()
    return 0.5 * miss - gain - entropy * spread
