"""A game in progress: its history, and everything outside the rules of the game itself."""

from collections import Counter
from operator import index
from random import Random

from perfectplay.core.errors import BadParameterError, ForfeitError, MatchStateError
from perfectplay.core.game import PASS, Action, Game, S, expect_game
from perfectplay.core.limits import LARGEST_NUMBER, LONGEST_START
from perfectplay.core.outcome import Result, Side, other
from perfectplay.core.record import Record
from perfectplay.core.timeline import Entry, Timeline
from perfectplay.core.walks import may_win

__all__ = ["ABANDON_FROM", "Entry", "Match", "Result"]


ABANDON_FROM = 3
"""A game can be abandoned once a position has occurred this many times."""


class Match(Timeline[S]):
    """One game being played, move by move, from its start or from any position given as `start`.

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
        start: S | None = None,
    ) -> None:
        expect_game(game)
        _check_settings(players, seed, max_plies)
        super().__init__(game, game.initial() if start is None else _check_start(game, start))
        self.players = players
        self.seed = seed
        self.max_plies = max_plies
        self.forgiving = forgiving
        self._result = self._work_out_result()

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
        from perfectplay.core.replay import replay

        return replay(cls, record, game)

    @property
    def side(self) -> Side:
        """Whose turn it is."""
        return self.game.side_to_move(self.state)

    @property
    def result(self) -> Result | None:
        """How the match ended, or None while it goes on."""
        return self._result

    @property
    def status(self) -> str:
        """Whose turn it is, or how the match ended, in words."""
        names = self.game.side_names
        if self._result is None:
            return f"{names[self.side]} to move, ply {self.plies + 1}"
        return self._result.text(names)

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

    def time_out(self, side: Side | None = None) -> None:
        """The time of `side`, by default the side to move, has run out.

        The other side wins, unless no sequence of legal moves from here leads to its win: then the
        match is left unfinished. See `perfectplay.core.walks.may_win`.

        >>> import perfectplay as pp
        >>> match = pp.Match(pp.load("bit-flip"))
        >>> match.time_out()
        >>> match.result
        Result(winner=1, reason='time', finished=True)
        """
        self._must_go_on()
        self._add(Entry(self.side if side is None else side, "time", self.plies))

    def claim(self, side: Side) -> None:
        """`side` leaves the game unfinished because the other side is away or does not move."""
        self._must_go_on()
        self._add(Entry(side, "claim", self.plies))

    def assist(self, side: Side) -> None:
        """From now on the coach helps `side`. That is noted once and stays, even after `undo`.

        >>> import perfectplay as pp
        >>> match = pp.Match(pp.load("bit-flip"))
        >>> match.play("4")
        >>> match.assist(1)
        >>> match.undo()
        >>> match.history, match.assisted
        ((Entry(side=1, kind='assisted', ply=0, action=None),), (1,))
        """
        self._must_go_on()
        if side not in self.assisted:
            self._add(Entry(side, "assisted", self.plies))

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
            if entry.kind != "assisted":
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
        result = None if self._result is None else self._result.text(self.game.side_names)
        start = self._positions[0]
        # A save needs the record after every move, so only the new lines are computed.
        self._lines += [self.line(entry) for entry in self._history[len(self._lines) :]]
        return Record(
            self.game.spec,
            self.players,
            self.seed,
            max_plies=self.max_plies,
            forgiving=self.forgiving,
            moves=tuple(self._lines),
            result=result,
            start=None if start == self.game.initial() else self.game.state_text(start),
        )

    def __str__(self) -> str:
        board = self.game.dialogue().board(self.state)
        return "\n".join((f"{self.game.title}: {self.game.spec}", *board, self.status))

    def __repr__(self) -> str:
        return f"<Match {self.game.spec} ply {self.plies} {self.game.state_text(self.state)!r}>"

    def _must_go_on(self) -> None:
        if self._result is not None:
            raise MatchStateError(f"the match is over: {self._result.text(self.game.side_names)}")

    def _work_out_result(self) -> Result | None:
        """The result given by the history and the position; the rules of the game take precedence."""
        outcome = self.game.outcome(self.state)
        if outcome is not None:
            return Result(outcome.winner, outcome.reason)
        if self._history:
            last = self._history[-1]
            if last.kind == "resign":
                return Result(other(last.side), "resignation")
            if last.kind == "time":
                winner = other(last.side)
                won = may_win(self.game, self.state, winner)
                return Result(winner if won else None, "time", finished=won)
            if last.kind == "claim":
                return Result(None, "claimed", finished=False)
            if last.kind == "abandon" and self._offer_after(len(self._history) - 1) == other(last.side):
                return Result(None, "abandoned", finished=False)
            if self.disqualified is not None:
                return Result(other(self.disqualified), "disqualification")
        if self.max_plies is not None and self.plies >= self.max_plies:
            return Result(None, "ply limit", finished=False)
        return None


def _check_start(game: Game[S], start: S) -> S:
    """Allow only positions that a record can hold and in which a match can begin."""
    text = game.state_text(start)
    if game.parse_state(text) != start:
        raise BadParameterError("start", text, "a position that can be read back from its text")
    if game.outcome(start) is not None:
        raise BadParameterError("start", text, "a position in which the game is not over")
    if len(text.encode()) > LONGEST_START:
        raise BadParameterError("start", text, f"a position of at most {LONGEST_START:,} bytes as text")
    return start


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
