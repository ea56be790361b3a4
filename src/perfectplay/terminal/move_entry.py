"""The turn of a person: its questions and answers, whole or by single keys. It knows no screen."""

import re
from typing import Any, Literal, NamedTuple

from perfectplay.core.dialogue import Dialogue, Forfeit, Lines, Prompt
from perfectplay.core.errors import ParseError
from perfectplay.core.formatting import join_words, quote
from perfectplay.core.game import Action, Refusal
from perfectplay.terminal.command_parser import Commands
from perfectplay.terminal.limits import MOST_EXPLAINED_MOVES, MOST_TYPED_MOVES

ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
NOTHING = Commands(())


class MoveReader:
    """One turn of a person: which question is due, and what an answer leads to."""

    def __init__(self, dialogue: Dialogue[Any], state: Any) -> None:
        self.dialogue = dialogue
        self.state = state
        self.answers: Lines = ()
        """The answers that were accepted so far and do not make a move yet."""
        self._asked: Lines | None = None

    @property
    def is_new(self) -> bool:
        """Whether nothing has been asked yet."""
        return self._asked is None

    def prompt(self) -> Prompt:
        """The question that is due. Its lines come once, not again after a refusal or a command."""
        prompt = self.dialogue.ask(self.state, self.answers)
        assert isinstance(prompt, Prompt)  # an answer that leads to anything else is not kept
        again = self._asked == self.answers
        self._asked = self.answers
        return prompt._replace(lines=()) if again else prompt

    def answer(self, line: str) -> Action | Forfeit | Refusal | None:
        """What a line leads to: a move, a lost turn or a refusal; None if another question follows."""
        answers = (*self.answers, line)
        step = self.dialogue.ask(self.state, answers)
        if not isinstance(step, Prompt):
            return step
        self.answers = answers
        return None

    def reads(self, line: str) -> bool:
        """Whether a line reads as a move, legal or not, or as the beginning of one."""
        return self.dialogue.reads(self.state, (*self.answers, line))

    def take_back(self) -> str:
        """Take back the last answer, and return it."""
        *kept, answer = self.answers
        self._asked = self.answers = tuple(kept)
        return answer


class Effect(NamedTuple):
    """What a key or a click leads to."""

    kind: Literal["typed", "point", "cycle", "move", "refused", "forfeit", "command", "say", "taken back"]
    value: Any = None
    """The direction or step of the choice, the move, the command, or the text to say."""
    action: Action | None = None
    """The move that was refused, if the text names one."""


