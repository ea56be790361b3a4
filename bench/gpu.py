"""Random play on an accelerator, with JAX: `python -m bench.gpu`. Needs only JAX and NumPy.

For each game and number of games, it prints the steps per second of the packed tables alone, for each number
of steps compiled into one pass. It also prints those of the vector form, which shows observation, legal
moves, reward and end after every step. Before measuring, it checks the results on the device itself.
Last comes what the exact measure of a policy takes after an update, which should be at most 5 ms.
"""

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import jax
import numpy as np
from jax import numpy as jnp

import perfectplay as pp
from perfectplay.learning.jax_measure import jax_measure
from perfectplay.simulate.jax_tables import (
    JaxGame,
    JaxState,
    RandomCarry,
    RandomPlay,
    first_words,
    jax_game,
    next_words,
    random_play,
)
from perfectplay.simulate.table import PositionTable, table_for

GAMES = (str(Path(__file__).resolve().parents[1] / "examples" / "tic_tac_toe.py"), "bit-flip")
SIZES = "20,23,26"
UNROLL = "1,4,16"
STEPS = 512
VECTOR_SIZES = "20"
VECTOR_STEPS = 64
ROUNDS = 5
CHECKED_GAMES = 1 << 16
CHECKED_STEPS = 300
SIGMAS = 5


def check(game: pp.Game[Any], play: RandomPlay, table: PositionTable[Any]) -> str:
    """Check every step played on the device: each leads to a successor, and first moves are uniform."""

    def step(carry: RandomCarry) -> tuple[RandomCarry, jax.Array]:
        after = play.step(carry)
        return after, play.rows(after)

    one = jax.jit(step)
    carry = play.start(seed=1, shape=CHECKED_GAMES)
    before = np.zeros(CHECKED_GAMES, np.int32)
    starts = table.next[0][table.legal[0]]
    seen, ends = np.zeros((len(table.states), table.game.num_actions), np.bool_), 0
    for number in range(CHECKED_STEPS):
        carry, rows = one(carry)
        after = np.asarray(rows)
        if number == 0:
            expected = CHECKED_GAMES / len(starts)
            counts = np.array([(after == start).sum() for start in starts])
            off = float(np.max(np.abs(counts - expected)) / np.sqrt(expected * (1 - 1 / len(starts))))
        over = table.terminated[before]
        moved = table.next[before] == after[:, None]
        if not np.where(over, after == 0, moved.any(axis=1)).all():
            raise RuntimeError(f"{game.spec}: step {number + 1} does not lead to a successor")
        seen[before[~over]] |= moved[~over]
        ends += int(over.sum())
        before = after
    if off > SIGMAS:
        raise RuntimeError(f"{game.spec}: the first moves are off by {off:.1f} standard deviations")
    several = jax.jit(play.play, static_argnums=(1, 2))
    again = several(play.start(seed=1, shape=CHECKED_GAMES), CHECKED_STEPS, 7)
    if not all(bool(jnp.array_equal(*pair)) for pair in zip(again, carry, strict=True)):
        raise RuntimeError(f"{game.spec}: several steps at once are not the same as one by one")
    return (
        f"checked {CHECKED_GAMES * CHECKED_STEPS:,} steps, {ends:,} games, {seen.sum():,} of"
        f" {table.legal.sum():,} moves; first moves off by at most {off:.1f} standard deviations"
    )


def best_time(run: Callable[[Any], Any], carry: Any) -> float:
    """The shortest time of several runs in seconds. Each run continues the last and may reuse its memory."""
    carry = jax.block_until_ready(run(carry))
    times = []
    for _ in range(ROUNDS):
        start = perf_counter()
        carry = jax.block_until_ready(run(carry))
        times.append(perf_counter() - start)
    return min(times)


def tables_alone(play: RandomPlay, games: int, steps: int, unroll: int) -> float:
    """Steps per second of random steps alone."""
    run = jax.jit(partial(play.play, steps=steps, unroll=unroll), donate_argnums=0)
    return games * steps / best_time(run, play.start(seed=0, shape=games))


def vector_form(game: JaxGame, games: int, steps: int) -> float:
    """Steps per second of random games that show everything after every step."""

    def one(now: tuple[JaxState, jax.Array, Any], _: None) -> tuple[tuple[JaxState, jax.Array, Any], None]:
        state, words, _ = now
        words = next_words(words)
        state = game.step_or_restart(state, game.random_action(state, words))
        return (state, words, observe(state)), None

    def observe(state: JaxState) -> Any:
        # Everything is carried along, so that the compiler cannot drop any of it.
        return game.observe(state), game.legal(state), game.reward(state), game.over(state)

    def run(now: Any) -> Any:
        return jax.lax.scan(one, now, None, length=steps)[0]

    state = game.init(games)
    carry = state, first_words(0, games), observe(state)
    return games * steps / best_time(jax.jit(run, donate_argnums=0), jax.tree.map(jnp.copy, carry))


def exact_measure(game: pp.Game[Any]) -> float:
    """Milliseconds for the exact measure of a policy, in 32 bits and with its figures left on the device."""
    measure = jax_measure(game)
    chances = jnp.asarray(measure.legal / measure.legal.sum(axis=1, keepdims=True).clip(1), jnp.float32)
    run = jax.jit(measure.figures)
    return 1000 * best_time(lambda _: run(chances), None)


def time_rate(measure: Callable[[], float]) -> str:
    """Steps per second as text, or a note that the size does not fit."""
    try:
        return f"{measure():.3g} steps per second"
    except jax.errors.JaxRuntimeError as error:
        if "RESOURCE_EXHAUSTED" not in str(error):
            raise
        return "does not fit into the memory of the device"


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def numbers(text: str) -> list[int]:
    return [int(each) for each in text.split(",") if each]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.gpu", description=__doc__)
    parser.add_argument("--sizes", default=SIZES, help="numbers of games on tables alone, as powers of 2")
    parser.add_argument("--unroll", default=UNROLL, help="how many steps make a pass")
    parser.add_argument("--steps", type=int, default=STEPS, help="steps of a timed call")
    parser.add_argument("--vector-sizes", default=VECTOR_SIZES, help="numbers of games in the vector form")
    parser.add_argument("--vector-steps", type=int, default=VECTOR_STEPS)
    options = parser.parse_args()
    device = jax.devices()[0]
    say(f"{device.device_kind} ({device.platform}), jax {jax.__version__}")
    for spec in GAMES:
        game = pp.load(spec)
        play, table, vector = random_play(game), table_for(game), jax_game(game)
        say(f"\n{game.title}: {len(table.states):,} positions, packed into {play.slots.nbytes:,} bytes")
        say(check(game, play, table))
        for power in numbers(options.sizes):
            for unroll in numbers(options.unroll):
                rate = time_rate(partial(tables_alone, play, 1 << power, options.steps, unroll))
                say(f"  tables alone, 2^{power} games, {unroll:2} steps a pass: {rate}")
        for power in numbers(options.vector_sizes):
            rate = time_rate(partial(vector_form, vector, 1 << power, options.vector_steps))
            say(f"  vector form, 2^{power} games: {rate}")
        say(f"  exact measure of a policy: {exact_measure(game):.2f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
