"""The fork server: a process that has imported the usual libraries, and forks one child for each job.

A child gives up everything it does not need, runs one environment, and talks over one socket, in lines of
JSON. `python -m perfectplay.foreign.server FD` is started by `client.py`.
"""

import gc
import json
import os
import platform
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

from perfectplay.foreign import sandbox, seccomp

TICK = 0.1
"""Seconds of CPU time between two looks at a job."""
LARGEST_JOB = 1 << 20
OURS = os.path.dirname(os.path.abspath(__file__))
PRELOADED = ("numpy", "gymnasium", "gymnasium.spaces", "gymnasium.utils.seeding")


class Interrupted(BaseException):
    """A call that does not return. Not an Exception, so that foreign code seldom catches it."""


class Line:
    """A socket that carries one JSON object per line."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.rest = b""

    def send(self, data: Any) -> None:
        """Send one object."""
        self.sock.sendall(json.dumps(data).encode() + b"\n")

    def read(self) -> Any:
        """Wait for the next object; None at the end."""
        while b"\n" not in self.rest:
            got = self.sock.recv(1 << 16)
            if not got:
                return None
            self.rest += got
        line, _, self.rest = self.rest.partition(b"\n")
        return json.loads(line)


class Watch:
    """Watches a job: reports that it is alive, and interrupts a call that does not return."""

    def __init__(self, line: Line, hang: float) -> None:
        self.line, self.hang = line, hang
        self.call: FrameType | None = None
        self.ticks = 0
        signal.signal(signal.SIGPROF, self._tick)

    def start(self) -> None:
        """Begin to look."""
        signal.setitimer(signal.ITIMER_PROF, TICK, TICK)

    def stop(self) -> None:
        """Stop looking, so that nothing is sent in between."""
        signal.setitimer(signal.ITIMER_PROF, 0)

    def _tick(self, number: int, frame: FrameType | None) -> None:
        call = None
        while frame is not None and not frame.f_code.co_filename.startswith(OURS):
            call, frame = frame, frame.f_back
        self.ticks = self.ticks + 1 if call is not None and call is self.call else 0
        self.call = call
        if not self.ticks:  # a call that has not returned yet is not a sign of life
            self.line.send({"beat": 0})
        if self.ticks * TICK >= self.hang:
            self.ticks = 0
            raise Interrupted


def run_job(job: dict[str, Any], line: Line) -> None:
    """Run one job in this process, which ends afterwards."""
    from perfectplay.foreign.examine import Examination, compared, steps
    from perfectplay.foreign.face import Names, UnavailableError
    from perfectplay.foreign.load import environment, needed

    files = needed(job["what"])
    page = os.sysconf("SC_PAGE_SIZE")
    fixed = (
        int(Path("/proc/self/statm").read_text("ascii").split()[1]) * page if sys.platform == "linux" else 0
    )
    memory = None if job["fresh"] else job["memory"]
    layers = sandbox.confine(files, seconds=2 * job["seconds"] + 10, memory=memory)
    spent = time.process_time()
    line.send({"pid": os.getpid(), "layers": layers, "resident": fixed, "spent": spent})
    missing = [each for each in sandbox.LAYERS if each not in layers]
    if missing and not job["trust"]:
        return line.send({"missing": missing})
    threading.stack_size(1 << 19)  # threads count as memory
    env = environment(job["what"], job["kwargs"], Names(*job["names"]))
    if job["careful"]:
        env.at = lambda moves: line.send({"at": moves})
    watch = Watch(line, job["hang"])
    try:
        watch.start()
        try:
            if "steps" in job:
                result: Any = steps(env, job["seed"], job["steps"])
            elif "compare" in job:
                result = compared(env, job["seed"], job["compare"])
            else:
                limits = {name: job[name] for name in ("seed", "moves", "seconds")}
                done = Examination(env, **limits, draw=job.get("draw", False))
                result = done.as_dict()
        finally:
            watch.stop()
        line.send({"done": result})
        if "steps" not in job and "compare" not in job:
            asked = line.read()
            watch.start()
            replayed = done.replay((asked or {}).get("replay", ()))
            watch.stop()
            line.send({"replayed": replayed})
    except UnavailableError as error:
        line.send({"unavailable": str(error), "installable": error.missing})
    except Interrupted:
        watch.stop()
        line.send({"interrupted": "hang"})
    except MemoryError:
        watch.stop()
        line.send({"interrupted": "memory"})
    except (SystemExit, KeyboardInterrupt):
        watch.stop()
        line.send({"interrupted": "killed"})


def _child(job: dict[str, Any], sock: socket.socket) -> None:
    os.setsid()
    sandbox.die_with_parent()
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    kept = os.dup2(sock.fileno(), 3)
    os.closerange(4, 4096)
    sock.detach()
    line = Line(socket.socket(fileno=kept))
    try:
        run_job(job, line)
    except BaseException as error:  # noqa: BLE001 - nothing may get past here
        with suppress(BaseException):
            from perfectplay.foreign.protocol import located

            line.send({"failed": located(error)})
    finally:
        os._exit(0)


def main() -> None:
    """Serve jobs until the other end is closed."""
    descriptor, fresh = int(sys.argv[1]), "--fresh" in sys.argv
    sandbox.die_with_parent()
    control = socket.socket(fileno=descriptor)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the client decides what an interrupt means
    if not fresh:
        for name in PRELOADED:
            with suppress(ImportError):
                __import__(name)
        from perfectplay.foreign import examine, findings, load  # noqa: F401 - loaded once for all
        from perfectplay.foreign.face import faces

        list(faces())
        sandbox.available()  # looks for the C library, which takes long
        seccomp.program(platform.machine())
        gc.collect()
        gc.freeze()
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, LARGEST_JOB, 1)
        while message and not message.endswith(b"\n"):
            message += control.recv(LARGEST_JOB)
        if not message:
            return
        sock = socket.socket(fileno=descriptors[0])
        job = json.loads(message)
        if fresh:
            _child(job, sock)
        if os.fork() == 0:
            _child(job, sock)
        sock.close()
        with suppress(ChildProcessError):  # those that have ended since the last job
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


if __name__ == "__main__":
    main()
