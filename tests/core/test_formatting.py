"""Texts that are quoted, and numbers in words."""

from perfectplay.core.formatting import join_words, natural_order, none_of, pluralize, quote


def test_a_text_is_quoted_up_to_its_limit() -> None:
    assert quote("x" * 40) == f'"{"x" * 40}"'
    assert quote("x" * 41) == f'"{"x" * 40}..." (41 characters)'
    assert quote("é\t") == '"é\\t"'


def test_none_of_two_is_plural() -> None:
    assert none_of(2, "move", "moves") == "none of the 2 moves"


def test_lists_and_numbers_in_words() -> None:
    assert (join_words([1, 2, 3]), join_words(["left"])) == ("1, 2 or 3", "left")
    assert (pluralize(1, "ply", "plies"), pluralize(3000, "ply", "plies")) == ("1 ply", "3,000 plies")


def test_numbers_in_texts_are_sorted_by_value() -> None:
    assert sorted(["bits=16", "bits=9"], key=natural_order) == ["bits=9", "bits=16"]
