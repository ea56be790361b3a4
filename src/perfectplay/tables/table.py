"""A table: two seats and what has happened at it. No input or output.

A table is defined by its events, which are numbered from 1 and never changed. Replaying them by the same
rules as everywhere else gives the games, the score, the open offers and the time that is left: an event
says how long it was waited for. To save memory, neither the events nor the moves of earlier games are
kept after that.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from perfectplay.core.errors import ForfeitError, PerfectplayError
from perfectplay.core.game import Game
from perfectplay.core.match import Match
from perfectplay.core.outcome import Side, other
from perfectplay.core.record import Record, SeriesPlace
from perfectplay.core.series import Series
from perfectplay.tables.events import KINDS, Event, Offer, RefusedError, Seat, late_error, seat_of
from perfectplay.tables.limits import ALWAYS, MOST_EVENTS, MOST_GAMES, most_plies
from perfectplay.tables.time_control import TimeControl

Status = Literal["open", "running", "over", "closed"]


@dataclass(slots=True)
class Table:
    """The state of a table after its events. `players` are specs of computer players; None is a person."""

    id: str
    game: Game[Any]
    seed: int = 0
    players: tuple[str | None, str | None] = (None, None)
    control: TimeControl | None = None
    """The time that the players have; None if there is no clock."""
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
    """Whether both have agreed to leave the last game unfinished. A computer player agrees to everything."""
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
        return None if self.status != "running" else self.seat_of(self.game_on.side)

    @property
    def unfinished(self) -> str | None:
        """Why the last game ended without a result, if it was abandoned or the table was closed."""
        if not self.abandoned:
            return self.closed
        return "abandoned by agreement" if self.players == (None, None) else "abandoned"

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
        return self.status == "running" and self.game_on.game.is_forced_pass(self.game_on.state)

    @property
    def game_on(self) -> Match[Any]:
        """The match, where it is known that a game has begun."""
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
        # Made when needed: it only gives the rules of a series, and would be as large as the rest of a table.
        most, players = most_plies(self.game), self._specs()
        series: Series[Any] = Series(self.game, players=players, seed=self.seed, max_plies=most)
        self._won = list(self.score)
        self.games = number
        self.abandoned = False
        self._swapped = series.swaps_seats(number)
        if self.control is not None:
            self.left = [self.control.full, self.control.full]
        self.match = series.match(number)

    def replay(self, events: Iterable[Event]) -> "Table":
        """Add events that were all accepted before."""
        for event in events:
            self.add(event)
        return self

    def take(self, match: Match[Any], *, swapped: bool) -> None:
        """Show a game that was played elsewhere, as if it were the first of this table."""
        self.games, self.match, self._swapped = 1, match, swapped

    def record(self) -> Record:
        """The last game as a separate record."""
        place = SeriesPlace(swapped=self._swapped)
        return replace(self.game_on.record(), players=self._specs(), place=place)

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
            raise late_error(event.seat == turn)
        forced = turn is not None and self.control is not None and self.must_pass
        undone = self._undone_by(event)
        happened = getattr(self, f"_{event.kind}")(event)
        recorded: Event = event if happened is None else happened
        self.next += 1
        if event.kind not in ("sit", "offer", "decline", "assisted"):
            self.offers.clear()
        if turn is not None:
            self._spend(turn, recorded, forced=forced, undone=undone)
        return recorded._replace(game=self.games)

    def is_late(self, event: Event) -> bool:
        """Whether the time of the player to move ran out before an event."""
        turn = self.turn
        if self.control is None or turn is None or event.kind in ("time", "close"):
            return False
        return event.ms >= self.left[turn]

    def _undone_by(self, event: Event) -> list[Seat]:
        """Whose choices an event takes back, at a table with a clock."""
        asking = self.offers.get("takeback")
        if self.control is None or asking is None or (event.kind, event.text) != ("accept", "takeback"):
            return []
        chosen = [self.seat_of(entry.side) for entry in self.game_on.history if self.game_on.is_choice(entry)]
        return chosen[-1 - chosen[::-1].index(asking) :]

    def _spend(self, turn: Seat, event: Event, *, forced: bool, undone: list[Seat]) -> None:
        """Take the time that an event was waited for from the clock of the seat that was to move."""
        self.waited = self.waited + event.ms if self.turn == turn and event.seat != turn else 0
        if self.control is None:
            return
        moved = event.kind in ("move", "forfeit") and not forced
        self.left[turn] = self.control.charge(self.left[turn], event.ms, moved=moved)
        if undone:
            self.left = [self.control.refund(self.left[seat], undone.count(seat)) for seat in (0, 1)]

    # What each kind of event does. A refused event raises before it changes anything.

    def _sit(self, event: Event) -> None:
        seat = seat_of(event)
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
            match.play(match.game.parse_action(match.state, event.text))
        except ForfeitError:
            match.forfeit()
            return event._replace(kind="forfeit")
        except PerfectplayError as error:
            raise RefusedError("illegal", str(error)) from error
        return event._replace(text=match.line(match.last).text)

    def _forfeit(self, event: Event) -> None:
        match = self._on_turn(event)
        try:
            match.forfeit()
        except PerfectplayError as error:
            raise RefusedError("illegal", str(error)) from error

    def _resign(self, event: Event) -> None:
        seat = seat_of(event)
        self._require_running().resign(self.side_of(seat))

    def _time(self, event: Event) -> None:
        match = self._on_turn(event)
        assert event.seat is not None
        if self.control is None or event.ms < self.left[event.seat]:
            raise RefusedError("early", "there is time left")
        match.time_out()

    def _claim(self, event: Event) -> None:
        seat, match = seat_of(event), self._require_running()
        if self.control is not None:
            raise RefusedError("clock", "the clock decides at this table")
        match.claim(self.side_of(seat))

    def _assisted(self, event: Event) -> None:
        self._on_turn(event).assist(self.side_of(seat_of(event)))

    def _offer(self, event: Event) -> None:
        seat = seat_of(event)
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
            match = self._require_running()
            if event.text == "takeback" and not match.has_chosen(self.side_of(seat)):
                raise RefusedError("nothing", "you have no move to take back")
        self.offers[event.text] = seat

    def _accept(self, event: Event) -> None:
        offered_by = self._check_offer(event)
        if event.text == "takeback":
            self._require_running().undo(self.side_of(offered_by))
        elif event.text == "abandon":
            self._require_running()
            self.abandoned = True
        else:
            self.begin(self.games + 1)

    def _decline(self, event: Event) -> None:
        self._check_offer(event)
        del self.offers[event.text]

    def _close(self, event: Event) -> None:
        if self.closed is not None or self.status == "over":
            raise RefusedError("over", "there is nothing left to close")
        self.closed = event.text or "closed"

    def _check_offer(self, event: Event) -> Seat:
        """The seat whose offer is answered, which must be the other one."""
        offered_by = other(seat_of(event))
        if self.offers.get(event.text) != offered_by:
            raise RefusedError("nothing", f"the other player has not offered that: {event.text}")
        return offered_by

    def _on_turn(self, event: Event) -> Match[Any]:
        seat, match = seat_of(event), self._require_running()
        if self.seat_of(match.side) != seat:
            raise RefusedError("turn", "it is not your turn")
        return match

    def _require_running(self) -> Match[Any]:
        if self.status != "running":
            begun = self.status != "open"
            raise RefusedError(self.status, "the game is over" if begun else "the game has not begun")
        return self.game_on
