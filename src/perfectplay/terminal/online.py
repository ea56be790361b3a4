"""A web table in the terminal: a seat at it, or a place to watch from.

What a server says is replayed here by the same rules, event by event, so that a table looks as a game
in line mode does, and a connection that was lost goes on at the very event it stopped at.
"""

import json
import threading
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, NamedTuple

from perfectplay.core.dialogue import Dialogue, Forfeit, Lines, Prompt
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.game import Refusal
from perfectplay.core.match import Match
from perfectplay.core.wording import escaped, listed, quoted
from perfectplay.terminal.commands import AGREED, Command, Commands, told
from perfectplay.terminal.console import Console, EndOfInput
from perfectplay.terminal.desk import Desk, Typed
from perfectplay.web.admission import bounded_game
from perfectplay.web.client import (
    Connection,
    DeniedError,
    Heard,
    Link,
    OnlineError,
    Server,
    UnreachableError,
    forget_token,
    keep_token,
    kept_token,
    read_link,
    seat_file,
)
from perfectplay.web.settings import LONGEST_TEXT
from perfectplay.web.table import Event, Seat, Table

PATIENCE = 120.0
"""Seconds for which a server that was there is looked for."""
LONGEST_WAIT = 5.0
"""Seconds between two attempts to reach it, at most."""
EVENTS_AT_ONCE = 1000

HELP = (
    "Type a move when it is your turn, or at any time one of these:",
    "  help, h, ?  this list",
    "  rules       the rules of the game",
    "  board       the position",
    "  moves       the moves that may be made",
    "  history     the moves so far",
    "  undo, u     take back the first half of a move that needs two answers",
    "  resign      give the game up",
    "  offer WHAT  offer takeback, offer abandon or offer rematch: the other player may agree",
    "  accept      agree to what the other player offers",
    "  decline     do not",
    "  close       leave the game unfinished, if the other player is gone for long",
    "  quit, q     leave; your seat is kept, and the same command goes on from here",
)
_HINTS = "There are no hints in a game against somebody else."
INSTEAD = {
    "hint": _HINTS,
    "why": _HINTS,
    "undo": "Type offer takeback to take a move back, if the other player agrees.",
    "redo": "A move that was taken back is made again by typing it.",
    "save": "The server keeps the table; there is nothing to save.",
    "abandon": "Type offer abandon to leave the game unfinished, if the other player agrees.",
}
"""Commands of line mode that a web table does not have, and what it has."""
COMMANDS = Commands(
    tuple(dict.fromkeys((*Commands.listed_in(HELP).words, *INSTEAD))),
    with_rest=("offer", "accept", "decline", "save", "why"),
)
OFFERS = {
    "takeback": "to take back the last move",
    "abandon": "to leave the game unfinished",
    "rematch": "a rematch",
}


class Wish(NamedTuple):
    """What was asked for and is not answered yet."""

    number: int
    kind: str
    text: str
    at: tuple[int, int]
    """The game and the ply that it was meant for."""

    def is_granted_by(self, event: Event) -> bool:
        """Whether an event of one's own is what was asked for."""
        kind = "move" if event.kind == "forfeit" else event.kind
        return (self.number, self.kind) == (event.number, kind) and (
            kind == "close" or self.text == event.text
        )


class Slip(NamedTuple):
    """A line that is one slip away from a command, until it is known whether the command was meant."""

    line: str
    meant: Command
    at: tuple[int, int]
    """The game and the ply that the line was typed for."""


