"""What a finding is, and the registry of finders."""

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple, get_args

from perfectplay.audit.case import Case

Severity = Literal["problem", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""The worst comes first."""


class Finding(NamedTuple):
    """Something that a rule set does or lacks, with moves from the start that show it (the witness).

    The witness is empty if the start position shows it, or if the finding is that something never
    happens; the text then says how many positions were checked.
    """

    code: str
    severity: Severity
    text: str
    witness: tuple[str, ...] = ()


Finder = Callable[[Case], Iterator[Finding]]

FINDERS: dict[str, Finder] = {}
"""The finders, by the code of their findings."""

MEANINGS: dict[str, str] = {}
"""What each code means, for the pages."""


def finds(code: str, meaning: str) -> Callable[[Finder], Finder]:
    """Register a function as the finder of a code; `meaning` explains the code to readers."""

    def register(finder: Finder) -> Finder:
        FINDERS[code] = finder
        MEANINGS[code] = meaning
        return finder

    return register


def prove_or_note(
    case: Case, code: str, severity: Severity, proved: str, seen: str, witness: tuple[str, ...] = ()
) -> Finding:
    """A finding if every position was visited, or else a note about what was seen."""
    return Finding(code, severity, proved, witness) if case.whole else Finding(code, "note", seen, witness)
