"""Sends jobs to the fork server, watches them, and checks everything that comes back."""

import json
import os
import re
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from perfectplay.core.errors import ParseError, PerfectplayError
from perfectplay.core.wording import listed
from perfectplay.foreign import messages
from perfectplay.foreign.examine import MOVES, SECONDS
from perfectplay.foreign.load import check_name, face_of
from perfectplay.foreign.messages import GarbledError, UnfinishedError
from perfectplay.foreign.net import SHARES, held_up
from perfectplay.foreign.sandbox import LAYERS, MEMORY, available
from perfectplay.foreign.table import Table

LOOK = 0.05
"""Seconds between two looks at a job from outside."""
SLOW_START, LARGE_START = 12, 2
"""A library that cannot be forked is imported and compiles within the job: calls may take longer, and all of
it more memory."""
MOST_BYTES = 1 << 30
"""How much a job may say in all."""
INTERRUPTED = ("hang", "memory", "killed")
HELD = re.compile(r"^(?:VmRSS|VmSwap|VmPTE):\s+(\d+) kB", re.MULTILINE)
"""The memory that a process holds: resident, swapped out, and page tables."""
STATE = re.compile(r"^State:\s+(\w)", re.MULTILINE)
PASSED_ON = ("PATH", "PYTHONPATH", "HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "SYSTEMROOT", "VIRTUAL_ENV")
"""The environment variables that foreign code may see."""


class NoSandboxError(PerfectplayError):
    """Layers of the sandbox that are missing on this machine."""

    def __init__(self, missing: list[str]) -> None:
        super().__init__(
            f"the sandbox lacks {listed(missing, 'and')} here; --trust runs the environment all the same"
        )


class MissingLibraryError(UnfinishedError):
    """A library that an environment needs is not installed. The text says how to install it."""


@dataclass(frozen=True)
class Settings:
    """How an environment is examined."""

    seed: int = 0
    moves: int = MOVES
    deepen: int | None = None
    seconds: float = SECONDS
    hang: float = 5.0
    """Seconds of CPU time after which a call counts as one that does not return."""
    memory: int = MEMORY
    trust: bool = False


@dataclass(frozen=True)
class Answer:
    """What came back from a job."""

    layers: tuple[str, ...] = ()
    spent: float = 0.0
    """Seconds of CPU time that it took to get into the sandbox."""
    done: Any = None
    ended: str = ""
    """Why there is no result: hang, memory, killed, or time."""
    visited: tuple[int, int] = (0, 0)
    """How many positions and moves were visited when it last said so."""
    at: tuple[Any, ...] | None = None
    """The moves of the last call, if the job was to tell them."""
    replayed: Any = None


Ask = Callable[[Table | None], list[dict[str, Any]]]
"""Called with the table of a result; returns what is to be replayed."""


class Server:
    """A fork server, started when it is first needed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the server and everything that it started."""
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._process = self._control = None

    def _started(self, *, fresh: bool) -> tuple[subprocess.Popen[bytes], socket.socket]:
        ours, theirs = socket.socketpair()
        shared = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        shared |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        shared |= {"PYTHONHASHSEED": "0", "SDL_VIDEODRIVER": "dummy", "JAX_PLATFORMS": "cpu"}
        # The server itself is not confined: it must not import what lies in the current folder.
        here, ours_too = os.path.realpath(os.curdir), str(Path(__file__).resolve().parents[2])
        paths = [each for each in sys.path if each and os.path.realpath(each) != here]
        shared["PYTHONPATH"] = os.pathsep.join([*paths, ours_too])
        command = [sys.executable, "-P", "-W", "ignore", "-m", "perfectplay.foreign.server"]
        process = subprocess.Popen(
            [*command, str(theirs.fileno()), *(["--fresh"] if fresh else [])],
            pass_fds=[theirs.fileno()],
            env=shared,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        theirs.close()
        return process, ours

    def run(self, what: str, settings: Settings, ask: Ask | None = None, **more: Any) -> Answer:
        """Run one job to its end, whatever the environment does."""
        face = face_of(what)
        fresh = face is not None and not face.forks
        job = {"what": what, "careful": False, "fresh": fresh, **vars(settings), **more}
        if fresh:
            job |= {"hang": settings.hang * SLOW_START, "memory": settings.memory * LARGE_START}
            process, control = self._started(fresh=True)
            try:
                return _Job(control, job, ask).result()
            finally:
                control.close()
                process.kill()
                process.wait()
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._process, self._control = self._started(fresh=False)
        assert self._control is not None
        return _Job(self._control, job, ask).result()


class _Job:
    """A job that runs: what it said, and what can be seen of it from outside."""

    def __init__(self, control: socket.socket, job: dict[str, Any], ask: Ask | None) -> None:
        self.job, self.ask = job, ask
        self.sock, theirs = socket.socketpair()
        self.sock.setblocking(False)
        socket.send_fds(control, [json.dumps(job).encode() + b"\n"], [theirs.fileno()])
        theirs.close()
        self.pid = self.resident = 0
        self.answer = Answer()
        self.begun = self.heard = time.monotonic()
        self.spent = 0.0
        self.unsent = b""
        self.over = False

    def result(self) -> Answer:
        """Wait for the end."""
        try:
            for line in self._lines():
                self._take(*messages.opened(line, self.longest))
                if self.over:
                    break
        finally:
            self._kill()
            self.sock.close()
        return self.answer

    @property
    def longest(self) -> int:
        """How many bytes a message may have."""
        return messages.longest(self.job["moves"])

    def _kill(self) -> None:
        if self.pid:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(self.pid, signal.SIGKILL)

    def _end(self, why: str) -> None:
        self.answer, self.over = replace(self.answer, ended=why), True

    def _take(self, tag: str, data: Any) -> None:
        begun = bool(self.pid)
        if not begun:
            self._begin(tag, data)
        self.heard, self.spent = time.monotonic(), self._cpu()
        if begun:
            self._hear(tag, data)

    def _hear(self, tag: str, data: Any) -> None:
        """Take any other message. Foreign code shares the process that sends it."""
        if tag == "beat":
            self.answer = replace(self.answer, visited=messages.counts(data))
        elif tag == "at" and isinstance(data, list) and len(data) == 2:
            at, visited = tuple(messages.moves(data[0])), messages.counts(data[1])
            self.answer = replace(self.answer, at=at, visited=visited)
        elif tag == "interrupted" and data in INTERRUPTED:
            self._end(data)
        elif tag == "done" and self.answer.done is None:
            self._done(data)
        elif tag == "replayed" and self.answer.done is not None:
            self.answer, self.over = replace(self.answer, replayed=messages.replayed(data)), True
        elif tag == "unavailable" and isinstance(data, list) and len(data) == 2:
            said = " ".join(messages.text(data[0], 500).split())
            raise (MissingLibraryError if data[1] is True else ParseError)(said)
        elif tag == "failed":
            raise UnfinishedError(f"the examination failed: {messages.text(data, 500)}")
        else:
            raise GarbledError("no such message")

    def _begin(self, tag: str, data: Any) -> None:
        """Take the first message, which is sent before anything foreign runs."""
        if tag != "ready":
            raise UnfinishedError(f"the sandbox failed: {data}")
        self.pid, self.resident = data["pid"], data["resident"]
        self.answer = replace(self.answer, layers=tuple(data["layers"]), spent=data["spent"])
        missing = [layer for layer in LAYERS if layer not in data["layers"]]
        if missing and not self.job["trust"]:
            raise NoSandboxError(missing)

    def _done(self, data: Any) -> None:
        kind = next((name for name in messages.ANSWERS if name in self.job), None)
        if kind is not None:
            self.answer, self.over = replace(self.answer, done=messages.ANSWERS[kind](data)), True
            return
        found = messages.examined(data, self.job["moves"])
        self.answer = replace(self.answer, done=found)
        if self.ask is None:
            self.over = True
            return
        begun = time.monotonic()
        self.unsent = json.dumps(["replay", self.ask(found.table)]).encode() + b"\n"
        self.heard = time.monotonic()
        self.begun += self.heard - begun  # it was we who took so long

    def _lines(self) -> Iterator[bytes]:
        rest, size = bytearray(), 0
        with selectors.DefaultSelector() as selector:
            selector.register(self.sock, selectors.EVENT_READ)
            while not self.over:
                wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if self.unsent else 0)
                selector.modify(self.sock, wanted)
                ready = {what for _, what in selector.select(LOOK)}
                self._look(silent=not ready)
                if any(what & selectors.EVENT_WRITE for what in ready):
                    with suppress(OSError):  # if it has ended, reading says so
                        self.unsent = self.unsent[self.sock.send(self.unsent) :]
                if self.over or not any(what & selectors.EVENT_READ for what in ready):
                    continue
                try:
                    got = self.sock.recv(1 << 20)
                except OSError:
                    got = b""
                size += len(got)
                if not got:
                    return self._end("killed")
                new = len(rest)
                rest += got
                while (end := rest.find(b"\n", new)) >= 0:
                    yield bytes(rest[:end])
                    del rest[: end + 1]
                    new = 0
                if len(rest) > self.longest or size > MOST_BYTES:
                    raise GarbledError("too long")

    def _look(self, *, silent: bool) -> None:
        """Look at the process itself, which cannot hide how long it runs or waits, and what it holds."""
        now, used = time.monotonic(), self._cpu()
        waited = now - self.begun - used - (held_up(self.pid) if self.pid else 0)
        if used > SHARES * self.job["seconds"] or waited > self.job["seconds"]:
            return self._end("time")
        hang, quiet = self.job["hang"], now - self.heard - (used - self.spent)
        if sys.platform != "linux" or not self.pid:
            return self._end("hang") if self.pid and quiet > 10 * hang else None
        try:
            status = Path(f"/proc/{self.pid}/status").read_text("utf-8", errors="replace")
        except OSError:
            return None  # it has ended, and reading says so
        state = STATE.search(status)
        if sum(int(size) << 10 for size in HELD.findall(status)) - self.resident > self.job["memory"] * 1.1:
            self._end("memory")
        elif state is None or (silent and state[1] == "Z"):  # the main thread has ended, and others go on
            self._end("killed")
        elif used - self.spent > 2 * hang or (state[1] not in "RD" and quiet > 2 * hang + 0.5):
            self._end("hang")
        return None

    def _cpu(self) -> float:
        """How much CPU time the process has used."""
        try:
            fields = Path(f"/proc/{self.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        except (OSError, IndexError):
            return self.spent
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def require_sandbox(what: str, *, trust: bool) -> None:
    """Raise unless a name is valid and the sandbox is complete or, with `trust`, not needed."""
    check_name(what)
    if not hasattr(os, "fork"):
        raise UnfinishedError(
            f"the sandbox lacks {listed(LAYERS, 'and')} here, and environments run only where processes can"
            " be forked; use Linux, or check_env in your own tests"
        )
    missing = [layer for layer in LAYERS if layer not in available()]
    if missing and not trust:
        raise NoSandboxError(missing)
