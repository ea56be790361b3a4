"""Commands as people type them: short forms, and words with a slip of the finger."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

SHORT = {"?": "help", "h": "help", "q": "quit", "u": "undo"}

AGREED = {"y": True, "yes": True, "n": False, "no": False}
"""Answers to a yes-or-no question."""


class TypedCommand(NamedTuple):
    """A command that was typed, and the text after it."""

    word: str
    rest: str = ""


class Commands(NamedTuple):
    """The commands that a prompt accepts; those in `with_rest` may be followed by more text."""

    words: tuple[str, ...]
    with_rest: tuple[str, ...] = ()

    @classmethod
    def parse_help(cls, lines: Iterable[str]) -> "Commands":
        """The commands of a help text. Its indented lines begin with a command and what may follow it."""
        entries = [line.split()[:2] for line in lines if line.startswith("  ")]
        words = dict.fromkeys(word.rstrip(",") for word, _ in entries)
        return cls(tuple(words), tuple(word for word, after in entries if after.isupper()))

    def read(self, line: str) -> TypedCommand | None:
        """Parse a line; None if it is not a command."""
        word, rest = _split(line)
        word = SHORT.get(word, word)
        return TypedCommand(word, rest) if self._takes(word, rest) else None

    def nearest(self, line: str) -> TypedCommand | None:
        """The command that a line is one slip away from, or None."""
        typed, rest = _split(line)
        near = (word for word in self.words if is_slip(typed, word) and self._takes(word, rest))
        return next((TypedCommand(word, rest) for word in near), None)

    def confirm(self, near: TypedCommand, ask: Callable[[str], str]) -> TypedCommand | None:
        """The command that a person says they meant, or types instead; None if they meant none."""
        while True:
            answer = ask(f"Did you mean {near.word} (y/n)? ")
            agreed = AGREED.get(answer.strip().casefold())
            if agreed is not None:
                return near if agreed else None
            command = self.read(answer)
            if command is not None:
                return command

    def _takes(self, word: str, rest: str) -> bool:
        return word in self.words and (not rest or word in self.with_rest)


def confirm(ask: Callable[[str], str], question: str) -> bool:
    """Ask a question until the answer is yes or no."""
    while (agreed := AGREED.get(ask(question).strip().casefold())) is None:
        pass
    return agreed


def is_slip(typed: str, word: str) -> bool:
    """Whether `typed` is `word` with a letter missing, added or changed, or with two neighbors swapped."""
    shorter, longer = sorted((typed, word), key=len)
    if len(longer) - len(shorter) == 1:
        return any(longer[:i] + longer[i + 1 :] == shorter for i in range(len(longer)))
    if len(typed) != len(word):
        return False
    wrong = [i for i, letter in enumerate(word) if typed[i] != letter]
    if len(wrong) == 2:
        one, two = wrong
        return two == one + 1 and typed[one] + typed[two] == word[two] + word[one]
    return len(wrong) == 1


def _split(line: str) -> tuple[str, str]:
    word, *rest = line.split(maxsplit=1) or [""]
    return word.casefold(), "".join(rest).strip()