class OnlineSession:
    """A person at a web table, until they leave or it is closed."""

    def __init__(
        self,
        console: Console,
        link: Link,
        server: Server,
        shape: Any,
        *,
        name: str = "",
        show_board: bool = False,
        patience: float = PATIENCE,
    ) -> None:
        self.link = link
        self.server = server
        self.name = name
        """The name that was asked for; who sits at the table already keeps theirs."""
        self.show_board = show_board
        self.patience = patience
        self.inbox: SimpleQueue[Heard | Typed] = SimpleQueue()
        self.seat, self.present, self.table = self._read_table(shape)
        self.dialogue: Dialogue[Any] = self.table.game.dialogue()
        self.desk = Desk(console, self.inbox)
        self.connection: Connection | None = None
        self.lost_at = 0.0
        self.retry_at = 0.0
        self.wait = 0.0
        self.wish: Wish | None = None
        self.answers: Lines = ()
        self.asked: Lines | None = None
        """The answers whose question stands above."""
        self.slip: Slip | None = None
        self.drawn: Any = None
        """The position that the last lines about the game drew, if they did."""
        self.gone: set[int] = set()
        """Seats of which it was said that their players are gone."""

    def run(self) -> None:
        """Play or watch. EndOfInput leaves the table; errors are those that nothing can be done about."""
        try:
            self._fetch()
            self._connect()
            self._say_name()
            self._say_where()
            while self.table.status != "closed":
                self._ask()
                item = self._next()
                if isinstance(item, Heard):
                    if item.connection is self.connection:
                        self._hear(item.text)
                elif item.line is None:
                    self.desk.say("")
                    raise EndOfInput
                else:
                    self.desk.take(item.line)
                    self._typed(item.line)
        finally:
            if self.connection is not None:
                self.connection.close()

    # The connection

    def _next(self) -> Heard | Typed:
        """What comes next from either side; a connection that is lost is looked for meanwhile."""
        while True:
            wait = None if self.connection is not None else max(0.0, self.retry_at - monotonic())
            try:
                return self.inbox.get(timeout=wait)
            except Empty:
                self._reconnect()

    def _connect(self) -> None:
        self.connection = self.server.connect(self.link.table, self.table.next - 1)
        threading.Thread(target=self.connection.receive_all, args=(self.inbox.put,), daemon=True).start()

    def _reconnect(self) -> None:
        try:
            self._connect()
        except UnreachableError:
            if monotonic() - self.lost_at > self.patience:
                raise
            self.wait = min(LONGEST_WAIT, 2 * self.wait or 0.25)
            self.retry_at = monotonic() + self.wait
        else:
            self.desk.say("Connected again.")

    def _lose(self) -> None:
        if self.connection is not None:
            self.connection.close()
        self.connection = None
        self.lost_at = self.retry_at = monotonic()
        self.wait = 0.0
        self.desk.say("The connection is lost; trying again.")

    def _fetch(self) -> None:
        """Replay what has happened so far and is not known yet, without a word about it."""
        while True:
            found = self.server.get(f"/api/tables/{self.link.table}/events?after={self.table.next - 1}")
            if not isinstance(found, list):
                raise self.server.strange()
            for shape in found:
                self._add(self._read_event(shape))
            if len(found) < EVENTS_AT_ONCE:
                return

    def _add(self, event: Event) -> None:
        try:
            self.table.add(event)
        except PerfectplayError as error:
            raise OnlineError(f"{self.link.url} is played by other rules than here: {error}") from error

    def _read_table(self, shape: Any) -> tuple[Seat | None, list[bool], Table]:
        """One's seat at a table, who is there, and the table before anything has happened at it."""
        try:
            seat, (one, two), players = shape["seat"], shape["present"], shape["players"]
            table = Table(self.link.table, bounded_game(str(shape["game"])), players=(players[0], players[1]))
        except PerfectplayError:
            raise  # a game that is not known here
        except (KeyError, IndexError, TypeError, ValueError):
            raise self.server.strange() from None
        if seat not in (0, 1, None):
            raise self.server.strange()
        return seat, [bool(one), bool(two)], table

    def _read_event(self, shape: Any) -> Event:
        try:
            event = Event(shape["number"], 0.0, shape["seat"], shape["kind"], shape["text"])
        except (KeyError, TypeError):
            raise self.server.strange() from None
        if event.seat not in (0, 1, None) or not isinstance(event.number, int):
            raise self.server.strange()
        if not isinstance(event.text, str) or not isinstance(event.kind, str):
            raise self.server.strange()
        return event

    # What the server says

    def _hear(self, text: str | None) -> None:
        if text is None:
            return self._lose()
        try:
            message = json.loads(text)
            kind = message["type"]
        except (ValueError, RecursionError, KeyError, TypeError):
            raise self.server.strange() from None
        match kind:
            case "event":
                event = self._read_event(message.get("event"))
                if event.number == self.table.next:
                    self._happened(event)
                elif event.number > self.table.next:
                    self._catch_up()
            case "table":
                self._start_over(message.get("table"))
            case "ready" if self.wish is not None:
                self._repeat(self.wish)
            case "present":
                self._hear_who_is_there(message.get("present"))
            case "answer" if self.wish is not None:
                self._hear_answer(self.wish, message)

    def _start_over(self, shape: Any) -> None:
        """The table as a whole: more has happened than is told one by one, or the server has lost some."""
        _, self.present, fresh = self._read_table(shape)
        if not isinstance(shape.get("next"), int) or shape["next"] < self.table.next:
            self.table = fresh
        self._catch_up()

    def _catch_up(self) -> None:
        try:
            self._fetch()
        except UnreachableError:
            return self._lose()
        self._turn_over()
        self._say_where()

    def _repeat(self, wish: Wish) -> None:
        """Ask again for what may have been lost with a connection; a server does nothing twice."""
        if self.table.next == wish.number:
            self._transmit(wish)
        else:
            self._too_late(wish, "something else has happened")

    def _hear_answer(self, wish: Wish, message: Any) -> None:
        if message.get("id") != wish.number:
            return  # of a wish before this one, by way of a connection that was lost
        if message.get("ok") is True:
            if self.table.next > wish.number:
                self.wish = None
        elif message.get("error") == "number":
            self._too_late(wish, str(message.get("text")))
        else:
            self.wish = None
            self.desk.say(_sentence(str(message.get("text"))))

    def _too_late(self, wish: Wish, why: str) -> None:
        """Something came between. What was asked for is asked for again if it still means the same."""
        self.wish = None
        if self.table.next > wish.number and wish.at == self._at:
            self._send(wish.kind, wish.text)
        else:
            self.desk.say(f"That came too late: {escaped(why)}.")

    def _hear_who_is_there(self, present: Any) -> None:
        if not isinstance(present, list) or len(present) != 2:
            raise self.server.strange()
        was, self.present = self.present, [bool(each) for each in present]
        for seat in (0, 1):
            if seat != self.seat and was[seat] and not self.present[seat] and self.table.status == "running":
                self.gone.add(seat)
                self.desk.say(f"{self._name(seat)} is gone.")
            elif seat in self.gone and self.present[seat]:
                self.gone.discard(seat)
                self.desk.say(f"{self._name(seat)} is here again.")

    def _happened(self, event: Event) -> None:
        table = self.table
        before, games, status = table.match and table.match.state, table.games, table.status
        self.drawn = None
        own = event.seat == self.seat and self.wish is not None and self.wish.is_granted_by(event)
        forced = table.must_pass
        if own:
            self.wish = None
        self._add(event)
        who = self._name(event.seat)
        match event.kind:
            case "sit":
                self.desk.say(f"{who} sits down.")
            case "move" | "forfeit":
                self._say_turn(event, before, silent=own or forced)
            case "resign":
                self.desk.say("", f"{who} resigns.")
            case "offer":
                asked = self.seat is not None and event.seat != self.seat
                hint = " Type accept or decline." if asked else ""
                self.desk.say(f"{who} offers {OFFERS[event.text]}.{hint}")
            case "accept":
                self.desk.say(f"{who} agrees to {_called(event.text)}.")
            case "decline":
                self.desk.say(f"{who} does not agree to {_called(event.text)}.")
        if event.kind not in ("offer", "decline"):
            self._turn_over()
        if table.status == "closed":
            self.desk.say(
                f"The table is closed, and its game is left unfinished: {escaped(str(table.closed))}."
            )
        elif table.games > games:
            self._say_seats()
            self._show(self._match.state, *self._dialogue().greeting(self._match.state))
        elif table.status == "over" and status != "over":
            self._say_ending()
        elif event.kind == "accept":
            self._say_board()
        self._say_waiting(event)

    def _say_turn(self, event: Event, before: Any, *, silent: bool) -> None:
        """A turn as line mode shows it: question and answer, unless they stand there, and what follows."""
        dialogue, match = self._dialogue(), self._match
        action = match.last.action
        if not silent:
            typed: Lines = (event.text,) if action is None else dialogue.answers(before, action)
            self.desk.say("")
            answers: Lines = ()
            for answer in typed:
                step = dialogue.ask(before, answers)
                if isinstance(step, Prompt):
                    self.desk.say(*step.lines, step.text + escaped(answer))
                answers = (*answers, answer)
        if action is None:
            self.desk.say(*dialogue.forfeited(before))
        else:
            self._show(match.state, *dialogue.confirm(before, action, match.state))

    def _show(self, state: Any, *lines: str) -> None:
        """Say lines, and remember the position if they draw it."""
        self.desk.say(*lines)
        if self._dialogue().draws(state, lines):
            self.drawn = state

    # What is typed

    def _ask(self) -> None:
        """Put the question that is due, or put it again if something was said since."""
        if self.desk.prompted or self.wish is not None or self.connection is None:
            return
        if self.slip is not None:
            return self.desk.prompt(f"Did you mean {self.slip.meant.word} (y/n)? ")
        if self.table.status == "over":
            return self.desk.prompt(f"What next ({listed(self._choices())})? ")
        if not self._is_own_turn:
            return
        step = self._dialogue().ask(self._match.state, self.answers)
        assert isinstance(step, Prompt)  # an answer that leads to anything else is not kept
        if self.asked != self.answers:
            if not self.answers:
                self.desk.say("")
                state = self._match.state
                if self.show_board and not self.dialogue.question_draws and self.drawn != state:
                    self.desk.say(*self.dialogue.board(state), "")
            self.desk.say(*step.lines)
            self.asked = self.answers
        self.desk.prompt(step.text)

    def _choices(self) -> list[str]:
        if self.seat is None:
            return ["quit"]
        offered_by = self.table.offers.get("rematch")
        if offered_by is None:
            return ["offer rematch", "quit"]
        return ["quit"] if offered_by == self.seat else ["accept", "decline", "quit"]

    def _typed(self, line: str) -> None:
        if self.slip is not None:
            return self._settle(self.slip, line)
        command = COMMANDS.read(line)
        if command is not None and self._command(command):
            return
        near = COMMANDS.nearest(line) if self.desk.interactive else None
        if near is None or self.connection is None or self.wish is not None or self._reads(line):
            return self._take(line)
        self.slip = Slip(line, near, self._at)

    def _settle(self, slip: Slip, answer: str) -> None:
        """Hear whether a command was meant; an answer that is a command itself is carried out instead."""
        agreed = AGREED.get(answer.strip().casefold())
        command = slip.meant if agreed else COMMANDS.read(answer)
        if agreed is None and command is None:
            return  # it is asked again
        self.slip = None
        if command is not None and self._command(command):
            return
        if slip.at == self._at:
            return self._take(slip.line)
        self.desk.say("That came too late: something else has happened.")

    def _take(self, line: str) -> None:
        """A line that is no command."""
        if self._is_own_turn and self.connection is not None and self.wish is None:
            self._answer(line)
        elif line.strip():
            waits = "You are watching" if self.seat is None else "No move of yours is asked for now"
            self.desk.say(f"{waits}; help lists what you can type.")

    def _answer(self, line: str) -> None:
        answers, state = (*self.answers, line), self._match.state
        step = self._dialogue().ask(state, answers)
        if isinstance(step, Prompt):
            self.answers = answers
        elif isinstance(step, Refusal):
            self.desk.say(step.text)
        elif isinstance(step, Forfeit):
            # In quotes it cannot be read as a move, which a line with a number and a place could be.
            self._send("move", quoted(line)[:LONGEST_TEXT])
        else:
            self._send("move", self._match.game.action_text(state, step))

    def _command(self, command: Command) -> bool:
        """Carry a command out; False if it is none here."""
        word, rest = command
        match word:
            case "offer" | "accept" | "decline":
                self._offer_or_answer(word, rest.casefold())
            case "undo" if self.answers:
                self.desk.say(f"Taken back: {escaped(self.answers[-1].strip())}.")
                self.asked = self.answers = self.answers[:-1]
            case _ if word in INSTEAD:
                if self.seat is None or self._reads(f"{word} {rest}".strip()):
                    return False
                self.desk.say(INSTEAD[word])
            case "help":
                self.desk.say(*HELP)
            case "rules":
                from perfectplay.games.rulebook import rulebook
                from perfectplay.terminal.markdown import show_markdown

                show_markdown(self.desk, rulebook(type(self.table.game)), plain=True)
            case "board":
                game, match = self.table.game, self.table.match
                self.desk.say(*self._dialogue().board(game.initial() if match is None else match.state))
            case "moves":
                self._say_moves()
            case "history":
                moves = () if self.table.match is None else self.table.match.record().moves
                self.desk.say(*told(moves))
            case "resign" | "close":
                self._send(word, "")
            case "quit":
                raise EndOfInput
        return True

    def _reads(self, line: str) -> bool:
        """Whether a line, typed now, reads as a move or as the first part of one."""
        return self._is_own_turn and self._dialogue().reads(self._match.state, (*self.answers, line))

    def _offer_or_answer(self, word: str, what: str) -> None:
        if word == "offer":
            if what in OFFERS:
                return self._send(word, what)
            return self.desk.say("Type offer takeback, offer abandon or offer rematch.")
        offered = [each for each, seat in self.table.offers.items() if seat != self.seat]
        if what in offered or (not what and len(offered) == 1):
            self._send(word, what or offered[0])
        elif offered:
            self.desk.say(f"Type {listed([f'{word} {each}' for each in offered])}.")
        else:
            self.desk.say("The other player offers nothing.")

    def _say_moves(self) -> None:
        if self.table.status != "running":
            return self.desk.say("No game is being played.")
        match = self._match
        actions = match.game.legal_actions(match.state)
        moves = ", ".join(self._dialogue().spoken(match.state, each) for each in actions)
        self.desk.say(f"Moves of {match.game.side_names[match.side]}: {moves}")

    def _send(self, kind: str, text: str) -> None:
        if self.seat is None:
            return self.desk.say("You are watching; only the players can do that.")
        if self.connection is None or self.wish is not None:
            return self.desk.say("There is no answer from the server just now; nothing was sent.")
        self.wish = Wish(self.table.next, kind, text, self._at)
        self._transmit(self.wish)

    def _transmit(self, wish: Wish) -> None:
        if self.connection is not None:
            self.connection.send(
                {
                    "do": "event",
                    "number": wish.number,
                    "kind": wish.kind,
                    "text": wish.text,
                    "id": wish.number,
                }
            )

    # What is said around the moves

    def _say_name(self) -> None:
        sits = None if self.seat is None else self.table.names[self.seat]
        if self.name.strip() and sits is not None and sits != self.name.strip():
            self.desk.say(f"You sit here as {escaped(sits)}.")

    def _say_where(self) -> None:
        """Where things stand, for who comes to the table or comes back after long."""
        table = self.table
        self._say_seats()
        if table.match is None:
            self.desk.say("The other seat is free.")
        elif table.match.plies or table.status != "running":
            stands = "goes on" if table.status == "running" else "is over"
            self.desk.say(f"{table.game.title} {stands}.{self._last()}")
            self._say_board()
            if table.status == "over":
                self._say_ending()
        else:
            self._show(table.match.state, *self._dialogue().greeting(table.match.state))
        for what, seat in table.offers.items():
            if seat != self.seat:
                self.desk.say(f"{self._name(seat)} offers {OFFERS[what]}.")
        if table.status == "closed":
            self.desk.say(f"The table is closed: {escaped(str(table.closed))}.")
        self._say_waiting(None)

    def _say_board(self) -> None:
        """The position, unless the question that is asked next shows it."""
        dialogue = self._dialogue()
        if not self._is_own_turn or not (dialogue.question_draws or self.show_board):
            self.desk.say(*dialogue.board(self._match.state))

    def _say_seats(self) -> None:
        table = self.table
        if table.match is not None:
            names = table.match.game.side_names
            seats: tuple[Seat, Seat] = (0, 1)
            sat = [f"{self._name(seat)} is {names[table.seat_of(seat)]}" for seat in seats]
            head = f"Game {table.games}: " if table.games > 1 else ""
            first = names[table.match.game.side_to_move(table.match.game.initial())]
            self.desk.say("", f"{head}{', '.join(sat)}; {first} goes first.", "")

    def _last(self) -> str:
        match = self._match
        plies = [entry for entry in match.history if entry.is_ply]
        if not plies:
            return ""
        line = match.line(plies[-1])
        return f" Last: {line.side}, {line.text}."

    def _say_waiting(self, event: Event | None) -> None:
        """Whom the table waits for, if it is a person and has just begun to."""
        turn = self.table.turn
        passed = event is None or event.kind not in ("offer", "decline")
        if passed and turn is not None and turn != self.seat and self.table.players[turn] is None:
            self.desk.say("", f"Waiting for {self._name(turn)}.")

    def _say_ending(self) -> None:
        match, table = self._match, self.table
        outcome, result = match.game.outcome(match.state), match.result
        if outcome is not None:
            self.desk.say("", *self._dialogue().farewell(match.state, outcome))
        elif result is not None and result.finished:
            self.desk.say("", _sentence(result.text(match.game.side_names)))
        else:
            # Left by both it has no result; at the limit of plies it has one that says so.
            why = table.unfinished if result is None else result.reason
            self.desk.say("", f"The game is left unfinished: {why}.")
        first, second = table.score
        self.desk.say(f"Score: {self._name(0)} {first}, {self._name(1)} {second}.")
        self.desk.say(f"The game with all its moves: {self.link.url}/g/{table.games}")

    def _name(self, seat: int | None) -> str:
        name = None if seat is None else self.table.names[seat]
        shown = "The server" if seat is None else escaped(name or f"seat {seat + 1}")
        return f"{shown} (you)" if seat is not None and seat == self.seat else shown

    def _turn_over(self) -> None:
        self.answers, self.asked = (), None

    def _dialogue(self) -> Dialogue[Any]:
        game = self.table.game if self.table.match is None else self.table.match.game
        if self.dialogue.game != game:
            self.dialogue = game.dialogue()
        self.dialogue.width = self.desk.width
        return self.dialogue

    @property
    def _match(self) -> Match[Any]:
        assert self.table.match is not None
        return self.table.match

    @property
    def _at(self) -> tuple[int, int]:
        return self.table.games, 0 if self.table.match is None else self.table.match.plies

    @property
    def _is_own_turn(self) -> bool:
        # A pass that is forced is the server's to make.
        return self.seat is not None and self.table.turn == self.seat and not self.table.must_pass


