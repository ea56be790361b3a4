"""Any program as a player, over lines on its standard input and output. docs/bots.md has the protocol."""

import atexit
import os
import re
import selectors
import shlex
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from time import monotonic
from typing import Any, Self

from perfectplay.core.errors import ForfeitError, ParseError, PerfectplayError
from perfectplay.core.game import Action, Game
from perfectplay.core.match import Match
from perfectplay.core.outcome import Side
from perfectplay.core.spec import parameter
from perfectplay.core.wording import escaped, quoted
from perfectplay.games.registry import load, names
from perfectplay.players.base import ComputerPlayer
from perfectplay.players.random import RandomPlayer

PROTOCOL = 1
LONGEST_COMMAND = 1000
LONGEST_LINE = 10_000
"""Bytes; a program that writes more without ending the line is taken for broken."""
KEPT = 2000
"""How many bytes of a program's standard error are kept, for error reports."""
SHOWN = 200
"""How many characters of what a program says are quoted."""
GRACE = 1.0
"""Seconds that a program has to end by itself when told to quit, and again when terminated."""
CHECKED_PLIES = 30
"""How long the games of `check_program` are at most."""


class ProgramError(PerfectplayError):
    """A program that cannot be started, gives no answer in time, ends, or answers badly."""


class _UnableError(ProgramError):
    """A program that says by itself that it does not play a game."""


