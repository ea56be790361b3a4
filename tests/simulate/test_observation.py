"""What observations show, and that positions which differ look different."""

from random import Random
from typing import Any

import numpy as np
import pytest

import perfectplay as pp
from perfectplay.adapters.settings import picture
from perfectplay.simulate import (
    Observer,
    TableSizeError,
    observer_for,
    single_game,
)
from perfectplay.simulate.observation import observer_of
from perfectplay.simulate.positions import positions_of
from tests.core.listed_games import Baton
from tests.simulate.plain_rules import TIC_TAC_TOE


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
        observer.board, observer.pieces, observer.captions, shows_side=observer.shows_side, game=game
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
    monkeypatch.setattr("perfectplay.simulate.positions.MOST_SOLVED", 4)
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
