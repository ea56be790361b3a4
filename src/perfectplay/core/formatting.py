"""Formats parts of messages: lists, counts, and outside text made safe and short enough to show."""

import re
from collections.abc import Sequence


def capitalize(text: str) -> str:
    """A text with a capital letter at the start."""
    return text[:1].upper() + text[1:]


def join_words(items: Sequence[object], last: str = "or") -> str:
    """Join items as in a sentence.

    >>> join_words(["a", "b", "c"])
    'a, b or c'
    """
    texts = [str(item) for item in items]
    return f" {last} ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def pluralize(number: int, one: str, many: str) -> str:
    """A number with its noun."""
    return f"{number:,} {one if number == 1 else many}"


def none_of(number: int, one: str, many: str) -> str:
    """The subject of a negative sentence about `number` things."""
    return f"no {one}" if number < 2 else f"none of the {number:,} {many}"


def quote(text: str, limit: int = 40) -> str:
    """Quote `text` for a message: control characters escaped, long text shortened."""
    shown = make_printable(text[:limit])
    return f'"{shown}"' if len(text) <= limit else f'"{shown}..." ({len(text)} characters)'


def make_printable(text: str) -> str:
    r"""Escape every character that a terminal might interpret.

    >>> make_printable("a\tb\x00")
    'a\\tb\\x00'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def natural_order(text: str) -> list[tuple[int, int | str]]:
    """A key that sorts numbers in a text by their value."""
    return [(0, int(part)) if part.isdecimal() else (1, part) for part in re.split(r"(\d+)", text)]
