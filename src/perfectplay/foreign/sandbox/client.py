"""Starts fork servers, and sends them jobs."""

import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from perfectplay.core.wording import join_words
from perfectplay.foreign.adapter import USUAL_NAMES, MethodNames
from perfectplay.foreign.examine import MOVES, SECONDS
from perfectplay.foreign.load import adapter_of, check_name
from perfectplay.foreign.sandbox.job import Answer, Ask, Job, NoSandboxError
from perfectplay.foreign.sandbox.layers import LAYERS, MEMORY, available
from perfectplay.foreign.sandbox.messages import UnfinishedError

SLOW_START, LARGE_START = 12, 2
"""A library that cannot be forked is imported and compiles within the job: calls may take longer, and all of
it more memory."""
PASSED_ON = ("PATH", "PYTHONPATH", "HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "SYSTEMROOT", "VIRTUAL_ENV")
"""The environment variables that foreign code may see."""


@dataclass(frozen=True)
class AuditOptions:
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
    names: MethodNames = USUAL_NAMES


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
        # The server itself is not confined: it must not import what lies in the current folder.
        here, ours_too = os.path.realpath(os.curdir), str(Path(__file__).resolve().parents[3])
        paths = [each for each in sys.path if each and os.path.realpath(each) != here]
        shared["PYTHONPATH"] = os.pathsep.join([*paths, ours_too])
        command = [sys.executable, "-P", "-W", "ignore", "-m", "perfectplay.foreign.sandbox.fork_server"]
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

    def run(self, what: str, options: AuditOptions, ask: Ask | None = None, **more: Any) -> Answer:
        """Run one job to its end, whatever the environment does."""
        adapter = adapter_of(what)
        fresh = adapter is not None and not adapter.forks
        job = {"what": what, "careful": False, "fresh": fresh, **vars(options), **more}
        if fresh:
            job |= {"hang": options.hang * SLOW_START, "memory": options.memory * LARGE_START}
            process, control = self._started(fresh=True)
            try:
                return Job(control, job, ask).result()
            finally:
                control.close()
                process.kill()
                process.wait()
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._process, self._control = self._started(fresh=False)
        assert self._control is not None
        return Job(self._control, job, ask).result()


def require_sandbox(what: str, *, trust: bool) -> None:
    """Raise unless a name is valid and the sandbox is complete or, with `trust`, not needed."""
    check_name(what)
    if not hasattr(os, "fork"):
        raise UnfinishedError(
            f"the sandbox lacks {join_words(LAYERS, 'and')} here, and environments run only where processes"
            " can be forked; use Linux, or check_env in your own tests"
        )
    missing = [layer for layer in LAYERS if layer not in available()]
    if missing and not trust:
        raise NoSandboxError(missing)
