"""Batches of games, compared with the rules game by game and ply by ply."""

import pickle
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

import perfectplay as pp
from perfectplay.core.errors import install_command
from perfectplay.games.bit_flip import kernel
from perfectplay.games.bit_flip.rules import BitFlip
from perfectplay.simulate import (
    KINDS,
    Batch,
    BatchedGame,
    SingleGame,
    batch,
    single_game,
    threads,
)
from perfectplay.simulate.kernel import Stream, draw_below, draw_marked
from perfectplay.simulate.positions import longest_for
from perfectplay.simulate.table import table_for
from perfectplay.simulate.table_kernel import Slots
from tests.games.rulings import RULINGS
from tests.simulate.plain_rules import TIC_TAC_TOE, reward_of

EVERY_BIT = np.arange(-(1 << 15), 1 << 15, dtype=np.int32)
"""All that sixteen bits can be."""


def follow(spec: str, size: int, steps: int, horizon: int | None = None) -> tuple[int, int]:
    """Play a batch and hold every position of it against the rules; how many ended and were cut short."""
    games: BatchedGame[Any] = BatchedGame(spec, size, seed=3, labels=True, horizon=horizon)
    game, oracle = games.game, pp.solve(games.game)
    states, plies, over = [game.initial()] * size, [0] * size, [False] * size
    ended = cut = 0
    for step in range(steps):
        best = step % 3 == 2
        actions = games.random_actions(best=best)
        before = games.look()
        seen = games.step(actions)
        for i, action in enumerate(actions.tolist()):
            if over[i]:
                states[i], plies[i] = game.initial(), 0
            else:
                assert before.legal[i, action]
                if best:
                    assert before.labels is not None
                    assert before.labels.best[i, action]
                states[i], plies[i] = game.apply(states[i], action), plies[i] + 1
            state, outcome = states[i], game.outcome(states[i])
            assert games.state(i) == state
            assert (seen.observation[i] == games.observer.observe(state)).all()
            assert tuple(seen.legal[i].nonzero()[0]) == game.legal_actions(state)
            assert seen.side[i] == game.side_to_move(state)
            assert tuple(seen.reward[i]) == reward_of(outcome)
            assert seen.terminated[i] == (outcome is not None)
            assert seen.truncated[i] == (outcome is None and plies[i] == games.horizon)
            value, labels = oracle.value(state), seen.labels
            assert labels is not None
            assert KINDS[labels.value[i]] == value.kind
            if value.plies is not None or value.kind == "endless":
                assert labels.distance[i] == (-1 if value.plies is None else value.plies)
            assert tuple(labels.best[i].nonzero()[0]) == oracle.best(state)
            over[i] = outcome is not None or bool(seen.truncated[i])
            ended += outcome is not None
            cut += bool(seen.truncated[i])
    return ended, cut


@pytest.mark.parametrize("spec", [*RULINGS, TIC_TAC_TOE])
def test_a_batch_plays_by_the_rules(spec: str) -> None:
    ended, _ = follow(spec, 40, 60)
    assert ended


@pytest.mark.parametrize(
    ("spec", "horizon", "size", "steps"),
    [
        ("dual-direction", 7, 40, 40),
        ("bit-flip", 3, 20, 20),
        ("bit-flip:bits=24", 3, 20, 20),
        ("mirror-match:digits=2,shortest=5", None, 30, 60),
        ("mirror-match:first=2,shortest=6", 19, 20, 40),
    ],
)
def test_a_batch_is_cut_short_at_its_horizon(spec: str, horizon: int | None, size: int, steps: int) -> None:
    _, cut = follow(spec, size, steps, horizon)
    assert cut


@pytest.mark.parametrize("spec", ["dual-direction", "bit-flip:bits=24", "mirror-match"])
def test_a_random_step_starts_a_game_again_that_was_cut_short(spec: str) -> None:
    games: BatchedGame[Any] = BatchedGame(spec, 8, horizon=2, seed=1)
    for _ in range(3):
        assert not games.step_random().truncated.any()
        assert games.step_random().truncated.all()
        assert not games.step_random().truncated.any()
        assert {games.state(number) for number in range(8)} == {games.game.initial()}


