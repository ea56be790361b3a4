"""PPO in self-play."""

from dataclasses import dataclass
from typing import NamedTuple

import jax
import optax
from jax import Array, lax
from jax import numpy as jnp

from perfectplay.learning.networks import Network, logits_of, values_of
from perfectplay.learning.self_play import SelfPlay, Settings, Steps
from perfectplay.simulate.jax_tables import JaxState


@dataclass(frozen=True)
class PpoSettings(Settings):
    """How PPO learns. The defaults learn the games of this package at their default settings in seconds.

    >>> PpoSettings(updates=100).games
    256
    """

    entropy: float = 0.3
    """The bonus for entropy at the beginning; it falls to 0."""
    clip: float = 0.2


class ChosenMove(NamedTuple):
    """A move, and the logarithm of the probability with which it was chosen."""

    action: Array
    logarithm: Array


class Transition(NamedTuple):
    """What an update learns from one move."""

    step: Steps
    advantage: Array


class Ppo(SelfPlay):
    """The learner for one game.

    >>> from perfectplay.simulate.jax_tables import jax_game
    >>> ppo = Ppo(jax_game("bit-flip:bits=4"), PpoSettings(updates=4, games=16))
    >>> int(ppo.advance(ppo.begin(jax.random.PRNGKey(0)), 2).update)
    2
    """

    settings: PpoSettings

    @property
    def optimizer(self) -> optax.GradientTransformation:
        """Adam on bounded gradients."""
        return optax.chain(optax.clip_by_global_norm(0.5), optax.adam(self.rate, eps=1e-5))

    def choose(
        self, network: Network, games: JaxState, seen: Array, legal: Array, key: Array
    ) -> tuple[Array, Array, ChosenMove]:
        """Draw moves as the network plays."""
        logits = logits_of(network, seen, legal)
        action = jax.random.categorical(key, logits)
        return action, values_of(network, seen, legal), ChosenMove(action, _logarithm(logits, action))

    def judge(self, played: Steps, last: Array) -> Transition:
        """How much better each move was than expected, from what followed it (generalized advantages)."""

        def back(now: tuple[Array, Array], made: Steps) -> tuple[tuple[Array, Array], Array]:
            value, advantage = now
            surprise = made.reward + made.onward * value - made.value
            advantage = surprise + self.settings.trace * made.onward * advantage
            return (made.value, advantage), advantage

        return Transition(played, lax.scan(back, (last, jnp.zeros_like(last)), played, reverse=True)[1])

    def loss(self, network: Network, sample: Transition, done: Array) -> Array:
        """The clipped gain of PPO, the squared miss of the value, and the bonus for entropy."""
        step, settings = sample.step, self.settings
        logits = logits_of(network, step.observation, step.legal)
        ratio = jnp.exp(_logarithm(logits, step.choice.action) - step.choice.logarithm)
        clipped = jnp.clip(ratio, 1 - settings.clip, 1 + settings.clip)
        gain = jnp.minimum(ratio * sample.advantage, clipped * sample.advantage).mean()
        logarithms = jax.nn.log_softmax(logits)
        spread = -(jnp.exp(logarithms) * jnp.where(step.legal, logarithms, 0)).sum(axis=-1).mean()
        entropy = settings.entropy * jnp.maximum(0.0, 1 - 1.25 * done)
        values = values_of(network, step.observation, step.legal)
        miss = jnp.square(values - (sample.advantage + step.value)).mean()
        return 0.5 * miss - gain - entropy * spread


def _logarithm(logits: Array, action: Array) -> Array:
    return jnp.take_along_axis(jax.nn.log_softmax(logits), action[:, None], axis=1)[:, 0]
