"""Tic-tac-toe of pgx in every form that might be fastest: ways to restart, draw actions and dispatch."""

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, NamedTuple

import jax
import pgx
from jax import numpy as jnp
from numpy.typing import NDArray
from pgx.experimental import act_randomly, auto_reset

from bench.peers import Run

GAME = pgx.make("tic_tac_toe")
START = GAME.init(jax.random.key(0)).replace(current_player=jnp.int32(0))
"""A fresh game in which player 0 starts; pgx itself draws lots."""
SCANNED = {1024: 64, 65_536: 16}
"""How many random steps are compiled into one loop, for each number of games."""
STEPS = 1 << 18
"""The fewest steps in a run of random play."""

State = Any
Restart = Callable[[State, Any], State]
"""Plays an action in every game and restarts those that are over."""
Draw = Callable[[Any, Any], Any]
"""Draws a legal action for every game from a key and the masks."""


class Form(NamedTuple):
    """A way of stepping many games."""

    name: str
    run: Run
    steps: int
    """The number of steps in a run, over all games."""
    restart: Restart


def begin(size: int) -> State:
    """A batch of games at their start."""
    return jax.tree.map(lambda each: jnp.repeat(each[None], size, axis=0), START)


def library_reset(states: State, actions: Any) -> State:
    """The standard pgx wrapper, which makes a new game at every step and discards most of them."""
    keys = jax.random.split(jax.random.key(0), len(actions))
    return jax.vmap(auto_reset(GAME.step, GAME.init))(states, actions, keys)


def same_step(states: State, actions: Any) -> State:
    """Replace a game that ends by a fresh one at once, keeping its end and rewards visible."""

    def step(state: State, action: Any) -> State:
        after = GAME.step(state.replace(terminated=jnp.bool_(False)), action)
        mixed = _where(after.terminated, after)
        return mixed.replace(rewards=after.rewards, terminated=after.terminated)

    return jax.vmap(step)(states, actions)


def next_step(states: State, actions: Any) -> State:
    """Start a fresh game in the step after an end, whatever the action, as ours does."""

    def step(state: State, action: Any) -> State:
        return _where(state.terminated, GAME.step(state, action))

    return jax.vmap(step)(states, actions)


RESTARTS: dict[str, Restart] = {  # by their names in the table
    "auto_reset": library_reset,
    "same step": same_step,
    "next step": next_step,
}


def by_rank(key: Any, masks: Any) -> Any:
    """A uniform draw with 16 random bits: the n-th legal action, found by counting."""
    bits = jax.random.bits(key, masks.shape[:1], jnp.uint16).astype(jnp.uint32)
    rank = (bits * masks.sum(-1, dtype=jnp.uint32) >> 16).astype(jnp.int32)
    action, counted = jnp.zeros_like(rank), jnp.zeros_like(rank)
    for square in range(masks.shape[1]):
        counted += masks[:, square]
        action += counted <= rank
    return action


def hand_in(size: int, lines: dict[Restart, Sequence[NDArray[Any]]]) -> list[Form]:
    """Every form that takes actions, with each step dispatched and awaited."""
    forms = []
    for name, restart in RESTARTS.items():
        actions = [jnp.asarray(each, jnp.int32) for each in lines[restart]]
        for donated in (False, True):
            step = jax.jit(restart, donate_argnums=(0,) if donated else ())
            run = _stepping(step, size, actions)
            forms.append(Form(f"{name}{', donated' if donated else ''}", run, len(actions) * size, restart))
    return forms


def at_random(size: int) -> list[Form]:
    """Every form that also draws its actions, by single steps and by compiled loops."""
    forms = [_random(size, "auto_reset and act_randomly", library_reset, act_randomly, SCANNED[size])]
    for name, restart in RESTARTS.items():
        forms += [_random(size, name, restart, by_rank, steps) for steps in (1, SCANNED[size])]
    return forms


def play_unobserved(size: int) -> list[Form]:
    """Loops that discard observations, so that the compiler may skip them."""
    return [
        _random(size, name, restart, by_rank, SCANNED[size], observed=False)
        for name, restart in RESTARTS.items()
    ]


def refuses_illegal_actions() -> bool:
    """Whether an illegal action ends a game and loses it."""
    state = GAME.step(GAME.step(START, jnp.int32(0)), jnp.int32(0))
    return bool(state.terminated) and state.rewards.tolist() == [1.0, -1.0]


def _where(over: Any, after: State) -> State:
    return jax.tree.map(lambda new, old: jnp.where(over, new, old), START, after)


def _stepping(step: Any, size: int, actions: list[Any]) -> Run:
    def run() -> float:
        states = jax.block_until_ready(begin(size))
        began = perf_counter()
        for each in actions:
            states = jax.block_until_ready(step(states, each))
        return perf_counter() - began

    return run


def _random(size: int, name: str, restart: Restart, draw: Draw, steps: int, *, observed: bool = True) -> Form:
    unseen = begin(size).observation

    def one(carry: tuple[State, Any], _: None) -> tuple[tuple[State, Any], None]:
        states, key = carry
        key, drawing = jax.random.split(key)
        states = restart(states, draw(drawing, states.legal_action_mask))
        return (states if observed else states.replace(observation=unseen), key), None

    def several(states: State, key: Any) -> Any:
        carry = states, key
        return one(carry, None)[0] if steps == 1 else jax.lax.scan(one, carry, None, length=steps)[0]

    compiled = jax.jit(several, donate_argnums=0)
    calls = max(1, STEPS // (size * steps))
    held = [begin(size), jax.random.key(1)]

    def run() -> float:
        began = perf_counter()
        for _ in range(calls):
            held[:] = jax.block_until_ready(compiled(*held))
        return perf_counter() - began

    looped = "" if steps == 1 else f", scan {steps}"
    return Form(f"{name}{looped}", run, calls * steps * size, restart)
