"""Errors: what they show of a bad value, and what they suggest."""

import perfectplay as pp
from tests.core.matches import error_of


def test_a_bad_value_is_shown_up_to_40_characters() -> None:
    assert error_of(lambda: pp.load(f"bit-flip:bits={'x' * 40}")) == (
        f"bits={'x' * 40}: must be a whole number, at least 1"
    )
    assert error_of(lambda: pp.load(f"bit-flip:bits={'x' * 41}")) == (
        f'bits="{"x" * 40}..." (41 characters): must be a whole number, at least 1'
    )


def test_an_unknown_parameter_is_named_with_those_there_are() -> None:
    assert error_of(lambda: pp.load("bit-flip:bit=3")) == (
        "bit=3: no such parameter; bit-flip takes bits, first (did you mean bits?)"
    )
    assert error_of(lambda: pp.load(f"bit-flip:zzz={'9' * 99}")) == (
        f"zzz={'9' * 56}: no such parameter; bit-flip takes bits, first"
    )
    assert str(pp.UnknownParameterError("random", "a", "1", [])) == (
        "a=1: no such parameter; random takes no parameters"
    )


def test_an_unknown_name_is_answered_with_the_nearest_or_with_all() -> None:
    known = ["bit-flip", "dual-direction"]
    assert str(pp.UnknownGameError("Bitflip", known)) == 'unknown game "Bitflip" (did you mean bit-flip?)'
    assert (
        str(pp.UnknownPlayerError("zz", known))
        == 'unknown player "zz"; choose from: bit-flip, dual-direction'
    )


def test_broken_laws_stand_on_a_line_each() -> None:
    error = pp.ConformanceError("some-game", {"outcome": "none", "view": "empty"})
    assert str(error) == "some-game breaks 2 law(s) of Game:\n- outcome: none\n- view: empty"
