"""The names of people: visible, and not to be confused with a computer player's."""

import re
import unicodedata

from perfectplay.tables.validation import COMPUTER

JOINERS = str.maketrans("", "", "\u200c\u200d")
"""Invisible characters that are part of some names and emoji."""
BLANK = {"BLANK", "FILLER", "NULL"}
"""Words in the Unicode names of letters and symbols that are invisible."""
RESERVED = (COMPUTER, f"The {COMPUTER}")
"""How the names of computer players begin, and what pages call them."""
LATIN = re.compile(".*(?:LATIN|INDICATOR).* LETTER (?:SMALL CAPITAL )?([A-Z])(?: WITH .*)?")
"""The Unicode names of Latin letters in any shape: small capitals, in a square, with a stroke."""
# What looks like the letters of the reserved names: confusables.txt of Unicode (UTS #39,
# www.unicode.org/Public/security), without what normal forms and the names of letters show.
LOOKALIKES = {
    "c": (
        "\u03f2\u03f9\u0421\u0441\u13df\u2ca4\u2ca5\ua4da\uabaf\U000102a2\U00010302\U00010415"
        "\U0001043d\U0001051c\U000118e9\U000118f2\U0001f74c"
    ),
    "e": "\u0395\u0415\u0435\u04bd\u13ac\u212e\u22ff\u2d39\ua4f0\uab32\U00010286\U000118a6\U000118ae",
    "h": "\u0397\u041d\u04bb\u0570\u13bb\u13c2\u157c\u2c8e\ua4e7\U000102cf",
    "m": "\u039c\u03fa\u041c\u13b7\u15f0\u16d6\u2c98\ua4df\U000102b0\U00010311",
    "n": "\u039d\u0578\u057c\u2c9a\ua4e0\U00010513",
    "o": (
        "0\u039f\u03bf\u03c3\u041e\u043e\u0555\u0585\u06f5\u0966\u09e6\u0a66\u0ae6\u0b20\u0b66\u0be6"
        "\u0c66\u0ce6\u0d20\u0d66\u0e50\u0ed0\u101d\u1040\u10ff\u12d0\u1d11\u2c9e\u2c9f\u2d54\u3007"
        "\ua4f3\uab3d\U00010292\U000102ab\U00010404\U0001042c\U000104c2\U000104ea\U00010516\U000114d0"
        "\U000118b5\U000118c8\U000118d7\U000118e0"
    ),
    "p": "\u03a1\u03c1\u0420\u0440\u13e2\u146d\u2374\u2ca2\u2ca3\ua4d1\U00010295",
    "r": ("\u01a6\u0433\u13a1\u13d2\u1587\u1d26\u2c85\ua4e3\uab47\uab48\uab81\U000104b4\U00016f35\U0001d216"),
    "t": (
        "\u03a4\u0422\u13a2\u22a4\u27d9\u2ca6\ua4d4\U00010297\U000102b1\U00010315\U000118bc\U00016f0a"
        "\U0001f768"
    ),
    "u": (
        "\u028b\u03c5\u054d\u057d\u1200\u144c\u222a\u22c3\ua4f4\ua79f\U000104ce\U000104f6\U000118b8"
        "\U000118d8\U00016f42"
    ),
    "y": (
        "\u0263\u03a5\u03b3\u0423\u0443\u04ae\u04af\u10e7\u13a9\u13bd\u1d8c\u2ca8\ua4ec\U000102b2"
        "\U000118a4\U000118dc\U00016f43"
    ),
}
LETTER = {each: letter for letter, alike in LOOKALIKES.items() for each in alike}
ALIKE = {"LATIN", "GREEK", "CYRILLIC"}
"""Scripts whose letters look alike."""


def printable(text: str) -> str:
    """The text, or a ValueError if it has control characters or marks that change its direction."""
    if not text.isprintable():
        raise ValueError("must be printable characters in one line")
    return text


def proper_name(text: str) -> str:
    """The name, or a ValueError that says what is wrong with it."""
    printable(text.translate(JOINERS))
    seen = _fold_lookalikes(text)
    letters = _letters(seen)
    if text and not seen:
        raise ValueError("must contain a visible character")
    if letters.startswith(tuple(map(_letters, RESERVED))):
        raise ValueError("must not be a computer player's")
    if letters == "you" or "(you)" in seen:
        raise ValueError("must not be a name that pages use for you")
    if any(len(_scripts(word) & ALIKE) > 1 for word in unicodedata.normalize("NFKC", text).split()):
        raise ValueError("must not mix Latin, Greek and Cyrillic letters in a word")
    return text


def _fold_lookalikes(text: str) -> str:
    """What a reader sees, as Latin letters where it looks so, without case, accents and blanks."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text))
    return "".join(map(_latin, filter(_is_seen, plain))).casefold()


def _latin(character: str) -> str:
    """The Latin letter that a character looks like, large or small, or else the character."""
    found = LATIN.fullmatch(unicodedata.name(character, ""))
    return found[1] if found else LETTER.get(character) or LETTER.get(character.upper(), character)


def _letters(text: str) -> str:
    """Letters and digits alone; an m looks like r and n."""
    return "".join(filter(str.isalnum, text.casefold())).replace("m", "rn")


def _is_seen(character: str) -> bool:
    named = set(unicodedata.name(character, "").split())
    return unicodedata.category(character)[0] in "LNPS" and not named & BLANK


def _scripts(word: str) -> set[str]:
    return {unicodedata.name(letter, "").partition(" ")[0] for letter in word if letter.isalpha()}
