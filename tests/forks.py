"""Servers forked from a process that has everything imported: importing is most of what a start costs.

Each is a process of its own, as the command would be, with its own signals, files and end.
"""

import gc
import json
import os
import socket
import subprocess
import sys
from functools import cache
from threading import Lock
from typing import IO, Any

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LARGEST = 1 << 20
_ASKING = Lock()


class Forked:
    """A command in a forked process, as far as tests need what `subprocess.Popen` has."""

    def __init__(self, arguments: list[str], before: str, environment: dict[str, str]) -> None:
        (out, out_end), (err, err_end) = os.pipe(), os.pipe()
        asked = {"arguments": arguments, "before": before, "environment": environment, "folder": os.getcwd()}
        self.pid = _asked(asked, [out_end, err_end])
        os.close(out_end)
        os.close(err_end)
        self.stdout: IO[str] = os.fdopen(out, encoding="utf-8")
        self.stderr: IO[str] = os.fdopen(err, encoding="utf-8")
        self.returncode: int | None = None

    def send_signal(self, number: int) -> None:
        if self.returncode is None:  # as long as nobody has waited for it, no other process has its number
            os.kill(self.pid, number)

    def ended(self) -> str:
        """Wait for its end; what it wrote to standard error."""
        if self.returncode is None:
            with self.stdout, self.stderr:
                complaints = self.stderr.read()
            self.returncode = os.waitstatus_to_exitcode(_asked({"wait": self.pid}))
            return complaints
        return ""


def _asked(request: dict[str, Any], files: list[int] | None = None) -> int:
    with _ASKING:
        control, _ = _forking(os.getpid())
        socket.send_fds(control, [json.dumps(request).encode()], files or [])
        return int(control.recv(100))


@cache
def _forking(_: int) -> tuple[socket.socket, "subprocess.Popen[bytes]"]:
    """The way to the process that forks, and the process, which ends with ours. A forked one needs its own."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-m", "tests.forks", str(theirs.fileno())]
    process = subprocess.Popen(command, cwd=ROOT, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
    theirs.close()
    return ours, process


def _fork_on_request(control: socket.socket) -> dict[str, Any] | None:
    """Answer requests. Returns in each forked process, with its request, and None once nobody asks."""
    while True:
        data, files, _, _ = socket.recv_fds(control, LARGEST, 2)
        if not data:
            return None
        request: dict[str, Any] = json.loads(data)
        if "wait" in request:
            control.send(str(os.waitpid(request["wait"], 0)[1]).encode())
        elif pid := os.fork():
            for file in files:
                os.close(file)
            control.send(str(pid).encode())
        else:
            for number, file in enumerate(files, start=1):
                os.dup2(file, number)
                os.close(file)
            return request


def _main() -> None:
    import perfectplay.web.serve  # noqa: F401 - for those to come
    from perfectplay.cli import main

    gc.freeze()
    with socket.socket(fileno=int(sys.argv[1])) as control:
        request = _fork_on_request(control)
    if request is not None:
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
        sys.stderr = os.fdopen(2, "w", 1, encoding="utf-8", closefd=False)
        os.chdir(request["folder"])
        os.environ.clear()
        os.environ.update(request["environment"])
        sys.argv = ["perfectplay", *request["arguments"]]
        exec(request["before"], {"__name__": "__main__"})
        main()


if __name__ == "__main__":
    _main()
