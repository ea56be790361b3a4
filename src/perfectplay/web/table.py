"""A table: two seats and what has happened at it. No input or output.

A table is defined by its events, which are numbered from 1 and never changed. Replaying them by the same
rules as everywhere else gives the games, the score, the open offers and the time that is left: an event
says how long it was waited for. To save memory, neither the events nor the moves of earlier games are
kept after that.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, get_args

from perfectplay.core.errors import ForfeitError, PerfectplayError
from perfectplay.core.game import Game
from perfectplay.core.match import Match
from perfectplay.core.outcome import Side, other
from perfectplay.core.record import Record, SeriesPlace
from perfectplay.core.series import Series
from perfectplay.web.time_control import TimeControl

Seat = Side
Kind = Literal["sit", "move", "forfeit", "resign", "offer", "accept", "decline", "time", "claim", "close"]
KINDS = frozenset(get_args(Kind))
Offer = Literal["takeback", "abandon", "rematch"]
Status = Literal["open", "running", "over", "closed"]

MOST_GAMES = 1000
"""The most games at one table."""
MOST_EVENTS = 5000
"""Events at one table. After that, a game can only be ended."""
ALWAYS = ("resign", "time", "claim", "close")
"""What can happen after that."""
MOST_PLIES = 1000
"""The most plies in one game, which then stays unfinished: some games never have to end."""
MOST_CELLS = 200
"""The most cells on a board, at the start and, if it grows with the moves, at the end."""


class Event(NamedTuple):
    """Something that happened. `text` is the move as written, the name of the new player, or the offer.

    The seat of a `time` event is the one whose time ran out, that of a `claim` the one who waited.
    """

    number: int
    at: float
    """When, in seconds since 1970, by the server's clock. Nothing depends on it."""
    seat: Seat | None
    kind: Kind
    text: str = ""
    game: int = 0
    """The number of the game it belongs to: how many games had begun."""
    ms: int = 0
    """How long the player to move had it on their clock since the event before, in milliseconds."""


