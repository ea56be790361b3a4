"""A player that asks an external program for its moves."""

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Self

from perfectplay.core.errors import ForfeitError, ParseError, PerfectplayError
from perfectplay.core.formatting import quote
from perfectplay.core.game import Action, Game
from perfectplay.core.spec import parameter
from perfectplay.players.base import ComputerPlayer
from perfectplay.players.program.process import Program, running

LONGEST_COMMAND = 1000


@dataclass(frozen=True)
class ProgramPlayer(ComputerPlayer):
    """Your own program, as in program:python3 bot.py

    The program is started once for each game spec that it plays, and runs until `close` or until this
    process ends. A bad answer is never corrected: it raises ProgramError or, if it costs the turn
    by the rules, ForfeitError.
    """

    name = "program"
    bare = "command"
    runs_commands = True

    command: str = parameter(
        "",
        "the command that starts the program, given last and without its name",
        allowed=f"a command in one line of fewer than {LONGEST_COMMAND:,} characters, with balanced quotes",
    )
    seconds: int = parameter(10, "how long the program may take for an answer", least=1, most=3600)

    def __post_init__(self) -> None:
        super().__post_init__()
        # A record keeps the command on one line, and a spec has other parameters before it.
        good = self.command.isprintable() and not re.match(r"(command|seconds)=", self.command)
        try:
            shlex.split(self.command)
        except ValueError:
            good = False
        if not good or len(self.command) >= LONGEST_COMMAND:
            raise self.reject("command")

    @classmethod
    def from_texts(cls, texts: Mapping[str, str]) -> Self:
        """Make the player from parameters given as text, as in a spec; the command is required."""
        if not texts.get("command", "").strip():
            raise ParseError("program needs a command, as in program:python3 bot.py")
        return super().from_texts(texts)

    def prepare(self, game: Game[Any]) -> None:
        """Start the program if it is not running yet, and tell it that a game begins."""
        key = (self, game.spec)
        if key not in running:
            running[key] = Program(self.command, self.seconds)
        running[key].announce(game)

    def choose(self, game: Game[Any], state: Any, rng: Random) -> Action:
        if (self, game.spec) not in running:
            self.prepare(game)
        program = running[self, game.spec]
        position = game.state_text(state)
        legal = (game.action_text(state, action) for action in game.legal_actions(state))
        answer = program.ask(
            f"was asked to move in {quote(position, 80)}",
            f"position {position}",
            *(f"move {text}" for text in legal),
            f"seed {rng.getrandbits(32)}",
            f"clock {self.seconds}",
            "go",
        )
        word, _, text = answer.partition(" ")
        if word != "move":
            raise program.refuse(answer, 'it must be "move" and one of the moves.')
        try:
            return self._read(program, game, state, answer)
        except PerfectplayError as error:
            error.answer = text
            raise

    def _read(self, program: Program, game: Game[Any], state: Any, answer: str) -> Action:
        try:
            action = game.parse_action(state, answer.partition(" ")[2])
        except ForfeitError as error:
            # The rules allow for this: the game continues, and so does the program.
            program.send(f"refused {error}")
            raise ForfeitError(f"{program.name} answered {quote(answer)}: {error}") from error
        except ParseError as error:
            raise program.refuse(answer, str(error)) from error
        refusal = game.refusal(state, action)
        if refusal is not None:
            raise program.refuse(answer, refusal.text)
        return action

    def close(self) -> None:
        """Stop all running copies of the program. It is started again when next asked."""
        for (player, _), program in list(running.items()):
            if player == self:
                program.end()
