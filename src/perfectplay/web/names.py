"""The names of people: visible, and not to be confused with a computer player's."""

import unicodedata

from perfectplay.web.admission import COMPUTER

JOINERS = str.maketrans("", "", "\u200c\u200d")
"""Invisible characters that are part of some names and emoji."""
BLANK = {"BLANK", "FILLER", "NULL"}
"""Words in the Unicode names of letters and symbols that are invisible."""
ALIKE = {"LATIN", "GREEK", "CYRILLIC"}
"""Scripts whose letters look alike."""


def printable(text: str) -> str:
    """The text, or a ValueError if it has control characters or marks that change its direction."""
    if not text.isprintable():
        raise ValueError("must be printable characters in one line")
    return text


def proper_name(text: str) -> str:
    """The name, or a ValueError that says what is wrong with it.

    >>> proper_name("Ann")
    'Ann'
    >>> proper_name("C o m p u t e r")
    Traceback (most recent call last):
    ValueError: is reserved for computer players
    """
    printable(text.translate(JOINERS))
    seen = _seen(text)
    letters = "".join(filter(str.isalnum, seen))
    if text and not seen:
        raise ValueError("must contain a visible character")
    if letters.startswith(COMPUTER.casefold()):
        raise ValueError("is reserved for computer players")
    if letters == "you" or "(you)" in seen:
        raise ValueError("is reserved; pages call you that")
    if any(len(_scripts(word) & ALIKE) > 1 for word in unicodedata.normalize("NFKC", text).split()):
        raise ValueError("must not mix Latin, Greek and Cyrillic letters in a word")
    return text


def _seen(text: str) -> str:
    """What a reader sees, without case, accents, blanks and invisible characters."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    return "".join(filter(_is_seen, plain))


def _is_seen(character: str) -> bool:
    named = set(unicodedata.name(character, "").split())
    return unicodedata.category(character)[0] in "LNPS" and not named & BLANK


def _scripts(word: str) -> set[str]:
    return {unicodedata.name(letter, "").partition(" ")[0] for letter in word if letter.isalpha()}
