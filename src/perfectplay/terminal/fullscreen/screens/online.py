"""Online: a web table on the full screen, over the same client as in line mode."""

from functools import cached_property
from typing import Any, ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from perfectplay.core.endings import verdict
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.formatting import quote
from perfectplay.core.game import Action
from perfectplay.core.match import Match
from perfectplay.core.outcome import SIDES
from perfectplay.online.client import Heard, TableLink, read_link
from perfectplay.online.remote_table import RemoteTable
from perfectplay.online.seat_tokens import MadeTable, enter, forget_token
from perfectplay.online.table_news import Happened, Lost, Reloaded, TableNews
from perfectplay.tables.limits import LONGEST_TEXT
from perfectplay.tables.time_control import clock_text
from perfectplay.terminal import messages
from perfectplay.terminal.fullscreen.screens.board_screen import BoardScreen
from perfectplay.terminal.fullscreen.screens.review import ReviewScreen
from perfectplay.terminal.limits import MOST_TABLE_LINES
from perfectplay.terminal.online_display import TableDisplay

WHEN = {
    **dict.fromkeys(("takeback", "abandon", "resign", "claim"), ("running",)),
    "close": ("open", "running"),
    "rematch": ("over",),
    "review": ("over", "closed"),
}
"""In which states of a table a key does something."""
LATER = {"rematch": "A rematch comes after the game.", "review": "The review comes after the game."}


