"""Small networks in plain JAX, and the starts of games from which they learn."""

from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

import jax
import numpy as np
from jax import Array
from jax import numpy as jnp

from perfectplay.core.game import Action, Game
from perfectplay.core.walks import BreadthFirst
from perfectplay.evals.limits import DEPTH
from perfectplay.evals.positions import paths_to_positions
from perfectplay.players.learned.policy import Inputs, Policy
from perfectplay.simulate.jax_tables import JaxGame, JaxState
from perfectplay.simulate.jax_tables.game import select
from perfectplay.simulate.jax_tables.table import JaxTable
from perfectplay.simulate.observation import Observer

Layers = list[tuple[Array, Array]]
MEMBERS, WALKS = 32, 20_000
"""How many positions of a class of symmetry games start from, and how many random games look for them."""


class Network(NamedTuple):
    """Two networks: one gives a number for each action, the other the value to the side to move, -1 to 1."""

    policy: Layers
    value: Layers


def new_network(key: Array, game: JaxGame, hidden: tuple[int, ...]) -> Network:
    """A network with random weights."""
    size = int(np.prod(game.observer.shape))
    one, two = jax.random.split(key)
    return Network(_layers(one, (size, *hidden, game.num_actions)), _layers(two, (size, *hidden, 1)))


def _layers(key: Array, sizes: tuple[int, ...]) -> Layers:
    keys = jax.random.split(key, len(sizes))
    scales = [np.sqrt(2 / size) for size in sizes[:-2]] + [0.1 / np.sqrt(sizes[-2])]
    return [
        (scale * jax.random.normal(each, shape), jnp.zeros(shape[1]))
        for each, scale, shape in zip(keys, scales, pairwise(sizes), strict=False)
    ]


def _forward(layers: Layers, observation: Array, legal: Array) -> Array:
    values = observation.reshape(*legal.shape[:-1], -1).astype(jnp.float32)
    for weights, biases in layers[:-1]:
        values = jax.nn.relu(values @ weights + biases)
    weights, biases = layers[-1]
    return values @ weights + biases


def logits_of(network: Network, observation: Array, legal: Array) -> Array:
    """The logarithms of the probabilities of actions, up to a constant; very low for illegal ones."""
    return jnp.where(legal, _forward(network.policy, observation, legal), -1e9)


def values_of(network: Network, observation: Array, legal: Array) -> Array:
    """What positions are worth to the side to move, from -1 to 1."""
    return jnp.tanh(_forward(network.value, observation, legal)[..., 0])


def to_policy(network: Network, observer: Observer[Any], about: dict[str, Any]) -> Policy:
    """What plays like a network, without JAX."""
    seen = Inputs(observer.board, observer.pieces, observer.captions, observer.bits, observer.shows_side)
    layers = [
        (np.asarray(weights).tolist(), np.asarray(biases).tolist()) for weights, biases in network.policy
    ]
    return Policy(observer.game.spec, seen, layers, about)


@lru_cache(maxsize=8)
def starts_for(game: JaxGame) -> JaxState:
    """Positions to start games from, so that a learner meets all: those of the table that are not over.

    Without a table, positions within a few plies, as many from each class of symmetry.
    """
    if isinstance(game, JaxTable):
        rows = np.flatnonzero(~np.asarray(game.ended)).astype(np.int32)
        return game.init(len(rows))._replace(position=jnp.asarray(rows))
    moves = np.array([path + (-1,) * (DEPTH - len(path)) for path in _paths(game.game)])
    state = game.init(len(moves))
    for column in moves.T:
        after = game.step(state, np.maximum(column, 0))
        state = select(jnp.asarray(column >= 0), after, state)
    return state


def draw_starts(starts: JaxState, key: Array, count: int) -> JaxState:
    """As many games as asked for, each at one of these starts."""
    rows = jax.random.randint(key, (count,), 0, starts.plies.shape[0])
    drawn: JaxState = jax.tree.map(lambda part: part[rows], starts)
    return drawn


def _paths(game: Game[Any]) -> list[tuple[Action, ...]]:
    """Moves that lead to positions near the start: for each class of symmetry the one that is
    measured, and others."""
    walk: BreadthFirst[Any, Any] = paths_to_positions(game)
    found = {game.canonical(state): [walk.path(state)] for state in walk.parents if game.legal_actions(state)}
    rng = Random(0)
    for _ in range(WALKS):
        state: Any = game.initial()
        path: tuple[Action, ...] = ()
        while game.legal_actions(state) and len(path) < DEPTH:
            # Moves made before are made again more often, or classes with many equal pieces would never come.
            again = [action for action in path if action in game.legal_actions(state)]
            action = rng.choice(again if again and rng.random() < 0.5 else game.legal_actions(state))
            state, path = game.apply(state, action), (*path, action)
            members = found.get(game.canonical(state), [])
            if 0 < len(members) < MEMBERS and path not in members:
                members.append(path)
    return [
        members[0 if number % 3 == 0 else number % len(members)]
        for members in found.values()
        for number in range(MEMBERS)
    ]
