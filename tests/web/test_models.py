"""What clients may send."""

import pytest

import perfectplay as pp
from perfectplay_server.http.models import validate_away_limit, validate_control


def test_clocks_and_waiting_are_bounded() -> None:
    assert str(validate_control("game", 300, 5)) == "300+5"
    with pytest.raises(pp.BadParameterError, match=r"clock\.seconds=1: must be 5 to 604,800 for a move"):
        validate_control("move", 1)
    assert validate_away_limit(60, None) == 60
