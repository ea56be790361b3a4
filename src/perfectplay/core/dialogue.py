"""What a game says and asks. Needs no terminal: it is given the answers typed so far."""

from typing import ClassVar, Generic, NamedTuple, Self

from perfectplay.core.errors import ForfeitError, ParseError
from perfectplay.core.formatting import quote
from perfectplay.core.game import Action, Game, Refusal, S
from perfectplay.core.outcome import Outcome

Lines = tuple[str, ...]

COMMANDS = frozenset(
    {
        *("?", "h", "help", "rules", "board", "moves", "history", "hint", "why", "u", "undo", "redo"),
        *("save", "resign", "abandon", "q", "quit", "offer", "accept", "decline", "claim", "close", "review"),
    }
)
"""What a prompt takes for a command, so that no answer to a game may be one of these."""
COMMANDS_WITH_MORE = frozenset({"why", "save", "offer", "accept", "decline"})
"""Commands that may be followed by more text."""

UNREADABLE = "unreadable"
"""The refusal of an answer that cannot be read as a move."""


class Prompt(NamedTuple):
    """A question: `lines` are printed once before it, `text` is the prompt."""

    lines: Lines
    text: str


class Forfeit(NamedTuple):
    """The answer costs the turn; `text` says why it was invalid."""

    text: str


class Dialogue(Generic[S]):
    """The words of a game. This class works for any game; a game may bring its own.

    Every method returns lines to print. An empty string is a blank line.

    >>> import perfectplay as pp
    >>> game = pp.load("dual-direction")
    >>> game.dialogue().confirm(game.initial(), 0, game.apply(game.initial(), 0))
    ('Moved left to position 5.',)
    """

    question_draws: ClassVar[bool] = True
    """Whether the question of a turn already shows the whole position."""

    def __init__(self, game: Game[S]) -> None:
        self.game = game
        self.width: int | None = None
        """The width that drawings are folded to; None draws them as the rulebook does."""

    def fold_to(self, width: int | None) -> Self:
        """The same words, with drawings folded to a width."""
        self.width = width
        return self

    def mover(self, state: S) -> str:
        """The name of the side to move."""
        return self.game.side_names[self.game.side_to_move(state)]

    def greeting(self, state: S) -> Lines:
        """Lines to print before the first move."""
        return (f"Welcome to {self.game.title}!",)

    def ask(self, state: S, answers: Lines) -> Prompt | Action | Forfeit | Refusal:
        """What follows the answers given so far: a question, a move, a lost turn or a refusal."""
        if not answers:
            return self.question(state)
        try:
            action = self.game.parse_action(state, answers[0])
        except ForfeitError as error:
            return Forfeit(str(error))
        except ParseError as error:
            # In the words of the question, where these differ from those of the game.
            return Refusal(
                UNREADABLE, str(error).replace(self.game.list_allowed(state), self.list_allowed(state))
            )
        return self.judge(state, action, answers[0])

    def reads(self, state: S, answers: Lines) -> bool:
        """Whether the answers form a move, legal or not, or the beginning of one."""
        step = self.ask(state, answers)
        return not isinstance(step, Forfeit) and not (isinstance(step, Refusal) and step.rule == UNREADABLE)

    def judge(self, state: S, action: Action, typed: str) -> Action | Refusal:
        """The action if it is legal; otherwise a refusal that names the input, rule and legal moves."""
        refusal = self.game.refusal(state, action)
        if refusal is None:
            return action
        text = f"{quote(typed)}: {refusal.text} {self.list_allowed(state)}"
        return Refusal(refusal.rule, text)

    def list_allowed(self, state: S) -> str:
        """A sentence that lists what can be answered."""
        return self.game.list_allowed(state)

    def question(self, state: S) -> Prompt:
        """The first question of a turn."""
        return Prompt((*self.board(state), f"{self.mover(state)}'s turn."), "Your move: ")

    def answers(self, state: S, action: Action) -> Lines:
        """What a person would type to play `action`: the answer to each question in turn."""
        return (self.game.action_text(state, action),)

    def phrase(self, state: S, action: Action) -> str:
        """A move as suggested to a player, in the form to type."""
        return self.game.action_text(state, action)

    def confirm(self, before: S, action: Action, after: S) -> Lines:
        """Lines to print after a move."""
        move = self.game.action_text(before, action)
        events = "".join(f" ({event})" for event in self.game.events(before, action))
        lines = (f"{self.mover(before)} plays {move}.{events}",)
        return (*lines, *self.board(after)) if self.game.outcome(after) else lines

    def forfeit(self, state: S) -> Lines:
        """Lines to print when the side to move loses its turn for an invalid move."""
        return (f"Invalid move. {self.mover(state)} forfeits the turn.",)

    def farewell(self, state: S, outcome: Outcome) -> Lines:
        """Lines to print when the game ends by its rules."""
        if outcome.winner is None:
            return (f"The game is a tie: {outcome.reason}.",)
        return (f"{self.game.side_names[outcome.winner]} wins: {outcome.reason}.",)

    def board(self, state: S) -> Lines:
        """The position drawn as text."""
        return self.game.view(state).as_text()

    def draws(self, state: S, lines: Lines) -> bool:
        """Whether the lines just printed include the drawing of a position."""
        board = self.board(state)
        return any(lines[start : start + len(board)] == board for start in range(len(lines)))
