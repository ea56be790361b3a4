"""What an agent answers: its last marked line and nothing else, and what that amounts to."""

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from perfectplay.core.game import Action, S
from perfectplay.evals.limits import MOST_TEXT

if TYPE_CHECKING:
    from perfectplay.evals.disguise import Disguise


class Verdict(NamedTuple):
    """What an answer amounts to, and why if it is not a legal move."""

    outcome: Literal["silent", "unreadable", "illegal", "invalid", "legal"]
    reason: str = ""
    action: Action | None = None
    rule: str | None = None


NO_LINE = Verdict("silent", "There was no line that starts with Move:")

_QUOTES = "\"'\u2018\u2019\u201c\u201d"
_BEFORE = rf"[\s>#*_`~{_QUOTES}\u2022+-]*"
"""Ornaments in front of a mark: blanks, quotes, emphasis, bullets, headings."""
_AROUND = f" \t*_`~{_QUOTES}"
_AFTER = f"{_AROUND}.,;!"


def read_marked(text: str, mark: str = "Move") -> str | None:
    """What the last line of the form `Move: ...` says, without ornaments; None if there is no such line.

    A text that is far too long is not read.
    """
    if len(text) > MOST_TEXT:
        return None
    pattern = re.compile(rf"{_BEFORE}{mark}[*_`]*\s*:(.*)", re.IGNORECASE | re.DOTALL)
    for line in reversed(text.splitlines()):
        found = pattern.fullmatch(line)
        if found:
            return found[1].lstrip(_AROUND).rstrip(_AFTER)
    return None


def judge_answer(show: "Disguise[S]", state: S, text: str) -> Verdict:
    """What a whole answer amounts to as a move: what its marked line names, or silence without one.

    >>> import perfectplay as pp
    >>> from perfectplay.evals.disguise import Disguise
    >>> game = pp.load("bit-flip")
    >>> judge_answer(Disguise(game), game.initial(), "I flip bit 3.").outcome
    'silent'
    """
    said = read_marked(text)
    if said is None:
        return NO_LINE
    verdict = show.judge(state, said)
    if verdict.outcome == "invalid" and show.game.after_forfeit(state) is None:
        return Verdict("unreadable", verdict.reason)
    return verdict
