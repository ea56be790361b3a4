"""Sends jobs to the fork server, watches them, and checks everything that comes back."""

import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from perfectplay.core.errors import ParseError, PerfectplayError
from perfectplay.core.wording import listed
from perfectplay.foreign.examine import MOVES, SECONDS
from perfectplay.foreign.face import NO_NAMES, Names
from perfectplay.foreign.load import check_name, face_of
from perfectplay.foreign.sandbox import LAYERS, MEMORY, available

LOOK = 0.05
"""Seconds between two looks at a job from outside."""
SLOW_START = 12
"""A library that cannot be forked is imported and compiles within the job: calls may take longer."""
LARGEST_ANSWER = 64 << 20
PASSED_ON = ("PATH", "PYTHONPATH", "HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "SYSTEMROOT", "VIRTUAL_ENV")
"""The environment variables that foreign code may see."""


class NoSandboxError(PerfectplayError):
    """Layers of the sandbox that are missing on this machine."""

    def __init__(self, missing: list[str]) -> None:
        super().__init__(
            f"the sandbox lacks {listed(missing, 'and')} here; --trust runs the environment all the same"
        )


class UnfinishedError(PerfectplayError):
    """A job that failed through no fault of the environment."""


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
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    """The arguments with which an environment is made."""
    names: Names = NO_NAMES


@dataclass(frozen=True)
class Answer:
    """What came back from a job."""

    layers: tuple[str, ...] = ()
    spent: float = 0.0
    """Seconds of CPU time that it took to get into the sandbox."""
    done: Any = None
    ended: str = ""
    """Why there is no result: hang, memory or killed."""
    at: tuple[Any, ...] | None = None
    """The moves of the last call, if the job was to tell them."""
    replayed: Any = None


Ask = Callable[[Any], list[dict[str, Any]]]
"""Called with a result; returns what is to be replayed."""


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
        # Matplotlib cannot be imported without a folder that seems writable. It finds out that this is not.
        shared |= {"MPLBACKEND": "agg", "MPLCONFIGDIR": gettempdir()}
        shared["PYTHONPATH"] = os.pathsep.join(each for each in sys.path if each)
        command = [sys.executable, "-W", "ignore", "-m", "perfectplay.foreign.server", str(theirs.fileno())]
        process = subprocess.Popen(
            [*command, *(["--fresh"] if fresh else [])],
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
            job["hang"] = settings.hang * SLOW_START
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
        self.ask = ask
        self.hang, self.memory = job["hang"], job["memory"]
        self.sock, theirs = socket.socketpair()
        socket.send_fds(control, [json.dumps(job).encode() + b"\n"], [theirs.fileno()])
        theirs.close()
        self.pid = self.resident = 0
        self.answer = Answer()
        self.heard, self.spent = time.monotonic(), 0.0
        self.over = False

    def result(self) -> Answer:
        """Wait for the end."""
        try:
            for message in self._messages():
                self._take(message)
                if self.over:
                    break
        finally:
            self._kill()
            self.sock.close()
        return self.answer

    def _kill(self) -> None:
        if self.pid:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(self.pid, signal.SIGKILL)

    def _end(self, why: str) -> None:
        self.answer, self.over = replace(self.answer, ended=why), True

    def _take(self, message: Any) -> None:
        if not isinstance(message, dict):
            return self._end("killed")
        self.heard, self.spent = time.monotonic(), self._cpu()
        if "pid" in message and not self.pid:
            self.pid, self.resident = message["pid"], message["resident"]
            self.answer = replace(self.answer, layers=tuple(message["layers"]), spent=message["spent"])
        elif "missing" in message:
            raise NoSandboxError(message["missing"])
        elif "unavailable" in message:
            said = " ".join(str(message["unavailable"]).split())[:500]
            raise (MissingLibraryError if message["installable"] else ParseError)(said)
        elif "failed" in message:
            raise UnfinishedError(f"the examination failed: {message['failed']}")
        elif "at" in message:
            self.answer = replace(self.answer, at=tuple(message["at"]))
        elif "interrupted" in message:
            self._end(str(message["interrupted"]))
        elif "done" in message:
            self.answer = replace(self.answer, done=message["done"])
            if self.ask is None:
                self.over = True
            else:
                asked = self.ask(message["done"])
                self.heard = time.monotonic()  # it was we who took so long
                with suppress(OSError):
                    self.sock.sendall(json.dumps({"replay": asked}).encode() + b"\n")
        elif "replayed" in message:
            self.answer, self.over = replace(self.answer, replayed=message["replayed"]), True

    def _messages(self) -> Iterator[Any]:
        rest, size = bytearray(), 0
        with selectors.DefaultSelector() as selector:
            selector.register(self.sock, selectors.EVENT_READ)
            while not self.over:
                if not selector.select(LOOK):
                    self._look()
                    continue
                got = self.sock.recv(1 << 20)
                size += len(got)
                rest += got
                if not got or size > LARGEST_ANSWER:
                    self._end("killed")
                    return
                while (end := rest.find(b"\n")) >= 0:
                    try:
                        message = json.loads(bytes(rest[:end]))
                    except (ValueError, RecursionError):
                        message = None
                    del rest[: end + 1]
                    yield message
                self._look()

    def _look(self) -> None:
        """Look at the process itself: it may use too much memory, run on without a word, or only sleep."""
        if not self.pid or self.over:
            return
        quiet = time.monotonic() - self.heard
        if sys.platform != "linux":
            if quiet > 10 * self.hang:
                self._end("hang")
            return
        try:
            resident = int(Path(f"/proc/{self.pid}/statm").read_text("ascii").split()[1]) * 4096
            state = Path(f"/proc/{self.pid}/stat").read_text("ascii").rpartition(")")[2].split()[0]
        except (OSError, IndexError):
            return
        if resident - self.resident > self.memory * 1.1:
            self._end("memory")
        elif self._cpu() - self.spent > 2 * self.hang or (state == "S" and quiet > 2 * self.hang + 0.5):
            self._end("hang")

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
