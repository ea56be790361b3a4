"""Environments that try to do harm. Each is a class whose `step` runs some lines; `CANARY` is a file beside it."""

TEMPLATE = """
import os, socket, sys, time
CANARY, PORT, PARENT = {canary!r}, {port}, {parent}

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
    "lies": "\nfor number in range(3, 10):\n    try:\n        os.write(number, b'{\"done\": {\"findings\": 7, \"table\": []}}' + bytes([10]))\n    except OSError:\n        pass",
    "closes-socket": "os.closerange(0, 64)",
    "recursion": "self.harm()",
    "clears-timer": "\nimport signal\nsignal.setitimer(signal.ITIMER_PROF, 0)\nwhile True:\n    pass",
    "raises-limits": "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1, 1)); open(CANARY, 'w').write('x')",
    "shared-memory": "from multiprocessing import shared_memory; shared_memory.SharedMemory('hostile', True, 10)",
    "mounts": "import ctypes; assert ctypes.CDLL(None).mount(b'none', b'/mnt', b'tmpfs', 0, None) == 0",
    "traces": "import ctypes; assert ctypes.CDLL(None).ptrace(16, PARENT, 0, 0) == 0",
}  # fmt: skip
"""What each does when two of four moves are made."""


def source(name: str, canary: str, port: int, parent: int) -> str:
    """The text of a hostile environment."""
    lines = "\n".join(f"        {line}" for line in HOSTILE[name].strip("\n").splitlines())
    return TEMPLATE.format(canary=canary, port=port, parent=parent, lines=lines)
