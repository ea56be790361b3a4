"""Texts that are quoted."""

from perfectplay.core.wording import quoted


def test_a_text_is_quoted_up_to_its_limit() -> None:
    assert quoted("x" * 40) == f'"{"x" * 40}"'
    assert quoted("x" * 41) == f'"{"x" * 40}..." (41 characters)'
    assert quoted("é\t") == '"é\\t"'
