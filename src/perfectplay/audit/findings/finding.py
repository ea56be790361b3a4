"""What a finding is, and the list of all that can be found."""

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from perfectplay.audit.case import Case
from perfectplay.core.outcome import Side

Severity = Literal["problem", "warning", "note"]

SIDES: tuple[Side, Side] = (0, 1)


class Finding(NamedTuple):
    """Something that a rule set does or lacks, with moves from the start that show it.

    There are none where the start shows it, or where the finding is that something never happens; the
    text then says among how many positions.
    """

    code: str
    severity: Severity
    text: str
    witness: tuple[str, ...] = ()


Finder = Callable[[Case], Iterator[Finding]]

FINDERS: dict[str, Finder] = {}
"""By the code of what it finds."""

MEANINGS: dict[str, str] = {}
"""What each code means, for the pages."""


def finds(code: str, meaning: str) -> Callable[[Finder], Finder]:
    """Add a function to the finders: it yields findings of one code, which means `meaning`."""

    def added(finder: Finder) -> Finder:
        FINDERS[code] = finder
        MEANINGS[code] = meaning
        return finder

    return added