@dataclass(frozen=True)
class ProgramPlayer(ComputerPlayer):
    """A program of yours, as in program:python3 bot.py

    The program is started once for each game spec that it plays, and runs until `close` or until this
    process ends. A bad answer is never replaced by a better one: it raises ProgramError or, where
    the rules answer it with a lost turn, ForfeitError.

    >>> ProgramPlayer("python3 bot.py --size=3,4", seconds=5).spec
    'program:seconds=5,python3 bot.py --size=3,4'
    """

    name = "program"
    bare = "command"
    runs_commands = True

    command: str = parameter(
        "",
        "what starts the program; the last parameter, and without its name",
        allowed=f"a command in one line of fewer than {LONGEST_COMMAND:,} characters, its quotes in pairs",
    )
    seconds: int = parameter(10, "how long the program may take for an answer", least=1, most=3600)

    def __post_init__(self) -> None:
        super().__post_init__()
        # A record keeps the command in a line, and a spec takes parameters off its front.
        good = self.command.isprintable() and not re.match(r"(command|seconds)=", self.command)
        try:
            shlex.split(self.command)
        except ValueError:
            good = False
        if not good or len(self.command) >= LONGEST_COMMAND:
            raise self.reject("command")

    @classmethod
    def from_texts(cls, texts: Mapping[str, str]) -> Self:
        """Make the player from parameters as a spec spells them; the command may not be left out."""
        if not texts.get("command", "").strip():
            raise ParseError("program needs a command, as in program:python3 bot.py")
        return super().from_texts(texts)

    def prepare(self, game: Game[Any]) -> None:
        """Start the program if it does not run yet, and tell it that a game begins."""
        key = (self, game.spec)
        if key not in _running:
            _running[key] = _Program(self)
        _running[key].announce(game)

    def choose(self, game: Game[Any], state: Any, rng: Random) -> Action:
        if (self, game.spec) not in _running:
            self.prepare(game)
        program = _running[self, game.spec]
        position = game.state_text(state)
        legal = (game.action_text(state, action) for action in game.legal_actions(state))
        answer = program.ask(
            f"was asked to move in {quoted(position, 80)}",
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
            action = game.parse_action(state, text)
        except ForfeitError as error:
            # The rules have an answer to this one: the game goes on, and so does the program.
            program.send(f"refused {error}")
            raise ForfeitError(f"{program.name} answered {quoted(answer)}: {error}") from error
        except ParseError as error:
            raise program.refuse(answer, str(error)) from error
        refusal = game.refusal(state, action)
        if refusal is not None:
            raise program.refuse(answer, refusal.text)
        return action

    def close(self) -> None:
        """End every run of the program; it is started again when it is next asked."""
        for (player, _), program in list(_running.items()):
            if player == self:
                program.end()


class _Program:
    """A program that runs, and the lines that go to it and come from it."""

    def __init__(self, player: ProgramPlayer) -> None:
        self.name = f"the program {quoted(player.command, 80)}"
        self.seconds = player.seconds
        self.question = "was started"
        try:
            # A session of its own makes it the head of a group that can be ended as a whole, and
            # keeps the Ctrl-C of a person away from it.
            self.child = subprocess.Popen(
                shlex.split(player.command) or [""],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise ProgramError(f"{self.name} cannot be started: {error.strerror}") from error
        assert self.child.stdin is not None  # all three are pipes
        assert self.child.stdout is not None
        assert self.child.stderr is not None
        self.stdin, self.stdout, self.stderr = self.child.stdin, self.child.stdout, self.child.stderr
        os.set_blocking(self.stdin.fileno(), False)
        self.open = {self.stdout, self.stderr}
        self.outbox = b""
        self.inbox = b""
        self.said = b""
        answer = self.ask("was asked whether it is ready", f"perfectplay {PROTOCOL}")
        if answer.partition(" ")[0] != "ready":
            raise self.refuse(answer, 'it must be "ready" and a name.')

    def announce(self, game: Game[Any]) -> None:
        """Tell the program which game is played, from its start or from any position."""
        answer = self.ask(f"was asked to play {quoted(game.spec, 80)}", f"game {game.spec}")
        word, _, reason = answer.partition(" ")
        if word == "refused":
            self.end()
            raise _UnableError(f"{self.name} {self.question} and refused: {escaped(reason[:SHOWN])}")
        if word != "ready":
            raise self.refuse(answer, 'it must be "ready" or "refused" and the reason.')

    def ask(self, question: str, *lines: str) -> str:
        """Send lines and wait for the answer; `question` says for error reports what they ask."""
        self.question = question
        deadline = monotonic() + self.seconds
        try:
            self._exchange(0)
            early = self._line()
            if early is not None:
                raise self._failure(f"had said {quoted(early)} before that, unasked")
            self.outbox += "".join(f"{line}\n" for line in lines).encode()
            while (answer := self._line()) is None:
                left = deadline - monotonic()
                if self.stdout not in self.open or (left <= 0 and self.child.poll() is not None):
                    raise self._ended()
                if left <= 0:
                    raise self._failure(f"gave no answer in {self.seconds} s")
                self._exchange(left)
        except BaseException:
            # Whatever happened, the next answer could be the one to this question.
            self.end()
            raise
        return answer

    def send(self, line: str) -> None:
        """Send a line that asks nothing."""
        self.outbox += f"{line}\n".encode()
        self._exchange(0)

    def refuse(self, answer: str, reason: str) -> ProgramError:
        """Tell the program why its answer is no good and end it; returns the error to raise."""
        self.send(f"refused {reason}")
        self.end()
        return self._failure(f"answered {quoted(answer)}: {reason}")

    def exit_code(self, last_line: str, seconds: float) -> int | None:
        """Send a last line, close the program's input and wait; None if it is still running then."""
        with suppress(OSError):  # it has closed its input, or does not read
            os.write(self.stdin.fileno(), self.outbox + last_line.encode())
        self.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            return self.child.wait(seconds)
        return None

    def end(self) -> None:
        """Tell the program to quit; end it, and whatever it has started, if it does not."""
        for key in [key for key, program in _running.items() if program is self]:
            del _running[key]
        if self.stderr.closed:
            return  # it has been ended before
        try:
            if not self.stdin.closed and self.exit_code("quit\n", GRACE) is None:
                self._signal(signal.SIGTERM)
                with suppress(subprocess.TimeoutExpired):
                    self.child.wait(GRACE)
        finally:
            self._signal(signal.SIGKILL)
            with suppress(subprocess.TimeoutExpired):  # one that runs as another user cannot be killed
                self.child.wait(GRACE)
            for pipe in (self.stdin, self.stdout, self.stderr):
                pipe.close()

    def _signal(self, number: signal.Signals) -> None:
        """Send a signal to the program and to all that it has started, even if it is gone itself."""
        with suppress(ProcessLookupError, PermissionError):  # nobody is left; macOS says the latter
            os.killpg(self.child.pid, number)

    def _exchange(self, timeout: float) -> None:
        """Write what is to be written and read what there is, once one of them can be done."""
        with selectors.DefaultSelector() as selector:
            for pipe in self.open:
                selector.register(pipe, selectors.EVENT_READ)
            if self.outbox:
                selector.register(self.stdin, selectors.EVENT_WRITE)
            ready = [key.fileobj for key, _ in selector.select(timeout)]
        if self.stdin in ready:
            try:
                self.outbox = self.outbox[os.write(self.stdin.fileno(), self.outbox) :]
            except BrokenPipeError:
                self.outbox = b""  # it does not listen any more; that it does not answer will be seen
        if self.stderr in ready:
            self.said = (self.said + self._read(self.stderr))[-KEPT:]
        if self.stdout in ready:
            self.inbox += self._read(self.stdout)

    def _read(self, pipe: Any) -> bytes:
        data = os.read(pipe.fileno(), 65_536)
        if not data:
            self.open.remove(pipe)
        return data

    def _line(self) -> str | None:
        """The next line from the program that is no `info`; None if there is none yet."""
        while True:
            line, end, rest = self.inbox.partition(b"\n")
            if len(line) > LONGEST_LINE:
                raise self._failure(f"answered with a line of more than {LONGEST_LINE:,} bytes")
            if not end:
                return None
            self.inbox = rest
            text = line.decode("utf-8", "backslashreplace").rstrip("\r")
            if text.partition(" ")[0] != "info":
                return text

    def _failure(self, what: str) -> ProgramError:
        last = self._last_words()
        said = f"; its last line of errors: {last}" if last else ""
        return ProgramError(f"{self.name} {self.question} and {what}{said}")

    def _ended(self) -> ProgramError:
        try:
            code = self.child.wait(GRACE)
        except subprocess.TimeoutExpired:
            return self._failure("closed its output")
        self._exchange(0)  # the end of its standard error may not have been read
        last = self._last_words()
        how = f"ended with exit code {code}" if code >= 0 else f"was ended by signal {-code}"
        return ProgramError(f"{self.name} {self.question} and {how}{f': {last}' if last else ''}")

    def _last_words(self) -> str:
        lines = self.said.decode("utf-8", "backslashreplace").split("\n")
        return escaped(next((line.strip() for line in reversed(lines) if line.strip()), "")[:SHOWN])


_running: dict[tuple[ProgramPlayer, str], _Program] = {}
"""The programs that run, by player and game spec: the players themselves are mere values."""


@atexit.register
def _end_all() -> None:
    for program in list(_running.values()):
        program.end()


def check_program(
    command: str, seconds: int = 10, *, seed: int = 0, games: Sequence[str] = ()
) -> tuple[str, ...]:
    """Play short games with a program, from both seats, and see whether it ends when told.

    `games` are the specs of the games to play, by default every game there is. Returns a report, line by
    line. The first thing that is wrong raises ProgramError.
    """
    rules = {game.spec: game for game in map(load, games or names())}
    player = ProgramPlayer.from_texts({"command": command, "seconds": str(seconds)})
    report: list[str] = []
    played = 0
    try:
        for name, game in rules.items():
            try:
                moves = sum(_checked_game(player, game, seat, seed) for seat in (0, 1))
            except _UnableError as error:
                report.append(f"{name}: {error}")
                continue
            except (ForfeitError, ProgramError) as error:
                raise ProgramError(f"{name}: {error}") from error
            played += 1
            report.append(f"{name}: 2 games, {moves} moves, all legal")
            _must_quit(_running[player, game.spec])
        if not played:
            raise ProgramError(f"the program {quoted(command, 80)} plays none of: {', '.join(rules)}")
        program = _Program(player)
        try:
            if program.exit_code("", seconds) is None:
                raise ProgramError(f"{program.name} still runs {seconds} s after the end of its input")
        finally:
            program.end()
    finally:
        player.close()
    return (*report, "quit, end of input: it ended each time")


def _checked_game(player: ProgramPlayer, game: Game[Any], seat: Side, seed: int) -> int:
    """Play one game against random moves; returns how many moves the program made."""
    match = Match(game, seed=seed + seat, max_plies=CHECKED_PLIES)
    player.prepare(game)
    moves = 0
    while match.result is None:
        chooser = player if match.side == seat else RandomPlayer()
        moves += chooser is player
        match.play(chooser.choose(game, match.state, match.generator()))
    return moves


def _must_quit(program: _Program) -> None:
    code = program.exit_code("quit\n", program.seconds)
    program.end()
    if code != 0:
        how = f"ended with exit code {code}" if code is not None else f"still ran {program.seconds} s later"
        raise ProgramError(f"{program.name} was told to quit and {how}")
