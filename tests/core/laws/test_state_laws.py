"""Names and texts that would make a record ambiguous break a law; a law tells what was seen."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

import perfectplay as pp
from perfectplay.core.laws.state_laws import STATE_LAWS, sample_evenly
from tests.core.laws.broken_games import Pile, TakeAway
from tests.core.listed_games import table_game


@pytest.mark.parametrize(
    "names", [("result", "B"), ("1. A", "B"), ("A", "A"), ("A", "B:"), (" A", "B"), ("A", "")]
)
def test_side_names_may_not_read_like_the_rest_of_a_record(names: tuple[str, str]) -> None:
    game = table_game({"start": {"go": "end"}}, ends={"end": 1}, movers={}, side_names=names)
    with pytest.raises(pp.ConformanceError) as caught:
        pp.check_game(game)
    assert set(caught.value.violations) == {"names"}
    assert str(names) in caught.value.violations["names"]


@pytest.mark.parametrize("name", ["a, b", "a,b", "{a}", ""])
def test_declared_names_may_not_read_like_the_rest_of_a_record(name: str) -> None:
    game = table_game({"start": {"go": "end"}}, ends={"end": 1}, movers={}, event_names=(name,))
    with pytest.raises(pp.ConformanceError) as caught:
        pp.check_game(game)
    assert caught.value.violations == {
        "names": f"the declared name {name!r} cannot be used in a record (the game itself)"
    }


def test_a_move_may_begin_with_a_command_that_nothing_follows() -> None:
    pp.check_game(table_game({"start": {"undo left": "end"}}, ends={"end": 1}, movers={}))


@pytest.mark.parametrize("text", ["a{", "a}", "a -> b"])
def test_no_position_may_read_like_the_rest_of_a_record(text: str) -> None:
    game = table_game({"start": {"go": text}}, ends={text: 1}, movers={})
    with pytest.raises(pp.ConformanceError) as caught:
        pp.check_game(game)
    assert caught.value.violations == {
        "state-text": f"the position text '{text}' cannot be used in a record (position '{text}')"
    }


@dataclass(frozen=True)
class Fickle(TakeAway):
    """Every other question about the legal actions after nonsense gets another answer."""

    asked: ClassVar[list[str]] = []

    def parse_action(self, state: Pile, text: str) -> pp.Action:
        self.asked[:] = [text]
        raise pp.ParseError("no")

    def legal_actions(self, state: Pile) -> tuple[pp.Action, ...]:
        return super().legal_actions(state)[: 1 if self.asked and self.asked.pop() else 2]


def test_what_a_refused_move_changed_is_told_even_if_it_changes_back() -> None:
    game = Fickle()
    assert list(STATE_LAWS["refused"](game, game.initial())) == [
        "a refused move changed the game: legal_actions was (0, 1) and is (0,)"
    ]


def test_many_actions_are_sampled_evenly() -> None:
    assert len(sample_evenly(range(200))) == 200
    assert len(sample_evenly(range(20_000))) == 199
    assert list(sample_evenly(range(1_000))[:4]) == [0, 5, 10, 15]  # odd and even ones
