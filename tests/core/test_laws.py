"""Names and texts that would make a record ambiguous break a law."""

import pytest

import perfectplay as pp
from tests.core.table_games import table_game


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


@pytest.mark.parametrize("text", ["a{", "a}", "a -> b"])
def test_no_position_may_read_like_the_rest_of_a_record(text: str) -> None:
    game = table_game({"start": {"go": text}}, ends={text: 1}, movers={})
    with pytest.raises(pp.ConformanceError) as caught:
        pp.check_game(game)
    assert caught.value.violations == {
        "state-text": f"the position text '{text}' cannot be used in a record (position '{text}')"
    }
