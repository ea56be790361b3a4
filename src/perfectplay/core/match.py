"""A game in progress: its history, and everything outside the rules of the game itself."""

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
"""A game can be abandoned once a position has occurred this many times."""


class Entry(NamedTuple):
    """One entry in a match's history. Moves and forfeits are plies, the other kinds are not."""

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
    """How a match ended. `finished` is False if it was cut short without a win or a tie."""

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
        """Replay a record by the rules of `game` and return the match.

        Raises RecordError naming the first line that contradicts the rules.

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
        """The latest entry. The history must not be empty."""
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

        A text that costs the turn by the rules is recorded as a forfeit, unless the match is
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
        # The rules accept any kind of whole number; the history keeps plain ints.
        self._add(Entry(self.side, "move", self.plies, index(action)), after)

    def forfeit(self) -> None:
        """The side to move loses its turn for an invalid move, if the game has that rule."""
        self._must_go_on()
        after = self.game.after_forfeit(self.state)
        if after is None:
            raise MatchStateError(f"turns cannot be forfeited in {self.game.title}")
        self._add(Entry(self.side, "forfeit", self.plies), after)

    def resign(self, side: Side | None = None) -> None:
        """Resign for `side`, by default the side to move."""
        self._must_go_on()
        self._add(Entry(self.side if side is None else side, "resign", self.plies))

    def abandon(self, side: Side) -> None:
        """Offer to abandon the game. It ends unfinished once the other side agrees."""
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
        """Take back the last entry or, given a `side`, everything from its last choice on."""
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
            raise MatchStateError("There is nothing to put back.")
        entries, positions = self._undone.pop()
        self._history += entries
        self._positions += positions
        self._result = self._settled()

    def is_choice(self, entry: Entry) -> bool:
        """Whether an entry was a player's choice. Forced passes and offers are not."""
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
        """How many times the most repeated position has occurred so far."""
        return max(Counter(self._positions).values())

    @property
    def abandon_offer(self) -> Side | None:
        """The side with a pending offer to abandon: the other side has not moved since."""
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
        """How many invalid turns `side` has in a row. A move resets the count, a chosen pass does not."""
        run = 0
        for entry in reversed(self._history):
            if entry.side == side and entry.kind == "forfeit":
                run += 1
            elif entry.side == side and entry.is_ply and PASS not in self._events(entry):
                break
        return run

    @property
    def disqualified(self) -> Side | None:
        """The side that lost by too many invalid turns in a row, or None.

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
        """A random generator for this turn. It depends only on the seed and the ply."""
        return Random(f"{self.seed}/{self.plies}")

    def record(self) -> Record:
        """The match as a record. Its text can be saved, read and replayed."""
        # A save needs the record after every move, so only the new lines are computed.
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
        except BaseException:  # if the rules fail on the new position, it must not stay in the history
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
                raise RecordError(move.line, f"{move.text} is not a ply and must not have a number")
            give_up = self.resign if move.text == "resign" else self.abandon
            return give_up(0 if move.side == names[0] else 1)
        if move.ply != self.plies + 1:
            raise RecordError(move.line, f"ply {self.plies + 1} was expected here")
        if move.side != names[self.side]:
            raise RecordError(move.line, f"it is {names[self.side]}'s turn")
        if move.text == "forfeit":
            self.forfeit()
        else:
            # A text that costs the turn is not a move: a record says "forfeit" instead.
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
        """The result given by the history and the position; the rules of the game take precedence."""
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
    """Allow only values that a record can hold, so that every match can be saved and read back."""
    for name, spec in zip(("p1", "p2"), players, strict=True):
        if not spec or not spec.isprintable() or spec != spec.strip():
            raise BadParameterError(name, repr(spec), "the spec of a player, in one line")
    for name, number in (("seed", seed), ("max_plies", max_plies)):
        if number is not None and not (type(number) is int and 0 <= number < LARGEST_NUMBER):
            raise BadParameterError(
                name, repr(number)[:40], "a whole number, at least 0, of at most 18 digits"
            )
