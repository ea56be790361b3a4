"""Batches of tic-tac-toe games, compared with pgx."""

from collections.abc import Sequence
from functools import partial
from time import perf_counter
from typing import Any

import jax
import numpy as np
from jax import numpy as jnp
from numpy.typing import NDArray

from bench import BenchRow
from bench.peers import REPORTED, TIC_TAC_TOE, Run, best_seconds, in_millions, pgx_forms
from bench.peers.pgx_forms import RESTARTS, Form, Restart, next_step
from perfectplay.core.errors import IllegalActionError
from perfectplay.simulate import Batch, BatchedGame
from perfectplay.simulate.jax_tables import random_play

HANDED_IN, RANDOM_PLAY, TABLES_ONLY = "given actions", "random play", "random play, last step shown"
NEITHER_LOOKS = "random play, observed by neither"
"""Compared with a form of pgx that shows nothing either; the standard pgx step always does."""
LARGE, SMALL = 65_536, 1024
AT_LEAST = {
    (HANDED_IN, LARGE): 5.0,
    (HANDED_IN, SMALL): 5.0,
    (RANDOM_PLAY, LARGE): 7.0,
    (RANDOM_PLAY, SMALL): 5.0,
    (TABLES_ONLY, LARGE): 25.0,
}
LINES = 64
"""How many recorded actions each game plays in a run."""
RANDOM_STEPS = {LARGE: 64, SMALL: 1024}
"""How many random steps every game makes in a run of ours."""
ROLLED = {LARGE: 4, SMALL: 32}
"""How many steps a rollout of ours makes."""
ROUNDS = 10
HEATS, FINALISTS = 2, 3
"""How many rounds are used to choose a peer's best forms."""
SETTLING = 200
"""After this many random steps, games that started together are at different plies."""

Lines = Sequence[NDArray[np.intp]]


class Contest:
    """All measurements against pgx."""

    def __init__(self) -> None:
        self.rates: dict[str, float] = {}
        """Our steps per second with many games, used for memory bandwidth."""
        self._share = _share_of_moves()
        check_draws()

    def rows(self) -> list[BenchRow]:
        found = [self._row(HANDED_IN, size, *_hand_in(size)) for size in (LARGE, SMALL)]
        forms = {size: pgx_forms.at_random(size) for size in (LARGE, SMALL)}
        for size in (LARGE, SMALL):
            found.append(self._row(RANDOM_PLAY, size, _at_random(size), forms[size]))
        found.append(self._row(TABLES_ONLY, LARGE, _tables_only(LARGE), forms[LARGE]))
        found.append(self._row(NEITHER_LOOKS, LARGE, _tables_only(LARGE), pgx_forms.play_unobserved(LARGE)))
        return found

    def _row(self, what: str, size: int, ours: dict[str, Run], forms: list[Form]) -> BenchRow:
        tried = best_seconds({form: form.run for form in forms}, HEATS)
        finalists = sorted(forms, key=lambda form: tried[form] / self._moves(form))[:FINALISTS]
        runs: dict[Form | str, Run] = {form: form.run for form in finalists}
        runs.update(ours)
        best = best_seconds(runs, ROUNDS)
        peer = min(finalists, key=lambda form: best[form] / self._moves(form))
        fastest = min(ours, key=lambda name: best[name])
        steps = (LINES if what == HANDED_IN else RANDOM_STEPS[size]) * size
        rate, peer_rate = steps / best[fastest], self._moves(peer) / best[peer]
        if size == LARGE:
            self.rates[what] = steps / best[next(iter(ours))]
        rate *= self._share
        ratio, at_least = rate / peer_rate, AT_LEAST.get((what, size))
        return BenchRow(
            f"{what}, {size:,} games, against pgx",
            f"{ratio:.1f}x",
            REPORTED if at_least is None else f"at least {at_least:g}x",
            at_least is None or ratio >= at_least,
            f"{in_millions(rate)} ({fastest}) / {in_millions(peer_rate)} moves/s ({peer.name})",
        )

    def _moves(self, form: Form) -> float:
        """The number of moves in a run of a peer. A step that only restarts a game does not count."""
        return form.steps * (self._share if form.restart is next_step else 1.0)


# Our forms by their names in the table; the bytes of the first are counted.


def _hand_in(size: int) -> tuple[dict[str, Run], list[Form]]:
    plain, gapless = record(size)
    lines = {restart: plain if restart is next_step else gapless for restart in RESTARTS.values()}
    for restart, each in lines.items():
        check(size, restart, each)
    batch: BatchedGame[Any] = BatchedGame(TIC_TAC_TOE, size)

    def run() -> float:
        batch.reset()
        began = perf_counter()
        for actions in plain:
            batch.step(actions)
        return perf_counter() - began

    return {"step": run}, pgx_forms.hand_in(size, lines)


