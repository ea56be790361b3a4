"""Making moves on a board: by arrow keys, by the mouse, or typed as in line mode."""

import re
from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.events import Key
from textual.reactive import var

from perfectplay.core.dialogue import Forfeit, Lines, Prompt
from perfectplay.core.errors import ParseError
from perfectplay.core.game import Action, Refusal
from perfectplay.core.wording import join_words, quote
from perfectplay.terminal import messages
from perfectplay.terminal.fullscreen.screens.board_screen import BoardScreen
from perfectplay.terminal.fullscreen.widgets.board import Board
from perfectplay.terminal.fullscreen.widgets.rules import RulesPanel
from perfectplay.terminal.move_reader import MoveReader

ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
MOST_EXPLAINED = 4
"""Moves for which it is said what to type."""
MOST_LETTERS = 2000
"""Moves that are looked at to learn which letters begin one."""
RESIGN = "Do you want to resign? x again resigns; anything else goes on."
FORFEIT = "Sending it costs you the turn: Enter sends it anyway, any other key goes back."


class AskingScreen(BoardScreen):
    """A board at which a person is asked for moves. Subclasses say what a move does."""

    commands: ClassVar[tuple[str, ...]] = ()
    """Words that can be typed besides moves."""
    resigning = var(False, init=False)
    """Whether the person is asked about resigning: until the next key, message or other position."""
    forfeiting: var[tuple[str, str] | None] = var(None, init=False)
    """What is wrong with a line, and the line, while the person is asked whether to lose the turn over it."""

    def __init__(self) -> None:
        super().__init__()
        self.typed = ""
        """The answer that is being typed."""
        self.turn: MoveReader | None = None
        """The turn of the person at the keyboard, while it is theirs."""
        self._letters: frozenset[str] | None = None

    @abstractmethod
    def play(self, action: Action) -> None:
        """Make a legal move of the person whose turn it is."""

    def forfeit(self, text: str, line: str) -> None:
        """The person loses the turn over an invalid line; `text` says what is wrong with it."""

    def command(self, text: str) -> bool:
        """Carry out a typed command: False if it is not one."""
        return False

    def show(self) -> None:
        super().show()
        if self.is_asked and self.turn is not None and self.turn.answers:
            self.board.narrow(self._open_moves())

    def status(self) -> Text:
        if self.turn is None or self.shown is not None:
            return super().status()
        if self.typed.startswith(":"):
            return Text.assemble(self.typed, ("▏", "blink"))
        step = self.dialogue.ask(self.turn.state, self.turn.answers)
        assert isinstance(step, Prompt)
        said = "".join(f"{answer} " for answer in self.turn.answers)
        hint = "" if said or self.typed else self._how_to_type()
        mover = self.dialogue.mover(self.match.state)
        question = step.text if step.text.startswith(mover) else f"{mover}: {step.text}"
        return Text.assemble(question, (f"{said}{self.typed}▏", "bold"), (hint, "dim"))

    # Choosing and typing

    @property
    def is_asked(self) -> bool:
        """Whether the person is asked for a move, and the position on the board is the one."""
        return self.turn is not None and self.shown is None

    def ask(self) -> None:
        """Ask the person for a move."""
        self.turn, self.typed, self._letters = MoveReader(self.dialogue, self.match.state), "", None

    def _how_to_type(self) -> str:
        """What to type for each move, where that is not its name."""
        state = self.match.state
        moves = self.match.game.legal_actions(state)[:MOST_EXPLAINED]
        typed = {
            self.dialogue.answers(state, move): self.match.game.action_text(state, move) for move in moves
        }
        if any(len(answers) > 1 or answers[0] == text for answers, text in typed.items()):
            return ""
        return f" ({', '.join(f'{answer}: {text}' for (answer,), text in typed.items())})"

    def on_board_chosen(self, event: Board.Chosen) -> None:
        self.choose(event.action)

    def choose(self, action: Action) -> None:
        """Make a move, or say which rule forbids it."""
        if not self.is_asked:
            return
        refusal = self.match.game.refusal(self.match.state, action)
        if refusal is not None:
            return self.refuse(refusal, action)
        self.turn, self.typed = None, ""
        self.play(action)

    def refuse(self, refusal: Refusal, action: Action | None = None) -> None:
        """Say which rule forbids a move, beside the board and on it."""
        self.say(refusal.text)
        self.board.refuse(action)
        rule = None if action is None else self.match.game.refusal(self.match.state, action)
        self.query_one(RulesPanel).point_at(rule or refusal)

    def said(self) -> Lines:
        if self.forfeiting is not None:
            return (f"{self.forfeiting[0]} {FORFEIT}",)
        return (RESIGN,) if self.resigning else super().said()

    def watch_resigning(self) -> None:
        self.show_lines()

    def watch_forfeiting(self) -> None:
        self.show_lines()

    def ask_no_more(self) -> None:
        """Drop the question about resigning or losing the turn."""
        self.resigning, self.forfeiting = False, None

    def say(self, *lines: str) -> None:
        self.ask_no_more()
        super().say(*lines)

    def looked(self) -> None:
        self.ask_no_more()

    def on_key(self, event: Key) -> None:
        forfeiting, self.forfeiting = self.forfeiting, None
        if forfeiting is not None and event.key == "enter":
            self.forfeit(*forfeiting)
            taken = True
        else:
            taken = self._pressed(event)
        if taken or event.key != "x":
            self.resigning = False
        if taken:
            event.stop()
            event.prevent_default()

    def _pressed(self, event: Key) -> bool:
        """Take a key that belongs to a move; False leaves it to the bindings."""
        key, character = event.key, event.character if event.is_printable else None
        if character and character.isalpha() and self.is_asked and self._leads_on(self.typed):
            self._submit(self.typed)  # the letter begins the next answer, or is a key
        if character and self._stays_a_key(key, character):
            return False
        if key == "escape" and self.typed:
            self._type("")
        elif key == "enter" and self.typed:
            self._submit(self.typed)
        elif character and (self.typed or character == ":"):
            self._type(self.typed + character)
        elif not self.is_asked:
            return False
        elif key in ARROWS:
            self._point(*ARROWS[key])
        elif key in ("tab", "shift+tab"):
            self.board.cycle(1 if key == "tab" else -1)
        elif key in ("enter", "space"):
            self._confirm()
        elif key == "backspace":
            self._rub_out()
        elif character and (character.isdigit() or character.casefold() in self._first_letters()):
            self._type(character)
        else:
            return False
        return True

    def _stays_a_key(self, key: str, character: str) -> bool:
        """Whether a key keeps its meaning while something is typed: with it, the text could not be a move."""
        if not self.typed or self.typed.startswith(":") or key not in self._bindings.key_to_bindings:
            return False
        text = f"{self.typed}{character}".casefold()
        return not any(word.casefold().startswith(text) for word in self._words())

    def _confirm(self) -> None:
        """Make the chosen move, or say how to choose one."""
        if self.board.chosen is not None:
            return self.choose(self.board.chosen)
        assert self.turn is not None
        if not self.turn.answers:
            return self.say("Choose a move first: with the arrow keys, or type it.")
        answers = join_words(sorted({answer for _, answer in self._continuations()}))
        self.say(f"One more answer is needed: type {answers}, or choose with the arrow keys.")

    def unused(self, key: str) -> str:
        if self.is_asked or (key.isalpha() and len(key) == 1):
            return super().unused(key)
        if self.shown is not None:
            return "This is an earlier position; Esc goes back to the last."
        return self.idle()

    def idle(self) -> str:
        """Why no move can be made in the last position."""
        return "The game is over." if self.match.result is not None else "It is not your turn yet."

    def help_lines(self) -> Sequence[tuple[str, str]]:
        asked = [("← →", "Choose"), ("Enter", "Move"), ("0-9 a", "Type a move")] if self.is_asked else []
        return (*asked, (":", "Type command"))

    def _point(self, dx: int, dy: int) -> None:
        """Move the choice; a first answer that was typed is taken before."""
        if self.typed and self._leads_on(self.typed):
            self._submit(self.typed)
        self._type("")
        self.board.move_choice(dx, dy)

    def _type(self, text: str) -> None:
        self.typed = text
        if self.turn is not None and text and not text.startswith(":"):
            step = self.dialogue.ask(self.turn.state, (*self.turn.answers, text))
            self.board.choose(step if isinstance(step, int) else None)
        self.show_status()

    def _rub_out(self) -> None:
        if self.typed:
            self._type(self.typed[:-1])
        elif self.turn is not None and self.turn.answers:
            self.take_back_answer()

    def take_back_answer(self) -> None:
        """Take back the first half of a move that needs two answers."""
        assert self.turn is not None
        self.say(messages.taken_back(self.turn.take_back()))
        self._letters = None
        self.show()

    def _leads_on(self, text: str) -> bool:
        """Whether a text is an answer that another question follows."""
        if self.turn is None or not text or text.startswith(":"):
            return False
        return isinstance(self.dialogue.ask(self.turn.state, (*self.turn.answers, text)), Prompt)

    def _submit(self, text: str) -> None:
        self._type("")
        if self.command(text.removeprefix(":")):
            return
        if text.startswith(":"):
            return self.say(f"There is no command {quote(text.removeprefix(':'))}; ? shows the keys.")
        if not self.is_asked:
            return
        assert self.turn is not None
        step = self.turn.answer(text)
        if step is None:
            self._letters = None
            self.show()
        elif isinstance(step, Refusal):
            self.refuse(step, self._named(text))
        elif isinstance(step, Forfeit) and self.match.forgiving:
            self.say(f"{step.text} Choose again.")
        elif isinstance(step, Forfeit):
            self.forfeiting = step.text, text
        else:
            self.choose(step)

    def _named(self, text: str) -> Action | None:
        """The move that a refused text names, if it names one."""
        try:
            return self.match.game.parse_action(self.match.state, text)
        except ParseError:
            return None

    def _continuations(self) -> list[tuple[Action, str]]:
        """The legal moves that fit the answers so far, each with the answer that comes next."""
        assert self.turn is not None
        given = tuple(answer.strip().casefold() for answer in self.turn.answers)
        found = []
        for action in self.match.game.legal_actions(self.match.state)[:MOST_LETTERS]:
            answers = self.dialogue.answers(self.match.state, action)
            if len(answers) > len(given) and tuple(map(str.casefold, answers[: len(given)])) == given:
                found.append((action, answers[len(given)]))
        return found

    def _open_moves(self) -> frozenset[Action]:
        return frozenset(action for action, _ in self._continuations())

    def _texts_of_moves(self) -> list[str]:
        """What can be typed for legal moves: answers to the question and, at the first one, their names."""
        assert self.turn is not None
        game, state = self.match.game, self.match.state
        texts = [answer for _, answer in self._continuations()]
        if not self.turn.answers:
            texts += [game.action_text(state, a) for a in game.legal_actions(state)[:MOST_LETTERS]]
        return texts

    def _words(self) -> list[str]:
        """Everything that can be typed now: moves, commands, and what the question itself offers."""
        if not self.is_asked:
            return []
        assert self.turn is not None
        step = self.dialogue.ask(self.turn.state, self.turn.answers)
        assert isinstance(step, Prompt)
        offered = re.findall(r"\w+", re.sub("[()]", "", step.text))  # as in (B)eginning or (E)nd
        return [*self._texts_of_moves(), *offered, *self.commands]

    def _first_letters(self) -> frozenset[str]:
        """The letters that begin a move; any other letter is a command."""
        if self._letters is None:
            self._letters = frozenset(text[:1].casefold() for text in self._texts_of_moves() if text)
        return self._letters
