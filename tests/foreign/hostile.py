"""Environments that try to do harm, and a watch over the harm. An ordinary user runs this without pytest.

Each is a class whose `step` runs some lines. `CANARY` is a file that nobody may touch, `INBOX` a socket that
nobody may reach, and `say` writes to the socket of the auditor.
"""

import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep

from perfectplay_foreign.audit import audit_environment
from perfectplay_foreign.sandbox import layers
from perfectplay_foreign.sandbox.client import ForkServer
from perfectplay_foreign.sandbox.request import AuditOptions

SETTINGS = AuditOptions(hang=0.15, memory=100 << 20, moves=2_000, seconds=6)
SOUND = Path(__file__).parent / "envs" / "sound.py"

TEMPLATE = """
import ctypes, json, mmap, os, signal, socket, sys, threading, time
CANARY, PORT, PARENT = {canary!r}, {port}, {parent}
INBOX = os.path.join(os.path.dirname(os.path.dirname(CANARY)), "inbox")

def say(tag, data):
    os.write(3, json.dumps([tag, data]).encode() + b"\\n")

class Hostile:
    def reset(self, seed=None):
        self.left, self.current_player = 4, 0
        return self.left, {{}}

    def valid_moves(self):
        return [0, 1]

    def step(self, action):
        self.left -= 1
        self.current_player ^= 1
        if self.left == 2:
            self.harm()
        return self.left, float(not self.left), not self.left, False, {{}}

    def harm(self):
{lines}
"""