def _at_random(size: int) -> dict[str, Run]:
    """Single steps, and rollouts that keep what every step shows."""
    batch: BatchedGame[Any] = BatchedGame(TIC_TAC_TOE, size)

    def stepping() -> float:
        began = perf_counter()
        for _ in range(RANDOM_STEPS[size]):
            batch.step_random()
        return perf_counter() - began

    def rolling() -> float:
        began = perf_counter()
        for _ in range(RANDOM_STEPS[size] // ROLLED[size]):
            batch.rollout(ROLLED[size])
        return perf_counter() - began

    return {"step_random": stepping, "rollout": rolling}


def _tables_only(size: int) -> dict[str, Run]:
    """With NumPy, and with JAX as pgx does."""
    batch: BatchedGame[Any] = BatchedGame(TIC_TAC_TOE, size)
    play = random_play(TIC_TAC_TOE)
    compiled = jax.jit(partial(play.play, steps=RANDOM_STEPS[size], unroll=1))
    carry = jax.block_until_ready(compiled(play.start(seed=0, shape=size)))

    def numpy() -> float:
        began = perf_counter()
        batch.play_random(RANDOM_STEPS[size])
        return perf_counter() - began

    def with_jax() -> float:
        began = perf_counter()
        jax.block_until_ready(compiled(carry))
        return perf_counter() - began

    return {"NumPy": numpy, "JAX": with_jax}


def _share_of_moves() -> float:
    """The share of our random steps that play a move; the others start a new game."""
    batch: BatchedGame[Any] = BatchedGame(TIC_TAC_TOE, LARGE)
    for _ in range(SETTLING):
        batch.step_random()
    ended = [batch.step_random().terminated.mean() for _ in range(SETTLING)]
    return 1.0 - float(np.mean(ended))


def record(size: int) -> tuple[Lines, Lines]:
    """Random actions from the start: for our games, and for games that restart within a step."""
    batch: BatchedGame[Any] = BatchedGame(TIC_TAC_TOE, size)
    plain, gapless = [], []
    for _ in range(LINES):
        plain.append(batch.random_actions())
        batch.step(plain[-1])
    batch.reset(seed=1)
    for _ in range(LINES):
        gapless.append(batch.random_actions())
        seen = batch.step(gapless[-1])
        batch.step(gapless[-1], where=seen.terminated)
    return plain, gapless


def check(size: int, restart: Restart, lines: Lines) -> None:
    """Raise unless pgx and we show the same for the same games, and both detect illegal actions."""
    batch: BatchedGame[Any] = BatchedGame(TIC_TAC_TOE, size)
    states, step = pgx_forms.begin(size), jax.jit(restart)
    for actions in lines:
        seen = batch.step(actions)
        states = step(states, jnp.asarray(actions, jnp.int32))
        _hold(np.array_equal(states.terminated, seen.terminated), "the end")
        # The pgx wrapper draws lots for the first player, so only the existence of a winner can be compared.
        _hold(np.array_equal(np.abs(states.rewards), np.abs(seen.reward)), "the rewards")
        going = ~seen.terminated
        _hold(np.array_equal(np.asarray(states.legal_action_mask)[going], seen.legal[going]), "legal moves")
        _hold(
            np.array_equal(np.asarray(states.observation)[going], _as_mover(batch, seen)[going]), "the board"
        )
        if restart is next_step:
            _hold(np.array_equal(states.rewards, seen.reward), "who has won")
        else:
            batch.step(actions, where=seen.terminated)
    _hold(pgx_forms.refuses_illegal_actions(), "illegal actions")
    batch.reset()
    twice = np.zeros(size, np.intp)
    batch.step(twice)
    try:
        batch.step(twice)
    except IllegalActionError:
        return
    raise RuntimeError("tic-tac-toe: an illegal action was accepted")


def check_draws() -> None:
    """Raise unless pgx gets legal actions, and from the start each equally often."""
    batch: BatchedGame[Any] = BatchedGame(TIC_TAC_TOE, LARGE)
    draw = jax.jit(pgx_forms.by_rank)
    first = np.bincount(np.asarray(draw(jax.random.key(0), jnp.asarray(batch.look().legal))))
    even = LARGE / batch.game.num_actions
    _hold(len(first) == batch.game.num_actions and np.abs(first - even).max() < 6 * even**0.5, "even draws")
    for number in range(SETTLING):
        seen = batch.step_random()
        going = np.flatnonzero(~seen.terminated)
        actions = np.asarray(draw(jax.random.key(number), jnp.asarray(seen.legal)))
        _hold(bool(seen.legal[going, actions[going]].all()), "legal draws")


def _as_mover(batch: BatchedGame[Any], seen: Batch) -> NDArray[np.bool_]:
    """The board as pgx shows it: first the squares of the side to move, then the other's."""
    first, second = (batch.observer.planes.index(name) for name in batch.game.side_names)
    board = seen.observation[..., [first, second]]
    return np.where((seen.side == 1)[:, None, None, None], board[..., ::-1], board)


def _hold(holds: object, what: str) -> None:
    if not holds:
        raise RuntimeError(f"tic-tac-toe: no agreement with pgx about {what}")