class OnlineScreen(BoardScreen):
    """A person at a web table, in a seat or watching."""

    newest_last = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "offer('takeback')", "Take back", tooltip="Ask to take a move back"),
        Binding("n", "offer('rematch')", "Rematch", tooltip="Offer a rematch"),
        Binding("y", "answer('accept')", "Accept"),
        Binding("d", "answer('decline')", "Decline"),
        Binding("i", "review", "Review", tooltip="Step through the mistakes of the game"),
        Binding("a", "offer('abandon')", "Abandon", show=False, tooltip="Offer to end it unfinished"),
        Binding("x", "resign", "Resign", show=False),
        Binding(
            "c", "send('claim')", "Claim", show=False, tooltip="End it unfinished: your opponent is away"
        ),
        Binding("z", "send('close')", "Close table", show=False, tooltip="End it, and close the table"),
        Binding("q", "leave", "Leave", tooltip="Leave; your seat is kept"),
    ]

    class Arrived(Message):
        """The server has sent something."""

        def __init__(self, heard: Heard) -> None:
            self.heard = heard
            super().__init__()

    def __init__(self, url: str, name: str = "", made: MadeTable | None = None) -> None:
        """`made` is a table that was just made, whose link the opponent waits for."""
        super().__init__()
        self._made = made
        self.link: TableLink = read_link(url)
        self.name_given = name.strip()
        self._remote: RemoteTable | None = None
        self.problem = ""
        self._reconnecting = False

    @property
    def remote(self) -> RemoteTable:
        """The table, once it is entered: see `is_ready`."""
        assert self._remote is not None
        return self._remote

    @property
    def match(self) -> Match[Any]:
        return self.remote.table.match or self._nothing

    @cached_property
    def _nothing(self) -> Match[Any]:
        """What is shown while nobody sits opposite."""
        return Match(self.remote.table.game)

    @cached_property
    def words(self) -> TableDisplay:
        """The words about the table."""
        return TableDisplay(self, self.remote, draws=True)

    width: int | None = None
    """Lines are folded by the screen."""

    # The connection

    def on_mount(self) -> None:
        self.run_worker(self._enter, thread=True, exit_on_error=False, group="enter")
        self.set_interval(0.25, self._check)

    def on_unmount(self) -> None:
        if self.is_ready:
            self.remote.close()
            if self.remote.table.status == "closed":
                forget_token(self.link)

    def _enter(self) -> None:
        """Take the seat, or watch. Runs in a thread: the server may be slow."""
        try:
            entrance = enter(self.link, self.name_given) if self._made is None else self._made.entrance
            remote = RemoteTable(
                self.link,
                entrance.server,
                entrance.table,
                lambda heard: self.post_message(self.Arrived(heard)),
            )
            remote.open()
        except (PerfectplayError, OSError) as error:
            return self.app.call_from_thread(self._fail, str(error))
        self.app.call_from_thread(self._open, remote, entrance.unsaved)

    def _fail(self, problem: str) -> None:
        self.problem = messages.sentence(problem)
        self.fullscreen.fail(self, self.problem)

    def _open(self, remote: RemoteTable, unsaved: str | None) -> None:
        self._remote = remote
        if unsaved is not None:
            self.say(f"Your seat cannot be saved: {unsaved}. You lose it when this program ends.")
        self.words.show_table()
        self.say(*self._invitation())
        self._renew()

    def _invitation(self) -> list[str]:
        """The link for the opponent, until there is one."""
        waits = self._made is not None and self.remote.table.match is None
        return [messages.invite(self._made.invitation)] if self._made and waits else []

    def on_online_screen_arrived(self, event: "OnlineScreen.Arrived") -> None:
        if not self.is_ready:
            return
        try:
            for news in self.remote.hear(event.heard):
                self._hear(news)
        except PerfectplayError as error:
            return self._fail(str(error))
        self._renew()

    def _hear(self, news: TableNews) -> None:
        if isinstance(news, Reloaded | Lost) or (
            isinstance(news, Happened) and news.event.kind not in ("offer", "decline")
        ):
            self.asking.stop()
            self.asking.drop_question()
        self.words.show(news)
        if isinstance(news, Happened) and news.event.kind in ("move", "forfeit"):
            self.show_move()

    def _check(self) -> None:
        """Look for a lost server again, when it is time, and let clocks run."""
        if not self.is_ready:
            return
        if self.remote.table.control is not None:
            self.show_title()
        if self.remote.retry_in == 0.0 and not self._reconnecting:
            self._reconnecting = True
            self.run_worker(self._reconnect, thread=True, exit_on_error=False, group="reconnect")

    def _reconnect(self) -> None:
        try:
            back = self.remote.reconnect()
        except PerfectplayError as error:
            return self.app.call_from_thread(self._fail, str(error))
        self._reconnecting = False
        if back:
            self.app.call_from_thread(self.say, "Reconnected.")
            self.app.call_from_thread(self._renew)

    # Showing

    def say(self, *lines: str) -> None:
        """Show lines below those before; the oldest go."""
        if not self.is_ready:
            return
        self.asking.drop_question()
        drawn = set(self.dialogue.board(self.match.state))
        fresh = [line for line in lines if line.strip() and line not in (*drawn, *self._lines[-1:])]
        self._lines = (*self._lines, *fresh)[-MOST_TABLE_LINES:]
        self.show_lines()

    def _renew(self) -> None:
        """Ask for a move if it is due, and show everything."""
        reader = self.asking.entry.reader
        if not self.remote.is_own_turn or not self.remote.is_ready:
            self.asking.stop()
        elif reader is None or reader.state != self.match.state:
            self.asking.ask()
        self.show()

    @property
    def is_ready(self) -> bool:
        return self._remote is not None

    def why_not(self, action: str) -> str:
        if not self.is_ready:
            return "" if action in ("leave", "help") else "Still connecting."
        answers = action in ("accept", "decline")
        if self.remote.seat is None and (answers or action in WHEN) and action != "review":
            return messages.WATCHING
        if self.remote.table.status not in WHEN.get(action, (self.remote.table.status,)):
            return LATER.get(action, messages.NO_GAME)
        return messages.NO_OFFER if answers and not self.words.offered else ""

    def say_why(self, why: str) -> None:
        self.say(why)

    def explain_key(self, key: str) -> str:
        return super().explain_key(key) if self.is_ready else "Still connecting."

    def heading(self) -> list[str]:
        table = self.remote.table
        score = f"score {messages.score((self.words.name(0), self.words.name(1)), table.score)}"
        left = [(self.words.name(seat), self.remote.time_left(seat)) for seat in SIDES]
        clocks = [f"{name} {clock_text(seconds)}" for name, seconds in left if seconds is not None]
        times = f"time {', '.join(clocks)}" if clocks else ""
        return [table.game.title, times, score if table.games else "", "web table"]

    def headline(self) -> str:
        table, result = self.remote.table, self.match.result
        if result is None or table.status != "over":
            return ""
        seat = self.remote.seat
        names = [self.words.name(table.seat_of(side)) for side in (0, 1)]
        return verdict(result, names, None if seat is None else table.side_of(seat))

    def describe_wait(self) -> str:
        table = self.remote.table
        if self.remote.retry_in is not None:
            return "Connection lost. Trying to reconnect."
        if table.status == "closed":
            return "The table is closed. q leaves."
        if self._invitation():
            return "Nobody has opened the link yet; k copies it."
        if table.match is None:
            return "The other seat is free: your opponent opens the same link."
        if table.status == "over":
            return "n offers a rematch, y accepts one, i reviews the game, q leaves."
        watching = " You are watching." if self.remote.seat is None else ""
        return f"Waiting for {self.words.name(table.turn)}.{watching}"

    # Moves and requests

    def play(self, action: Action) -> None:
        match = self.match
        self.words.send("move", match.game.action_text(match.state, action))
        self.show_status()

    def forfeit(self, text: str, line: str) -> None:
        # In quotes it cannot be read as a move, as a line with a number and a place could be.
        self.words.send("move", quote(line)[:LONGEST_TEXT])

    def action_offer(self, what: str) -> None:
        if what == "abandon" and self.words.ends_at_once and not self.asking.confirm("a"):
            return
        self.words.offer_or_answer("offer", what)

    def action_answer(self, word: str) -> None:
        self.words.offer_or_answer(word, self.words.offered[-1])

    def action_resign(self) -> None:
        if self.asking.confirm("x"):
            self.words.send("resign", "")

    def action_copy_record(self) -> None:
        self.copy(self._made.invitation if self._made and self._invitation() else self.link.url, "The link")

    def action_review(self) -> None:
        self.app.push_screen(ReviewScreen(self.match, self.words.side_names))

    def action_send(self, kind: str) -> None:
        self.words.send(kind, "")

    def action_leave(self) -> None:
        if self.is_ready:
            left = messages.explain_return(self.link.url, seated=self.remote.seat is not None)
            self.fullscreen.farewell = [*self._invitation(), left]
        super().action_leave()
