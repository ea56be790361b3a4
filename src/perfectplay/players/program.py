"""External programs as players, through standard input and output. docs/bots.md has the protocol."""

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
"""Bytes. A program that writes a longer line is considered broken."""
KEPT = 2000
"""How many bytes of a program's standard error are kept, for error reports."""
SHOWN = 200
"""How many characters of a program's output are quoted in errors."""
GRACE = 1.0
"""Seconds a program has to exit after being told to quit, and again after being terminated."""
CHECKED_PLIES = 30
"""The most plies in a game of `check_program`."""


class ProgramError(PerfectplayError):
    """A program that cannot be started, times out, exits, or gives an invalid answer."""


class _UnableError(ProgramError):
    """A program that declines to play a game."""


@dataclass(frozen=True)
class ProgramPlayer(ComputerPlayer):
    """Your own program, as in program:python3 bot.py

    The program is started once for each game spec that it plays, and runs until `close` or until this
    process ends. A bad answer is never corrected: it raises ProgramError or, if it costs the turn
    by the rules, ForfeitError.

    >>> ProgramPlayer("python3 bot.py --size=3,4", seconds=5).spec
    'program:seconds=5,python3 bot.py --size=3,4'
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
            # The rules allow for this: the game continues, and so does the program.
            program.send(f"refused {error}")
            raise ForfeitError(f"{program.name} answered {quoted(answer)}: {error}") from error
        except ParseError as error:
            raise program.refuse(answer, str(error)) from error
        refusal = game.refusal(state, action)
        if refusal is not None:
            raise program.refuse(answer, refusal.text)
        return action

    def close(self) -> None:
        """Stop all running copies of the program. It is started again when next asked."""
        for (player, _), program in list(_running.items()):
            if player == self:
                program.end()


class _Program:
    """A running program, and the lines sent to it and received from it."""

    def __init__(self, player: ProgramPlayer) -> None:
        self.name = f"the program {quoted(player.command, 80)}"
        self.seconds = player.seconds
        self.question = "was started"
        try:
            # Its own session makes it the leader of a process group that can be ended as a whole, and
            # keeps the user's Ctrl-C from reaching it.
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
        """Tell the program which game is played. Play may begin at any position."""
        answer = self.ask(f"was asked to play {quoted(game.spec, 80)}", f"game {game.spec}")
        word, _, reason = answer.partition(" ")
        if word == "refused":
            self.end()
            raise _UnableError(f"{self.name} {self.question} and refused: {escaped(reason[:SHOWN])}")
        if word != "ready":
            raise self.refuse(answer, 'it must be "ready" or "refused" and the reason.')

    def ask(self, question: str, *lines: str) -> str:
        """Send lines and wait for the answer; `question` describes the request in error messages."""
        self.question = question
        deadline = monotonic() + self.seconds
        try:
            self._exchange(0)
            early = self._line()
            if early is not None:
                raise self._failure(f"had said {quoted(early)} before being asked")
            self.outbox += "".join(f"{line}\n" for line in lines).encode()
            while (answer := self._line()) is None:
                left = deadline - monotonic()
                if self.stdout not in self.open or (left <= 0 and self.child.poll() is not None):
                    raise self._ended()
                if left <= 0:
                    raise self._failure(f"gave no answer in {self.seconds} s")
                self._exchange(left)
        except BaseException:
            # After any failure, the next answer could be a late answer to this question.
            self.end()
            raise
        return answer

    def send(self, line: str) -> None:
        """Send a line that needs no answer."""
        self.outbox += f"{line}\n".encode()
        self._exchange(0)

    def refuse(self, answer: str, reason: str) -> ProgramError:
        """Tell the program why its answer is invalid and stop it; returns the error to raise."""
        self.send(f"refused {reason}")
        self.end()
        return self._failure(f"answered {quoted(answer)}: {reason}")

    def exit_code(self, last_line: str, seconds: float) -> int | None:
        """Send a last line, close the program's input and wait; None if it is still running."""
        with suppress(OSError):  # it has closed its input, or is not reading
            os.write(self.stdin.fileno(), self.outbox + last_line.encode())
        self.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            return self.child.wait(seconds)
        return None

    def end(self) -> None:
        """Tell the program to quit. If it does not, kill it and every process it started."""
        for key in [key for key, program in _running.items() if program is self]:
            del _running[key]
        if self.stderr.closed:
            return  # already stopped
        try:
            if not self.stdin.closed and self.exit_code("quit\n", GRACE) is None:
                self._signal(signal.SIGTERM)
                with suppress(subprocess.TimeoutExpired):
                    self.child.wait(GRACE)
        finally:
            self._signal(signal.SIGKILL)
            with suppress(subprocess.TimeoutExpired):  # a program run as another user cannot be killed
                self.child.wait(GRACE)
            for pipe in (self.stdin, self.stdout, self.stderr):
                pipe.close()

    def _signal(self, number: signal.Signals) -> None:
        """Send a signal to the program and every process it started, even if it has exited itself."""
        with suppress(ProcessLookupError, PermissionError):  # none are left; macOS raises the latter
            os.killpg(self.child.pid, number)

    def _exchange(self, timeout: float) -> None:
        """Wait until the program can be written to or read from, then write and read what is possible."""
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
                self.outbox = b""  # it no longer reads; the missing answer will be noticed
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
        """The next line from the program that is not an `info` line; None if there is none yet."""
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
        said = f"; its last line on standard error: {last}" if last else ""
        return ProgramError(f"{self.name} {self.question} and {what}{said}")

    def _ended(self) -> ProgramError:
        try:
            code = self.child.wait(GRACE)
        except subprocess.TimeoutExpired:
            return self._failure("closed its output")
        self._exchange(0)  # the end of its standard error may still be unread
        last = self._last_words()
        how = f"ended with exit code {code}" if code >= 0 else f"was ended by signal {-code}"
        return ProgramError(f"{self.name} {self.question} and {how}{f': {last}' if last else ''}")

    def _last_words(self) -> str:
        lines = self.said.decode("utf-8", "backslashreplace").split("\n")
        return escaped(next((line.strip() for line in reversed(lines) if line.strip()), "")[:SHOWN])


_running: dict[tuple[ProgramPlayer, str], _Program] = {}
"""The running programs by player and game spec. The players themselves are plain values."""


@atexit.register
def _end_all() -> None:
    for program in list(_running.values()):
        program.end()


def check_program(
    command: str, seconds: int = 10, *, seed: int = 0, games: Sequence[str] = ()
) -> tuple[str, ...]:
    """Play short games with a program, from both seats, and check that it quits when told to.

    `games` are the specs of the games to play, by default all games. Returns the lines of a report.
    Raises ProgramError for the first problem.
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
                raise ProgramError(f"{program.name} was still running {seconds} s after its input ended")
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
        how = (
            f"ended with exit code {code}"
            if code is not None
            else f"was still running {program.seconds} s later"
        )
        raise ProgramError(f"{program.name} was told to quit and {how}")
