"""What a game is: pure functions over immutable states. Everything else is derived from these."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from operator import index
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Self, TypeVar

from perfectplay.core.errors import IllegalActionError, ParseError, WrongTypeError
from perfectplay.core.formatting import join_words, make_printable, quote
from perfectplay.core.outcome import Outcome, Side, other
from perfectplay.core.parts import class_beside
from perfectplay.core.spec import Parameters, parameter
from perfectplay.core.view import View

if TYPE_CHECKING:
    from perfectplay.core.array_rules import ArrayRules
    from perfectplay.core.dialogue import Dialogue
    from perfectplay.core.texts import GameTexts
    from perfectplay.core.theory import Theory

__all__ = ["PASS", "Action", "Game", "Outcome", "Refusal", "Side", "other", "parameter"]

Action = int
"""A move as a whole number below `Game.num_actions`."""
S = TypeVar("S", bound=Hashable)

PASS = "pass"
"""The event of a move that only passes the turn."""

new_state = tuple.__new__
"""Makes a NamedTuple from a tuple of its fields, twice as fast as calling its class."""

GAME_OVER = "game-over"
"""The refusal of every move in a finished game; no game needs to declare it."""


def whole_number(value: object) -> int | None:
    """A whole number of any type (NumPy's included) as an int; None for anything else.

    True and False do not count as numbers: passing one as an action is a mistake.
    """
    if isinstance(value, bool):
        return None
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


class Refusal(NamedTuple):
    """Which rule forbids a move, by its declared name and in a sentence.

    >>> import perfectplay as pp
    >>> game = pp.load("bit-flip:bits=5")
    >>> game.refusal(game.parse_state("01000 2"), 2)
    Refusal(rule='adjacent', text='Bit 2 is next to bit 1, already 1.')
    """

    rule: str
    text: str


@dataclass(frozen=True)
class Game(Parameters, ABC, Generic[S]):
    """A two-player game of perfect information without chance.

    A subclass is a frozen dataclass whose fields are the game's parameters. Its states are hashable
    and immutable, ideally NamedTuples; its actions are the whole numbers below `num_actions`.
    `perfectplay.check_game` checks that a game keeps the laws everything else relies on.
    """

    title: ClassVar[str]
    event_names: ClassVar[tuple[str, ...]] = ()
    outcome_reasons: ClassVar[tuple[str, ...]]
    refusal_names: ClassVar[tuple[str, ...]] = ("illegal",)

    @property
    def side_names(self) -> tuple[str, str]:
        """The names of the two sides, side 0 first."""
        return ("Player 1", "Player 2")

    @property
    @abstractmethod
    def num_actions(self) -> int:
        """The number of actions; every action is below it."""

    @abstractmethod
    def initial(self) -> S:
        """The position the game starts from."""

    @abstractmethod
    def side_to_move(self, state: S) -> Side:
        """Whose turn it is; in a finished position, whose turn it would have been."""

    @abstractmethod
    def legal_actions(self, state: S) -> tuple[Action, ...]:
        """The legal actions, ascending; empty exactly when the game is over."""

    @abstractmethod
    def apply(self, state: S, action: Action) -> S:
        """The position after a legal action. Does not check that it is legal; `play` does."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    @abstractmethod
    def action_text(self, state: S, action: Action) -> str:
        """The move as a person would write it; unique among the actions of a position."""

    @abstractmethod
    def state_text(self, state: S) -> str:
        """The position on one line."""

    @abstractmethod
    def parse_state(self, text: str) -> S:
        """Read a position written by `state_text`. Raises ParseError if the text is not valid."""

    @abstractmethod
    def view(self, state: S) -> View:
        """The position as data to draw."""

    def events(self, state: S, action: Action) -> tuple[str, ...]:
        """Other effects of a legal action, by their declared names."""
        return ()

    def parse_action(self, state: S, text: str) -> Action:
        """The action that a text names, legal or not: its exact text or an unambiguous abbreviation.

        Case and surrounding blanks are ignored. Raises ParseError if the text names no action.
        """
        typed = text.strip().casefold()
        texts = [self.action_text(state, a).casefold() for a in range(self.num_actions)]
        if typed in texts:
            return texts.index(typed)
        started = [action for action, each in enumerate(texts) if typed and each.startswith(typed)]
        if len(started) != 1:
            raise self.unreadable(state, text)
        return started[0]

    def unreadable(self, state: S, text: str) -> ParseError:
        """The error for a text that is not a move here; it lists the legal moves, its `reason` does not."""
        reason = f"{quote(text)} is not a move here."
        return ParseError(f"{reason} {self.list_allowed(state)}", reason=reason)

    def misread(self, text: str, expected: str) -> ParseError:
        """The error for a text that is not a position; it says what was expected, and shows the start."""
        start = quote(self.state_text(self.initial()))
        return ParseError(f"{quote(text)} is not a valid position: expected {expected}, as in {start}")

    def list_allowed(self, state: S, limit: int = 20) -> str:
        """A sentence that lists the legal moves, or the first few if there are very many."""
        actions = self.legal_actions(state)
        texts = [self.action_text(state, action) for action in actions[:limit]]
        if len(actions) > limit:
            return f"Allowed: {', '.join(texts)}, ... ({len(actions)} moves)."
        return f"Allowed: {join_words(texts)}." if texts else "The game is over."

    def refusal(self, state: S, action: Action) -> Refusal | None:
        """Which rule forbids an action; None exactly when it is legal."""
        if action in self.legal_actions(state):
            return None
        if self.outcome(state) is not None:
            return Refusal(GAME_OVER, "The game is over.")
        return self.prohibition(state, action)

    def prohibition(self, state: S, action: Action) -> Refusal:
        """Which rule forbids an action known to be illegal, in a game that is not over."""
        return Refusal("illegal", f"{self.action_text(state, action)} is not legal here.")

    def after_forfeit(self, state: S) -> S | None:
        """The position after an invalid move that costs the turn; None if the player is asked again."""
        return None

    @property
    def forfeit_limit(self) -> int | None:
        """How many invalid turns in a row lose the game for a player; None for no limit."""
        return None

    def play(self, state: S, action: Action) -> S:
        """Check an action, a whole number of any type, and return the position after it."""
        number = whole_number(action)
        if number is None:
            raise IllegalActionError(f"action {make_printable(repr(action)[:40])} is not a whole number")
        if not 0 <= number < self.num_actions:
            raise IllegalActionError(f"action {number} is not from 0 to {self.num_actions - 1}")
        action = number
        refusal = self.refusal(state, action)
        if refusal is not None:
            move, position = self.action_text(state, action), self.state_text(state)
            reason = f"{quote(move)} at {quote(position, 80)}: {refusal.text}"
            raise IllegalActionError(f"{reason} {self.list_allowed(state)}", reason=reason)
        return self.apply(state, action)

    def canonical(self, state: S) -> S:
        """The representative of all positions equal by symmetry; by default the position itself."""
        return state

    def readings(self) -> Mapping[str, tuple[str, ...]]:
        """For each parameter that settles an unclear rule, its readings, the default first."""
        return {}

    def starting(self, side: Side) -> Self | None:
        """The same game with `side` to move first; None when the rules fix who starts."""
        choices = self.choices("first")
        return replace(self, **{"first": choices[side]}) if choices else None

    def is_forced_pass(self, state: S) -> bool:
        """Whether the side to move can do nothing but pass."""
        actions = self.legal_actions(state)
        return len(actions) == 1 and PASS in self.events(state, actions[0])

    # What follows is found in modules of these names beside the rules, `theory.py` for example.

    def dialogue(self) -> "Dialogue[S]":
        """The words used to play the game in a terminal."""
        from perfectplay.core.dialogue import Dialogue

        return (class_beside(type(self), "dialogue", Dialogue) or Dialogue)(self)

    def texts(self) -> "GameTexts[Any]":
        """What people read about the game: instructions, presets, how it ended."""
        from perfectplay.core.texts import GameTexts

        return (class_beside(type(self), "texts", GameTexts) or GameTexts)(self)

    def theory(self) -> "Theory[S] | None":
        """A theory that gives the value of any position; None if the game has none."""
        from perfectplay.core.theory import Theory

        kind = class_beside(type(self), "theory", Theory)
        return kind(self) if kind else None

    def array_rules(self) -> "ArrayRules[S] | None":
        """The same rules on arrays, with which large games are solved; None if the game has none."""
        from perfectplay.core.array_rules import LARGEST_CODE, ArrayRules

        kind = class_beside(type(self), "array_rules", ArrayRules)
        rules = kind(self) if kind else None
        return rules if rules and rules.bits <= LARGEST_CODE else None


def expect_game(given: object) -> None:
    """Raise WrongTypeError for anything that is not a game, such as its spec or its class."""
    if not isinstance(given, Game):
        raise WrongTypeError('a game, as load("bit-flip") returns', given)
