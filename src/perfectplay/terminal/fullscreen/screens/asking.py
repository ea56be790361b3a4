"""Asks the person at a board for moves, and asks back before a resignation or a lost turn."""

from typing import TYPE_CHECKING

from rich.text import Text
from textual.events import Key

from perfectplay.core.game import Action, Refusal
from perfectplay.terminal import messages
from perfectplay.terminal.command_parser import Commands
from perfectplay.terminal.fullscreen.widgets.rules import RulesPanel
from perfectplay.terminal.move_entry import NOTHING, Effect, MoveEntry

if TYPE_CHECKING:
    from perfectplay.terminal.fullscreen.screens.board_screen import BoardScreen

CONFIRM = {
    "x": "Do you want to resign? x again resigns, any other key cancels.",
    "a": "Do you want to end the game unfinished? a again ends it, any other key cancels.",
}
"""What is asked before a key does something that cannot be undone."""
FORFEIT = "Sending it costs you the turn: Enter sends it anyway, any other key cancels."


class Asking:
    """Takes the keys and clicks of a screen with a board, and has it make the moves they lead to."""

    def __init__(self, screen: "BoardScreen", commands: Commands = NOTHING) -> None:
        self.screen = screen
        self.entry = MoveEntry(commands)
        self.confirming = ""
        """The key that the person is asked to press again: until the next key, message or other position."""
        self.forfeiting: tuple[str, str] | None = None
        """What is wrong with a line, and the line, while the person is asked whether to lose the turn."""

    @property
    def is_due(self) -> bool:
        """Whether a move of the person is waited for."""
        return self.entry.reader is not None

    @property
    def is_live(self) -> bool:
        """Whether it is, and the position on the board is the one to move in."""
        return self.is_due and self.screen.shown is None

    def ask(self) -> None:
        """Ask for a move in the last position."""
        self.entry.ask(self.screen.dialogue, self.screen.match.state)

    def stop(self) -> None:
        """Ask for no move."""
        self.entry.stop()

    def drop_question(self) -> None:
        """Ask no more about a key or losing the turn."""
        if self.question():
            self.confirming, self.forfeiting = "", None
            self.screen.show_lines()

    def question(self) -> str:
        """What the person is asked back before something that cannot be undone."""
        if self.forfeiting is not None:
            return f"{self.forfeiting[0]} {FORFEIT}"
        return CONFIRM.get(self.confirming, "")

    def confirm(self, key: str) -> bool:
        """Whether the person has pressed a key again, to resign or abandon; asks the first time."""
        sure = self.confirming == key
        self.confirming = "" if sure else key
        self.screen.show_lines()
        return sure

    def status(self) -> Text | None:
        """The line below the board; None if nothing is typed or asked for."""
        if self.entry.typed.startswith(":"):
            return Text.assemble(self.entry.typed, ("▏", "blink"))
        if not self.is_live:
            return None
        question, answer, hint = self.entry.question()
        return Text.assemble(question, (f"{answer}▏", "bold"), (hint, "dim"))

    def press(self, event: Key) -> bool:
        """Take a key that belongs to a move or a question; False leaves it to the bindings."""
        forfeiting, confirming = self.forfeiting, self.confirming
        answers = self.entry.answers
        self.forfeiting = None
        effect = None
        if forfeiting is not None and event.key == "enter":
            self.drop_question()
            self.screen.forfeit(*forfeiting)
            taken = True
        else:
            effect = self.entry.press(
                event.key,
                event.character if event.is_printable else None,
                live=self.is_live,
                bound=event.key in self.screen.bound_keys,
                chosen=self.screen.board.look.chosen,
            )
            stays = bool(forfeiting or confirming) and event.key == "q"  # goes back, and no further
            taken = effect is not None or stays
        if taken or event.key != self.confirming:
            self.confirming = ""
        if (forfeiting, confirming) != (self.forfeiting, self.confirming):
            self.screen.show_lines()
        if self.entry.answers != answers and self.is_due:
            self.screen.show()
        if effect is not None:
            self._carry_out(effect)
        return taken

    def choose(self, action: Action | None) -> None:
        """Make a move that was chosen on the board, or say which rule forbids it; None for no move."""
        if self.is_live:
            screen = self.screen
            nowhere = Effect(
                "say", f"No move leads there. {screen.dialogue.list_allowed(screen.match.state)}"
            )
            self._carry_out(nowhere if action is None else self.entry.choose(action))

    def take_back_answer(self) -> bool:
        """Take back the first half of a move that needs two answers; False if there is none."""
        if self.entry.answers:
            self._carry_out(self.entry.take_back())
            return True
        return False

    def _carry_out(self, effect: Effect) -> None:
        screen = self.screen
        screen.show_status()
        match effect:
            case Effect("typed") if self.entry.typed and not self.entry.typed.startswith(":") and self.is_due:
                screen.board.choose(self.entry.preview())
            case Effect("point", (dx, dy)):
                screen.board.move_choice(dx, dy)
            case Effect("cycle", step):
                screen.board.cycle(step)
            case Effect("move", action):
                screen.play(action)
            case Effect("refused", refusal, action):
                self._refuse(refusal, action)
            case Effect("forfeit", (text, _)) if screen.match.forgiving:
                screen.say(f"{text} Choose again.")
            case Effect("forfeit", (text, line)):
                self.forfeiting = text, line
                screen.show_lines()
            case Effect("command", command):
                screen.command(command)
            case Effect("say", text):
                screen.say(text)
            case Effect("taken back", answer):
                screen.say(messages.describe_takeback(answer))
                screen.show()

    def _refuse(self, refusal: Refusal, action: Action | None) -> None:
        self.screen.say(refusal.text)
        self.screen.board.refuse(action)
        match = self.screen.match
        rule = None if action is None else match.game.refusal(match.state, action)
        self.screen.query_one(RulesPanel).point_at(rule or refusal)
