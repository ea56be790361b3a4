"""A game in progress: its history, and everything that is no rule of the game itself."""

from collections import Counter
from collections.abc import Hashable
from operator import index
from random import Random
from typing import Generic, Literal, NamedTuple, TypeVar

from perfectplay.core.errors import (
    BadParameterError,
    ForfeitError,
    MatchStateError,
    PerfectplayError,
    RecordError,
)
from perfectplay.core.game import PASS, Action, Game
from perfectplay.core.outcome import Side, other
from perfectplay.core.record import IN_PROGRESS, Move, Record
from perfectplay.core.spec import LARGEST_NUMBER
from perfectplay.core.wording import quoted

S = TypeVar("S", bound=Hashable)

ABANDON_FROM = 3
"""A game may be abandoned once some position has occurred this often."""


class Entry(NamedTuple):
    """One line of a match's history. Moves and forfeits are plies, the other two are not."""

    side: Side
    kind: Literal["move", "forfeit", "resign", "abandon"]
    ply: int
    """How many plies had been played before."""
    action: Action | None = None

    @property
    def is_ply(self) -> bool:
        """Whether the turn passed."""
        return self.kind in ("move", "forfeit")


class Result(NamedTuple):
    """How a match ended. `finished` is False when it was cut short and nobody won or tied."""

    winner: Side | None
    reason: str
    finished: bool = True

    def text(self, side_names: tuple[str, str]) -> str:
        """The result as a record states it.

        >>> Result(1, "last flip").text(("Player 1", "Player 2"))
        'Player 2 wins: last flip'
        """
        if not self.finished:
            return f"unfinished: {self.reason}"
        if self.winner is None:
            return f"tie: {self.reason}"
        return f"{side_names[self.winner]} wins: {self.reason}"


