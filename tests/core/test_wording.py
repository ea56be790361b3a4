"""Texts that are quoted, and numbers in words."""

from perfectplay.core.wording import none_of, quote


def test_a_text_is_quoted_up_to_its_limit() -> None:
    assert quote("x" * 40) == f'"{"x" * 40}"'
    assert quote("x" * 41) == f'"{"x" * 40}..." (41 characters)'
    assert quote("é\t") == '"é\\t"'


def test_none_of_two_is_plural() -> None:
    assert none_of(2, "move", "moves") == "none of the 2 moves"
