"""A series of games being played, without a screen: turns, commands, saving, reviews.

A front end reads what people type, calls `Session` and shows the lines that its methods return.
`line_mode` is such a front end.
"""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from perfectplay import saves
from perfectplay.core.dialogue import Dialogue, Lines
from perfectplay.core.errors import MatchStateError, ParseError
from perfectplay.core.game import Action
from perfectplay.core.match import ABANDON_FROM, Match
from perfectplay.core.outcome import Side, other
from perfectplay.core.series import Series
from perfectplay.players.base import ComputerPlayer, Player
from perfectplay.terminal import messages
from perfectplay.terminal.autosave import Autosave
from perfectplay.terminal.command_parser import Commands, TypedCommand
from perfectplay.terminal.contestants import Contestants

if TYPE_CHECKING:
    from perfectplay.coach.exercises import Exercise
    from perfectplay.strength.journal import Journal

COMMANDS = Commands.parse_help(messages.HELP)

Due = Literal["game", "pass", "computer", "person", "nothing"]
"""What a series waits for: its next game, a forced pass, a move of a computer or of a person, or nothing."""


class Reply(NamedTuple):
    """What a command did: the lines to show, and whether it ended the turn."""

    lines: Lines
    ends_turn: bool = False


class Session:
    """A series, the players that its specs name and its save file, None if it is not saved."""

    def __init__(self, series: Series[Any], save: saves.SaveFile | None = None) -> None:
        self.series = series
        self.contestants = Contestants(series)
        self.attended = not all(isinstance(player, ComputerPlayer) for player in self.contestants.players)
        """Whether a person plays."""
        # Nobody waits for the moves of two computers: they are saved game by game.
        self.autosave = Autosave(series, save, every_move=self.attended)
        self.width: int | None = None
        """The columns to fold drawings to; None leaves them as they are."""
        # Two people see in line mode what the rulebook prints, and nothing in between.
        self.how_to_end = messages.TYPE_ABANDON if len(self.contestants.people) == 1 else ""
        """How a person ends a game that repeats itself; nothing is said about it if this is empty."""
        self.exercises: tuple[Exercise, ...] = ()
        """The mistakes of the game that was reviewed last."""

    @property
    def match(self) -> Match[Any]:
        """The game being played, or the last one."""
        return self.series.matches[-1]

    @property
    def dialogue(self) -> Dialogue[Any]:
        """The words of the game being played."""
        return self.match.game.dialogue().fold_to(self.width)

    @property
    def player(self) -> Player:
        """The player whose turn it is."""
        return self.contestants.player(self.match.side)

    @property
    def due(self) -> Due:
        """What has to happen next."""
        match = self.series.current
        if match is None:
            return "nothing" if self.series.over else "game"
        if match.game.is_forced_pass(match.state):
            return "pass"
        return "computer" if isinstance(self.player, ComputerPlayer) else "person"

    def begin(self) -> None:
        """Start the next game of the series."""
        self.series.begin()

    def prepare(self) -> None:
        """Let the computers do what takes long before they play. Raises PerfectplayError if one cannot."""
        for player in self.contestants.players:
            if isinstance(player, ComputerPlayer):
                player.prepare(self.series.game)

    def close(self) -> None:
        """Release the players and the save file."""
        for player in self.contestants.players:
            if isinstance(player, ComputerPlayer):
                player.close()
        self.autosave.close()

    # Turns

    def move(self, action: Action) -> Lines:
        """Play a move, save it and confirm it."""
        before = self.match.state
        self.match.play(action)
        saved = self.autosave.save_change()
        return (*saved, *self.dialogue.confirm(before, action, self.match.state), *self._explain_repetition())

    def play(self, action: Action) -> Lines:
        """Play a move and save it, for a screen that shows moves by itself; says if it cannot be saved."""
        self.match.play(action)
        return (*self.autosave.save_change(), *self._explain_repetition())

    def _explain_repetition(self) -> Lines:
        """That the position has come up for the third time, and how to end the game."""
        match = self.match
        told = self.attended and self.how_to_end and match.result is None
        again = told and match.positions.count(match.state) == ABANDON_FROM
        return (f"{messages.REPEATED} {self.how_to_end}",) if again else ()

    def to_confirm(self, word: str) -> bool:
        """Whether to ask before a command: it ends the game, and no other person has to agree."""
        alone = len(self.contestants.people) == 1 and self.match.most_repeated >= ABANDON_FROM
        return word == "resign" or (word == "abandon" and alone)

    def forfeit(self) -> Lines:
        """Lose the turn over an invalid move."""
        lines = self.dialogue.forfeit(self.match.state)
        self.match.forfeit()
        return (*self.autosave.save_change(), *lines)

    def assist(self, *, everyone: bool) -> Lines:
        """Note in the record that a person has help: whoever is to move, or everyone in the game."""
        match, contestants = self.match, self.contestants
        if match.result is not None:
            return ()
        asking = contestants.person(match.side)
        for side in contestants.people:
            if everyone or side == asking:
                match.assist(side)
        return self.autosave.save_change() if match.plies else ()  # saved with the first move

    # Commands

    def carry_out(self, command: TypedCommand) -> Reply:
        """Carry out a command of the player to move. `help`, `rules` and `quit` are the front end's."""
        match, dialogue = self.match, self.dialogue
        match command.word:
            case "board":
                return Reply(dialogue.board(match.state))
            case "moves":
                return Reply((f"Moves: {messages.legal_moves(dialogue, match.state)}",))
            case "history":
                return Reply(messages.history(match.record().moves))
            case "why" if command.rest:
                action = self.find_move(command.rest)
                return Reply((action,) if isinstance(action, str) else self._coach("why", action))
            case "hint" | "why":
                return Reply(self._coach(command.word))
            case "undo":
                return self._undo()
            case "redo":
                before = match.plies
                try:
                    match.redo()
                except MatchStateError as error:
                    return Reply((str(error),))
                return self._move_in_history(
                    f"Redone: {messages.moves_by_side(match.record().moves, before)}."
                )
            case "save" if not command.rest:
                return Reply((self.autosave.where(),))
            case "save":
                try:
                    words = shlex.split(command.rest)
                except ValueError:
                    words = [command.rest]
                return Reply(self.autosave.copy(Path(" ".join(words)).expanduser()))
            case "resign":
                match.resign(self.contestants.person(match.side))
                return Reply(self.autosave.save_change(), ends_turn=True)
            case "abandon":
                return self._abandon()
        raise ValueError(f"not a command of a session: {command.word}")

    def find_move(self, text: str) -> Action | str:
        """The legal move that a text names, as the hint or a player would write it, or what is wrong."""
        game, state = self.match.game, self.match.state
        spoken = {self.dialogue.phrase(state, each).casefold(): each for each in game.legal_actions(state)}
        try:
            action = spoken.get(text.casefold())
            action = game.parse_action(state, text) if action is None else action
        except ParseError as error:
            said = str(error).replace(game.list_allowed(state), self.dialogue.list_allowed(state))
            return f"{said.rstrip('.')}."
        refusal = game.refusal(state, action)
        return action if refusal is None else refusal.text

    def _coach(self, word: str, action: Action | None = None) -> Lines:
        # Imported on demand: a game without hints starts and plays without the solver.
        from perfectplay.coach.coach import Coach
        from perfectplay.solver.errors import TooLargeError
        from perfectplay.solver.oracle_cache import oracle_for

        state = self.match.state
        try:
            coach = Coach(oracle_for(self.match.game))
        except TooLargeError as error:
            return (str(error),)
        saved = self.assist(everyone=False)
        if action is not None:
            return (*saved, *coach.why_move(state, action))
        return (*saved, *((coach.hint(state),) if word == "hint" else coach.why(state)))

    def _undo(self) -> Reply:
        match = self.match
        people = self.contestants.people
        chosen = [entry.side for entry in match.history if entry.side in people and match.is_choice(entry)]
        if not chosen:
            alone = "You have not made a move yet that you could take back."
            return Reply(("There is no move to take back yet." if len(people) == 2 else alone,))
        moves = match.record().moves
        match.undo(chosen[-1])
        return self._move_in_history(messages.describe_takeback(messages.moves_by_side(moves, match.plies)))

    def _move_in_history(self, line: str) -> Reply:
        drawing = () if self.dialogue.question_draws else self.dialogue.board(self.match.state)
        return Reply((*self.autosave.save_change(), line, *drawing), ends_turn=True)

    def _abandon(self) -> Reply:
        match, names = self.match, self.match.game.side_names
        # Two people share the keyboard: directly after an offer, the next abandon is the other's answer.
        side = other(match.side) if match.abandon_offer == match.side else match.side
        try:
            match.abandon(side)
        except MatchStateError as error:
            return Reply((str(error),))
        opponent = other(side)
        agreed: Lines = ()
        if match.result is None and isinstance(self.contestants.player(opponent), ComputerPlayer):
            match.abandon(opponent)
            agreed = (f"{names[opponent]} agrees.",)
        saved = self.autosave.save_change()
        if match.result is not None:
            return Reply((*agreed, *saved), ends_turn=True)
        offer = (
            f"{names[side]} offers to end the game unfinished. {names[opponent]} types abandon to agree,"
            " or makes a move to continue."
        )
        return Reply((*saved, offer))

    # What is said around the games

    def ending(self) -> Lines:
        """How the game ended, how the people in it played, and the score of the series."""
        lines = messages.ending(self.dialogue, self.match)
        if self.attended:
            from perfectplay.terminal.journal_file import review

            reviewed, journal = review(self.match, self.opponents)
            noted = self.note(journal)
            lines = (*lines, "", *reviewed, *noted) if reviewed else lines
        return (*lines, *self.contestants.score())

    @property
    def opponents(self) -> dict[Side, str]:
        """The sides that people play here, with the specs of their opponents."""
        player = self.contestants.player
        return {side: player(other(side)).spec for side in self.contestants.people}

    def note(self, journal: "Journal") -> Lines:
        """Add a game to the journal, and keep its mistakes. Says so if that is not possible."""
        from perfectplay.terminal.journal_file import note

        problem = note(journal)
        self.exercises = () if problem else journal.exercises
        return problem