class Match(Generic[S]):
    """One game being played, move by move.

    >>> import perfectplay as pp
    >>> match = pp.Match(pp.load("bit-flip:bits=3"))
    >>> match.legal()
    ('0', '1', '2')
    >>> match.play("1")
    >>> match.result
    Result(winner=0, reason='last flip', finished=True)
    >>> match.undo()
    >>> print(match)
    Bit Flip: bit-flip:bits=3
    Positions: [0] [1] [2]
    Bits:      [0] [0] [0]
    Player 1 to move, ply 1
    """

    def __init__(
        self,
        game: Game[S],
        *,
        players: tuple[str, str] = ("human", "human"),
        seed: int = 0,
        max_plies: int | None = None,
        forgiving: bool = False,
    ) -> None:
        _check_settings(players, seed, max_plies)
        self.game = game
        self.players = players
        self.seed = seed
        self.max_plies = max_plies
        self.forgiving = forgiving
        self._history: list[Entry] = []
        self._positions: list[S] = [game.initial()]
        self._lines: list[Move] = []
        self._undone: list[tuple[list[Entry], list[S]]] = []
        self._result = self._settled()

    @classmethod
    def replay(cls, record: Record, game: Game[S]) -> "Match[S]":
        """The match that a record describes, played by the rules of `game`.

        Raises RecordError, which names the first line that the rules contradict.

        >>> import perfectplay as pp
        >>> match = pp.Match(pp.load("bit-flip"))
        >>> match.play("4")
        >>> pp.Match.replay(match.record(), match.game).plies
        1
        """
        match = cls(
            game,
            players=record.seated,
            seed=record.seed,
            max_plies=record.max_plies,
            forgiving=record.forgiving,
        )
        for move in record.moves:
            try:
                match._replay_move(move)
            except RecordError:
                raise
            except PerfectplayError as error:
                raise RecordError(move.line, str(error)) from error
        found = match.record().result
        if found != record.result:
            stated, given = (quoted(text or IN_PROGRESS, 100) for text in (record.result, found))
            raise RecordError(record.lines[1], f"the result is given as {stated}, the rules give {given}")
        return match

    @property
    def history(self) -> tuple[Entry, ...]:
        """Everything that has happened, in order."""
        return tuple(self._history)

    @property
    def last(self) -> Entry:
        """The newest entry of a history that has one."""
        return self._history[-1]

    @property
    def positions(self) -> tuple[S, ...]:
        """The start position and the position after each ply."""
        return tuple(self._positions)

    @property
    def state(self) -> S:
        """The position on the board."""
        return self._positions[-1]

    @property
    def side(self) -> Side:
        """Whose turn it is."""
        return self.game.side_to_move(self.state)

    @property
    def plies(self) -> int:
        """How many moves and forfeited turns have been played."""
        return len(self._positions) - 1

    @property
    def result(self) -> Result | None:
        """How the match ended, or None while it goes on."""
        return self._result

    def legal(self) -> tuple[str, ...]:
        """The legal moves as `play` takes them; none once the match is over."""
        if self._result is not None:
            return ()
        state = self.state
        return tuple(self.game.action_text(state, a) for a in self.game.legal_actions(state))

    def play(self, move: str | Action) -> None:
        """Play a move, given as a person would type it or as an action.

        A text that the rules answer with a lost turn is recorded as a forfeit, unless the match is
        `forgiving`. Any other bad move raises ParseError or IllegalActionError and changes nothing.
        """
        self._must_go_on()
        if isinstance(move, str):
            try:
                action = self.game.parse_action(self.state, move)
            except ForfeitError:
                if self.forgiving:
                    raise
                return self.forfeit()
        else:
            action = move
        after = self.game.play(self.state, action)
        # The rules have found a whole number; only a plain one is written down.
        self._add(Entry(self.side, "move", self.plies, index(action)), after)

    def forfeit(self) -> None:
        """The side to move loses its turn over an invalid move, in a game with such a rule."""
        self._must_go_on()
        after = self.game.after_forfeit(self.state)
        if after is None:
            raise MatchStateError(f"no turn is forfeited in {self.game.title}")
        self._add(Entry(self.side, "forfeit", self.plies), after)

    def resign(self, side: Side | None = None) -> None:
        """`side`, or else the side to move, gives the game up."""
        self._must_go_on()
        self._add(Entry(self.side if side is None else side, "resign", self.plies))

    def abandon(self, side: Side) -> None:
        """`side` is for leaving the game unfinished, which it is once the other side is too."""
        self._must_go_on()
        if self.most_repeated < ABANDON_FROM:
            raise MatchStateError(
                f"A game can be abandoned once a position has occurred {ABANDON_FROM} times;"
                f" so far none has occurred more than {'twice' if self.most_repeated > 1 else 'once'}."
            )
        if self.abandon_offer == side:
            raise MatchStateError(f"{self.game.side_names[side]} has already offered that.")
        self._add(Entry(side, "abandon", self.plies))

    def undo(self, side: Side | None = None) -> None:
        """Take the last entry back or, for a `side`, everything since before its last own choice."""
        keep = len(self._history) - 1 if side is None else self._last_choice(side)
        if keep < 0:
            raise MatchStateError("There is nothing to take back.")
        first_gone = self._history[keep].ply + 1
        self._undone.append((self._history[keep:], self._positions[first_gone:]))
        del self._positions[first_gone:]
        del self._history[keep:]
        del self._lines[keep:]
        self._result = self._settled()

    def redo(self) -> None:
        """Put back all that the last `undo` took back. Nothing can be put back after a new move.

        >>> import perfectplay as pp
        >>> match = pp.Match(pp.load("bit-flip"))
        >>> match.play("4")
        >>> match.undo()
        >>> match.redo()
        >>> match.plies
        1
        """
        if not self._undone:
            raise MatchStateError("There is nothing to put back.")
        entries, positions = self._undone.pop()
        self._history += entries
        self._positions += positions
        self._result = self._settled()

    def is_choice(self, entry: Entry) -> bool:
        """Whether a player chose an entry of the history: neither a forced pass nor an offer is one."""
        if entry.kind == "abandon":
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
        return self._last_choice(side) >= 0

    def _last_choice(self, side: Side) -> int:
        """The index in the history of a side's last choice, or -1."""
        for number in reversed(range(len(self._history))):
            if self._history[number].side == side and self.is_choice(self._history[number]):
                return number
        return -1

    @property
    def most_repeated(self) -> int:
        """How often the position that came up most often has occurred so far."""
        return max(Counter(self._positions).values())

    @property
    def abandon_offer(self) -> Side | None:
        """The side whose offer to abandon stands: the other has not moved since."""
        return self._offer_after(len(self._history))

    def _offer_after(self, entries: int) -> Side | None:
        moved: set[Side] = set()
        for entry in reversed(self._history[:entries]):
            if entry.kind == "abandon":
                return None if other(entry.side) in moved else entry.side
            moved.add(entry.side)
            if len(moved) == 2:
                break
        return None

    def forfeits_in_a_row(self, side: Side) -> int:
        """How many invalid turns `side` has run up; a move resets it, a chosen pass leaves it."""
        run = 0
        for entry in reversed(self._history):
            if entry.side == side and entry.kind == "forfeit":
                run += 1
            elif entry.side == side and entry.is_ply and PASS not in self._events(entry):
                break
        return run

    @property
    def disqualified(self) -> Side | None:
        """The side that has lost by invalid turns in a row, if one has.

        >>> import perfectplay as pp
        >>> match = pp.Match(pp.load("mirror-match:disqualify_after=1"))
        >>> match.play("99")
        >>> match.disqualified
        0
        """
        limit = self.game.forfeit_limit
        if limit and self._history and self.last.kind == "forfeit":
            return self.last.side if self.forfeits_in_a_row(self.last.side) >= limit else None
        return None

    def generator(self) -> Random:
        """A random generator that depends on the seed and the ply alone, for whoever moves now."""
        return Random(f"{self.seed}/{self.plies}")

    def record(self) -> Record:
        """The match as a record, whose text can be saved, read and replayed."""
        # A save asks for the record after every move: only the new lines are worked out.
        self._lines += [self.line(entry) for entry in self._history[len(self._lines) :]]
        result = None if self._result is None else self._result.text(self.game.side_names)
        return Record(
            self.game.spec,
            self.players,
            self.seed,
            max_plies=self.max_plies,
            forgiving=self.forgiving,
            moves=tuple(self._lines),
            result=result,
        )

    def line(self, entry: Entry) -> Move:
        """An entry of the history as its line in the record."""
        name = self.game.side_names[entry.side]
        if not entry.is_ply:
            return Move(None, name, entry.kind)
        before, after = self._positions[entry.ply], self._positions[entry.ply + 1]
        text = entry.kind if entry.action is None else self.game.action_text(before, entry.action)
        return Move(entry.ply + 1, name, text, self.game.state_text(after), self._events(entry))

    def __str__(self) -> str:
        names = self.game.side_names
        if self._result is None:
            status = f"{names[self.side]} to move, ply {self.plies + 1}"
        else:
            status = self._result.text(names)
        board = self.game.dialogue().board(self.state)
        return "\n".join((f"{self.game.title}: {self.game.spec}", *board, status))

    def __repr__(self) -> str:
        return f"<Match {self.game.spec} ply {self.plies} {self.game.state_text(self.state)!r}>"

    def _add(self, entry: Entry, after: S | None = None) -> None:
        self._undone.clear()
        self._history.append(entry)
        if after is not None:
            self._positions.append(after)
        try:
            self._result = self._settled()
        except BaseException:  # rules that break on the new position must not leave it behind
            self._history.pop()
            if after is not None:
                self._positions.pop()
            raise

    def _replay_move(self, move: Move) -> None:
        names = self.game.side_names
        if move.side not in names:
            raise RecordError(move.line, f"there is no side {quoted(move.side)}, only {' and '.join(names)}")
        if move.text in ("resign", "abandon"):
            if move.ply is not None:
                raise RecordError(move.line, f"{move.text} is no ply and carries no number")
            give_up = self.resign if move.text == "resign" else self.abandon
            return give_up(0 if move.side == names[0] else 1)
        if move.ply != self.plies + 1:
            raise RecordError(move.line, f"ply {self.plies + 1} was expected here")
        if move.side != names[self.side]:
            raise RecordError(move.line, f"it is {names[self.side]}'s turn")
        if move.text == "forfeit":
            self.forfeit()
        else:
            # A text that costs the turn is not a move: a record says "forfeit" there.
            self.play(self.game.parse_action(self.state, move.text))
        move.compare(self.line(self.last))

    def _must_go_on(self) -> None:
        if self._result is not None:
            raise MatchStateError(f"the match is over: {self._result.text(self.game.side_names)}")

    def _events(self, entry: Entry) -> tuple[str, ...]:
        if entry.action is None:
            return ()
        return self.game.events(self._positions[entry.ply], entry.action)

    def _settled(self) -> Result | None:
        """The result that the history and the position give, the rules of the game first."""
        outcome = self.game.outcome(self.state)
        if outcome is not None:
            return Result(outcome.winner, outcome.reason)
        if self._history:
            last = self._history[-1]
            if last.kind == "resign":
                return Result(other(last.side), "resignation")
            if last.kind == "abandon" and self._offer_after(len(self._history) - 1) == other(last.side):
                return Result(None, "abandoned", finished=False)
            if self.disqualified is not None:
                return Result(other(self.disqualified), "disqualification")
        if self.max_plies is not None and self.plies >= self.max_plies:
            return Result(None, "ply limit", finished=False)
        return None


def _check_settings(players: tuple[str, str], seed: int, max_plies: int | None) -> None:
    """Only what a record can state, so that every match can be saved and read back."""
    for name, spec in zip(("p1", "p2"), players, strict=True):
        if not spec or not spec.isprintable() or spec != spec.strip():
            raise BadParameterError(name, repr(spec), "the spec of a player, in one line")
    for name, number in (("seed", seed), ("max_plies", max_plies)):
        if number is not None and not (type(number) is int and 0 <= number < LARGEST_NUMBER):
            raise BadParameterError(name, repr(number)[:40], "a whole number from 0 on, of at most 18 digits")
