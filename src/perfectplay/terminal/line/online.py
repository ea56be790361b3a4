"""A web table in the terminal: playing in a seat, or watching."""

from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue

from perfectplay.core.dialogue import Forfeit
from perfectplay.core.formatting import join_words, make_printable, quote
from perfectplay.core.game import Refusal
from perfectplay.online.client import Heard, TableLink, UnreachableError, read_link
from perfectplay.online.remote_table import RemoteTable
from perfectplay.online.seat_tokens import Entrance, MadeTable, enter, forget_token, seat_file
from perfectplay.online.table_news import Happened, Reloaded, TableNews
from perfectplay.tables.limits import LONGEST_TEXT
from perfectplay.tables.time_control import clock_text
from perfectplay.terminal import messages
from perfectplay.terminal.command_parser import AGREED, Commands, TypedCommand, confirm
from perfectplay.terminal.console import Console, EndOfInput
from perfectplay.terminal.line.async_console import AsyncConsole, Typed
from perfectplay.terminal.markdown import show_rulebook
from perfectplay.terminal.move_entry import MoveReader
from perfectplay.terminal.online_display import TableDisplay

COMMANDS = Commands(
    tuple(dict.fromkeys((*Commands.parse_help(messages.ONLINE_HELP).words, *messages.NOT_ONLINE))),
    with_rest=("offer", "accept", "decline", "save", "why"),
)


class Closed(Exception):
    """The table is closed."""