@pytest.mark.parametrize("spec", ["bit-flip", "bit-flip:bits=24"])
def test_no_action_is_illegal_where_a_game_starts_again(spec: str) -> None:
    games: BatchedGame[Any] = BatchedGame(spec, 2, horizon=1)
    assert games.step([4, 9]).truncated.all()
    games.step([4, 8])  # bit 4 is flipped, and bit 8 beside a flipped one
    assert [games.state(number) for number in range(2)] == [games.game.initial()] * 2


def test_a_short_palindrome_comes_up_before_the_horizon() -> None:
    ended, cut = follow("mirror-match:digits=3,shortest=2,forfeit=move", 40, 40, 12)
    assert ended
    assert not cut


@pytest.mark.parametrize(
    "spec", ["bit-flip:bits=24", "bit-flip:bits=64,first=2", "mirror-match:digits=1,shortest=4"]
)
def test_a_game_without_a_table_plays_by_the_rules(spec: str) -> None:
    ended, _ = follow(spec, 20, 60)
    assert ended


def test_more_numbers_than_sixteen_bits_count_are_drawn_from() -> None:
    games: BatchedGame[Any] = BatchedGame("mirror-match:digits=17000", 16, horizon=3)
    first = games.random_actions(best=True)
    assert len(set(first.tolist())) == 16  # all 34,000 are as good
    seen = games.step(first)
    for _ in range(2):
        for number in range(16):
            assert np.array_equal(seen.observation[number], games.observer.observe(games.state(number)))
        seen = games.step(games.random_actions(best=True))
    assert seen.reward.tolist() == [[1, -1]] * 16
    marked = np.zeros((2, 40_000), np.bool_)
    marked[0, 35_000:] = marked[1] = True
    low, high = (
        draw_marked(marked, np.full(2, bits, np.int32)).tolist() for bits in (-(1 << 15), (1 << 15) - 1)
    )
    assert (low, high) == ([35_000, 0], [39_999, 39_999])


def shows_the_same(one: Batch, two: Batch) -> bool:
    pairs: Any = zip(one[:6], two[:6], strict=True)
    return all(np.array_equal(left, right) for left, right in pairs)


def test_both_ways_to_step_bit_flip_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    from perfectplay.games.bit_flip import kernel

    tabled: BatchedGame[Any] = BatchedGame("bit-flip:bits=9", 500, labels=True)
    monkeypatch.setattr(kernel, "TABULATED", 8)
    masked: BatchedGame[Any] = BatchedGame("bit-flip:bits=9", 500, labels=True)
    assert type(tabled.kernel) is not type(masked.kernel)
    for _ in range(20):
        actions = tabled.random_actions()
        one, two = tabled.step(actions), masked.step(actions)
        assert shows_the_same(one, two)
        assert one.labels is not None
        assert two.labels is not None
        assert (one.labels.value == two.labels.value).all()
        assert np.array_equal(two.labels.distance, np.where(two.terminated, 0, -1))


@pytest.mark.parametrize(
    "spec", ["bit-flip", "dual-direction", "mirror-match", "bit-flip:bits=30", TIC_TAC_TOE]
)
def test_a_seed_is_obeyed(spec: str) -> None:
    def played(seed: int, size: int = 100) -> list[Any]:
        games: BatchedGame[Any] = BatchedGame(spec, size, seed=seed)
        for _ in range(5):
            games.step(games.random_actions())
            games.step_random()
        return [games.state(number) for number in range(size)]

    assert played(1) == played(1)
    assert played(1) != played(2)
    games: BatchedGame[Any] = BatchedGame(spec, 100, seed=2)
    games.play_random(7)
    games.reset(1)
    for _ in range(5):
        games.step(games.random_actions())
        games.step_random()
    assert [games.state(number) for number in range(100)] == played(1)


@pytest.mark.parametrize("spec", ["bit-flip", "dual-direction", "mirror-match", "bit-flip:bits=30"])
def test_many_random_steps_are_the_same_as_one_by_one(spec: str) -> None:
    one: BatchedGame[Any] = BatchedGame(spec, 300, seed=5)
    two: BatchedGame[Any] = BatchedGame(spec, 300, seed=5)
    seen = one.play_random(9)
    for _ in range(9):
        last = two.step_random()
    assert shows_the_same(seen, last)


