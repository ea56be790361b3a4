"""The sandbox of a process that runs foreign code. docs/sandbox.md says what it promises and what not."""

import ctypes
import os
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import perfectplay
import perfectplay_foreign
from perfectplay_foreign.sandbox import seccomp
from perfectplay_foreign.sandbox.limits import DATA, count_held

LAYERS = ("rlimits", "network-namespace", "landlock", "seccomp")
"""Every layer."""
FILES, SPACE = 64, 64 << 30
"""How many files may be open, and how much may be mapped: page tables take a 512th of that, which nothing
else counts."""
NEWUSER, NEWNET = 0x10000000, 0x40000000
PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
READ_BY_IMPORTS = (
    "/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime",
    "/usr/share/zoneinfo", "/dev/urandom", "/dev/random", "/dev/null",
    "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu", "/sys/fs/cgroup",
)  # fmt: skip
"""What the interpreter and its libraries read, besides their own folders."""
_OURS = (perfectplay.__file__, perfectplay_foreign.__file__)
SOURCES = [str(Path(each).resolve().parents[1]) for each in _OURS]
"""Where the two packages are imported from."""


def available() -> tuple[str, ...]:
    """The layers that this machine can be expected to have, without trying them."""
    if sys.platform != "linux":
        return ("rlimits",) if os.name == "posix" else ()
    try:
        import landlockpy

        landlock = landlockpy.abi_version() >= 6  # the first with a scope for signals
    except Exception:  # noqa: BLE001 - not installed, or not in this kernel
        landlock = False
    return tuple(layer for layer in LAYERS if layer != "landlock" or landlock)


def die_with_parent() -> None:
    """End this process when its parent ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def confine(files: Callable[[], Iterable[Path]], *, seconds: float, memory: int | None) -> tuple[str, ...]:
    """Give up, for good, everything that an environment does not need; returns the layers that hold.

    `files` says what may be read. It looks into foreign files, and so it is called last.
    """
    if os.name != "posix":
        return ()
    held = {"rlimits"} if _limits(seconds, memory) else set[str]()
    if sys.platform == "linux":
        known = available()  # imports what looks for the C library by starting a program
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        # A user namespace takes the powers of root away; without one, root can still leave the network.
        if libc.unshare(NEWUSER | NEWNET) == 0 or libc.unshare(NEWNET) == 0:
            held.add("network-namespace")
        libc.capset((ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)())  # no capabilities
        if seccomp.apply():
            held.add("seccomp")
        own = [str(each) for each in files()]
        folders = [os.path.dirname(os.path.realpath(each)) for each in own]
        readable = [*READ_BY_IMPORTS, *_import_folders(folders), *own]
        if "landlock" in known and _landlock(readable, folders):
            held.add("landlock")
    return tuple(layer for layer in LAYERS if layer in held)


def _limits(seconds: float, memory: int | None) -> bool:
    import resource  # Windows has none, and must be able to say so

    cpu = int(seconds) + 1
    limits = [(resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_NOFILE, FILES)]
    limits += [(resource.RLIMIT_CPU, cpu), (resource.RLIMIT_AS, SPACE)]
    if memory is not None and sys.platform == "linux":
        limits.append((resource.RLIMIT_DATA, count_held(DATA) + memory))
    try:
        for which, most in limits:
            hard = resource.getrlimit(which)[1]
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(which, (most, most))
    except (OSError, ValueError):
        return False
    return True


def _import_folders(folders: Sequence[str]) -> list[str]:
    """The folders of installed packages, without those that hold more than packages."""
    private = [*folders, os.path.realpath(os.curdir), os.path.realpath(os.path.expanduser("~"))]
    paths = [sys.prefix, sys.base_prefix, sys.exec_prefix, *SOURCES]
    for path in (os.path.realpath(each) for each in sys.path if each):
        if not any(each == path or each.startswith(path.rstrip("/") + "/") for each in private):
            paths.append(path)
    return [os.path.realpath(each) for each in paths]


def _landlock(readable: Sequence[str], listable: Sequence[str]) -> bool:
    try:
        from landlockpy import AccessFS, Ruleset, Scope

        read = AccessFS.READ_FILE | AccessFS.READ_DIR
        with Ruleset(scoped=Scope.SIGNAL | Scope.ABSTRACT_UNIX_SOCKET) as ruleset:
            for path in dict.fromkeys(readable):
                with suppress(OSError):
                    ruleset.allow_path(path, read if os.path.isdir(path) else AccessFS.READ_FILE)
            for path in dict.fromkeys(listable):  # importing lists a folder
                ruleset.allow_path(path, AccessFS.READ_DIR)
            ruleset.allow_path("/dev/null", AccessFS.READ_FILE | AccessFS.WRITE_FILE)
            ruleset.restrict()
    except Exception:  # noqa: BLE001 - not installed, or not in this kernel
        return False
    return True
