"""What a terminal shows of a web table: events, positions, seats and endings."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, Protocol

from perfectplay.core.dialogue import Dialogue, Lines
from perfectplay.core.formatting import join_words, make_printable
from perfectplay.core.match import ABANDON_FROM, Match
from perfectplay.core.outcome import SIDES, Side
from perfectplay.online.remote_table import RemoteTable
from perfectplay.online.table_news import Happened, Lost, Presence, Refused, Reloaded, TableNews, TooLate
from perfectplay.tables.events import Event
from perfectplay.tables.time_control import clock_text
from perfectplay.terminal import journal_file, messages
from perfectplay.terminal.contestants import YOU


class Speaker(Protocol):
    """Where lines are shown: a console, or a screen."""

    @property
    def width(self) -> int | None:
        """The columns that there are; None for any number."""

    def say(self, *lines: str) -> None:
        """Show lines."""


@dataclass(eq=False)
class TableDisplay:
    """Shows a table at a console, as line mode shows a game."""

    console: Speaker
    remote: RemoteTable
    _: KW_ONLY
    show_board: bool = False
    draws: bool = False
    """Whether the console is a screen: it shows the board by itself, and takes single keys."""
    _drawn: Any = None
    """The position that the last lines about the game drew, if they did."""

    @property
    def match(self) -> Match[Any]:
        """The game being played, or the last one."""
        assert self.remote.table.match is not None
        return self.remote.table.match

    @property
    def dialogue(self) -> Dialogue[Any]:
        """The words of the game, for the present width of the terminal."""
        table = self.remote.table
        return (table.match or table).game.dialogue().fold_to(self.console.width)

    def name(self, seat: int | None) -> str:
        """What the player in a seat is called."""
        if seat is None:
            return "The server"
        shown = make_printable(self.remote.table.names[seat] or f"seat {seat + 1}")
        return f"{shown} (you)" if seat == self.remote.seat else shown

    def show(self, news: TableNews) -> None:
        """Show what is new."""
        match news:
            case Happened():
                self._show_event(news)
            case Reloaded():
                self.show_table()
            case Presence(left, back):
                self.console.say(*(f"{self.name(seat)} disconnected." for seat in left))
                self.console.say(*(f"{self.name(seat)} reconnected." for seat in back))
            case Refused(why):
                self.console.say(messages.sentence(why))
            case TooLate(why):
                self.console.say(messages.too_late(why or messages.OVERTAKEN))
            case Lost():
                self.console.say("Connection lost. Trying to reconnect.")

    # The table as it is

    def show_table(self) -> None:
        """Show where things stand, to a player who arrives or has missed too much."""
        table = self.remote.table
        self._show_seating()
        if table.match is None:
            self.console.say("The other seat is free.")
        elif table.match.plies or table.status != "running":
            stands = "is in progress" if table.status == "running" else "is over"
            self.console.say(f"{table.game.title} {stands}.{messages.last_move(table.match)}")
            self._show_position()
            if table.status == "over":
                self._show_ending()
        else:
            self._greet()
        for what in self.offered:
            self.console.say(f"{self.name(table.offers[what])} offers {messages.OFFERS[what]}.")
        if table.status == "closed":
            self.console.say(f"The table is closed: {make_printable(str(table.closed))}.")
        self._show_waiting()

    def show_before_question(self) -> None:
        """With `show_board`, draw the position before a question, unless it is drawn anyway."""
        state = self.match.state
        if self.show_board and not self.dialogue.question_draws and self._drawn != state:
            self.console.say(*self.dialogue.board(state), "")

    def _show_position(self) -> None:
        if not self.remote.is_own_turn or not (self.dialogue.question_draws or self.show_board):
            self.console.say(*self.dialogue.board(self.match.state))

    def _show_seating(self) -> None:
        table = self.remote.table
        if table.match is None:
            return
        game = table.match.game
        pairs = [(self.name(seat), game.side_names[table.side_of(seat)]) for seat in SIDES]
        starter = game.side_names[game.side_to_move(game.initial())]
        number = f"Game {table.games}" if table.games > 1 else ""
        self.console.say("", messages.seating(pairs, starter, number), "")

    def _show_waiting(self) -> None:
        """Say who is to move, if it is another person."""
        table = self.remote.table
        if table.turn is not None and table.turn != self.remote.seat and table.players[table.turn] is None:
            left = self.remote.time_left(table.turn)
            time = "" if left is None else f", who has {clock_text(left)} left"
            self.console.say("", f"Waiting for {self.name(table.turn)}{time}.")

    def _show_ending(self) -> None:
        table = self.remote.table
        sides = (self.name(table.seat_of(0)), self.name(table.seat_of(1)))
        self.console.say("", *messages.ending(self.dialogue, self.match, sides))
        self.console.say(f"Score: {messages.score((self.name(0), self.name(1)), table.score)}.")
        self.console.say(f"The game with all its moves: {self.remote.link.url}/g/{table.games}")

    # What happens

    def _show_event(self, news: Happened) -> None:
        event, table = news.event, self.remote.table
        self._drawn = None
        name = self.name(event.seat)
        match event.kind:
            case "sit":
                self.console.say(f"{name} sits down.")
            case "move" | "forfeit":
                self._show_turn(event, news.before, echo=not news.requested and not news.forced)
            case "offer":
                asked = self.remote.seat is not None and event.seat != self.remote.seat
                how = " y accepts, d declines." if self.draws else " Type accept or decline."
                self.console.say(f"{name} offers {messages.OFFERS[event.text]}.{how if asked else ''}")
            case "accept":
                self.console.say(f"{name} accepted {messages.ANSWERED[event.text]}.")
            case "decline":
                self.console.say(f"{name} declined {messages.ANSWERED[event.text]}.")
        if table.status == "closed":
            why = make_printable(str(table.closed))
            self.console.say(f"The table is closed, and its game is left unfinished: {why}.")
        elif news.begins:
            self._show_seating()
            self._greet()
        elif news.ends:
            self._show_ending()
            self.note()
        elif event.kind == "accept":
            self._show_position()
        elif (
            event.kind in ("move", "forfeit") and self.match.positions.count(self.match.state) == ABANDON_FROM
        ):
            how = messages.PRESS_A if self.draws else "Type offer abandon to end the game unfinished."
            self.console.say(messages.REPEATED if self.remote.seat is None else f"{messages.REPEATED} {how}")
        if event.kind not in ("offer", "decline"):
            self._show_waiting()

    def _greet(self) -> None:
        if not self.draws:
            self._say(self.match.state, *self.dialogue.greeting(self.match.state))

    @property
    def opponents(self) -> dict[Side, str]:
        """The side played here, with the spec of the opponent; empty for a watcher."""
        table, seat = self.remote.table, self.remote.seat
        return {} if seat is None else {table.side_of(seat): table.players[1 - seat] or "human"}

    @property
    def side_names(self) -> tuple[str, str]:
        """What the two sides are called in the middle of a sentence."""
        seats = [self.remote.table.seat_of(side) for side in SIDES]
        one, two = (YOU if seat == self.remote.seat else self.name(seat) for seat in seats)
        return one, two

    @property
    def offered(self) -> list[str]:
        """What the other player offers."""
        return [what for what, seat in self.remote.table.offers.items() if seat != self.remote.seat]

    def review(self) -> None:
        """Say how well the game was played that is over."""
        table = self.remote.table
        if table.match is None or table.status == "running":
            return self.console.say("The review comes after the game.")
        lines, _ = journal_file.review(self.match, {}, self.side_names)
        self.console.say(*(lines or ("This game is too large to be reviewed.",)))

    def note(self) -> None:
        """Add a game that is over to the journal of this machine."""
        if self.opponents:
            _, journal = journal_file.review(self.match, self.opponents)
            self.console.say(*journal_file.note(journal))

    def _show_turn(self, event: Event, before: Any, *, echo: bool) -> None:
        """Show a turn as line mode does: questions and answers if they are to be echoed, and what follows."""
        dialogue, match = self.dialogue, self.match
        action = match.last.action
        if self.draws:
            return self.console.say(messages.announce_move(self.name(event.seat), match.line(match.last)))
        if echo:
            answers: Lines = (event.text,) if action is None else dialogue.answers(before, action)
            self.console.say("", *messages.echo_turn(dialogue, before, answers))
        if action is None:
            self.console.say(*dialogue.forfeit(before))
        else:
            said = dialogue.confirm(before, action, match.state)
            if event.seat != self.remote.seat:  # "You" is whoever sits here
                mover = dialogue.mover(before)
                said = tuple(f"{mover} {line[4:]}" if line.startswith("You ") else line for line in said)
            self._say(match.state, *said)

    @property
    def ends_at_once(self) -> bool:
        """Whether an offer to end the game needs nobody's answer: a computer agrees to everything."""
        table, seat = self.remote.table, self.remote.seat
        return seat is not None and table.status == "running" and table.players[1 - seat] is not None

    # What is said to a player's requests

    def offer_or_answer(self, word: str, what: str) -> None:
        """Offer something, or accept or decline what the other player offers."""
        if word == "offer":
            if what in messages.OFFERS:
                return self.send(word, what)
            return self.console.say("Type offer takeback, offer abandon or offer rematch.")
        offered = self.offered
        if what in offered or (not what and len(offered) == 1):
            self.send(word, what or offered[0])
        elif offered:
            self.console.say(f"Type {join_words([f'{word} {each}' for each in offered])}.")
        else:
            self.console.say(messages.NO_OFFER)

    def say_moves(self) -> None:
        """List the legal moves."""
        if self.remote.table.status != "running":
            return self.console.say(messages.NO_GAME)
        dialogue, state = self.dialogue, self.match.state
        self.console.say(f"Moves of {dialogue.mover(state)}: {messages.legal_moves(dialogue, state)}")

    def send(self, kind: str, text: str) -> None:
        """Send a request to the server, or say why that is not possible."""
        if self.remote.seat is None:
            self.console.say(messages.WATCHING)
        elif not self.remote.send(kind, text):
            self.console.say("The server does not answer at the moment; nothing was sent.")

    def _say(self, state: Any, *lines: str) -> None:
        """Say lines, and remember the position if they draw it."""
        self.console.say(*lines)
        if self.dialogue.draws(state, lines):
            self._drawn = state
