"""Tables and batches, compared with the rules and the oracle position by position."""

import pickle
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from enum import IntEnum
from random import Random
from typing import Any

import numpy as np
import pytest

import perfectplay as pp
from perfectplay.adapters.picture import picture
from perfectplay.games.bit_flip.rules import BitFlip
from perfectplay.simulate import (
    KINDS,
    OUTCOMES,
    Batch,
    BatchedGame,
    Observer,
    SingleGame,
    TableSizeError,
    batch,
    dataset,
    observer_for,
    single_game,
    tabulate,
    threads,
)
from perfectplay.simulate.chance import Stream, drawn_below, drawn_from
from perfectplay.simulate.kernels import bit_flip
from perfectplay.simulate.observation import observer_of
from perfectplay.simulate.positions import longest_for, positions_of
from perfectplay.simulate.table import bytes_per_state, table_for
from perfectplay.simulate.table_kernel import Slots
from tests.conftest import ROOT
from tests.core.table_games import Baton
from tests.games.rulings import BEYOND_TABLES, FINITE, RULINGS

TIC_TAC_TOE = str(ROOT / "examples" / "tic_tac_toe.py")
EVERY_BIT = np.arange(-(1 << 15), 1 << 15, dtype=np.int32)
"""All that sixteen bits can be."""


def reward_of(outcome: pp.Outcome | None) -> tuple[float, float]:
    if outcome is None or outcome.winner is None:
        return 0, 0
    return (1, -1) if outcome.winner == 0 else (-1, 1)


@pytest.mark.parametrize("spec", [*FINITE, TIC_TAC_TOE, "inversion-race:cells=3", "bit-flip:bits=1"])
def test_a_table_says_what_the_rules_and_the_oracle_say(spec: str) -> None:
    game: pp.Game[Any] = pp.load(spec)
    table, oracle = tabulate(game), pp.solve(game)
    assert table.states[0] == game.initial()
    numbers = {state: number for number, state in enumerate(table.states)}
    for number, state in enumerate(table.states):
        legal = game.legal_actions(state)
        after = [numbers[game.apply(state, a)] if a in legal else -1 for a in range(game.num_actions)]
        assert table.next[number].tolist() == after
        assert tuple(table.legal[number].nonzero()[0]) == legal
        assert table.side[number] == game.side_to_move(state)
        outcome = game.outcome(state)
        ended = "going on" if outcome is None else "tie" if outcome.winner is None else None
        assert OUTCOMES[table.outcome[number]] == (ended or f"side {outcome and outcome.winner} wins")
        assert table.terminated[number] == (outcome is not None)
        assert tuple(table.reward[number]) == reward_of(outcome)
        assert table.value_of(number) == oracle.value(state)
        assert tuple(table.best[number].nonzero()[0]) == oracle.best(state)
        assert (table.observation[number] == table.observer.observe(state)).all()


@pytest.mark.parametrize("spec", [*FINITE, TIC_TAC_TOE])
def test_different_positions_look_different(spec: str) -> None:
    table = tabulate(pp.load(spec))
    assert len({row.tobytes() for row in table.observation}) == len(table.states)


def test_a_table_is_not_written_to() -> None:
    table = tabulate(pp.load("bit-flip"))
    with pytest.raises(ValueError, match="read-only"):
        table.next[0, 0] = 5


def test_the_memory_of_a_table_is_known_beforehand() -> None:
    game = pp.load("bit-flip")
    table = tabulate(game)
    assert table.nbytes == 144 * bytes_per_state(game, table.observer)
    assert tabulate(game, memory=table.nbytes).nbytes == table.nbytes
    with pytest.raises(
        TableSizeError, match=r"^bit-flip needs a table of 13,824 bytes; memory=13,823 is the limit$"
    ):
        tabulate(game, memory=table.nbytes - 1)


@pytest.mark.parametrize("memory", [0, -1, "x", 1.5])
def test_memory_is_a_number_of_bytes(memory: Any) -> None:
    with pytest.raises(pp.BadParameterError, match=r"^memory=.*: must be a whole number, at least 1$"):
        tabulate("bit-flip", memory=memory)


