"""Starts fork servers, and sends them jobs."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from tempfile import gettempdir

from perfectplay.core.formatting import join_words
from perfectplay_foreign.load import adapter_of, check_name
from perfectplay_foreign.sandbox.job import NoSandboxError, SandboxJob
from perfectplay_foreign.sandbox.layers import LAYERS, SOURCES, available
from perfectplay_foreign.sandbox.messages import UnfinishedError
from perfectplay_foreign.sandbox.request import JobRequest

SLOW_START, LARGE_START = 12, 2
"""A library that cannot be forked is imported and compiles within the job: calls may take longer, and all of
it more memory."""
PASSED_ON = ("PATH", "PYTHONPATH", "HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "SYSTEMROOT", "VIRTUAL_ENV")
"""The environment variables that foreign code may see."""
SET = {
    "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1",
    "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0",
    "SDL_VIDEODRIVER": "dummy", "JAX_PLATFORMS": "cpu", "MPLBACKEND": "agg",
}  # fmt: skip


class ForkServer:
    """A fork server, started when it is first needed."""

    def __init__(self, *, fresh: bool = False) -> None:
        self.fresh = fresh
        """Whether it imports nothing beforehand, and does one job without forking."""
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def __enter__(self) -> "ForkServer":
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

    def _start(self) -> socket.socket:
        """The socket to the server, which is started if it does not run."""
        if self._control is not None and self._process is not None and self._process.poll() is None:
            return self._control
        self.close()
        self._control, theirs = socket.socketpair()
        # Matplotlib cannot be imported without a folder that seems writable. It finds out that this is not.
        shared = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        shared |= {**SET, "MPLCONFIGDIR": gettempdir()}
        # The server itself is not confined: it must not import what lies in the current folder.
        here = os.path.realpath(os.curdir)
        paths = [each for each in sys.path if each and os.path.realpath(each) != here]
        shared["PYTHONPATH"] = os.pathsep.join([*paths, *SOURCES])
        command = [sys.executable, "-P", "-W", "ignore", "-m", "perfectplay_foreign.sandbox.fork_server"]
        self._process = subprocess.Popen(
            [*command, str(theirs.fileno()), *["--fresh"] * self.fresh],
            pass_fds=[theirs.fileno()],
            env=shared,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        theirs.close()
        return self._control

    @contextmanager
    def start(self, request: JobRequest) -> Iterator[SandboxJob]:
        """A job that runs until the end of the block, whatever the environment does."""
        adapter = adapter_of(request.what)
        if self.fresh or adapter is None or adapter.forks:
            with SandboxJob(self._start(), request) as job:
                yield job
            return
        options = request.options
        slow = replace(options, hang=options.hang * SLOW_START, memory=options.memory * LARGE_START)
        with ForkServer(fresh=True) as server, server.start(replace(request, options=slow)) as job:
            yield job

    def run(self, request: JobRequest) -> SandboxJob:
        """Run one job to its end."""
        with self.start(request) as job:
            return job.wait()


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
