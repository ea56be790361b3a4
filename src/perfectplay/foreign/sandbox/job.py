"""A job in the sandbox, seen from outside: what it says is checked, and it is watched until it ends."""

import json
import os
import re
import selectors
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from perfectplay.core.errors import ParseError, PerfectplayError
from perfectplay.core.wording import join_words
from perfectplay.foreign.sandbox import messages
from perfectplay.foreign.sandbox.layers import LAYERS
from perfectplay.foreign.sandbox.limits import SHARES, held_up
from perfectplay.foreign.sandbox.messages import GarbledError, UnfinishedError
from perfectplay.foreign.transitions import TransitionTable

LOOK = 0.05
"""Seconds between two looks at a job from outside."""
START = 60
"""Seconds in which a server has to start; no job has to answer for them."""
MOST_BYTES = 1 << 30
"""How much a job may say in all."""
INTERRUPTED = ("hang", "memory", "killed")
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
            said += "; pip install 'perfectplay[rl]' brings landlock"
        super().__init__(said)


class MissingLibraryError(UnfinishedError):
    """A library that an environment needs is not installed. The text says how to install it."""


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
    at: tuple[int, tuple[Any, ...]] | None = None
    """The seed and the moves of the last call, if the job was to tell them."""
    replayed: Any = None


Ask = Callable[[TransitionTable | None], list[dict[str, Any]]]
"""Called with the table of a result; returns what is to be replayed."""


class Job:
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
        elif tag == "at" and isinstance(data, list) and len(data) == 3:
            self.answer = replace(self.answer, at=messages.place(*data[:2]), visited=messages.counts(data[2]))
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
        self.pid, self.resident, self.begun = data["pid"], data["resident"], time.monotonic()
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
        patience = self.job["seconds"] if self.pid else max(self.job["seconds"], START)
        if used > SHARES * self.job["seconds"] or waited > patience:
            return self._end("time")
        hang, quiet = self.job["hang"], now - self.heard - (used - self.spent)
        if sys.platform != "linux" or not self.pid:
            return self._end("hang") if self.pid and quiet > 10 * hang else None
        try:
            status = Path(f"/proc/{self.pid}/status").read_text("utf-8", errors="replace")
        except OSError:
            return None  # it has ended, and reading says so
        state = STATE.search(status)
        held = sum(int(size) << 10 for size in HELD.findall(status))
        held += sum(int(count) * PER_THREAD for count in THREADS.findall(status))
        if held - self.resident > self.job["memory"] * 1.1:
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