@pytest.mark.parametrize("spec", ["bit-flip", "dual-direction", "mirror-match", "bit-flip:bits=30"])
@pytest.mark.parametrize("labels", [False, True])
def test_a_rollout_keeps_what_every_step_showed(
    spec: str, labels: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "BLOCK", 64)
    one: BatchedGame[Any] = BatchedGame(spec, 150, seed=5, labels=labels)
    two: BatchedGame[Any] = BatchedGame(spec, 150, seed=5, labels=labels)
    for _ in range(2):  # the second goes on where the first has stopped
        seen = one.rollout(7)
        assert seen.action is not None
        for number in range(7):
            step = two.step(seen.action[number])
            assert shows_the_same(Batch(*(each[number] for each in seen[:6])), step)
            if labels:
                assert seen.labels is not None
                assert step.labels is not None
                assert np.array_equal(seen.labels.best[number], step.labels.best)
    assert [one.state(number) for number in range(150)] == [two.state(number) for number in range(150)]


@pytest.mark.parametrize("bits", [1, 2, 3, 8, 9])
def test_the_longest_game_of_bit_flip_is_as_long_as_its_table_says(bits: int) -> None:
    game = BitFlip(bits=bits)
    assert not kernel.serves(game)  # so that its table is asked
    assert kernel.longest(game) == longest_for(game)


def test_a_rollout_has_all_games_of_one_block_or_two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "BLOCK", 64)
    for size in (64, 65, 128):
        seen = BatchedGame[Any]("bit-flip", size, seed=5).rollout(2)
        assert {each.shape[:2] for each in (*seen[:6], seen.action) if each is not None} == {(2, size)}


def test_games_do_not_depend_on_the_number_of_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "BLOCK", 64)
    played = []
    for cores in (1, 2, 3, 7):
        monkeypatch.setattr(threads, "cores", lambda cores=cores: cores)
        games: BatchedGame[Any] = BatchedGame(TIC_TAC_TOE, 300, seed=4)
        games.play_random(11)
        games.step(games.random_actions())
        games.rollout(3)
        played.append([games.state(number) for number in range(300)])
    assert all(each == played[0] for each in played)
    assert played[0][:64] != played[0][64:128]  # each block has a generator of its own


def test_only_the_cores_that_this_process_may_use_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 2, 5}, raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    assert threads.cores() == 3
    monkeypatch.delattr("os.sched_getaffinity")  # as on macOS
    assert threads.cores() == 8


def test_an_error_beside_is_raised_when_all_have_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "cores", lambda: 2)

    def work(number: int) -> int:
        if number == 2:  # in the part of the other thread
            raise ValueError(f"no {number}")
        return number

    with pytest.raises(ValueError, match=r"^no 2$"):
        threads.share(work, [0, 1, 2])
    assert threads.share(work, [0, 1, 3, 5]) == [0, 1, 3, 5]


