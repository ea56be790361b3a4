"""Reads the answer out of a text: the last marked line and nothing else."""

import re
from functools import cache

_QUOTES = "\"'\u2018\u2019\u201c\u201d"
_BEFORE = rf"[\s>#*_`~{_QUOTES}\u2022+-]*"
"""Ornaments in front of a mark: blanks, quotes, emphasis, bullets, headings."""
_AROUND = f" \t*_`~{_QUOTES}"
_AFTER = f"{_AROUND}.,;!"


@cache
def _pattern(mark: str) -> re.Pattern[str]:
    return re.compile(rf"{_BEFORE}{mark}[*_`]*\s*:(.*)", re.IGNORECASE | re.DOTALL)


def marked(text: str, mark: str = "Move") -> str | None:
    """What the last line of the form `Move: ...` says, without ornaments; None if there is no such line.

    >>> marked("I think 3 is good.\\n**Move: `4`**"), marked("Move: 3\\nNo! Move: 5\\n> move:  2 B.")
    ('4', '2 B')
    >>> marked("My move: 3"), marked("I play 3."), marked("Move:")
    (None, None, '')
    """
    for line in reversed(text.splitlines()):
        found = _pattern(mark).fullmatch(line)
        if found:
            return found[1].lstrip(_AROUND).rstrip(_AFTER)
    return None
