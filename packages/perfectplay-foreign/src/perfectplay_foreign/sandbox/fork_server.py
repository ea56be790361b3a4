"""The fork server: a process that has imported the usual libraries, and forks one child for each job.

A child reads its request from one socket, gives up everything it does not need, runs one environment, and
answers in lines of JSON: what it is asked comes from us, what it says need not. `client.py` starts
`python -m perfectplay_foreign.sandbox.fork_server FD`.
"""

import gc
import json
import os
import pickle
import platform
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from types import FrameType

from perfectplay_foreign.adapter import UnavailableError, find_adapters
from perfectplay_foreign.drawing import play_steps
from perfectplay_foreign.environment import Environment
from perfectplay_foreign.examine import Examination
from perfectplay_foreign.load import environment, find_needed_files
from perfectplay_foreign.probe import Suspect
from perfectplay_foreign.protocol import describe_error
from perfectplay_foreign.sandbox import layers, seccomp
from perfectplay_foreign.sandbox.limits import SHARES, Limits, resident
from perfectplay_foreign.sandbox.request import JobRequest

TICK = 0.1
"""Seconds of CPU time between two looks at a job."""
OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PRELOADED = ("numpy", "gymnasium", "gymnasium.spaces", "gymnasium.utils.seeding")


class Interrupted(BaseException):
    """A call that does not return. Not an Exception, so that foreign code seldom catches it."""


class LineSocket:
    """A socket that carries one message per line: a tag, and what belongs to it."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock, self.sending = sock, False
        self.asked = sock.makefile("rb")
        """What we are asked, as pickles: the request, then the witnesses to be replayed."""

    def send(self, tag: str, data: object) -> None:
        """Send a message."""
        self.sending = True
        self.sock.sendall(json.dumps([tag, data]).encode() + b"\n")
        self.sending = False


class Watch:
    """Watches a job: reports that it is alive, and interrupts a call that does not return."""

    def __init__(self, line: LineSocket, env: Environment, hang: float) -> None:
        self.line, self.env, self.hang = line, env, hang
        self.call: FrameType | None = None
        self.waiting: FrameType | None = None
        self.ticks = 0
        signal.signal(signal.SIGPROF, self._tick)
        signal.signal(signal.SIGALRM, self._alive)

    def __enter__(self) -> None:
        signal.setitimer(signal.ITIMER_PROF, TICK, TICK)
        signal.setitimer(signal.ITIMER_REAL, self.hang, self.hang)

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)

    def _beat(self) -> None:
        if not self.line.sending:  # the signal may have come in the middle of a message
            self.line.send("beat", self.env.visited)

    def _tick(self, number: int, frame: FrameType | None) -> None:
        call = _foreign(frame)
        self.ticks = self.ticks + 1 if call is not None and call is self.call else 0
        self.call = call
        if not self.ticks:  # a call that has not returned yet is not a sign of life
            self._beat()
        if self.ticks * TICK >= self.hang:
            self.ticks = 0
            raise Interrupted

    def _alive(self, number: int, frame: FrameType | None) -> None:
        """The same for calls that wait, which take no CPU time."""
        call = _foreign(frame)
        if call is None or call is not self.waiting:
            self._beat()
        self.waiting = call


def _foreign(frame: FrameType | None) -> FrameType | None:
    """The call of foreign code that is under way."""
    call = None
    while frame is not None and not frame.f_code.co_filename.startswith(OURS):
        call, frame = frame, frame.f_back
    return call


def run_job(request: JobRequest, line: LineSocket, *, fresh: bool) -> None:
    """Run one job in this process, which ends afterwards. A fresh one imports its library only now."""
    options, fixed = request.options, resident()
    held = layers.confine(
        lambda: find_needed_files(request.what),
        seconds=SHARES * options.seconds + 10,
        memory=None if fresh else options.memory,
    )
    spent = time.process_time()
    line.send("ready", {"pid": os.getpid(), "layers": held, "resident": fixed, "spent": spent})
    if len(held) < len(layers.LAYERS) and not options.trust:
        return
    # From here on, everything that is sent may come from foreign code.
    threading.stack_size(1 << 19)  # threads count as memory
    env = environment(request.what, options.kwargs, options.names)
    env.alternating, env.first_sees = options.turns == "alternating", options.rewards == "first"
    env.limits = Limits(options.seconds, fixed + options.memory)
    if request.careful:
        env.at = lambda seed, moves: line.send("at", [seed, moves, env.visited])
    watch = Watch(line, env, options.hang)
    try:
        if request.steps is not None:
            with watch:
                steps = play_steps(env, options.seed, request.steps)
            line.send("done", steps)
            return
        with watch:
            done = Examination(env, seed=options.seed, moves=options.moves, draw=request.draw)
            result = done.as_dict()
        line.send("done", result)
        suspects: list[Suspect] = pickle.load(line.asked)
        with watch:
            replayed = [each if isinstance(each, bool) else each.record() for each in done.replay(suspects)]
        line.send("replayed", replayed)
    except UnavailableError as error:
        line.send("unavailable", [str(error), error.missing])
    except Interrupted:
        line.send("interrupted", "hang")
    except MemoryError:
        line.send("interrupted", "memory")
    except (SystemExit, KeyboardInterrupt):
        line.send("interrupted", "killed")


def _child(sock: socket.socket, *, fresh: bool) -> None:
    os.setsid()
    layers.die_with_parent()
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    kept = os.dup2(sock.fileno(), 3)
    os.closerange(4, 4096)
    sock.detach()
    line = LineSocket(socket.socket(fileno=kept))
    try:
        request: JobRequest = pickle.load(line.asked)
        run_job(request, line, fresh=fresh)
    except BaseException as error:  # noqa: BLE001 - nothing may get past here
        with suppress(BaseException):
            line.send("failed", describe_error(error))
    finally:
        os._exit(0)


def main() -> None:
    """Serve jobs until the other end is closed."""
    descriptor, fresh = int(sys.argv[1]), "--fresh" in sys.argv
    layers.die_with_parent()
    control = socket.socket(fileno=descriptor)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the client decides what an interrupt means
    if not fresh:
        for name in PRELOADED:
            with suppress(ImportError):
                __import__(name)
        list(find_adapters())  # loaded once for all
        layers.available()  # looks for the C library, which takes long
        seccomp.program(platform.machine())
        gc.collect()
        gc.freeze()
    while True:
        descriptors = socket.recv_fds(control, 1, 1)[1]
        if not descriptors:
            return
        sock = socket.socket(fileno=descriptors[0])
        if fresh or os.fork() == 0:
            _child(sock, fresh=fresh)
        sock.close()
        with suppress(ChildProcessError):  # those that have ended since the last job
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


if __name__ == "__main__":
    main()
