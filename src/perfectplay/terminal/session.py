"""A series of games played line by line: who is asked, what is said, what is saved and when."""

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from perfectplay import saves
from perfectplay.core.dialogue import Dialogue, Forfeit, Lines, Prompt
from perfectplay.core.errors import ForfeitError, MatchStateError, ParseError
from perfectplay.core.game import Action, Refusal
from perfectplay.core.match import Match
from perfectplay.core.outcome import Side, other
from perfectplay.core.series import Series
from perfectplay.core.wording import escaped
from perfectplay.output import is_standard_output, write_whole
from perfectplay.players.base import ComputerPlayer, Player
from perfectplay.terminal.commands import AGREED, Command, Commands, owned, told
from perfectplay.terminal.console import Console
from perfectplay.terminal.progress import Bar, waiting

HELP = (
    "Type a move, or one of these:",
    "  help, h, ?  this list",
    "  rules       the rules of the game",
    "  board       the position",
    "  moves       the moves you may make",
    "  history     the moves so far",
    "  hint        a good move, and what the position is worth",
    "  why         the reason for that move",
    "  why MOVE    what another move is worth, and why",
    "  undo, u     take back the last move; against a computer, your own last move",
    "  redo        make the move again that was taken back",
    "  save        where the game is kept",
    "  save FILE   write a copy of the game",
    "  resign      give the game up",
    "  abandon     offer to leave a game that repeats itself unfinished",
    "  quit, q     leave; perfectplay resume goes on from here",
)
COMMANDS = Commands.listed_in(HELP)


class Quit(Exception):
    """A player leaves a game that is not over."""


