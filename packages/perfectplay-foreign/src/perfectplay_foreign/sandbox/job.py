"""A job in the sandbox, seen from outside: its messages are checked, and its process is watched."""

import os
import pickle
import re
import selectors
import signal
import socket
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from perfectplay.core.errors import ParseError, PerfectplayError, install_command
from perfectplay.core.formatting import join_words
from perfectplay_foreign.adapter import Moves
from perfectplay_foreign.limits import MOST_BYTES
from perfectplay_foreign.probe import Suspect
from perfectplay_foreign.records import Found, StepRecord
from perfectplay_foreign.sandbox import messages
from perfectplay_foreign.sandbox.layers import LAYERS
from perfectplay_foreign.sandbox.limits import SHARES, measure_delay
from perfectplay_foreign.sandbox.messages import Examined, GarbledError, UnfinishedError
from perfectplay_foreign.sandbox.request import JobRequest

LOOK = 0.05
"""Seconds between two looks at a job from outside."""
START = 60
"""Seconds in which a server has to start; no job has to answer for them."""
HELD = re.compile(r"^(?:VmRSS|VmSwap|VmPTE):\s+(\d+) kB", re.MULTILINE)
"""The memory that a process holds: resident, swapped out, and page tables."""
THREADS, PER_THREAD = re.compile(r"^Threads:\s+(\d+)", re.MULTILINE), 32 << 10
"""Threads, and what the kernel keeps for each, which no process is said to hold."""
STATE = re.compile(r"^State:\s+(\w)", re.MULTILINE)


class NoSandboxError(PerfectplayError):
    """Layers of the sandbox that are missing on this machine."""

    def __init__(self, missing: list[str]) -> None:
        said = f"the sandbox lacks {join_words(missing, 'and')} here"
        if "landlock" in missing and find_spec("landlockpy") is None:
            said += f"; {install_command('perfectplay-foreign')} brings landlock"
        super().__init__(said)


class MissingLibraryError(UnfinishedError):
    """A library that an environment needs is not installed. The text says how to install it."""


