"""Tic-tac-toe of pgx in every form that might be its fastest: how it restarts, draws and is dispatched."""

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
"""A fresh game in which player 0 begins; pgx itself tosses for it."""
SCANNED = {1024: 64, 65_536: 16}
"""How many random steps are compiled into one loop, for each number of games."""
STEPS = 1 << 18
"""How many steps a run of random play makes at least."""

State = Any
Restart = Callable[[State, Any], State]
"""What plays an action in every game and starts those again that are over."""
Draw = Callable[[Any, Any], Any]
"""What draws a legal action for every game from a key and the masks."""


class Form(NamedTuple):
    """A way of stepping many games."""

    name: str
    run: Run
    steps: int
    """How many steps a run makes, over all games."""
    restart: Restart


def started(size: int) -> State:
    """So many games at their start."""
    return jax.tree.map(lambda each: jnp.repeat(each[None], size, axis=0), START)


def library_reset(states: State, actions: Any) -> State:
    """The wrapper of pgx itself, which makes a new game for every step and throws most of them away."""
    keys = jax.random.split(jax.random.key(0), len(actions))
    return jax.vmap(auto_reset(GAME.step, GAME.init))(states, actions, keys)


def same_step(states: State, actions: Any) -> State:
    """A game that ends is replaced by a fresh one at once, its end and its rewards still to be seen."""

    def step(state: State, action: Any) -> State:
        after = GAME.step(state.replace(terminated=jnp.bool_(False)), action)
        mixed = _where(after.terminated, after)
        return mixed.replace(rewards=after.rewards, terminated=after.terminated)

    return jax.vmap(step)(states, actions)


def next_step(states: State, actions: Any) -> State:
    """The step after a game's end starts a fresh one, whatever its action, as ours does."""

    def step(state: State, action: Any) -> State:
        return _where(state.terminated, GAME.step(state, action))

    return jax.vmap(step)(states, actions)


RESTARTS: dict[str, Restart] = {  # by the names that the table has for them
    "auto_reset": library_reset,
    "same step": same_step,
    "next step": next_step,
}


def by_rank(key: Any, masks: Any) -> Any:
    """An even draw from 16 random bits: the n-th legal action, found by counting."""
    bits = jax.random.bits(key, masks.shape[:1], jnp.uint16).astype(jnp.uint32)
    rank = (bits * masks.sum(-1, dtype=jnp.uint32) >> 16).astype(jnp.int32)
    action, counted = jnp.zeros_like(rank), jnp.zeros_like(rank)
    for square in range(masks.shape[1]):
        counted += masks[:, square]
        action += counted <= rank
    return action


def handed_in(size: int, lines: dict[Restart, Sequence[NDArray[Any]]]) -> list[Form]:
    """Every form that is given its actions, each step dispatched and waited for."""
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


def unobserved(size: int) -> list[Form]:
    """Loops that throw every observation away, so that the compiler may leave them out."""
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
        states = jax.block_until_ready(started(size))
        began = perf_counter()
        for each in actions:
            states = jax.block_until_ready(step(states, each))
        return perf_counter() - began

    return run


def _random(size: int, name: str, restart: Restart, draw: Draw, steps: int, *, observed: bool = True) -> Form:
    unseen = started(size).observation

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
    held = [started(size), jax.random.key(1)]

    def run() -> float:
        began = perf_counter()
        for _ in range(calls):
            held[:] = jax.block_until_ready(compiled(*held))
        return perf_counter() - began

    looped = "" if steps == 1 else f", scan {steps}"
    return Form(f"{name}{looped}", run, calls * steps * size, restart)
