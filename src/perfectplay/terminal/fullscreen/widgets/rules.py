"""The rules of a game beside its board."""

import re
from collections import Counter
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Static

from perfectplay.core.game import Game, Refusal
from perfectplay.terminal.fullscreen.dialogs import Dialog

NUMBERED = re.compile(r"- \*\*[A-Z]+-[0-9]+\*\* ")
"""How a numbered rule begins, as in the rulebooks here."""


class RulesPanel(VerticalScroll):
    """The rulebook. It scrolls to the rule that forbids a move."""

    def __init__(self) -> None:
        super().__init__(id="rules")
        self.can_focus = False
        self._game: Game[Any] | None = None
        self._refusal: Refusal | None = None

    def show(self, game: Game[Any]) -> None:
        """Show the rules of a game."""
        if game != self._game:
            self._game = game
            from rich.markdown import Markdown  # takes long to import

            self.remove_children()
            self.mount_all(Static(Markdown(part)) for part in parts(game.texts().rulebook()))
        self.call_after_refresh(self._scroll)

    def point_at(self, refusal: Refusal) -> None:
        """Scroll to the rule that a refusal is about, now or when the rules are shown."""
        self._refusal = refusal
        if self._game is not None:
            self._scroll()

    def _scroll(self) -> None:
        if self._refusal is None or self._game is None:
            return
        texts = parts(self._game.texts().rulebook())
        children = list(self.query(Static))
        found = closest(self._refusal, texts)
        for number, child in enumerate(children):
            child.set_class(number == found, "-refused")
        if found is not None and found < len(children):
            self.scroll_to_widget(children[found], animate=False, top=True)


class RulesDialog(Dialog):
    """The rules of a game before it is played."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("o,q,enter", "dismiss", "Close"),
        Binding("pagedown,space", "turn(1, 0)", "Down"),
        Binding("pageup", "turn(-1, 0)", "Up"),
        Binding("down", "turn(0, 1)", "Line down"),
        Binding("up", "turn(0, -1)", "Line up"),
    ]

    def __init__(self, game: Game[Any]) -> None:
        super().__init__()
        self._shown = game

    def compose(self) -> ComposeResult:
        with Vertical(id="box", classes="rules"):
            yield RulesPanel()
            yield Static("Page Up and Page Down scroll, Esc closes.", markup=False)

    def on_mount(self) -> None:
        self.query_one(RulesPanel).show(self._shown)

    def action_turn(self, pages: int, lines: int) -> None:
        panel = self.query_one(RulesPanel)
        panel.scroll_relative(y=pages * max(panel.size.height - 1, 1) + lines, animate=False)


def parts(text: str) -> list[str]:
    """A page in parts: each heading, paragraph and item of a list by itself."""
    return [part.strip() for part in re.split(r"\n\s*\n|\n(?=- )", text) if part.strip()]


def closest(refusal: Refusal, texts: list[str]) -> int | None:
    """The part of a rulebook that a refusal is about, by the words they share; None if they share none.

    A word counts the more, the fewer parts have it. Where rules are numbered, only those are looked at.
    """
    wanted = _words(f"{refusal.rule.replace('-', ' ')} {refusal.text}")
    numbered = [bool(NUMBERED.match(text)) for text in texts]
    words = [
        _words(text) if is_rule or not any(numbered) else set()
        for text, is_rule in zip(texts, numbered, strict=True)
    ]
    count = Counter(word for each in words for word in each)
    scores = [sum(1 / count[word] for word in wanted & each) for each in words]
    best = max(scores, default=0.0)
    return scores.index(best) if best else None


def _words(text: str) -> set[str]:
    return {word[:5] for word in re.findall(r"[a-z]{3,}", text.casefold())}