class Session:
    """Plays a series out at a console, with the players that its specs name.

    `save` is where it is kept, None when it is not.
    """

    def __init__(
        self,
        console: Console,
        series: Series[Any],
        players: tuple[Player, Player],
        save: saves.SaveFile | None = None,
        *,
        show_board: bool = False,
        wait: Callable[[], bool] | None = None,
    ) -> None:
        """`wait` is called before each turn, until it says that there is no more need to."""
        self.console = console
        self.series = series
        self.players = players
        self.save = save
        self.saved = bool(series.matches)
        self.save_failed = False
        self.show_board = show_board
        self.drawn: Any = None
        """With `show_board`, the position that was drawn last."""
        self.wait = wait
        self.attended = not all(isinstance(player, ComputerPlayer) for player in self.players)
        self._bar: Bar | None = None
        self._behind = False
        """Whether the file lacks something that was played."""
        self._done: list[str] = []
        """The records of the games that are over."""

    def run(self) -> None:
        """Play until the series is over; EndOfInput and Quit leave it as it is on disk."""
        if not self.attended and self.series.games > 1:
            self._bar = Bar(self.console, self.series.games)
        try:
            resumed = self.series.current
            if resumed is not None:
                self._resume(resumed)
            while not self.series.over:
                self._play(self.series.begin())
        finally:
            if self._bar is not None:
                self._bar.close()
        self.keep_rest()
        if self.save is not None and self.saved and not self._behind:
            try:
                self.console.say("", f"The record is kept in {self.save.finish()}")
            except OSError as error:
                self._say_save_failed(error)

    # One match

    def _resume(self, match: Match[Any]) -> None:
        dialogue = self._dialogue(match)
        self.console.say(*self._seating(match), f"Going on with {match.game.title}.{self._last(match)}")
        if not dialogue.question_draws:
            self._say(dialogue, match.state, *dialogue.board(match.state))
        self._turns(match, dialogue)

    def _play(self, match: Match[Any]) -> None:
        dialogue = self._dialogue(match)
        self.drawn = None
        self._say(dialogue, match.state, *self._seating(match), *dialogue.greeting(match.state))
        self._turns(match, dialogue)

    def _turns(self, match: Match[Any], dialogue: Dialogue[Any]) -> None:
        wait = self.wait
        while match.result is None:
            if wait is not None and wait():
                wait = None
            self.console.say("")
            if match.game.is_forced_pass(match.state):
                self._move(match, dialogue, match.game.legal_actions(match.state)[0])
                continue
            if self.show_board and not dialogue.question_draws and self.drawn != match.state:
                self._say(dialogue, match.state, *dialogue.board(match.state), "")
            player = self._player(match, match.side)
            if isinstance(player, ComputerPlayer):
                self._computer_turn(match, dialogue, player)
            else:
                self._human_turn(match, dialogue)
        self.console.say(*self._ending(match, dialogue), *self._review(match), *self._score())

    def _human_turn(self, match: Match[Any], dialogue: Dialogue[Any]) -> None:
        """Ask until the turn is over: a move, a lost turn, an undo or the end of the match."""
        answers: Lines = ()
        asked: Lines | None = None
        while True:
            step = dialogue.ask(match.state, answers)
            if isinstance(step, Prompt):
                if asked != answers:
                    self.console.say(*step.lines)
                asked = answers
                line = self.console.ask(step.text)
                command = COMMANDS.read(line) or self._meant(match, dialogue, (*answers, line))
                if command is None:
                    answers = (*answers, line)
                elif command.word == "undo" and answers:
                    self.console.say(f"Taken back: {escaped(answers[-1].strip())}.")
                    asked = answers = answers[:-1]
                elif self._command(match, dialogue, command):
                    return
            elif isinstance(step, Refusal):
                self.console.say(step.text)
                asked = answers = answers[:-1]
            elif isinstance(step, Forfeit):
                if not match.forgiving:
                    return self._forfeit(match, dialogue)
                self.console.say(f"{step.text} Choose again.")
                asked = answers = answers[:-1]
            else:
                return self._move(match, dialogue, step)

    def _computer_turn(self, match: Match[Any], dialogue: Dialogue[Any], player: ComputerPlayer) -> None:
        try:
            action = self._chosen(match, player)
        except ForfeitError as error:
            if match.forgiving:
                raise  # asked again, a program would most likely say the same, for ever
            prompt = dialogue.ask(match.state, ())
            if isinstance(prompt, Prompt):
                self.console.say(*prompt.lines)
            self.console.say(f"{error}.")
            return self._forfeit(match, dialogue)
        answers: Lines = ()
        for answer in dialogue.answers(match.state, action):
            prompt = dialogue.ask(match.state, answers)
            if isinstance(prompt, Prompt):
                self.console.say(*prompt.lines, prompt.text + answer)
            answers = (*answers, answer)
        self._move(match, dialogue, action)

    def _chosen(self, match: Match[Any], player: ComputerPlayer) -> Action:
        if self._bar is not None:
            self._bar.update(len(self.series.matches) - 1)
            if self._bar.shown:  # that is enough to look at
                return player.choose(match.game, match.state, match.generator())
        with waiting(f"{match.game.side_names[match.side]} ({player.spec}) is thinking"):
            return player.choose(match.game, match.state, match.generator())

    def _forfeit(self, match: Match[Any], dialogue: Dialogue[Any]) -> None:
        lines = dialogue.forfeited(match.state)
        match.forfeit()
        self._keep()
        self.console.say(*lines)

    def _move(self, match: Match[Any], dialogue: Dialogue[Any], action: Action) -> None:
        before = match.state
        match.play(action)
        self._keep()
        self._say(dialogue, match.state, *dialogue.confirm(before, action, match.state))

    def _say(self, dialogue: Dialogue[Any], state: Any, *lines: str) -> None:
        """Say lines, and remember the position if they draw it."""
        self.console.say(*lines)
        if self.show_board and dialogue.draws(state, lines):
            self.drawn = state

    # Commands

    def _meant(self, match: Match[Any], dialogue: Dialogue[Any], answers: Lines) -> Command | None:
        """The command that somebody at a terminal meant by a word one slip away from it, if they say so."""
        near = COMMANDS.nearest(answers[-1]) if self.console.interactive else None
        if near is None or dialogue.reads(match.state, answers):
            return None
        while True:
            answer = self.console.ask(f"Did you mean {near.word} (y/n)? ")
            agreed = AGREED.get(answer.strip().casefold())
            if agreed is not None:
                return near if agreed else None
            command = COMMANDS.read(answer)
            if command is not None:
                return command

    def _command(self, match: Match[Any], dialogue: Dialogue[Any], command: Command) -> bool:
        """Carry a command out: True when the turn is over."""
        match command.word:
            case "help":
                self.console.say(*HELP)
            case "rules":
                from perfectplay.games.rulebook import rulebook
                from perfectplay.terminal.markdown import show_markdown

                show_markdown(self.console, rulebook(type(match.game)), plain=True)
            case "board":
                self.console.say(*dialogue.board(match.state))
            case "moves":
                actions = match.game.legal_actions(match.state)
                self.console.say(
                    f"Moves: {', '.join(dialogue.spoken(match.state, each) for each in actions)}"
                )
            case "history":
                self.console.say(*told(match.record().moves))
            case "why" if command.rest:
                self._why(match, dialogue, command.rest)
            case "hint" | "why":
                self._coach(match, command.word)
            case "undo":
                return self._undo(match, dialogue)
            case "redo":
                return self._redo(match, dialogue)
            case "save":
                self._say_where_saved(command.rest)
            case "resign":
                match.resign()
                self._keep()
                return True
            case "abandon":
                return self._abandon(match)
            case "quit":
                raise Quit
        return False

    def _why(self, match: Match[Any], dialogue: Dialogue[Any], text: str) -> None:
        game, state = match.game, match.state
        spoken = {dialogue.spoken(state, each).casefold(): each for each in game.legal_actions(state)}
        try:
            # As the hint names moves, or as they are typed.
            action = spoken.get(text.casefold())
            action = game.parse_action(state, text) if action is None else action
        except ParseError as error:
            return self.console.say(f"{str(error).rstrip('.')}.")
        refusal = game.refusal(state, action)
        if refusal is not None:
            return self.console.say(refusal.text)
        self._coach(match, "why", action)

    def _coach(self, match: Match[Any], word: str, action: Action | None = None) -> None:
        # Imported when asked for: a game without hints starts and plays without the solver.
        from perfectplay.coach.coach import Coach
        from perfectplay.solver.graph import TooLargeError
        from perfectplay.solver.oracle import oracle_for

        try:
            coach = Coach(oracle_for(match.game))
        except TooLargeError as error:
            return self.console.say(str(error))
        if action is not None:
            return self.console.say(*coach.why_move(match.state, action))
        self.console.say(*((coach.hint(match.state),) if word == "hint" else coach.why(match.state)))

    def _review(self, match: Match[Any]) -> Lines:
        """How the people at the table played, where the game is small enough to know at once."""
        if not self.attended:
            return ()
        from perfectplay.coach.coach import Coach
        from perfectplay.solver.graph import TooLargeError
        from perfectplay.solver.oracle import SMALL, oracle_for

        try:
            lines = Coach(oracle_for(match.game, SMALL)).review(match.record())
        except TooLargeError:
            return ()
        return ("", *lines)

    def _undo(self, match: Match[Any], dialogue: Dialogue[Any]) -> bool:
        people = [side for side in (0, 1) if not isinstance(self._player(match, side), ComputerPlayer)]
        chosen = [entry.side for entry in match.history if entry.side in people and match.is_choice(entry)]
        if not chosen:
            alone = f"{dialogue.mover(match.state)} has no move of their own to take back yet."
            self.console.say("There is no move to take back yet." if len(people) == 2 else alone)
            return False
        moves = match.record().moves
        match.undo(chosen[-1])
        self._went(match, dialogue, f"Taken back: {owned(moves[len(match.history) :])}.")
        return True

    def _redo(self, match: Match[Any], dialogue: Dialogue[Any]) -> bool:
        before = len(match.history)
        try:
            match.redo()
        except MatchStateError as error:
            self.console.say(str(error))
            return False
        self._went(match, dialogue, f"Made again: {owned(match.record().moves[before:])}.")
        return True

    def _went(self, match: Match[Any], dialogue: Dialogue[Any], what: str) -> None:
        """Keep a match that went back or forth, and say so."""
        self._keep()
        self.console.say(what)
        if not dialogue.question_draws:
            self._say(dialogue, match.state, *dialogue.board(match.state))

    def _abandon(self, match: Match[Any]) -> bool:
        # Two people share the keyboard: right after one's offer, the next is the other's answer.
        side = other(match.side) if match.abandon_offer == match.side else match.side
        try:
            match.abandon(side)
        except MatchStateError as error:
            self.console.say(str(error))
            return False
        opponent = other(side)
        names = match.game.side_names
        if match.result is None and isinstance(self._player(match, opponent), ComputerPlayer):
            match.abandon(opponent)
            self.console.say(f"{names[opponent]} agrees.")
        self._keep()
        if match.result is None:
            self.console.say(
                f"{names[side]} offers to abandon the game. It is left unfinished if"
                f" {names[opponent]} types abandon too; a move of {names[opponent]} declines."
            )
        return match.result is not None

    def _say_where_saved(self, copy: str) -> None:
        if copy:
            try:
                names = shlex.split(copy)
            except ValueError:
                names = [copy]
            return self._copy(Path(" ".join(names)).expanduser())
        if self.save is None or self.save_failed:
            return self.console.say("This game is not being saved; save FILE writes a copy.")
        if not self.saved:
            return self.console.say(f"The game will be kept in {self.save.path} from its first move on.")
        return self.console.say(f"Every move is saved as it is made, in {self.save.path}")

    def _copy(self, path: Path) -> None:
        """Write the records to a file that is not there yet, or to a pipe, a device or the screen."""
        done, running = self._records()
        try:
            write_whole(path, saves.joined(done if running is None else [*done, running]), new=True)
        except FileExistsError:
            self.console.say(f"{path} is there already and stays as it is.")
        except (OSError, ValueError) as error:
            self.console.say(f"Cannot write {path}: {_reason(error)}")
        else:
            if not is_standard_output(path):
                self.console.say(f"A copy is in {path}")

    # What is said around the games

    def _seating(self, match: Match[Any]) -> Lines:
        series, number = self.series, len(self.series.matches)
        computers = [isinstance(player, ComputerPlayer) for player in self.players]
        if series.games == 1 and not series.swapped(number) and len(set(computers)) == 1:
            return ()
        sides: Sequence[Side] = (0, 1)
        seats = [
            f"{self._contestant(series.contestant(s, number))} is {match.game.side_names[s]}" for s in sides
        ]
        starts = f"{match.game.side_names[match.side]} goes first."
        head = f"Game {number} of {series.games}: " if series.games > 1 else ""
        blank = ("",) if number > 1 else ()
        return (*blank, f"{head}{seats[0]}, {seats[1]}; {starts}", "")

    def _last(self, match: Match[Any]) -> str:
        """The last ply of a match that goes on, in words."""
        plies = [entry for entry in match.history if entry.is_ply]
        if not plies:
            return ""
        line = match.line(plies[-1])
        return f" Last: {line.side}, {line.text}."

    def _ending(self, match: Match[Any], dialogue: Dialogue[Any]) -> Lines:
        outcome, result = match.game.outcome(match.state), match.result
        if outcome is not None:
            return dialogue.farewell(match.state, outcome)
        assert result is not None
        names = match.game.side_names
        if result.winner is None:
            why = {
                "abandoned": "both players agreed to abandon it",
                "ply limit": f"the limit of {match.max_plies} plies is reached",
            }[result.reason]
            return (f"The game is left unfinished: {why}.",)
        winner, loser = names[result.winner], names[other(result.winner)]
        if result.reason == "resignation":
            return (f"{loser} resigns. {winner} wins!",)
        turns = match.forfeits_in_a_row(other(result.winner))
        times = f"{turns} invalid turns in a row" if turns > 1 else "an invalid turn"
        return (f"{loser} is disqualified after {times}. {winner} wins!",)

    def _score(self) -> Lines:
        series = self.series
        if series.games == 1:
            return ()
        first, second = series.score
        score = f"{self._contestant(0)} {first}, {self._contestant(1)} {second}"
        lines = ("", f"Score after game {len(series.matches)} of {series.games}: {score}.")
        if not series.over:
            return lines
        champion = series.champion
        if champion is None:
            return (*lines, f"The series is tied, {first} to {second}.")
        wins, losses = series.score[champion], series.score[other(champion)]
        return (*lines, f"{self._contestant(champion)} is the champion, {wins} to {losses}.")

    def _contestant(self, contestant: Side) -> str:
        return f"p{contestant + 1} ({self.series.players[contestant]})"

    def _player(self, match: Match[Any], side: Side) -> Player:
        return self.players[self.series.contestant(side, len(self.series.matches))]

    def _dialogue(self, match: Match[Any]) -> Dialogue[Any]:
        dialogue = match.game.dialogue()
        dialogue.width = self.console.width
        return dialogue

    # Saving

    def _records(self) -> tuple[list[str], str | None]:
        """The records of the games that are over, and of the one that is running."""
        begun = len(self.series.matches)
        over = begun - (self.series.current is not None)
        self._done += [str(self.series.record(number)) for number in range(len(self._done) + 1, over + 1)]
        return self._done, None if over == begun else str(self.series.record(begun))

    def _keep(self) -> None:
        """Put what was played on disk, where a person plays at once, and between computers game by game."""
        self._behind = self.save is not None
        if self.attended or self.series.current is None:
            self.keep_rest()

    def keep_rest(self) -> None:
        """Put on disk what is not there yet. A disk that fails is spoken of once, and the game goes on."""
        if self.save is None or not self._behind:
            return
        try:
            self.save.write(*self._records())
        except OSError as error:
            self._say_save_failed(error)
        else:
            self.saved = True
            self.save_failed = self._behind = False

    def _say_save_failed(self, error: OSError) -> None:
        if not self.save_failed and self.save is not None:
            self.console.say(
                f"The game cannot be saved in {self.save.path}: {_reason(error)}. It goes on unsaved."
            )
        self.save_failed = True


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
