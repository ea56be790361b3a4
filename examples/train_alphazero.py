"""Train Gumbel AlphaZero in self-play with mctx, and measure it exactly as it learns. Needs the extra
jax, and mctx.

    python examples/train_alphazero.py [game] [file]

The network is measured by itself, without the search. With a file, the trained policy is written to it, and
`perfectplay play --p2 learned:FILE` plays against it.
"""

import sys
from dataclasses import dataclass
from typing import Any

import jax
import mctx
from jax import Array, lax
from jax import numpy as jnp

import perfectplay as pp
from perfectplay.learning.networks import Network, logits_of, values_of
from perfectplay.learning.self_play import SelfPlay, Settings, Steps
from perfectplay.learning.training import Training
from perfectplay.simulate.jax_tables import JaxState, jax_game


@dataclass(frozen=True)
class AlphaZeroSettings(Settings):
    """How AlphaZero learns."""

    updates: int = 200
    games: int = 64
    epochs: int = 2
    trace: float = 0.8
    simulations: int = 16
    """How many moves are tried before each move."""


class AlphaZero(SelfPlay):
    """The learner for one game: each move follows a search, and the network learns what searches find."""

    settings: AlphaZeroSettings

    def choose(
        self, network: Network, games: JaxState, seen: Array, legal: Array, key: Array
    ) -> tuple[Array, Array, Array]:
        """The moves of a search; it notes what the search thinks the probabilities should be."""
        root = mctx.RootFnOutput(
            prior_logits=logits_of(network, seen, legal),
            value=values_of(network, seen, legal),
            embedding=games,
        )
        search = mctx.gumbel_muzero_policy(
            network, key, root, self.try_move, self.settings.simulations, invalid_actions=~legal
        )
        return search.action, search.search_tree.summary().value, search.action_weights

    def try_move(self, network: Network, _: Array, action: Array, now: JaxState) -> tuple[Any, JaxState]:
        """A move within a search."""
        after = self.game.step(now, action)
        reward, onward = self.outcome(now, after)
        seen, legal = self.game.observe(after), self.game.legal(after)
        return mctx.RecurrentFnOutput(
            reward=jnp.where(self.game.over(now), 0.0, reward),
            discount=onward,
            prior_logits=logits_of(network, seen, legal),
            value=values_of(network, seen, legal),
        ), after

    def judge(self, played: Steps, last: Array) -> tuple[Steps, Array]:
        """What each position turned out to be worth, from what searches found later and how games ended."""

        def back(now: tuple[Array, Array], made: Steps) -> tuple[tuple[Array, Array], Array]:
            value, target = now
            later = (1 - self.settings.trace) * value + self.settings.trace * target
            target = made.reward + made.onward * later
            return (made.value, target), target

        return played, lax.scan(back, (last, last), played, reverse=True)[1]

    def loss(self, network: Network, sample: tuple[Steps, Array], done: Array) -> Array:
        """How far the network is from what the searches and the games say."""
        played, targets = sample
        logarithms = jax.nn.log_softmax(logits_of(network, played.observation, played.legal))
        cross = -(played.choice * jnp.where(played.legal, logarithms, 0)).sum(axis=-1)
        miss = jnp.square(values_of(network, played.observation, played.legal) - targets)
        return (cross + miss).mean()


def say(training: Training) -> None:
    """Print a point of the curve."""
    print(f"{training.updates[-1]:5} updates: corrected {training.corrected[-1, 0]:.3f}")


def main(spec: str = "bit-flip", file: str | None = None, **settings: Any) -> None:
    """Train, and print the curve and the exact measure."""
    learner = AlphaZero(jax_game(spec), AlphaZeroSettings(**settings))
    training = Training(learner, every=max(1, learner.settings.updates // 10))
    training.run(say)
    policy = training.policy()
    print(pp.measure_policy(spec, policy).text())
    if file is not None:
        policy.save(file)


if __name__ == "__main__":
    main(*sys.argv[1:])