HOSTILE = {
    "writes": "open(CANARY, 'w').write('x')",
    "appends": "os.write(os.open(CANARY, os.O_WRONLY | os.O_APPEND), b'x')",
    "new-file": "open(CANARY + '.new', 'w')",
    "new-folder": "os.mkdir(CANARY + '.d')",
    "temporary": "open('/tmp/perfectplay-hostile', 'w').write('x')",
    "deletes": "os.remove(CANARY)",
    "renames": "os.rename(CANARY, CANARY + '.moved')",
    "links": "os.symlink('/etc/passwd', CANARY + '.link')",
    "hard-links": "os.link(CANARY, CANARY + '.hard')",
    "truncates": "os.truncate(CANARY, 0)",
    "chmods": "os.chmod(CANARY, 0)",
    "touches": "os.utime(CANARY, (0, 0))",
    "attributes": "os.setxattr(CANARY, 'user.hostile', b'x')",
    "reads-secrets": "open(CANARY).read(); os._exit(9)",
    "connects": "socket.create_connection(('127.0.0.1', PORT), 1).send(b'x')",
    "datagram": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', PORT))",
    "listens": "socket.socket().bind(('127.0.0.1', 0))",
    "unix-socket": "socket.socket(socket.AF_UNIX).bind(CANARY + '.sock')",
    "program": "os.execv('/bin/sh', ['sh', '-c', 'echo x > ' + CANARY])",
    "subprocess": "import subprocess; subprocess.run(['sh', '-c', 'echo x > ' + CANARY], check=True)",
    "system": "assert not os.system('echo x > ' + CANARY)",
    "forks": "os.fork()",
    "fork-bomb": "\nwhile True:\n    os.fork()",
    "daemon": "\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(600)",
    "kills-parent": "os.kill(PARENT, 9)",
    "kills-server": "os.kill(os.getppid(), 9)",
    "kills-all": "os.kill(-1, 9)",
    "kills-itself": "os.kill(os.getpid(), 9)",
    "limits-parent": "import resource; resource.prlimit(PARENT, resource.RLIMIT_CPU, (0, 0))",
    "exits": "sys.exit(0)",
    "exits-hard": "os._exit(0)",
    "crashes-in-c": "import ctypes; ctypes.string_at(0)",
    "loop": "\nwhile True:\n    pass",
    "loop-in-c": "sum(range(10**13))",
    "stubborn-loop": "\nwhile True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass",
    "sleeps": "time.sleep(10**6)",
    "memory": "self.held = b'x' * 10**10",
    "memory-slowly": "\nheld = []\nwhile True:\n    held.append(bytes(10**7))",
    "threads": "\nimport threading\nwhile True:\n    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()",
    "floods-output": "\nfor _ in range(500):\n    print('x' * 10_000)",
    "floods-socket": "\nfor number in range(3, 10):\n    try:\n        while True:\n            os.write(number, b'[' * 65_536)\n    except OSError:\n        pass",
    "lies": "say('done', {'findings': 7, 'dropped': [], 'table': [], 'cut_short': '', 'unlisted': False})",
    "closes-socket": "os.closerange(0, 64)",
    "recursion": "self.harm()",
    "clears-timer": "\nimport signal\nsignal.setitimer(signal.ITIMER_PROF, 0)\nwhile True:\n    pass",
    "raises-limits": "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1, 1)); open(CANARY, 'w').write('x')",
    "shared-memory": "from multiprocessing import shared_memory; shared_memory.SharedMemory('hostile', True, 10)",
    "mounts": "import ctypes; assert ctypes.CDLL(None).mount(b'none', b'/mnt', b'tmpfs', 0, None) == 0",
    "pair-sends": "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b'x', INBOX)",
    "pair-connects": "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].connect(INBOX)",
    "pair-messages": "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendmsg([b'x'], [], 0, INBOX)",
    "memory-unseen": "\nheld = mmap.mmap(-1, 300 << 20)\nfor at in range(0, 300 << 20, 1 << 20):\n    held[at : at + (1 << 20)] = b'x' * (1 << 20)\n    held.madvise(mmap.MADV_DONTNEED, at, 1 << 20)",
    "page-tables": "\nheld = mmap.mmap(-1, 100 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, mmap.PROT_READ)\nsum(held[at] for at in range(0, 100 << 30, 2 << 20))",
    "zeros": "mmap.mmap(os.open('/dev/zero', os.O_RDONLY), 4096, mmap.MAP_SHARED, mmap.PROT_READ)[0]",
    "foreign-memory": "\nlibc = ctypes.CDLL(None, use_errno=True)\nlibc.shmat(0, None, 0)\nassert ctypes.get_errno() != 1",
    "stops-itself": "os.kill(os.getpid(), signal.SIGSTOP)",
    "main-thread-ends": "\nthreading.Thread(target=time.sleep, args=(10**6,), daemon=True).start()\nctypes.CDLL(None).syscall({'x86_64': 60}.get(os.uname().machine, 93), 0)",
    "beats": "\nwhile True:\n    say('beat', [0, 0])\n    time.sleep(0.5)",
    "never-reads": "\ncount, table = 200, {'names': ['x' * 4000], 'open': []}\ntable |= {'sides': [at % 2 for at in range(count)], 'offsets': list(range(count + 1)), 'actions': [0] * count}\ntable |= {'targets': [*range(1, count), -1], 'looks': list(range(count))}\nsay('done', {'findings': [], 'dropped': [], 'table': table, 'cut_short': '', 'unlisted': False})\ntime.sleep(10**6)",
    "threads-unseen": "\nlibc, stack = ctypes.CDLL(None), ctypes.create_string_buffer(1 << 16)\nfor _ in range(6_000):\n    libc.clone(libc.pause, ctypes.c_void_p(ctypes.addressof(stack) + (1 << 15)), 0x50f00, None)\ntime.sleep(10**6)",
    "traces": "import ctypes; assert ctypes.CDLL(None).ptrace(16, PARENT, 0, 0) == 0",
}  # fmt: skip
"""What each does when two of four moves are made."""


def source(name: str, canary: str, port: int, parent: int) -> str:
    """The text of a hostile environment."""
    lines = "\n".join(f"        {line}" for line in HOSTILE[name].strip("\n").splitlines())
    return TEMPLATE.format(canary=canary, port=port, parent=parent, lines=lines)