@pytest.mark.parametrize("use", [single_game, observer_for])
def test_a_game_that_is_too_wide_to_show_is_refused(use: Callable[[str], object]) -> None:
    text = r"^bit-flip:bits=1000000000 would be shown as 2,000,000,000 bits; at most 65,536 are allowed$"
    with pytest.raises(TableSizeError, match=text):
        use("bit-flip:bits=1000000000")


def test_a_game_that_no_table_holds_is_refused() -> None:
    with pytest.raises(
        TableSizeError, match=r"^mirror-match has infinitely many positions; no table can hold them$"
    ):
        tabulate(pp.load("mirror-match"))


@pytest.mark.parametrize(
    "use",
    [
        tabulate,
        single_game,
        observer_for,
        lambda game: BatchedGame(game, 2),
        lambda game: next(dataset.examples(game)),
    ],
)
def test_a_game_with_too_many_positions_is_refused(
    use: Callable[[pp.Game[Any]], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("perfectplay.simulate.positions.LIMIT", 100)
    text = r"^inversion-race:cells=12 has more than 100 positions, too many for a table$"
    with pytest.raises(TableSizeError, match=text):
        use(pp.load("inversion-race:cells=12"))


def shown(spec: str, position: str, horizon: int | None = None) -> dict[str, list[int]]:
    """Where each plane of an observation is 1."""
    game: pp.Game[Any] = pp.load(spec)
    observer = observer_for(game, horizon)
    planes = observer.observe(game.parse_state(position))
    assert planes.shape == observer.shape
    flat = planes.reshape(-1, len(observer.planes))
    return {name: flat[:, plane].nonzero()[0].tolist() for plane, name in enumerate(observer.planes)}


ALL_OVER = list(range(11))


@pytest.mark.parametrize(
    ("spec", "position", "planes"),
    [
        ("inversion-race", "4 7 0 A", {"A": [4], "B": [7], "Goal: Cell 10": [], "Player B to move": []}),
        (
            "inversion-race",
            "7 4 1 B",
            {"A": [7], "B": [4], "Goal: Cell 10": ALL_OVER, "Player B to move": ALL_OVER},
        ),
        ("inversion-race:passing=letter", "4 5 0 B", {"A": [4], "B": [5], "Player B to move": ALL_OVER}),
        ("race-to-the-center", "2 10 2", {"P1": [2], "P2": [10], "Player 2 to move": ALL_OVER}),
        ("bit-flip:bits=4", "0100 2", {"0": [0, 2, 3], "1": [1]}),
        ("dual-direction", "7 2", {"*": [6]}),
        (TIC_TAC_TOE, "XO......X O", {"O": [1], "X": [0, 8]}),
        (
            "mirror-match:digits=3",
            "3-1 2",
            {"1": [1], "2": [], "3": [0], "Player 2 to move": list(range(32))},
        ),
        ("bit-flip:bits=21", "1" + "0" * 20 + " 2", {"0": list(range(1, 21)), "1": [0]}),
    ],
)
def test_what_an_observation_shows(spec: str, position: str, planes: dict[str, list[int]]) -> None:
    assert shown(spec, position) == planes


@pytest.mark.parametrize("spec", ["mirror-match", "mirror-match:digits=2,forfeit=move", "bit-flip:bits=22"])
def test_the_observers_of_large_games_are_like_any_other(spec: str) -> None:
    game: pp.Game[Any] = pp.load(spec)
    observer = observer_for(game, 6 if game.name == "mirror-match" else None)
    plain: Observer[Any] = Observer(
        game, observer.board, observer.pieces, observer.captions, observer.shows_side
    )
    random, state, seen = Random(2), game.initial(), 0
    for _ in range(6):
        assert (observer.observe(state) == plain.observe(state)).all()
        seen += 1
        if not game.legal_actions(state):
            break
        state = game.apply(state, random.choice(game.legal_actions(state)))
    assert seen > 2


def test_positions_that_look_the_same_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    game: pp.Game[Any] = pp.load("dual-direction")
    states = [game.parse_state("6 1"), game.parse_state("7 2")]
    assert observer_of(game, states).planes == ("*",)
    monkeypatch.setattr(type(game), "view", lambda self, state: pp.View(((pp.Cell("1"),),)))
    assert observer_of(game, states).planes == ("Player 2 to move",)
    with pytest.raises(
        pp.PerfectplayError, match=r'^dual-direction: the view of "6 1" is the same as that of "8 1"$'
    ):
        observer_of(game, [*states, game.parse_state("8 1")])


def test_positions_that_only_a_lost_turn_leads_to_look_different() -> None:
    game, single = Baton(), single_game(Baton())
    before = single.row.observation
    assert observer_for(game).planes == ("0", "1", "2", "Player 2 to move")
    assert not np.array_equal(single.forfeit().observation, before)
    single.forfeit()
    single.step(0)
    row = single.forfeit()
    assert row.state == (1, 0)
    # Two turns on there is a piece that moves alone would never have brought about.
    assert single.step(0).observation[0].tolist() == [False, False, True, True]


def test_lost_turns_may_lead_to_too_many_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perfectplay.simulate.positions.LIMIT", 4)
    with pytest.raises(TableSizeError, match=r"^baton has more than 4 positions, too many for a table$"):
        positions_of(Baton())


@pytest.mark.parametrize("name", pp.names())
def test_what_a_view_says_to_people_is_not_observed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game: pp.Game[Any] = pp.load("mirror-match:digits=2" if name == "mirror-match" else name)
    states = [game.initial()]
    while actions := game.legal_actions(states[-1]):
        states.append(game.apply(states[-1], actions[0]))
        if len(states) == 5:
            break
    plain, view = observer_of(game, states), type(game).view

    def told(self: pp.Game[Any], state: Any) -> pp.View:
        """The same board, telling people something else in each position."""
        drawn = view(self, state)
        role: Any = "closed" if states.index(state) % 2 else "goal"
        rows = tuple(tuple(cell._replace(role=role, owner=1) for cell in row) for row in drawn.rows)
        words = self.state_text(state)
        return drawn._replace(
            rows=rows, links=(pp.Link(0, 0, True),), aims=(words, words), note=words, on_board=()
        )

    expected = [plain.observe(state) for state in states]
    monkeypatch.setattr(type(game), "view", told)
    observer = observer_of(game, states)
    assert observer.planes == plain.planes
    for state, bits in zip(states, expected, strict=True):
        assert np.array_equal(observer.observe(state), bits)


def test_captions_that_come_and_go_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    game: pp.Game[Any] = pp.load("dual-direction")
    captions = {6: ("start", "same"), 7: ("same", "odd", "also odd"), 8: ("same",)}
    monkeypatch.setattr(type(game), "view", lambda self, state: pp.View((), (), captions[state.position]))
    states = [game.parse_state(text) for text in ("6 1", "7 2", "8 1")]
    assert observer_of(game, states).planes == ("odd", "start")


def counting(
    monkeypatch: pytest.MonkeyPatch, numbers: dict[str, tuple[tuple[str, int], ...]]
) -> pp.Game[Any]:
    """Dual Direction drawn by nothing but these numbers, for each text of a position."""
    game: pp.Game[Any] = pp.load("dual-direction")
    monkeypatch.setattr(
        type(game), "view", lambda self, state: pp.View((), numbers=numbers[self.state_text(state)])
    )
    return game


def test_a_number_is_told_in_binary(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = {
        "6 1": (("left", 5), ("same", 7)),
        "7 2": (("left", 4), ("same", 7)),
        "8 1": (("left", 0), ("same", 7), ("odd", -2)),
        "9 2": (("same", 7), ("odd", 1)),
    }
    game = counting(monkeypatch, numbers)
    states = [game.parse_state(text) for text in numbers]
    observer = observer_of(game, states)
    assert observer.planes == (
        *("left, bit 0", "left, bit 1", "left, bit 2"),
        *("odd, bit 0", "odd, bit 1", "odd, bit 2"),
    )
    # Without a board there is one cell; what has no number here counts as 0, and the highest bit is the sign.
    assert [observer.observe(state).astype(int).tolist() for state in states] == [
        [[1, 0, 1, 0, 0, 0]],
        [[0, 0, 1, 0, 0, 0]],
        [[0, 0, 0, 0, 1, 1]],
        [[0, 0, 0, 1, 0, 0]],
    ]
    assert picture(game.view(states[0]), observer.board).shape == (16, 16, 3)


def test_a_number_follows_pieces_and_captions_and_comes_before_the_side(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game: pp.Game[Any] = pp.load("dual-direction")
    row = (pp.Cell("1", ("*",)), pp.Cell("2"))
    monkeypatch.setattr(
        type(game),
        "view",
        lambda self, state: pp.View(
            (row,), captions=("late",) if state.position > 7 else (), numbers=(("left", state.position // 2),)
        ),
    )
    states = [game.parse_state(text) for text in ("6 1", "7 2", "8 1")]
    observer = observer_of(game, states)
    planes = ("*", "late", "left, bit 0", "left, bit 1", "left, bit 2", "Player 2 to move")
    assert observer.planes == planes
    assert [observer.observe(state)[1].astype(int).tolist() for state in states] == [
        [0, 0, 1, 1, 0, 0],
        [0, 0, 1, 1, 0, 1],
        [0, 1, 0, 0, 1, 0],
    ]
    assert observer.observe(states[0])[0].astype(int).tolist() == [1, 0, 1, 1, 0, 0]


def test_numbers_that_look_the_same_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers: dict[str, tuple[tuple[str, int], ...]] = {
        "6 1": (("left", 1),),
        "8 1": (("left", 0),),
        "10 1": (),
    }
    game = counting(monkeypatch, numbers)
    with pytest.raises(pp.PerfectplayError, match='the view of "8 1" is the same as that of "10 1"'):
        observer_of(game, [game.parse_state(text) for text in numbers])


# Batches -----------------------------------------------------------------------------------------


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
        drawn_from(marked, np.full(2, bits, np.int32)).tolist() for bits in (-(1 << 15), (1 << 15) - 1)
    )
    assert (low, high) == ([35_000, 0], [39_999, 39_999])


def shows_the_same(one: Batch, two: Batch) -> bool:
    pairs: Any = zip(one[:6], two[:6], strict=True)
    return all(np.array_equal(left, right) for left, right in pairs)


def test_both_ways_to_step_bit_flip_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    from perfectplay.simulate.kernels import bit_flip

    tabled: BatchedGame[Any] = BatchedGame("bit-flip:bits=9", 500, labels=True)
    monkeypatch.setattr(bit_flip, "TABULATED", 8)
    masked: BatchedGame[Any] = BatchedGame("bit-flip:bits=9", 500, labels=True)
    assert type(tabled._kernel) is not type(masked._kernel)
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
    assert not bit_flip.serves(game)  # so that its table is asked
    assert bit_flip.longest(game) == longest_for(game)


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
        threads._queues.cache_clear()
        games: BatchedGame[Any] = BatchedGame(TIC_TAC_TOE, 300, seed=4)
        games.play_random(11)
        games.step(games.random_actions())
        games.rollout(3)
        played.append([games.state(number) for number in range(300)])
    threads._queues.cache_clear()
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
    threads._queues.cache_clear()

    def work(number: int) -> int:
        if number == 1:  # the share of the other thread
            raise ValueError(f"no {number}")
        return number

    with pytest.raises(ValueError, match=r"^no 1$"):
        threads.shared(work, [0, 1, 2])
    assert threads.shared(work, [0, 2, 3, 5]) == [0, 2, 3, 5]


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
    seen = np.bincount(drawn_below(count, EVERY_BIT), minlength=count)
    assert len(seen) == count
    assert seen.max() - seen.min() <= 1


@pytest.mark.parametrize("spec", ["bit-flip", TIC_TAC_TOE, "bit-flip:bits=20"])
def test_slots_are_drawn_evenly(spec: str) -> None:
    table = table_for(pp.load(spec))
    slots = Slots(table.legal, table)
    last = len(table.states) - 1
    for row in (0, 1, last // 2, last - 1):
        seen = slots.drawn(np.full(len(EVERY_BIT), slots.packed[row]), EVERY_BIT)
        found, counts = np.unique(seen, return_counts=True)
        assert (slots.owner[found] == row).all()
        expected = table.legal[row].nonzero()[0].tolist() or [0]
        assert slots.action[found].tolist() == expected
        assert counts.max() - counts.min() <= 1


def test_a_draw_from_a_mask_is_even() -> None:
    mask = np.array([[False, True, False, True, True]])
    seen = np.bincount(drawn_from(np.repeat(mask, len(EVERY_BIT), axis=0), EVERY_BIT), minlength=5)
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
    "steps": (lambda b: b.play_random(0), pp.BadParameterError, "steps=0: must be a whole number, at least 1"),
}  # fmt: skip


@pytest.mark.parametrize("spec", ["bit-flip", "bit-flip masked"])
@pytest.mark.parametrize("case", BAD_STEPS)
def test_a_bad_step_is_named_and_changes_nothing(
    spec: str, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if spec.endswith("masked"):
        monkeypatch.setattr("perfectplay.simulate.kernels.bit_flip.TABULATED", 5)
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
        " install it with: pip install 'perfectplay[rl]'"
    )


# One game at a time ------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", [*RULINGS, "bit-flip:bits=24", TIC_TAC_TOE])
def test_a_single_game_plays_by_the_rules(spec: str) -> None:
    single: SingleGame[Any] = single_game(spec, 15)
    game, random = single.game, Random(1)
    ends = set()
    for _ in range(30):
        row, state = single.reset(), game.initial()
        for ply in range(16):
            outcome, actions = game.outcome(state), game.legal_actions(state)
            assert row.state == state
            assert tuple(row.moves) == actions
            assert tuple(row.legal.nonzero()[0]) == actions
            assert (row.observation == single.observer.observe(state)).all()
            assert (row.side, row.terminated) == (game.side_to_move(state), outcome is not None)
            assert row.rewards == reward_of(outcome)
            assert single.truncated == (outcome is None and ply == 15)
            if outcome is not None or single.truncated:
                ends.add(single.truncated)
                with pytest.raises(pp.MatchStateError, match="reset it before the next step"):
                    single.step(0)
                break
            action = random.choice(actions)
            row, state = single.step(action), game.apply(state, action)
    assert ends


BAD_ACTIONS: dict[str, tuple[Any, type[Exception], str]] = {
    "below": (-1, pp.BadParameterError, "action=-1: must be a whole number from 0 to 9"),
    "above": (10, pp.BadParameterError, "action=10: must be a whole number from 0 to 9"),
    "fraction": (0.0, pp.BadParameterError, "action=0.0: must be a whole number from 0 to 9"),
    "numpy fraction": (np.float32(0), pp.BadParameterError, "action=np.float32(0.0): must be a whole number from 0 to 9"),
    "truth": (True, pp.BadParameterError, "action=True: must be a whole number from 0 to 9"),
    "text": ("0", pp.BadParameterError, "action='0': must be a whole number from 0 to 9"),
    "none": (None, pp.BadParameterError, "action=None: must be a whole number from 0 to 9"),
    "list": ([0], pp.BadParameterError, "action=[0]: must be a whole number from 0 to 9"),
    "illegal": (5, pp.IllegalActionError, 'action 5, "5": Bit 5 is next to bit 4, already 1. Allowed: 0, 1, 2, 6, 7, 8 or 9.'),
}  # fmt: skip


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("case", BAD_ACTIONS)
def test_a_bad_action_is_named_and_changes_nothing(
    case: str, masked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if masked:
        monkeypatch.setattr("perfectplay.simulate.kernels.bit_flip.TABULATED", 5)
    single: SingleGame[Any] = single_game("bit-flip")
    single.step(4)
    action, kind, text = BAD_ACTIONS[case]
    with pytest.raises(kind) as error:
        single.step(action)
    assert str(error.value) == text
    assert single.row.state == (16, 1)
    assert single.step(9).state == (16 | 512, 0)


@pytest.mark.parametrize("action", [np.int64(4), np.uint8(4), np.array(4)])
def test_whole_numbers_of_numpy_are_actions(action: Any) -> None:
    assert single_game("bit-flip").step(action).state == (16, 1)
    assert single_game("mirror-match").step(action).state == ((5,), 1)


class Named(IntEnum):
    """A whole number with a name."""

    LAST = 20


def plain_numbers(state: Any) -> bool:
    numbers = (state.flipped,) if hasattr(state, "flipped") else state.sequence
    return {type(number) for number in (*numbers, state.side)} == {int}


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64, np.uint64, np.array, Named])
@pytest.mark.parametrize("spec", [*BEYOND_TABLES, "bit-flip:bits=21", "bit-flip:bits=64"])
def test_the_rules_get_plain_numbers(spec: str, kind: Callable[[int], Any]) -> None:
    single: SingleGame[Any] = single_game(spec)
    state = single.game.initial()
    row = single.step(kind(20))
    assert row.state == single.game.apply(state, 20)
    assert plain_numbers(row.state)


@pytest.mark.parametrize("spec", BEYOND_TABLES)
def test_a_game_beyond_tables_is_played_by_the_numbers_of_numpy(spec: str) -> None:
    single: SingleGame[Any] = single_game(spec)
    game, random = single.game, Random(spec)
    for _ in range(5):
        state = single.reset().state
        while single.moves:
            action = random.choice(list(single.moves))
            kind: Any = np.uint8 if action < 256 else np.int16
            state = game.apply(state, action)
            assert single.step(kind(action)).state == state
            assert plain_numbers(single.row.state)
        assert single.truncated or single.row.rewards == reward_of(game.outcome(state))


def test_the_highest_number_of_eight_bits_is_itself() -> None:
    highest: Any = np.uint8(255)
    assert single_game("mirror-match:digits=300").step(highest).state == ((256,), 1)
    games: BatchedGame[Any] = BatchedGame("mirror-match:digits=300", 2)
    games.step(np.array([255, 3], np.uint8))
    assert [games.state(number) for number in range(2)] == [((256,), 1), ((4,), 1)]


def breaking(monkeypatch: pytest.MonkeyPatch, game: pp.Game[Any], method: str, state: Any) -> None:
    """Let one of the methods of a game fail on a position."""
    works = getattr(type(game), method)

    def fails(self: Any, at: Any, *rest: Any) -> Any:
        if at == state:
            raise ZeroDivisionError(method)
        return works(self, at, *rest)

    monkeypatch.setattr(type(game), method, fails)


@pytest.mark.parametrize("method", ["apply", "legal_actions", "view"])
@pytest.mark.parametrize("spec", ["bit-flip:bits=22", "mirror-match:digits=300,disqualify_after=3"])
def test_rules_that_break_leave_the_game_as_it_was(
    spec: str, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    single: SingleGame[Any] = single_game(spec, 3)
    game = single.game
    for _ in range(2):  # up to the last ply before the horizon, and with invalid turns that a move forgets
        if game.forfeit_limit is None:
            single.step(next(reversed(single.moves)))
        else:
            single.forfeit()
    broken = single.row.state if method == "apply" else game.apply(single.row.state, 3)
    if method == "view" and game.name == "mirror-match":
        monkeypatch.setattr(single.observer.__class__, "observe", lambda self, state: 1 // 0)
    else:
        breaking(monkeypatch, game, method, broken)
    before, row = single.snapshot(), single.row
    with pytest.raises(ZeroDivisionError):
        single.step(3)
    assert single.snapshot() == before
    assert single.row is row
    assert 3 in single.moves
    assert not single.truncated


def test_an_invalid_number_may_forfeit_the_turn_in_a_single_game() -> None:
    single: SingleGame[Any] = single_game("mirror-match:disqualify_after=2")
    assert single.forfeit().state == ((), 1)
    single.step(0)
    single.step(1)  # a number placed: the count of player 1 starts again
    single.step(2)
    single.forfeit()
    single.step(3)
    row = single.forfeit()
    assert (row.terminated, row.rewards, row.moves) == (True, (-1.0, 1.0), {})
    assert not row.legal.any()
    with pytest.raises(pp.MatchStateError, match="the game is over"):
        single.forfeit()


@pytest.mark.parametrize("digits", [9, 256])
def test_a_chosen_pass_leaves_the_count_of_invalid_turns(digits: int) -> None:
    single: SingleGame[Any] = single_game(f"mirror-match:digits={digits},disqualify_after=2,forfeit=move")
    single.forfeit()
    single.step(0)
    single.step(2 * digits)  # player 1 passes by choice
    single.step(1)
    assert single.forfeit().terminated


@pytest.mark.parametrize("first", [1, 2])
@pytest.mark.parametrize("digits", [9, 300])
def test_a_disqualified_game_is_put_away_with_its_winner(digits: int, first: int) -> None:
    single: SingleGame[Any] = single_game(f"mirror-match:digits={digits},disqualify_after=1,first={first}")
    row = single.forfeit()
    again: SingleGame[Any] = pickle.loads(pickle.dumps(single))
    loser = first - 1
    assert row.outcome == again.row.outcome == (1 - loser, "disqualification")
    assert row.rewards[loser] == again.row.rewards[loser] == -1
    assert (again.row.side, again.row.state, again.moves) == (row.side, row.state, {})


def test_a_game_lost_by_the_side_to_move_is_pickled_with_its_winner() -> None:
    for side in (0, 1):
        single: SingleGame[Any] = single_game("bit-flip")
        for action in (4, 9)[:side]:
            single.step(action)
        single.disqualify()
        again: SingleGame[Any] = pickle.loads(pickle.dumps(single))
        assert again.row.outcome == (1 - side, "disqualification")
        assert again.row.rewards[side] == -1


def test_a_game_may_end_by_a_disqualification_of_its_own() -> None:
    game = Baton()
    single: SingleGame[Any] = single_game(game)
    single.step(1)
    assert single.row.outcome == (None, "disqualification")
    again: SingleGame[Any] = pickle.loads(pickle.dumps(single))
    assert again.row.outcome == (None, "disqualification")
    assert again.row.rewards == (0, 0)


@pytest.mark.parametrize("digits", [9, 256])
@pytest.mark.parametrize("side", [0, 1])
def test_a_number_placed_forgets_the_invalid_turns_of_its_side_alone(digits: int, side: int) -> None:
    single: SingleGame[Any] = single_game(f"mirror-match:digits={digits},disqualify_after=3,first={side + 1}")
    for _ in range(4):
        single.forfeit()
    single.step(0)  # two invalid turns of each side, and the first has placed a number
    assert single.snapshot().invalid == ((2, 0) if side else (0, 2))
    assert single.forfeit().outcome == (side, "disqualification")


@pytest.mark.parametrize("digits", [255, 256])
def test_the_largest_numbers_are_played_and_shown(digits: int) -> None:
    single: SingleGame[Any] = single_game(f"mirror-match:digits={digits}")
    for action, sequence in ((digits - 1, (digits,)), (2 * digits - 2, (digits, digits - 1))):
        row = single.step(action)
        assert row.state.sequence == sequence
        assert np.array_equal(row.fresh_bits(), single.observer.observe(row.state))
        assert row.fresh_mask().tolist() == [1] * 2 * digits


@pytest.mark.parametrize("spec", ["bit-flip", "dual-direction", "mirror-match", "bit-flip:bits=24"])
def test_a_single_game_is_put_away_and_goes_on(spec: str) -> None:
    single: SingleGame[Any] = single_game(spec, 5)
    single.step(1)
    again: SingleGame[Any] = pickle.loads(pickle.dumps(single))
    assert (again.row.state, again.horizon, again.moves.keys()) == (single.row.state, 5, single.moves.keys())
    action = list(single.moves)[-1]
    assert again.step(action).state == single.step(action).state
    assert again.snapshot()[1:] == single.snapshot()[1:]


@pytest.mark.parametrize("spec", ["dual-direction", "mirror-match", "bit-flip:bits=24"])
def test_a_game_cut_short_is_put_away_as_such(spec: str) -> None:
    single: SingleGame[Any] = single_game(spec, 2)
    single.step(3 % single.game.num_actions)
    single.step(0)
    again: SingleGame[Any] = pickle.loads(pickle.dumps(single))
    for game in (single, again):
        assert (game.truncated, game.moves, game.row.choice, game.row.terminated) == (True, {}, False, False)
        assert game.row.state == single.row.state


def test_no_turn_is_forfeited_in_other_games() -> None:
    for spec in ("bit-flip", "bit-flip:bits=30"):
        single: SingleGame[Any] = single_game(spec)
        with pytest.raises(pp.MatchStateError, match=r"^turns cannot be forfeited in Bit Flip$"):
            single.forfeit()


def test_a_copy_of_mirror_match_goes_its_own_way() -> None:
    single: SingleGame[Any] = single_game("mirror-match")
    before = single.step(3)
    twin = deepcopy(single)
    assert np.array_equal(twin.row.fresh_bits(), before.fresh_bits())
    twin.step(11)
    single.step(0)
    for game in (single, twin):
        assert np.array_equal(game.row.fresh_bits(), game.observer.observe(game.row.state))
    # A position that has been left still shows itself.
    assert np.array_equal(before.fresh_bits(), single.observer.observe(before.state))