class MoveEntry:
    """The answers of a person so far, and the one being typed. `press` takes a key."""

    def __init__(self, commands: Commands = NOTHING) -> None:
        """`commands` are words that can be typed besides moves."""
        self.commands = commands
        self.reader: MoveReader | None = None
        """Reads the answers of the turn, while the person is asked for a move."""
        self.typed = ""

    @property
    def _turn(self) -> MoveReader:
        assert self.reader is not None  # only asked for while a move is due
        return self.reader

    @property
    def answers(self) -> Lines:
        """The answers that were accepted so far and do not make a move yet."""
        return () if self.reader is None else self.reader.answers

    def ask(self, dialogue: Dialogue[Any], state: Any) -> None:
        """Ask for a move in a position."""
        self.reader, self.typed = MoveReader(dialogue, state), ""

    def stop(self) -> None:
        """Ask no more; a command that is being typed stays."""
        self.reader = None

    def question(self) -> tuple[str, str, str]:
        """The question, the answer so far, and how to answer."""
        mover, prompt = self._turn.dialogue.mover(self._turn.state), self._prompt().text
        question = prompt if prompt.startswith(mover) else f"{mover}: {prompt}"
        answers = "".join(f"{answer} " for answer in self.answers)
        hint = "" if answers or self.typed else self._how_to_type()
        return question, answers + self.typed, hint

    def preview(self) -> Action | None:
        """The move that Enter would make of what is typed."""
        step = self._step(self.typed)
        return step if isinstance(step, int) else None

    def press(
        self,
        key: str,
        character: str | None = None,
        *,
        live: bool = True,
        bound: bool = False,
        chosen: Action | None = None,
    ) -> Effect | None:
        """Take a key; None leaves it to the screen.

        `live`: whether moves can be made in the position that is shown. `bound`: whether the key has a
        meaning of its own. `chosen`: the move that the arrow keys have chosen.
        """
        live = live and self.reader is not None
        if character and character.isalpha() and live and self._leads_on():
            self._answer(self.typed)  # the letter begins the next answer, or is a key
        if character and bound and self._begins_no_word(character, live):
            return None
        if key == "escape" and self.typed:
            return self._type("")
        if key == "enter" and self.typed:
            return self._submit(live)
        if character and (self.typed or (character == ":" and self.commands.words)):
            return self._type(self.typed + character)
        return self._press_at_board(key, character, chosen) if live else None

    def _press_at_board(self, key: str, character: str | None, chosen: Action | None) -> Effect | None:
        if key in ARROWS:
            if self._leads_on():
                self._answer(self.typed)
            self.typed = ""
            return Effect("point", ARROWS[key])
        if key in ("tab", "shift+tab"):
            return Effect("cycle", 1 if key == "tab" else -1)
        if key in ("enter", "space"):
            if chosen is not None:
                return self.choose(chosen)
            if not self.answers:
                return Effect("say", "Choose a move first: with the arrow keys, or type it.")
            answers = join_words(sorted({answer for _, answer in self._continuations()}))
            more = f"One more answer is needed: type {answers}, or choose with the arrow keys."
            return Effect("say", more)
        if key == "backspace":
            return self._type(self.typed[:-1]) if self.typed or not self.answers else self.take_back()
        letters = {text[:1].casefold() for text in self._texts_of_moves()}
        if character and (character.isdigit() or character.casefold() in letters):
            return self._type(character)
        return None

    def choose(self, action: Action) -> Effect:
        """Make a move, or say which rule forbids it."""
        refusal = self._turn.dialogue.game.refusal(self._turn.state, action)
        if refusal is not None:
            return Effect("refused", refusal, action)
        self.reader, self.typed = None, ""
        return Effect("move", action)

    def take_back(self) -> Effect:
        """Take back the last answer of a move that needs several."""
        return Effect("taken back", self._turn.take_back())

    def open_moves(self) -> frozenset[Action]:
        """The legal moves that fit the answers so far."""
        return frozenset(action for action, _ in self._continuations())

    def _type(self, text: str) -> Effect:
        self.typed = text
        return Effect("typed")

    def _submit(self, live: bool) -> Effect:
        text, self.typed = self.typed, ""
        command = self.commands.read(text.removeprefix(":"))
        if command is not None:
            return Effect("command", command)
        if text.startswith(":"):
            return Effect("say", f"There is no command {quote(text.removeprefix(':'))}; ? shows the keys.")
        return self._answer(text) if live else Effect("typed")

    def _answer(self, text: str) -> Effect:
        self.typed = ""
        step = self._turn.answer(text)
        if step is None:
            return Effect("typed")
        if isinstance(step, Forfeit):
            return Effect("forfeit", (step.text, text))
        if isinstance(step, Refusal):
            return Effect("refused", step, self._find_action(text))
        return self.choose(step)

    def _find_action(self, text: str) -> Action | None:
        try:
            return self._turn.dialogue.game.parse_action(self._turn.state, text)
        except ParseError:
            return None

    def _step(self, text: str) -> object:
        """What a text would lead to as the next answer."""
        if self.reader is None or not text or text.startswith(":"):
            return None
        return self._turn.dialogue.ask(self._turn.state, (*self.answers, text))

    def _leads_on(self) -> bool:
        """Whether what is typed is an answer that another question follows."""
        return isinstance(self._step(self.typed), Prompt)

    def _prompt(self) -> Prompt:
        prompt = self._turn.dialogue.ask(self._turn.state, self.answers)
        assert isinstance(prompt, Prompt)
        return prompt

    def _begins_no_word(self, character: str, live: bool) -> bool:
        """Whether nothing that can be typed begins with what is typed and this character."""
        if not self.typed or self.typed.startswith(":"):
            return False
        words: list[str] = []
        if live:
            offered = re.findall(r"\w+", re.sub("[()]", "", self._prompt().text))  # (B)eginning or (E)nd
            words = [*self._texts_of_moves(), *offered, *self.commands.words]
        text = f"{self.typed}{character}".casefold()
        return not any(word.casefold().startswith(text) for word in words)

    def _how_to_type(self) -> str:
        dialogue, state = self._turn.dialogue, self._turn.state
        moves = dialogue.game.legal_actions(state)[:MOST_EXPLAINED_MOVES]
        typed = {dialogue.answers(state, move): dialogue.game.action_text(state, move) for move in moves}
        if any(len(answers) > 1 or answers[0] == text for answers, text in typed.items()):
            return ""
        return f" ({', '.join(f'{answer}: {text}' for (answer,), text in typed.items())})"

    def _continuations(self) -> list[tuple[Action, str]]:
        """The legal moves that fit the answers so far, each with the answer that comes next."""
        dialogue, state = self._turn.dialogue, self._turn.state
        given = tuple(answer.strip().casefold() for answer in self.answers)
        found = []
        for action in dialogue.game.legal_actions(state)[:MOST_TYPED_MOVES]:
            answers = dialogue.answers(state, action)
            if len(answers) > len(given) and tuple(map(str.casefold, answers[: len(given)])) == given:
                found.append((action, answers[len(given)]))
        return found

    def _texts_of_moves(self) -> list[str]:
        """What can be typed for legal moves: answers to the question and, at the first one, their names."""
        game, state = self._turn.dialogue.game, self._turn.state
        texts = [answer for _, answer in self._continuations()]
        if not self.answers:
            texts += [game.action_text(state, each) for each in game.legal_actions(state)[:MOST_TYPED_MOVES]]
        return texts