def play_online(
    console: Console, url: str, *, name: str = "", show_board: bool = False, patience: float = PATIENCE
) -> None:
    """Take the seat that a link leads to, go on with one that was taken before, or watch."""
    link = read_link(url)
    server, shape = _come_in(console, link, name)
    session = OnlineSession(console, link, server, shape, name=name, show_board=show_board, patience=patience)
    console.say("Type help for commands." if session.seat is not None else "You are watching. quit leaves.")
    goes_on = f"perfectplay play --table {link.url}"
    kept = (
        f"Your seat is kept. Go on by: {goes_on}" if session.seat is not None else "You have left the table."
    )
    try:
        session.run()
    except EndOfInput:
        session.desk.say(kept)
    except KeyboardInterrupt:
        session.desk.say("", kept)
        raise
    except UnreachableError as error:
        raise UnreachableError(f"{error}; the table is kept there, go on by: {goes_on}") from error
    else:
        forget_token(link)  # the table is closed


def _come_in(console: Console, link: Link, name: str) -> tuple[Server, Any]:
    """Whom to be at a table, and the table."""
    path = f"/api/tables/{link.table}"
    token = kept_token(link)
    if token is not None:
        server = Server(link.server, token)
        try:
            shape = server.get(path)
        except DeniedError as error:
            if error.code in ("missing", "token"):
                forget_token(link)
            if error.code != "token":
                raise
        else:
            if link.code is None or (isinstance(shape, dict) and shape.get("seat") is not None):
                return server, shape
    server = Server(link.server, None)
    if link.code is None:
        return server, server.get(path)
    token = server.take_token()
    try:
        # Before it is used: an answer that gets lost must not cost the seat.
        keep_token(link, token)
    except OSError as error:
        console.say(
            f"The seat cannot be kept in {seat_file(link)}: {error.strerror}. It ends with this program."
        )
    try:
        joined = server.post(f"{path}/join", {"code": link.code, "name": name})
    except DeniedError:
        forget_token(link)
        raise
    if not isinstance(joined, dict):
        raise server.strange()
    return server, joined.get("table")


def _called(offer: str) -> str:
    return {"takeback": "the takeback", "abandon": "leaving the game unfinished", "rematch": "the rematch"}[
        offer
    ]


def _sentence(text: str) -> str:
    shown = escaped(text)
    return f"{shown[:1].upper()}{shown[1:]}" + ("" if shown.endswith(".") else ".")