class SandboxJob:
    """A job that runs: what it said, and what can be seen of it from outside."""

    def __init__(self, control: socket.socket, request: JobRequest) -> None:
        self.request, self.options = request, request.options
        self.layers: tuple[str, ...] = ()
        self.peak = 0
        """The most bytes that it was seen to hold beyond what the imports took."""
        self.used = self.spent = 0.0
        """Seconds of CPU time until it was last heard, and those that it took to get into the sandbox."""
        self.ended = ""
        """Why there is no result: hang, memory, killed, or time."""
        self.visited = (0, 0)
        """How many positions and moves were visited when it last said so."""
        self.at: tuple[int, Moves] | None = None
        """The seed and the moves of the last call, if the job was to report them."""
        self.examined: Examined | None = None
        self.steps: list[StepRecord] | None = None
        self._replayed: list[Found | bool] | None = None
        self._sock, theirs = socket.socketpair()
        self._sock.setblocking(False)
        socket.send_fds(control, [b"."], [theirs.fileno()])
        theirs.close()
        self._pid = self._resident = 0
        self._begun = self._heard = time.monotonic()
        self._unsent, self._rest, self._size = pickle.dumps(request), bytearray(), 0

    def __enter__(self) -> "SandboxJob":
        return self

    def __exit__(self, *_: object) -> None:
        self.used = self._cpu()
        if self._pid:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(self._pid, signal.SIGKILL)
        self._sock.close()

    def wait(self) -> "SandboxJob":
        """Wait for the result of the examination or of the steps, or for the end."""
        while not self.ended and self.examined is None and self.steps is None:
            self._receive()
        self._heard = time.monotonic()
        return self

    def replay(self, suspects: Sequence[Suspect]) -> list[Found | bool]:
        """Let the job replay witnesses after its examination; fewer come back if it ends."""
        now = time.monotonic()
        self._begun += now - self._heard  # it was we who took so long
        self._heard = now
        self._unsent += pickle.dumps(suspects)
        while not self.ended and self._replayed is None:
            self._receive()
        return self._replayed or []

    def _receive(self) -> None:
        """Wait a moment for messages, and take those that came."""
        with selectors.DefaultSelector() as selector:
            selector.register(
                self._sock, selectors.EVENT_READ | (selectors.EVENT_WRITE if self._unsent else 0)
            )
            ready = sum(what for _, what in selector.select(LOOK))
        self._look(silent=not ready)
        if self.ended:
            return
        if ready & selectors.EVENT_WRITE:
            with suppress(OSError):  # if it has ended, reading says so
                self._unsent = self._unsent[self._sock.send(self._unsent) :]
        if not ready & selectors.EVENT_READ:
            return
        try:
            got = self._sock.recv(1 << 20)
        except OSError:
            got = b""
        if not got:
            self.ended = "killed"
            return
        longest, new = messages.longest(self.options.moves), len(self._rest)
        self._rest += got
        self._size += len(got)
        while (end := self._rest.find(b"\n", new)) >= 0 and not self.ended:
            line, new = bytes(self._rest[:end]), 0
            del self._rest[: end + 1]
            take = self._hear if self._pid else self._begin
            take(*messages.parse(line, longest))
            self._heard, self.used = time.monotonic(), self._cpu()
        if not self.ended and (len(self._rest) > longest or self._size > MOST_BYTES):
            raise GarbledError("too long")

    def _begin(self, tag: str, data: object) -> None:
        """Take the first message, which is sent before anything foreign runs."""
        if tag != "ready" or not isinstance(data, dict):
            raise UnfinishedError(f"the sandbox failed: {data}")
        self._pid, self._resident, self._begun = data["pid"], data["resident"], time.monotonic()
        self.layers, self.spent = tuple(data["layers"]), data["spent"]
        missing = [layer for layer in LAYERS if layer not in self.layers]
        if missing and not self.options.trust:
            raise NoSandboxError(missing)

    def _hear(self, tag: str, data: object) -> None:
        """Take any other message. Foreign code shares the process that sends it."""
        match tag, data:
            case "beat", [int(positions), int(moves)] if min(positions, moves) >= 0:
                self.visited = positions, moves
            case "at", [int(seed), moves, [int(positions), int(tried)]]:
                self.at, self.visited = (seed, messages.read_moves(moves)), (positions, tried)
            case "interrupted", ("hang" | "memory" | "killed") as why:
                self.ended = why
            case "done", _ if self.request.steps is not None:
                self.steps = messages.read_steps(data)
            case "done", _ if self.examined is None:
                self.examined = messages.read_examined(data, self.options.moves)
            case "replayed", _ if self.examined is not None:
                self._replayed = messages.read_replayed(data)
            case "unavailable", [str(said), bool(missing)]:
                said = " ".join(messages.read_text(said, 500).split())
                raise MissingLibraryError(said) if missing else ParseError(said)
            case "failed", str(said):
                raise UnfinishedError(f"the examination failed: {messages.read_text(said, 500)}")
            case _:
                raise GarbledError("no such message")

    def _look(self, *, silent: bool) -> None:
        """Look at the process itself, which cannot hide how long it runs or waits, and what it holds."""
        now, used, seconds = time.monotonic(), self._cpu(), self.options.seconds
        waited = now - self._begun - used - (measure_delay(self._pid) if self._pid else 0)
        if used > SHARES * seconds or waited > (seconds if self._pid else max(seconds, START)):
            self.ended = "time"
            return
        if not self._pid:
            return
        hang, quiet = self.options.hang, now - self._heard - (used - self.used)
        if sys.platform != "linux":
            self.ended = "hang" if quiet > 10 * hang else ""
            return
        try:
            status = Path(f"/proc/{self._pid}/status").read_text("utf-8", errors="replace")
        except OSError:
            return  # it has ended, and reading says so
        state = STATE.search(status)
        held = sum(int(size) << 10 for size in HELD.findall(status))
        held += sum(int(count) * PER_THREAD for count in THREADS.findall(status))
        self.peak = max(self.peak, held - self._resident)
        if held - self._resident > self.options.memory * 1.1:
            self.ended = "memory"
        elif state is None or (silent and state[1] == "Z"):  # the main thread has ended, and others go on
            self.ended = "killed"
        elif used - self.used > 2 * hang or (state[1] not in "RD" and quiet > 2 * hang + 0.5):
            self.ended = "hang"

    def _cpu(self) -> float:
        """How much CPU time the process has used."""
        try:
            fields = Path(f"/proc/{self._pid}/stat").read_text("ascii").rpartition(")")[2].split()
        except (OSError, IndexError):
            return self.used
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
