"""Commands forked from a process that has everything imported: importing is most of what a start costs.

Each is a process of its own, as the command would be, with its own signals, files and end.
"""

import atexit
import gc
import json
import os
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from importlib import import_module
from threading import Lock
from typing import IO, Any

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LARGEST = 1 << 20
COMMAND = (
    "perfectplay.audit.report",
    "perfectplay.coach",
    "perfectplay.games.registry",
    "perfectplay.saves",
    "perfectplay.terminal.line.line_mode",
    "perfectplay.terminal.line.online",
    "perfectplay.terminal.play",
    "perfectplay.terminal.commands.show",
    "perfectplay.terminal.commands.solve",
    "rich.markdown",
)
"""What many commands import. A server imports much more, and forks from a process of its own."""
SERVER = ("perfectplay_server.serve",)
EVALS = ("perfectplay.evals.arena", "perfectplay.evals.page", "pyarrow.parquet")
FOREIGN = ("numpy", "perfectplay_foreign.collections.collection", "perfectplay_foreign.commands.audit_env")
SLOW = {
    "arena": EVALS,
    "audit-env": FOREIGN,
    "leaderboard": ("inspect_ai.log",),
    "mcp": ("perfectplay_mcp.server",),
    "replay-env": FOREIGN,
    "report": EVALS,
}
"""Commands that import more than all the rest: they fork from processes of their own too."""
_ASKING = Lock()


def run_forked(
    arguments: list[str], typed: bytes, environment: dict[str, str], folder: str
) -> "subprocess.CompletedProcess[str]":
    """Run a command with this input to its end."""
    read, write = os.pipe()
    command = Forked(arguments, "", environment, folder, stdin=read)
    os.close(read)

    def type_all() -> None:
        with suppress(BrokenPipeError), os.fdopen(write, "wb") as keys:
            keys.write(typed)

    with ThreadPoolExecutor(2) as beside:
        beside.submit(type_all)
        printed = beside.submit(command.stdout.read)
        complaints = command.stderr.read()
    command.ended()
    return subprocess.CompletedProcess(arguments, command.returncode or 0, printed.result(), complaints)


class Forked:
    """A command in a forked process, as far as tests need what `subprocess.Popen` has."""

    def __init__(
        self,
        arguments: list[str],
        before: str,
        environment: dict[str, str],
        folder: str = "",
        stdin: int = -1,
    ) -> None:
        """Start a server, or with `stdin` a command that reads from this file."""
        slow = () if "--help" in arguments else SLOW.get(arguments[0] if arguments else "", ())
        self._imported = SERVER if stdin < 0 else COMMAND + slow
        (out, out_end), (err, err_end) = os.pipe(), os.pipe()
        folder = folder or os.getcwd()
        asked = {"arguments": arguments, "before": before, "environment": environment, "folder": folder}
        with open(os.devnull) as nothing:
            given = nothing.fileno() if stdin < 0 else stdin
            self.pid = ask_to_fork(self._imported, asked, [given, out_end, err_end])
        os.close(out_end)
        os.close(err_end)
        self.stdout: IO[str] = os.fdopen(out, encoding="utf-8", errors="replace", newline="")
        self.stderr: IO[str] = os.fdopen(err, encoding="utf-8", errors="replace", newline="")
        self.returncode: int | None = None

    def send_signal(self, number: int) -> None:
        if self.returncode is None:  # as long as nobody has waited for it, no other process has its number
            os.kill(self.pid, number)

    def ended(self) -> str:
        """Wait for its end; what it wrote to standard error."""
        if self.returncode is None:
            with self.stdout, self.stderr:
                complaints = self.stderr.read()
            self.returncode = os.waitstatus_to_exitcode(ask_to_fork(self._imported, {"wait": self.pid}))
            return complaints
        return ""


def ask_to_fork(imported: tuple[str, ...], request: dict[str, Any], files: list[int] | None = None) -> int:
    """Ask the process that has imported these modules to fork, or to wait for a process that it has forked."""
    with _ASKING:
        control, _ = _forking(os.getpid(), imported)
        socket.send_fds(control, [json.dumps(request).encode()], files or [])
        return int(control.recv(100))


@cache
def _forking(_: int, imported: tuple[str, ...]) -> tuple[socket.socket, "subprocess.Popen[bytes]"]:
    """The way to the process that forks, and the process, which ends with ours. A forked one needs its own."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-m", "tests.forks", str(theirs.fileno()), *imported]
    process = subprocess.Popen(command, cwd=ROOT, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
    theirs.close()
    for end in (ours.close, process.wait, process.terminate):  # the last is called first
        atexit.register(end)
    return ours, process


def _fork_on_request(control: socket.socket) -> dict[str, Any] | None:
    """Answer requests. Returns in each forked process, with its request, and None once nobody asks."""
    while True:
        data, files, _, _ = socket.recv_fds(control, LARGEST, 3)
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
            for number, file in enumerate(files):
                os.dup2(file, number)
                os.close(file)
            return request


def _main() -> None:
    from perfectplay.cli import main

    for name in sys.argv[2:]:
        with suppress(ImportError):  # of an extra that is not installed
            import_module(name)
    gc.freeze()
    with socket.socket(fileno=int(sys.argv[1])) as control:
        request = _fork_on_request(control)
    if request is not None:
        sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
        sys.stderr = os.fdopen(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)
        os.chdir(request["folder"])
        sys.path[0] = request["folder"]
        os.environ.clear()
        os.environ.update(request["environment"])
        time.tzset()
        sys.argv = ["perfectplay", *request["arguments"]]
        exec(request["before"], {"__name__": "__main__"})
        main()


if __name__ == "__main__":
    _main()