class RefusedError(PerfectplayError):
    """Something that cannot be done at the table now; `code` is the reason as a word."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


@dataclass(slots=True)
class Table:
    """The state of a table after its events. `players` are the specs of computer players; None is a person.

    >>> import perfectplay as pp
    >>> table = Table("t1", pp.load("bit-flip:bits=3"))
    >>> for seat, name in ((0, "Ann"), (1, "Bob")):
    ...     _ = table.add(Event(table.next, 0.0, seat, "sit", name))
    >>> table.status, table.turn
    ('running', 0)
    >>> _ = table.add(Event(3, 0.0, 0, "move", "1"))
    >>> table.status, table.score
    ('over', (1, 0))
    """

    id: str
    game: Game[Any]
    seed: int = 0
    players: tuple[str | None, str | None] = (None, None)
    control: TimeControl | None = None
    """The time that the players have; None is no clock."""
    away_limit: float | None = None
    """Seconds that a player may be away, or silent on their turn, before the other may claim the game."""
    next: int = 1
    """The number of the next event."""
    names: list[str | None] = field(default_factory=lambda: [None, None])
    offers: dict[str, Seat] = field(default_factory=dict)
    """What is on offer, and by which seat."""
    closed: str | None = None
    """Why the table was closed before its game was over."""
    abandoned: bool = False
    """Whether both have agreed to leave the last game unfinished."""
    games: int = 0
    """How many games have been begun."""
    match: Match[Any] | None = None
    """The game being played, or the last one; None before both seats are taken."""
    left: list[int] = field(default_factory=lambda: [0, 0])
    """The milliseconds that each seat had left after the last event, at a table with a clock."""
    waited: int = 0
    """For how many milliseconds, up to the last event, the player to move had done nothing."""
    _won: list[int] = field(default_factory=lambda: [0, 0])
    """Games won by each seat before the last game."""
    _swapped: bool = False
    """Whether the seats have changed sides in the last game, because the rules fix who starts."""

    @property
    def status(self) -> Status:
        """Whether the table waits for a player, has a game in progress, or how its last game ended."""
        if self.closed is not None:
            return "closed"
        if self.match is None:
            return "open"
        return "running" if self.match.result is None and not self.abandoned else "over"

    @property
    def turn(self) -> Seat | None:
        """The seat whose turn it is, while a game is in progress."""
        return None if self.status != "running" else self.seat_of(self._match.side)

    @property
    def unfinished(self) -> str | None:
        """Why the last game ended without a result, if it was abandoned or the table was closed."""
        return self.closed or ("abandoned by agreement" if self.abandoned else None)

    @property
    def score(self) -> tuple[int, int]:
        """Games won by each seat."""
        wins = list(self._won)
        if self.match is not None and self.match.result is not None:
            winner = self.match.result.winner
            if winner is not None:
                wins[self.seat_of(winner)] += 1
        return wins[0], wins[1]

    @property
    def must_pass(self) -> bool:
        """Whether the seat whose turn it is can only pass."""
        return self.status == "running" and self._match.game.is_forced_pass(self._match.state)

    @property
    def _match(self) -> Match[Any]:
        assert self.match is not None
        return self.match

    def seat_of(self, side: Side) -> Seat:
        """The seat that plays a side in the last game."""
        return other(side) if self._swapped else side

    def side_of(self, seat: Seat) -> Side:
        """The side that a seat plays in the last game."""
        return other(seat) if self._swapped else seat

    def begin(self, number: int) -> None:
        """Set up game `number`, and keep only the score of the games before."""
        series = self._series()
        self._won = list(self.score)
        self.games = number
        self.abandoned = False
        self._swapped = series.swapped(number)
        if self.control is not None:
            self.left = [self.control.full, self.control.full]
        self.match = series.match(number)

    def record(self) -> Record:
        """The last game as a separate record."""
        place = SeriesPlace(swapped=self._swapped)
        return replace(self._match.record(), players=self._specs(), place=place)

    def _series(self) -> Series[Any]:
        # Made when needed: it only gives the rules of a series, and would be as large as the rest of a table.
        return Series(
            self.game,
            players=self._specs(),
            seed=self.seed,
            max_plies=most_plies(self.game),
        )

    def _specs(self) -> tuple[str, str]:
        return self.players[0] or "human", self.players[1] or "human"

    def add(self, event: Event) -> Event:
        """Check an event and let it happen. Raises RefusedError, and then nothing has changed."""
        if event.number != self.next:
            raise RefusedError("number", f"this would be event {event.number}; the next one is {self.next}")
        if event.kind not in KINDS:
            raise RefusedError("kind", f"unknown kind of event: {event.kind}")
        if event.number > MOST_EVENTS and event.kind not in ALWAYS:
            raise RefusedError("full", f"a table can have at most {MOST_EVENTS} events")
        turn = self.turn
        if self.is_late(event):
            raise late(event.seat == turn)
        forced = turn is not None and self.control is not None and self.must_pass
        happened = getattr(self, f"_{event.kind}")(event)
        recorded: Event = event if happened is None else happened
        self.next += 1
        if turn is not None:
            self._spend(turn, recorded, forced=forced)
        return recorded._replace(game=self.games)

    def is_late(self, event: Event) -> bool:
        """Whether the time of the player to move ran out before an event."""
        turn = self.turn
        if self.control is None or turn is None or event.kind in ("time", "close"):
            return False
        return event.ms >= self.left[turn]

    def _spend(self, turn: Seat, event: Event, *, forced: bool) -> None:
        """Take the time that an event was waited for from the clock of the seat that was to move."""
        self.waited = self.waited + event.ms if self.turn == turn and event.seat != turn else 0
        if self.control is None:
            return
        moved = event.kind in ("move", "forfeit") and not forced
        self.left[turn] = self.control.left_after(self.left[turn], event.ms, moved=moved)
        if self.control.per == "move" and (event.kind, event.text) == ("accept", "takeback"):
            self.left = [self.control.full, self.control.full]

    # What each kind of event does. A refused event raises before it changes anything.

    def _sit(self, event: Event) -> None:
        seat = self._seated(event)
        if self.names[seat] is not None:
            raise RefusedError("taken", "this seat is taken")
        if self.closed is not None:
            raise RefusedError("closed", "this table is closed")
        self.names[seat] = event.text
        if None not in self.names:
            self.begin(1)

    def _move(self, event: Event) -> Event | None:
        """A move as a person writes it; one that costs the turn becomes a forfeit."""
        match = self._on_turn(event)
        try:
            action = match.game.parse_action(match.state, event.text)
            match.play(action)
        except ForfeitError:
            match.forfeit()
            self.offers.clear()
            return event._replace(kind="forfeit")
        except PerfectplayError as error:
            raise RefusedError("illegal", str(error)) from error
        self.offers.clear()
        return event._replace(text=match.line(match.last).text)

    def _forfeit(self, event: Event) -> None:
        match = self._on_turn(event)
        try:
            match.forfeit()
        except PerfectplayError as error:
            raise RefusedError("illegal", str(error)) from error
        self.offers.clear()

    def _resign(self, event: Event) -> None:
        seat = self._seated(event)
        self._running().resign(self.side_of(seat))
        self.offers.clear()

    def _time(self, event: Event) -> None:
        match = self._on_turn(event)
        assert event.seat is not None
        if self.control is None or event.ms < self.left[event.seat]:
            raise RefusedError("early", "there is time left")
        match.time_out()
        self.offers.clear()

    def _claim(self, event: Event) -> None:
        seat, match = self._seated(event), self._running()
        if self.control is not None:
            raise RefusedError("clock", "the clock decides at this table")
        match.claim(self.side_of(seat))
        self.offers.clear()

    def _offer(self, event: Event) -> None:
        seat = self._seated(event)
        if event.text not in get_args(Offer):
            raise RefusedError("kind", f"unknown offer: {event.text}")
        if event.text in self.offers:
            raise RefusedError("offered", f"this offer is already open: {event.text}")
        if event.text == "rematch":
            if self.status != "over":
                raise RefusedError("running", "a rematch is possible once the game is over")
            if self.games == MOST_GAMES:
                raise RefusedError("games", f"a table can have at most {MOST_GAMES} games")
        else:
            match = self._running()
            if event.text == "takeback" and not match.has_chosen(self.side_of(seat)):
                raise RefusedError("nothing", "you have no move to take back")
        self.offers[event.text] = seat

    def _accept(self, event: Event) -> None:
        offered_by = self._answered(event)
        if event.text == "takeback":
            self._running().undo(self.side_of(offered_by))
        elif event.text == "abandon":
            self._running()
            self.abandoned = True
        else:
            self.begin(self.games + 1)
        self.offers.clear()

    def _decline(self, event: Event) -> None:
        self._answered(event)
        del self.offers[event.text]

    def _close(self, event: Event) -> None:
        if self.closed is not None or self.status == "over":
            raise RefusedError("over", "there is nothing left to close")
        self.closed = event.text or "closed"
        self.offers.clear()

    def _answered(self, event: Event) -> Seat:
        """The seat whose offer is answered, which must be the other one."""
        seat = self._seated(event)
        offered_by = self.offers.get(event.text)
        if offered_by != other(seat):
            raise RefusedError("nothing", f"the other player has not offered that: {event.text}")
        return offered_by

    def _on_turn(self, event: Event) -> Match[Any]:
        seat, match = self._seated(event), self._running()
        if self.seat_of(match.side) != seat:
            raise RefusedError("turn", "it is not your turn")
        return match

    def _running(self) -> Match[Any]:
        if self.status != "running":
            waits = "the game has not begun" if self.status == "open" else "the game is over"
            raise RefusedError(self.status, waits)
        return self._match

    def _seated(self, event: Event) -> Seat:
        if event.seat is None:
            raise RefusedError("seat", "only seated players can do that")
        return event.seat


def late(own: bool) -> RefusedError:
    """The refusal of an event because the time has run out, one's `own` or the other player's."""
    whose = "your" if own else "the other player's"
    return RefusedError("time", f"{whose} time has run out")


def replayed(table: Table, events: Iterable[Event]) -> Table:
    """A table after its events, all of which were accepted before."""
    for event in events:
        table.add(event)
    return table


def most_plies(game: Game[Any]) -> int:
    """The most plies in a game, fewer if its board grows, so that it can always be drawn.

    >>> import perfectplay as pp
    >>> most_plies(pp.load("dual-direction")), most_plies(pp.load("mirror-match"))
    (1000, 200)
    """
    start = game.initial()
    actions = game.legal_actions(start)
    grown = cells(game, game.apply(start, actions[0])) - cells(game, start) if actions else 0
    return min(MOST_PLIES, MOST_CELLS // grown) if grown > 0 else MOST_PLIES


def cells(game: Game[Any], state: Any) -> int:
    """The number of cells in a position."""
    return sum(map(len, game.view(state).rows))
