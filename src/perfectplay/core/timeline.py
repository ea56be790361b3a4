"""What has happened in a match: its entries and positions, which can be taken back and put back."""

from abc import ABC, abstractmethod
from typing import Generic, Literal, NamedTuple

from perfectplay.core.errors import MatchStateError
from perfectplay.core.game import Action, Game, S
from perfectplay.core.limits import MOST_PLACED
from perfectplay.core.outcome import Result, Side
from perfectplay.core.record import RecordLine
from perfectplay.core.view import Placed, compare_cells, find_placed_cell


class Entry(NamedTuple):
    """One entry in a match's history. Moves and forfeits are plies, the other kinds are not."""

    side: Side
    kind: Literal["move", "forfeit", "resign", "abandon", "time", "claim", "assisted"]
    ply: int
    """How many plies had been played before."""
    action: Action | None = None

    @property
    def is_ply(self) -> bool:
        """Whether the turn passed."""
        return self.kind in ("move", "forfeit")


class Timeline(ABC, Generic[S]):
    """The entries and positions of a match. A `Match` adds the rest."""

    def __init__(self, game: Game[S], start: S) -> None:
        self.game = game
        self._history: list[Entry] = []
        self._positions: list[S] = [start]
        self._lines: list[RecordLine] = []
        self._undone: list[tuple[list[Entry], list[S]]] = []

    @property
    def history(self) -> tuple[Entry, ...]:
        """Everything that has happened, in order."""
        return tuple(self._history)

    @property
    def last(self) -> Entry:
        """The latest entry. The history must not be empty."""
        return self._history[-1]

    @property
    def positions(self) -> tuple[S, ...]:
        """The start position and the position after each ply."""
        return tuple(self._positions)

    def position(self, ply: int) -> S:
        """The position after `ply` plies.

        >>> import perfectplay as pp
        >>> match = pp.Match(pp.load("bit-flip"))
        >>> match.play("4")
        >>> match.position(0) == match.game.initial()
        True
        """
        return self._positions[ply]

    @property
    def state(self) -> S:
        """The position on the board."""
        return self._positions[-1]

    @property
    def plies(self) -> int:
        """How many moves and forfeited turns have been played."""
        return len(self._positions) - 1

    def placements(self) -> tuple[Placed | None, ...]:
        """What each ply put on the board.

        None for a ply that moved a piece or changed nothing, and for every ply of a game longer than 200
        plies.

        >>> import perfectplay as pp
        >>> match = pp.Match(pp.load("bit-flip"))
        >>> match.play("4")
        >>> match.placements()
        (Placed(cell=4, adds=False),)
        """
        if self.plies > MOST_PLACED:
            return (None,) * self.plies  # views of that many positions take time
        views = [self.game.view(state) for state in self._positions]
        plies = [entry for entry in self._history if entry.is_ply]
        return tuple(
            find_placed_cell(before, after, compare_cells(before, after, entry.action))
            for before, after, entry in zip(views, views[1:], plies, strict=False)
        )

    def cell_owners(self, ply: int | None = None) -> list[Side | None]:
        """The side that filled each cell after `ply` plies, by default all; cells after the last are empty.

        >>> import perfectplay as pp
        >>> match = pp.Match(pp.load("bit-flip"))
        >>> for text in ("1", "4", "6"):
        ...     match.play(text)
        >>> match.cell_owners(2)
        [None, 0, None, None, 1]
        """
        owners: list[Side | None] = []
        plies = [entry for entry in self._history if entry.is_ply]
        for entry, placed in list(zip(plies, self.placements(), strict=True))[:ply]:
            if placed is None:
                continue
            if placed.adds:
                owners.insert(placed.cell, entry.side)
            else:
                owners += [None] * (placed.cell + 1 - len(owners))
                owners[placed.cell] = entry.side
        return owners

    @property
    def assisted(self) -> tuple[Side, ...]:
        """The sides that the coach has helped during this game."""
        return tuple(entry.side for entry in self._history if entry.kind == "assisted")

    def undo(self, side: Side | None = None) -> None:
        """Take back the last entry or, given a `side`, everything from its last choice on.

        That a player was assisted is not taken back: the entry moves to the end of what remains.
        """
        keep = self._last_undoable(side)
        if keep < 0:
            raise MatchStateError("There is nothing to take back.")
        ply, gone = self._history[keep].ply, self._history[keep:]
        self._undone.append((gone, self._positions[ply + 1 :]))
        del self._positions[ply + 1 :]
        self._history[keep:] = [entry._replace(ply=ply) for entry in gone if entry.kind == "assisted"]
        del self._lines[keep:]
        self._result = self._work_out_result()

    def redo(self) -> None:
        """Restore what the last `undo` took back. Not possible after a new move.

        >>> import perfectplay as pp
        >>> match = pp.Match(pp.load("bit-flip"))
        >>> match.play("4")
        >>> match.undo()
        >>> match.redo()
        >>> match.plies
        1
        """
        if not self._undone:
            raise MatchStateError("There is no move to redo.")
        entries, positions = self._undone.pop()
        moved = {entry.side for entry in entries if entry.kind == "assisted"}
        if moved:  # these entries return to where they were
            self._history = [e for e in self._history if e.kind != "assisted" or e.side not in moved]
            self._lines.clear()
        self._history += entries
        self._positions += positions
        self._result = self._work_out_result()

    def is_choice(self, entry: Entry) -> bool:
        """Whether an entry was a player's choice. Forced passes, offers, time and assistance are not."""
        if entry.kind in ("abandon", "time", "assisted"):
            return False
        return entry.kind != "move" or not self.game.is_forced_pass(self._positions[entry.ply])

    def has_chosen(self, side: Side) -> bool:
        """Whether a side has made a choice that `undo` can take back.

        >>> import perfectplay as pp
        >>> match = pp.Match(pp.load("bit-flip"))
        >>> match.play("4")
        >>> match.has_chosen(0), match.has_chosen(1)
        (True, False)
        """
        return self._last_undoable(side) >= 0

    def line(self, entry: Entry) -> RecordLine:
        """An entry of the history as its line in the record."""
        name = self.game.side_names[entry.side]
        if not entry.is_ply:
            return RecordLine(None, name, entry.kind)
        before, after = self._positions[entry.ply], self._positions[entry.ply + 1]
        text = entry.kind if entry.action is None else self.game.action_text(before, entry.action)
        return RecordLine(entry.ply + 1, name, text, self.game.state_text(after), self._events(entry))

    def _events(self, entry: Entry) -> tuple[str, ...]:
        if entry.action is None:
            return ()
        return self.game.events(self._positions[entry.ply], entry.action)

    def _last_undoable(self, side: Side | None) -> int:
        """The index of the last entry that can be taken back or, given a side, of its last choice; or -1."""
        for number in reversed(range(len(self._history))):
            entry = self._history[number]
            if entry.kind != "assisted" if side is None else entry.side == side and self.is_choice(entry):
                return number
        return -1

    def _add(self, entry: Entry, after: S | None = None) -> None:
        if entry.kind != "assisted":  # looking at values does not change what can be put back
            self._undone.clear()
        self._history.append(entry)
        if after is not None:
            self._positions.append(after)
        try:
            self._result = self._work_out_result()
        except BaseException:  # if the rules fail on the new position, it must not stay in the history
            self._history.pop()
            if after is not None:
                self._positions.pop()
            raise

    @abstractmethod
    def _work_out_result(self) -> Result | None:
        """How the match ended by its history and position; None while it goes on."""