def test_a_child_process_steps_many_games_as_well() -> None:
    script = """
import os
import perfectplay.simulate.batch as batch
batch.BLOCK = 64
games = batch.BatchedGame("bit-flip", 300, seed=1)
games.step_random()
child = os.fork()
if child == 0:
    games.step_random()
    os._exit(0)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "0\n"


def test_a_rollout_draws_as_single_steps_do() -> None:
    one: BatchedGame[Any] = BatchedGame(TIC_TAC_TOE, 100, seed=5)
    two: BatchedGame[Any] = BatchedGame(TIC_TAC_TOE, 100, seed=5)
    one.rollout(12)
    for _ in range(12):
        two.step_random()
    assert [one.state(number) for number in range(100)] == [two.state(number) for number in range(100)]


@pytest.mark.parametrize("spec", ["bit-flip", "dual-direction", "mirror-match"])
@pytest.mark.parametrize("again", [deepcopy, lambda games: pickle.loads(pickle.dumps(games))])
def test_a_copy_of_a_batch_goes_its_own_way(
    spec: str, again: Callable[[BatchedGame[Any]], BatchedGame[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "BLOCK", 64)
    games: BatchedGame[Any] = BatchedGame(spec, 100, seed=1, labels=True)
    games.step_random()
    copied = again(games)
    states = [games.state(number) for number in range(100)]
    seen = copied.step_random()
    assert [games.state(number) for number in range(100)] == states
    assert shows_the_same(games.step_random(), seen)
    after = [copied.state(number) for number in range(100)]
    assert after == [games.state(number) for number in range(100)] != states
    assert np.array_equal(seen.observation, [copied.observer.observe(state) for state in after])


def test_what_is_handed_out_does_not_reach_back() -> None:
    games: BatchedGame[Any] = BatchedGame("dual-direction", 2, horizon=3)
    seen = games.step([0, 0])
    with pytest.raises(ValueError, match="read-only"):
        seen.truncated[:] = True
    for name in ("observation", "legal", "side", "reward", "terminated"):
        getattr(seen, name)[:] = 1
    assert not games.look().terminated.any()
    for spec in ("bit-flip", "mirror-match", "bit-flip:bits=30"):
        single: SingleGame[Any] = single_game(spec)
        with pytest.raises(ValueError, match="read-only"):
            single.row.legal[0] = False


def test_a_reset_starts_counting_again() -> None:
    games: BatchedGame[Any] = BatchedGame("dual-direction", 2, horizon=3)
    for _ in range(2):
        games.step([0, 1])
    games.step([1, 1])
    games.reset()
    assert games.look().truncated.tolist() == [False, False]
    assert games.step([0, 1]).truncated.tolist() == [False, False]
    assert [games.state(number).position for number in range(2)] == [5, 7]  # nothing started again
    games.step([1, 0])
    assert games.step([0, 1]).truncated.tolist() == [True, True]


def test_a_bad_action_is_found_in_any_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "BLOCK", 64)
    games: BatchedGame[Any] = BatchedGame("bit-flip", 150)
    games.step(np.full(150, 4))
    actions = np.zeros(150, np.intp)
    for bad, text in (
        (5, r'^actions\[140\]=5, "5": Bit 5 is next'),
        (10, r"^actions\[140\]=10: must be a whole"),
    ):
        actions[140] = bad
        with pytest.raises(pp.PerfectplayError, match=text):
            games.step(actions)
    with pytest.raises(pp.BadParameterError, match=r"^actions\[0\]=18446744073709551615: must be"):
        games.step(np.full(150, 2**64 - 1, np.uint64))
    assert {games.state(number).flipped for number in range(150)} == {16}
    games.reset()
    games.step(actions * 0)
    with pytest.raises(pp.IllegalActionError, match=r'^actions\[0\]=0, "0": Bit 0 is already 1'):
        games.step(actions * 0)


def test_random_bits_are_used_once() -> None:
    whole, parts = (Stream(np.random.SeedSequence(1)) for _ in range(2))
    drawn = whole.bits(1000)
    assert np.array_equal(np.concatenate([parts.bits(100) for _ in range(10)]), drawn)
    later = [whole.bits(40_000) for _ in range(4)]
    assert len({each.tobytes() for each in later}) == 4


@pytest.mark.parametrize("shortest", [1500, 3001])
def test_labels_of_mirror_match_rank_long_distances(shortest: int) -> None:
    games: BatchedGame[Any] = BatchedGame(f"mirror-match:digits=2,shortest={shortest}", 40, labels=True)
    oracle = pp.solve(games.game)
    for _ in range(6):
        seen = games.step_random()
        assert seen.labels is not None
        for number in range(40):
            best = tuple(seen.labels.best[number].nonzero()[0])
            assert best == oracle.best(games.state(number))


def test_only_the_games_that_are_marked_move() -> None:
    games: BatchedGame[Any] = BatchedGame("bit-flip", 3, horizon=4)
    seen = games.step([0, 0, 0], where=np.array([True, False, True]))
    assert [games.state(number).flipped for number in range(3)] == [1, 0, 1]
    # An action that would be illegal does not matter in a game that does not move.
    seen = games.step([0, 5, 2], where=np.array([False, True, True]))
    assert [games.state(number).flipped for number in range(3)] == [1, 32, 5]
    assert seen.side.tolist() == [1, 1, 0]
    for action in (7, 9):
        seen = games.step([0, 0, action], where=np.array([False, False, True]))
    assert seen.truncated.tolist() == [False, False, True]
    seen = games.step([0, 0, 4], where=np.array([True, False, False]) ^ True)
    assert seen.truncated.tolist() == [False, False, False]
    assert [games.state(number).flipped for number in range(3)] == [1, 33, 0]


@pytest.mark.parametrize("count", [1, 2, 3, 7, 9, 18, 255, 1000])
def test_choices_are_even_to_sixteen_bits(count: int) -> None:
    seen = np.bincount(draw_below(count, EVERY_BIT), minlength=count)
    assert len(seen) == count
    assert seen.max() - seen.min() <= 1


@pytest.mark.parametrize("spec", ["bit-flip", TIC_TAC_TOE, "bit-flip:bits=20"])
def test_slots_are_drawn_evenly(spec: str) -> None:
    table = table_for(pp.load(spec))
    slots = Slots(table.legal, table)
    last = len(table.states) - 1
    for row in (0, 1, last // 2, last - 1):
        seen = slots.draw(np.full(len(EVERY_BIT), slots.packed[row]), EVERY_BIT)
        found, counts = np.unique(seen, return_counts=True)
        assert (slots.owner[found] == row).all()
        expected = table.legal[row].nonzero()[0].tolist() or [0]
        assert slots.action[found].tolist() == expected
        assert counts.max() - counts.min() <= 1


def test_a_draw_from_a_mask_is_even() -> None:
    mask = np.array([[False, True, False, True, True]])
    seen = np.bincount(draw_marked(np.repeat(mask, len(EVERY_BIT), axis=0), EVERY_BIT), minlength=5)
    assert seen.tolist() in (
        [0, 21846, 0, 21845, 21845],
        [0, 21845, 0, 21846, 21845],
        [0, 21845, 0, 21845, 21846],
    )


def test_random_play_takes_moves_that_are_not_best() -> None:
    games: BatchedGame[Any] = BatchedGame("bit-flip:bits=22", 500, seed=1)
    best = set(pp.solve(games.game).best(games.game.initial()))
    assert set(games.random_actions(best=True).tolist()) == best < set(range(22))
    assert set(games.random_actions().tolist()) == set(range(22))


def test_random_play_takes_every_way_evenly() -> None:
    games: BatchedGame[Any] = BatchedGame(TIC_TAC_TOE, 90_000, seed=1)
    seen = np.bincount(games.random_actions(), minlength=9)
    # Ten thousand each are expected; five standard deviations are 471.
    assert abs(seen - 10_000).max() < 471


# Bad input ---------------------------------------------------------------------------------------

BAD_STEPS: dict[str, tuple[Callable[[Any], object], type[Exception], str]] = {
    "fractions": (lambda b: b.step([0.0, 1.0]), pp.BadParameterError, "actions=an array of float64: must be an array of whole numbers"),
    "truths": (lambda b: b.step([True, False]), pp.BadParameterError, "actions=an array of bool: must be an array of whole numbers"),
    "ragged": (lambda b: b.step([[1], [1, 2]]), pp.BadParameterError, "actions=rows of different lengths: must be of shape (2,)"),
    "too few": (lambda b: b.step([1]), pp.BadParameterError, "actions=an array of shape (1,): must be of shape (2,)"),
    "a number": (lambda b: b.step(1), pp.BadParameterError, "actions=an array of shape (): must be of shape (2,)"),
    "below": (lambda b: b.step([0, -1]), pp.BadParameterError, "actions[1]=-1: must be a whole number from 0 to 9"),
    "above": (lambda b: b.step([10, 0]), pp.BadParameterError, "actions[0]=10: must be a whole number from 0 to 9"),
    "illegal": (lambda b: b.step([4, 5]), pp.IllegalActionError, 'actions[1]=5, "5": Bit 5 is next to bit 4, already 1. Allowed: 0, 1, 2, 6, 7, 8 or 9.'),
    "mask": (lambda b: b.step([0, 0], where=np.array([1, 0])), pp.BadParameterError, "where=an array of int64 and shape (2,): must be an array of bool and shape (2,)"),
    "seed text": (lambda b: b.reset("x"), pp.BadParameterError, "seed='x': must be a whole number, at least 0"),
    "seed fraction": (lambda b: b.reset(1.5), pp.BadParameterError, "seed=1.5: must be a whole number, at least 0"),
    "seed truth": (lambda b: b.reset(True), pp.BadParameterError, "seed=True: must be a whole number, at least 0"),
    "seed below": (lambda b: b.reset(-1), pp.BadParameterError, "seed=-1: must be a whole number, at least 0"),
    "state": (lambda b: b.state(2), pp.BadParameterError, "number=2: must be a whole number from 0 to 1"),
    "state below": (lambda b: b.state(-1), pp.BadParameterError, "number=-1: must be a whole number from 0 to 1"),
    "rollout": (lambda b: b.rollout(True), pp.BadParameterError, "steps=True: must be a whole number, at least 1"),
    "large rollout": (lambda b: b.rollout(10**18), pp.BadParameterError, f"steps={10**18}: must be smaller: its arrays would take 80{',000' * 6} bytes"),
    "steps": (lambda b: b.play_random(0), pp.BadParameterError, "steps=0: must be a whole number, at least 1"),
}  # fmt: skip


@pytest.mark.parametrize("spec", ["bit-flip", "bit-flip masked"])
@pytest.mark.parametrize("case", BAD_STEPS)
def test_a_bad_step_is_named_and_changes_nothing(
    spec: str, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if spec.endswith("masked"):
        monkeypatch.setattr("perfectplay.games.bit_flip.kernel.TABULATED", 5)
    games: BatchedGame[Any] = BatchedGame("bit-flip", 2)
    games.step([0, 4], where=np.array([False, True]))
    before = [games.state(0), games.state(1)]
    act, kind, text = BAD_STEPS[case]
    with pytest.raises(kind) as error:
        act(games)
    assert str(error.value) == text
    assert [games.state(0), games.state(1)] == before
    games.step([9, 9])


BAD_BATCHES: dict[str, tuple[tuple[Any, ...], dict[str, Any], str]] = {
    "size 0": (("bit-flip", 0), {}, "size=0: must be a whole number, at least 1"),
    "size large": (("bit-flip", 10**15), {}, f"size={10**15}: must be smaller: its arrays would take 40{',000' * 5} bytes"),
    "size huge": (("mirror-match", 10**30), {}, f"size={10**30}: must be smaller: its arrays would take 224{',000' * 10} bytes"),
    "size text": (("bit-flip", "9"), {}, "size='9': must be a whole number, at least 1"),
    "seed": (("bit-flip", 2), {"seed": None}, "seed=None: must be a whole number, at least 0"),
    "horizon": (("bit-flip", 2), {"horizon": 0}, "horizon=0: must be a whole number, at least 1"),
    "horizon kind": (("bit-flip", 2), {"horizon": 2.0}, "horizon=2.0: must be a whole number, at least 1"),
    "too long": (("mirror-match", 2), {"horizon": 20}, "horizon=20: must be at most 19 with digits=9, which is what fits into 64 bits"),
    "too wide": (("bit-flip:bits=65", 2), {}, "bits=65: must be at most 64 when many games are stepped at once"),
    "none": ((None, 2), {}, "game=None: must be a game or the spec of one, such as bit-flip:bits=12 or ./my_game.py"),
    "too much": (("bit-flip:bits=40000", 2), {}, "bits=40000: must be at most 64 when many games are stepped at once"),
    "no game": (("chess", 2), {}, 'unknown game "chess"; choose from: bit-flip, dual-direction, inversion-race, mirror-match, race-to-the-center'),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_BATCHES)
def test_a_bad_batch_is_refused(case: str) -> None:
    arguments, settings, text = BAD_BATCHES[case]
    with pytest.raises(pp.PerfectplayError) as error:
        BatchedGame(*arguments, **settings)
    assert str(error.value) == text


def test_numpy_is_asked_for_by_the_command_that_installs_it() -> None:
    script = "import sys; sys.modules['numpy'] = None\nimport perfectplay.simulate"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == (
        "perfectplay.core.errors.MissingExtraError: numpy is not installed;"
        f" add it with: {install_command('rl')}"
    )