class OnlineSession:
    """A person at a web table, until they leave or it is closed."""

    def __init__(
        self,
        console: Console,
        link: TableLink,
        entrance: Entrance,
        *,
        name: str = "",
        show_board: bool = False,
    ) -> None:
        self.name = name.strip()
        """The name that was asked for; a player who already sits at the table keeps theirs."""
        self.inbox: SimpleQueue[Heard | Typed] = SimpleQueue()
        self.remote = RemoteTable(link, entrance.server, entrance.table, self.inbox.put)
        self.console = AsyncConsole(console, self.inbox, watching=self.remote.seat is None)
        self.display = TableDisplay(self.console, self.remote, show_board=show_board)
        self.turn: MoveReader | None = None
        """One's own turn, once it was asked about."""

    def run(self) -> None:
        """Play or watch. EndOfInput leaves the table; an error ends the session."""
        try:
            self.remote.open()
            seated = None if self.remote.seat is None else self.remote.table.names[self.remote.seat]
            if self.name and seated is not None and seated != self.name:
                self.console.say(f"You sit here as {make_printable(seated)}.")
            self.display.show_table()
            with suppress(Closed):
                while True:
                    self._take_line(self._read(self._question))
        finally:
            self.remote.close()

    def _read(self, question: Callable[[], str]) -> str:
        """The next line that is typed, below the question that is due by then. Shows news meanwhile."""
        while self.remote.table.status != "closed":
            if not self.console.prompted and self.remote.is_ready and (due := question()):
                self.console.prompt(due)
            item = self._next()
            if isinstance(item, Heard):
                for news in self.remote.hear(item):
                    self._hear(news)
            elif item.line is None:
                self.console.say("")
                raise EndOfInput
            else:
                self.console.take(item.line)
                return item.line
        raise Closed

    def _answer_to(self, question: str) -> str:
        return self._read(lambda: question)

    def _next(self) -> Heard | Typed:
        """The next message or line. A lost connection is restored meanwhile."""
        while True:
            try:
                return self.inbox.get(timeout=self.remote.retry_in)
            except Empty:
                if self.remote.reconnect():
                    self.console.say("Reconnected.")

    def _hear(self, news: TableNews) -> None:
        # An offer or its refusal changes nothing about a move that is half typed.
        if isinstance(news, Reloaded) or (
            isinstance(news, Happened) and news.event.kind not in ("offer", "decline")
        ):
            self.turn = None
        self.display.show(news)

    # Questions

    def _question(self) -> str:
        """The question that is due; empty if nothing is asked."""
        if self.remote.table.status == "over":
            return f"What next ({join_words(self._choices())})? "
        if not self.remote.is_own_turn:
            return ""
        turn = self._turn()
        if turn.is_new:
            self.console.say("")
            self.display.show_before_question()
        prompt = turn.prompt()
        self.console.say(*prompt.lines)
        left = None if self.remote.seat is None else self.remote.time_left(self.remote.seat)
        return ("" if left is None else f"[{clock_text(left)}] ") + prompt.text

    def _choices(self) -> list[str]:
        if self.remote.seat is None:
            return ["review", "quit"]
        offered_by = self.remote.table.offers.get("rematch")
        if offered_by is None:
            return ["offer rematch", "review", "quit"]
        answers = [] if offered_by == self.remote.seat else ["accept", "decline"]
        return [*answers, "review", "quit"]

    def _turn(self) -> MoveReader:
        dialogue = self.display.dialogue  # asked for each time: the terminal may have another width by now
        state = self.display.match.state
        if self.turn is None or self.turn.state != state:
            self.turn = MoveReader(dialogue, state)
        return self.turn

    # Lines that were typed

    def _take_line(self, line: str) -> None:
        command = COMMANDS.read(line) or self._agreement(line)
        if command is not None and self._carry_out(command):
            return
        near = COMMANDS.nearest(line) if self.console.interactive else None
        if near is None or not self.remote.is_ready or self._reads(line):
            return self._answer(line)
        moment = self.remote.moment
        command = COMMANDS.confirm(near, self._answer_to)
        if command is not None and self._carry_out(command):
            return
        if moment == self.remote.moment:
            return self._answer(line)
        self.console.say(messages.too_late())

    def _agreement(self, line: str) -> TypedCommand | None:
        """The command that a yes or a no stands for: an answer to an offer, or yes to another game."""
        agreed = AGREED.get(line.strip().casefold())
        if agreed is None or self.remote.seat is None or self._reads(line):
            return None
        if any(seat != self.remote.seat for seat in self.remote.table.offers.values()):
            return TypedCommand("accept" if agreed else "decline")
        again = agreed and self.remote.table.status == "over"
        return TypedCommand("offer", "rematch") if again else None

    def _answer(self, line: str) -> None:
        if not self.remote.is_own_turn or not self.remote.is_ready:
            waits = "You are watching" if self.remote.seat is None else "You are not asked for a move now"
            return self.console.say(*([f"{waits}; help lists what you can type."] if line.strip() else []))
        step = self._turn().answer(line)
        if isinstance(step, Refusal):
            self.console.say(step.text)
        elif isinstance(step, Forfeit):
            # In quotes it cannot be read as a move, as a line with a number and a place could be.
            self.display.send("move", quote(line)[:LONGEST_TEXT])
        elif step is not None:
            match = self.display.match
            self.display.send("move", match.game.action_text(match.state, step))

    def _reads(self, line: str) -> bool:
        """Whether a line, typed now, reads as a move or as the first part of one."""
        return self.remote.is_own_turn and self._turn().reads(line)

    # Commands

    def _carry_out(self, command: TypedCommand) -> bool:
        """Carry out a command; False if the line is not one here."""
        word, rest = command
        table = self.remote.table
        asked = ""
        if self.console.interactive and self.remote.seat is not None and table.status == "running":
            ends = word == "offer" and rest.casefold() == "abandon" and self.display.ends_at_once
            asked = messages.RESIGN if word == "resign" else messages.ABANDON if ends else ""
        match word:
            case _ if asked and not confirm(self._answer_to, asked):
                pass
            case "offer" | "accept" | "decline":
                self.display.offer_or_answer(word, rest.casefold())
            case "undo" if self.turn is not None and self.turn.answers:
                self.console.say(messages.describe_takeback(self.turn.take_back()))
            case _ if word in messages.NOT_ONLINE:
                if self.remote.seat is None or self._reads(f"{word} {rest}".strip()):
                    return False
                self.console.say(messages.NOT_ONLINE[word])
            case "help":
                self.console.say(*messages.ONLINE_HELP)
            case "review":
                self.display.review()
            case "rules":
                show_rulebook(self.console, table.game, plain=True)
            case "board":
                state = table.game.initial() if table.match is None else table.match.state
                self.console.say(*self.display.dialogue.board(state))
            case "moves":
                self.display.say_moves()
            case "history":
                self.console.say(*messages.history(() if table.match is None else table.match.record().moves))
            case "resign" | "claim" | "close":
                self.display.send(word, "")
            case "quit":
                raise EndOfInput
        return True


def play_online(
    console: Console, url: str, *, made: MadeTable | None = None, name: str = "", show_board: bool = False
) -> None:
    """Take the seat that a link leads to, return to one that was taken earlier, or watch.

    `made` is a table that was made just now, whose link for the opponent is printed.
    """
    link = read_link(url)
    if made is not None:
        console.say(messages.invite(made.invitation))
    entrance = enter(link, name) if made is None else made.entrance
    if entrance.unsaved is not None:
        where = f"Your seat cannot be saved in {seat_file(link)}"
        console.say(f"{where}: {entrance.unsaved}. You lose it when this program ends.")
    session = OnlineSession(console, link, entrance, name=name, show_board=show_board)
    seated = session.remote.seat is not None
    console.say("Type help for commands." if seated else "You are watching. quit leaves.")
    parting = messages.explain_return(link.url, seated=seated)
    try:
        session.run()
    except EndOfInput:
        session.console.say(parting)
    except KeyboardInterrupt:
        session.console.say("", parting)
        raise
    except UnreachableError as error:
        again = messages.join_again(link.url)
        raise UnreachableError(f"{error}; your table is kept there, return to it by: {again}") from error
    else:
        forget_token(link)  # the table is closed
