"""Train Gumbel AlphaZero in self-play with mctx, and measure it exactly as it learns. Needs the extra
jax, and mctx.

    python examples/train_alphazero.py [game] [file]

The network is measured by itself, without the search. With a file, the trained policy is written to it, and
`perfectplay play --p2 learned:FILE` plays against it.
"""

import sys
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, NamedTuple

import jax
import mctx
import optax
from jax import Array, lax
from jax import numpy as jnp

import perfectplay as pp
from perfectplay.learning.networks import (
    Network,
    draw_starts,
    logits_of,
    new_network,
    select,
    starts_for,
    values_of,
)
from perfectplay.learning.training import Training
from perfectplay.simulate.jax_tables import JaxGame, JaxState, jax_game


@dataclass(frozen=True)
class AlphaZeroSettings:
    """How AlphaZero learns."""

    updates: int = 200
    games: int = 64
    steps: int = 8
    """How many moves are made in each game between two updates."""
    simulations: int = 16
    """How many moves are tried before each move."""
    epochs: int = 2
    batches: int = 4
    rate: float = 3e-3
    discount: float = 0.97
    trace: float = 0.8
    hidden: tuple[int, ...] = (64, 64)


class Learner(NamedTuple):
    """Everything that changes during training."""

    network: Network
    optimizer: Any
    games: JaxState
    key: Array
    update: Array


class Steps(NamedTuple):
    """One move in each game: what was seen, what the search found, and what came of it."""

    observation: Array
    legal: Array
    weights: Array
    """What the search thinks the probabilities should be."""
    value: Array
    reward: Array
    onward: Array
    """What the value of the next position counts for the side that moved: 1, -1, or 0 after an end."""


@dataclass(frozen=True, eq=False)
class AlphaZero:
    """The learner for one game."""

    game: JaxGame
    settings: AlphaZeroSettings

    def begin(self, key: Array) -> Learner:
        """A learner that has learned nothing yet."""
        one, two, three = jax.random.split(key, 3)
        network = new_network(one, self.game, self.settings.hidden)
        games = draw_starts(starts_for(self.game), two, self.settings.games)
        return Learner(network, optimizer_for(self.settings).init(network), games, three, jnp.int32(0))

    def advance(self, learner: Learner, updates: int) -> Learner:
        """The learners after more updates; they have one more axis in front."""
        after: Learner = advance(self.game, starts_for(self.game), learner, self.settings, updates)
        return after


@lru_cache
def optimizer_for(settings: AlphaZeroSettings) -> optax.GradientTransformation:
    """Adam with a falling rate."""
    steps = settings.updates * settings.epochs * settings.batches
    return optax.adam(optax.linear_schedule(settings.rate, settings.rate / 100, steps))


@partial(jax.jit, static_argnames=("settings", "updates"))
def advance(
    game: JaxGame, starts: JaxState, learners: Learner, settings: AlphaZeroSettings, updates: int
) -> Learner:
    """Play and learn for some updates."""

    def several(learner: Learner) -> Learner:
        def one(now: Learner, _: None) -> tuple[Learner, None]:
            return update(game, starts, now, settings), None

        after: Learner = lax.scan(one, learner, None, length=updates)[0]
        return after

    found: Learner = jax.vmap(several)(learners)
    return found


def update(game: JaxGame, starts: JaxState, learner: Learner, settings: AlphaZeroSettings) -> Learner:
    """Play some moves, then learn what the searches found and how the games went on."""
    key, one, two = jax.random.split(learner.key, 3)
    games, played = play(game, starts, learner.network, learner.games, one, settings)
    targets = look_back(game, learner.network, games, played, settings)
    flat = jax.tree.map(lambda part: part.reshape(-1, *part.shape[2:]), (played, targets))

    def batch(now: tuple[Network, Any], rows: Array) -> tuple[tuple[Network, Any], None]:
        network, state = now
        gradients = jax.grad(loss)(network, *jax.tree.map(lambda part: part[rows], flat))
        change, state = optimizer_for(settings).update(gradients, state)
        return (optax.apply_updates(network, change), state), None

    keys = jax.random.split(two, settings.epochs)
    orders = jax.vmap(lambda each: jax.random.permutation(each, settings.games * settings.steps))(keys)
    rows = orders.reshape(settings.epochs * settings.batches, -1)
    (network, state), _ = lax.scan(batch, (learner.network, learner.optimizer), rows)
    return Learner(network, state, games, key, learner.update + 1)


def play(
    game: JaxGame,
    starts: JaxState,
    network: Network,
    games: JaxState,
    key: Array,
    settings: AlphaZeroSettings,
) -> tuple[JaxState, Steps]:
    """Make some moves in all games, each after a search. A game that is over is replaced by a new one."""

    def made(now: JaxState, action: Array, after: JaxState) -> tuple[Array, Array]:
        """The reward of the side that moved, and what the value of the next position counts for it."""
        side = game.side(now)
        reward = jnp.take_along_axis(game.reward(after), side[:, None], axis=1)[:, 0]
        sign = jnp.where(game.side(after) == side, 1.0, -1.0)
        return reward, jnp.where(game.over(after), 0.0, settings.discount * sign)

    def try_move(network: Network, _: Array, action: Array, now: JaxState) -> tuple[Any, JaxState]:
        after = game.step(now, action)
        reward, discount = made(now, action, after)
        seen, legal = game.observe(after), game.legal(after)
        return mctx.RecurrentFnOutput(
            reward=jnp.where(game.over(now), 0.0, reward),
            discount=discount,
            prior_logits=logits_of(network, seen, legal),
            value=values_of(network, seen, legal),
        ), after

    def step(now: JaxState, each: Array) -> tuple[JaxState, Steps]:
        one, two = jax.random.split(each)
        seen, legal = game.observe(now), game.legal(now)
        search = mctx.gumbel_muzero_policy(
            network,
            one,
            mctx.RootFnOutput(
                prior_logits=logits_of(network, seen, legal),
                value=values_of(network, seen, legal),
                embedding=now,
            ),
            try_move,
            settings.simulations,
            invalid_actions=~legal,
        )
        after = game.step(now, search.action)
        reward, onward = made(now, search.action, after)
        value = search.search_tree.summary().value
        moved = Steps(seen, legal, search.action_weights, value, reward, onward)
        return select(game.over(after), draw_starts(starts, two, settings.games), after), moved

    found: tuple[JaxState, Steps] = lax.scan(step, games, jax.random.split(key, settings.steps))
    return found


def look_back(
    game: JaxGame, network: Network, games: JaxState, played: Steps, settings: AlphaZeroSettings
) -> Array:
    """What each position turned out to be worth, from what the searches found after it and how games
    ended."""

    def back(now: tuple[Array, Array], made: Steps) -> tuple[tuple[Array, Array], Array]:
        value, target = now
        later = (1 - settings.trace) * value + settings.trace * target
        target = made.reward + made.onward * later
        return (made.value, target), target

    last = values_of(network, game.observe(games), game.legal(games))
    targets: Array = lax.scan(back, (last, last), played, reverse=True)[1]
    return targets


def loss(network: Network, played: Steps, targets: Array) -> Array:
    """How far the network is from what the searches and the games say."""
    logarithms = jax.nn.log_softmax(logits_of(network, played.observation, played.legal))
    cross = -(played.weights * jnp.where(played.legal, logarithms, 0)).sum(axis=-1)
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
