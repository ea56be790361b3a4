"""How the cells and buttons of a board are drawn, character by character."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from perfectplay.core.formatting import pluralize
from perfectplay.core.game import Action
from perfectplay.core.value import Value
from perfectplay.core.view import View
from perfectplay.terminal.fullscreen.widgets.layout import Item, join_pieces

FRAMES = {"plain": "┌─┐│└┘", "chosen": "┏━┓┃┗┛", "last": "╔═╗║╚╝"}
"""Frames of cells. Each shows without color what it is."""
LETTERS = {"win": "W", "loss": "L", "tie": "T", "endless": "∞", "undecided": "U"}
ROLES = {"goal": "★", "later-goal": "☆"}
"""Marks of empty cells to reach. Whose goal it is stands behind the mark."""
CLOSED = "░"
"""Fills a cell that is out of play."""
BEST, MISTAKE = "*", "?"


def short(value: Value) -> str:
    """A value in few characters."""
    return LETTERS[value.kind] + ("" if value.plies is None else str(value.plies))


def legend(values: dict[Action, Value]) -> str:
    """What the values on a board mean, with one of each kind as an example."""
    words = {
        "win": "wins",
        "loss": "loses",
        "tie": "ties",
        "endless": "never ends",
        "undecided": "is undecided",
    }
    examples: dict[str, Value] = {}
    for value in sorted(values.values(), key=lambda each: list(LETTERS).index(each.kind)):
        examples.setdefault(value.kind, value)
    parts: list[str] = []
    explained = False
    for kind, value in examples.items():
        said = f"{short(value)} {words[kind]}"
        if value.plies is not None:
            moves = pluralize(value.plies, "move (of either side)", "moves (of either side)")
            said += f" in {value.plies}" if explained else f" in {moves}"
            explained = True
        parts.append(said)
    return f"{', '.join(parts)}, with best play." if parts else ""


def large(text: str, width: int, lines: int) -> str:
    """A text as large as a terminal can show it: spread out, in the middle of a bar."""
    spread = " ".join(text.upper())
    line = (spread if len(spread) <= width else text).center(width)
    blank = " " * width
    return "\n".join([*[blank] * (lines // 2), line, *[blank] * (lines // 2)])


class Marks(NamedTuple):
    """What is shown on top of a position."""

    last: tuple[int, ...] = ()
    """The cells that the last move changed."""
    values: dict[Action, Value] | None = None
    best: Sequence[Action] = ()
    """Moves to point out, with a star."""
    mistake: Action | None = None
    """A bad move to point out, with a question mark."""

    def sign(self, action: Action | None) -> str:
        """The sign of a move that is pointed out."""
        if action is None:
            return ""
        return MISTAKE if action == self.mistake else BEST if action in self.best else ""


class Look(NamedTuple):
    """Everything about a board that shows, besides where its items are."""

    view: View = View(())
    marks: Marks = Marks()
    live: bool = True
    """Whether moves can be made."""
    chosen: Action | None = None
    """The move that Enter would make."""
    refused: Action | None = None
    """The move that was refused last."""
    only: frozenset[Action] | None = None
    """The moves that the answers so far leave open; None for all."""
    lit: tuple[int, ...] = ()
    """The cells that light up for a moment."""
    sliding: tuple[int, str] | None = None
    """A cell, and the piece on its way to it."""


class Drawing:
    """Draws items. `style` gives the style of a kind of thing by its name."""

    def __init__(self, look: Look, style: Callable[[str], Style]) -> None:
        self.look = look
        self.style = style
        self._cells = look.view.cells
        self._linked = {end: link.matched for link in look.view.links for end in (link.a, link.b)}

    def button(self, item: Item) -> list[Segment]:
        """A button, in one line."""
        assert item.action is not None
        look = self.look
        left, right = "[]"
        open_ = look.live and (look.only is None or item.action in look.only)
        style = self.style("legal" if open_ else "label")
        value = (look.marks.values or {}).get(item.action)
        sign = look.marks.sign(item.action)
        if sign or value is not None:
            good = sign == BEST or (not sign and value is not None and value.kind == "win")
            style += self.style("good" if good else "bad" if sign else "label")
        if sign:
            left = right = sign
        if look.live and item.action == look.chosen:
            left, right, style = "▸", "◂", self.style("chosen")
        note = "" if value is None else f" {short(value)}"
        return [Segment((left + item.label + note + right).ljust(item.width), style)]

    def cell(self, item: Item, row: int) -> list[Segment]:
        """One line of a cell."""
        assert item.cell is not None
        look = self.look
        action = item.action if item.action is not None else item.forbidden
        chosen = look.live and action is not None and action == look.chosen
        kind = "chosen" if chosen else "last" if item.cell in look.marks.last else "plain"
        frame = FRAMES[kind]
        style = self.style({"chosen": "chosen", "last": "last", "plain": "cell"}[kind])
        inside = item.width - 2
        if row == 0:
            sign = look.marks.sign(item.action)
            line = frame[1] * (inside - cell_len(item.label) - len(sign))
            pointed = Segment(sign, self.style("good" if sign == BEST else "bad"))
            return [Segment(frame[0] + item.label + line, style), pointed, Segment(frame[2], style)]
        if row == item.height - 1:
            return self._bottom(item, frame, inside, style)
        contents = self._contents(item, inside, middle=row == item.height // 2)
        if item.cell in look.lit:
            contents = [Segment(text, (each or style) + Style(reverse=True)) for text, each, _ in contents]
        return [Segment(frame[3], style), *contents, Segment(frame[3], style)]

    def _bottom(self, item: Item, frame: str, inside: int, style: Style) -> list[Segment]:
        note, noted = "", style
        if item.action is not None:
            value = (self.look.marks.values or {}).get(item.action)
            if value is not None:
                note = short(value)
                noted = self.style({"win": "good", "loss": "bad"}.get(value.kind, "legal"))
            elif self.look.live:
                note, noted = "•", self.style("legal")
        elif item.cell in self._linked:
            note, noted = ("=", self.style("good")) if self._linked[item.cell] else ("≠", self.style("bad"))
        before = (inside - len(note)) // 2
        after = inside - len(note) - before
        return [
            Segment(frame[4] + frame[1] * before, style),
            Segment(note, noted),
            Segment(frame[1] * after + frame[5], style),
        ]

    def _contents(self, item: Item, inside: int, *, middle: bool) -> list[Segment]:
        assert item.cell is not None
        cell = self._cells[item.cell]
        style = self.style("cell")
        pieces: list[tuple[str, Style]] = []
        if middle and self.look.refused is not None and self.look.refused == item.forbidden:
            pieces = [("✗", self.style("refused"))]
        elif middle:
            there = [piece for piece in cell.pieces if (item.cell, piece) != self.look.sliding]
            written = there if sum(map(cell_len, there)) <= inside else join_pieces(there)
            pieces = [(text, self.piece_style(piece)) for text, piece in zip(written, there, strict=True)]
            mark = ROLES.get(cell.role, "")
            whose = "" if not mark or cell.owner is None else str(cell.owner + 1)
            pieces = pieces or [(mark + whose, self.style("goal"))]
        blank = CLOSED if cell.role == "closed" else " "
        if blank == CLOSED:
            style = self.style("hollow")
        used = sum(cell_len(piece) for piece, _ in pieces)
        before = max(0, (inside - used) // 2)
        after = max(0, inside - used - before)
        return [
            Segment(blank * before, style),
            *(Segment(piece, each) for piece, each in pieces),
            Segment(blank * after, style),
        ]

    def piece_style(self, piece: str) -> Style:
        """The style of a piece, by whose it is."""
        first, second = self.look.view.sides
        name = "first" if piece in first else "second" if piece in second else "cell"
        return self.style("hollow" if piece in self.look.view.hollow else name)