SLOW = ("loop", "loop-in-c", "stubborn-loop", "sleeps", "clears-timer", "floods-socket")
"""Those that have to be waited for."""
PATIENT = {"threads-unseen": 3.0}
"""Those whose harm takes longer on a busy machine than the others may hang."""
UNSTEADY = ("threads",)
"""Those that reach now one limit, now another: what is found may be dropped when it is tried again."""
EXPECTED = {
    "exits": "killed",
    "exits-hard": "killed",
    "kills-itself": "killed",
    "crashes-in-c": "killed",
    "closes-socket": "killed",
    "main-thread-ends": "killed",
    "memory": "memory",
    "memory-slowly": "memory",
    "threads-unseen": "memory",
    "lies": "garbled",
    "floods-socket": "garbled",
    "never-reads": "garbled",  # it says the same when its witness is played
    "beats": "time ran out",
    "floods-output": "",
    "kills-all": "",
    **dict.fromkeys((*SLOW[:-1], "stops-itself"), "hang"),
    **dict.fromkeys(UNSTEADY, ("hang", "killed", "crash")),
}
"""What is found, where it is not that the harm is refused: a crash."""


@contextmanager
def watched(folder: Path) -> Iterator[tuple[Path, int]]:
    """A file that nobody may touch, and a port and a socket that nobody may reach."""
    (folder / "private").mkdir()
    canary = folder / "private" / "canary"
    canary.write_text("safe")
    canary.chmod(0o644)
    before = canary.stat()
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.socket(type=socket.SOCK_DGRAM) as datagrams,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as inbox,
    ):
        port = listener.getsockname()[1]
        datagrams.bind(("127.0.0.1", port))
        inbox.bind(str(folder / "inbox"))
        yield canary, port
        for sock in (listener, datagrams, inbox):
            sock.setblocking(False)
        assert nothing_comes(listener.accept)
        assert nothing_comes(lambda: datagrams.recv(1))
        assert nothing_comes(lambda: inbox.recv(1))
    after = canary.stat()
    assert canary.read_text() == "safe"
    assert (after.st_mode, after.st_mtime_ns, after.st_ctime_ns) == (
        before.st_mode,
        before.st_mtime_ns,
        before.st_ctime_ns,
    )
    assert [each.name for each in canary.parent.iterdir()] == ["canary"]
    assert not Path("/tmp/perfectplay-hostile").exists()


def nothing_comes(read: Callable[[], object]) -> bool:
    """Whether a socket has nothing to read."""
    try:
        read()
    except BlockingIOError:
        return True
    return False


def children(pid: int) -> list[int]:
    """The processes that a process has started and that still run."""
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        try:
            fields = (each / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid and fields[0] != "Z":
            found.append(int(each.name))
    return found


def run_hostile(folder: Path, names: list[str]) -> dict[str, list[str]]:
    """Audit hostile environments, one after another, with one server; returns what was found."""
    found = {}
    others = set(children(os.getpid()))  # of other tests in this process
    with watched(folder) as (canary, port), ForkServer() as server:
        for name in names:
            path = folder / f"{name}.py"
            path.write_text(source(name, str(canary), port, os.getpid()))
            settings = replace(SETTINGS, hang=PATIENT.get(name, SETTINGS.hang))
            record = audit_environment(str(path), settings, server).record
            # Of an answer that is garbled, nothing is believed.
            held = () if EXPECTED.get(name) == "garbled" else layers.LAYERS
            assert record["layers"] == list(held), record
            found[name] = [each["code"] for each in record["findings"]] + [record["error"] or ""]
            if name in UNSTEADY:
                found[name] += record["dropped"]
        [process] = set(children(os.getpid())) - others
        deadline = monotonic() + 30  # the last one has answered, and may still be ending
        while children(process) and monotonic() < deadline:
            sleep(0.01)
        assert children(process) == []
        assert audit_environment(str(SOUND), SETTINGS, server).record["value"] == {"kind": "win", "plies": 3}
    assert set(children(os.getpid())) <= others
    return found


def check_found(found: dict[str, list[str]]) -> None:
    """Whether everything was found that was expected."""
    for name, codes in found.items():
        wanted = EXPECTED.get(name, "crash")
        wanted = (wanted,) if isinstance(wanted, str) else wanted
        assert any(word in code for word in wanted for code in codes), (name, codes)
