"""A filter of system calls: no new processes or programs, no sockets, no changes to files by other ways."""

import ctypes
import os
import platform
import struct
from errno import ENOSYS, EPERM
from functools import cache

CALLS = {  # the numbers of each call on x86-64 and on 64-bit ARM; None where it does not exist
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281),
    "socket": (41, 198), "ptrace": (101, 117), "process_vm_writev": (311, 271),
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39),
    "bpf": (321, 280), "perf_event_open": (298, 241), "io_uring_setup": (425, 425), "userfaultfd": (323, 282),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "reboot": (169, 142), "init_module": (175, 105), "finit_module": (313, 273), "kexec_load": (246, 104),
    "settimeofday": (164, 170), "clock_settime": (227, 112), "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "shmget": (29, 194), "semget": (64, 190), "msgget": (68, 186), "mq_open": (240, 180),
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, None), "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54),
    "utime": (132, None), "utimes": (235, None), "futimesat": (261, None), "utimensat": (280, 88),
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "setxattrat": (463, 463),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    "sched_setscheduler": (144, 119), "sched_setaffinity": (203, 122), "setpriority": (141, 140),
}  # fmt: skip
CLONE, CLONE3, PRLIMIT, PRCTL = (56, 220), (435, 435), (302, 261), (157, 167)
ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16
CLONE_THREAD, OTHER_ABI, PR_SET_PDEATHSIG, PR_SET_SECCOMP, FILTER = 0x10000, 0x40000000, 1, 22, 2


@cache
def program(machine: str) -> bytes | None:
    """The filter for a machine, as the kernel takes it; None for a machine that is not known."""
    if machine not in ARCHITECTURES:
        return None
    column, architecture = ARCHITECTURES[machine]
    refuse, lines = REFUSE | EPERM, []

    def line(code: int, value: int, yes: int = 0, no: int = 0) -> None:
        lines.append(struct.pack("HBBI", code, yes, no, value))

    def refuse_if(number: int, test: int, value: int, *, holds: bool) -> None:
        """Refuse a call if its first argument passes a test, or if it does not."""
        line(EQUAL, number, 0, 4)
        line(LOAD, FIRST_ARGUMENT)
        line(test, value, 0 if holds else 1, 1 if holds else 0)
        line(RETURN, refuse)
        line(RETURN, ALLOW)

    line(LOAD, ARCHITECTURE)
    line(EQUAL, architecture, 1, 0)
    line(RETURN, refuse)
    line(LOAD, NUMBER)
    line(AT_LEAST, OTHER_ABI, 0, 1)
    line(RETURN, refuse)
    refuse_if(CLONE[column], ANY_BIT, CLONE_THREAD, holds=False)  # threads are allowed
    refuse_if(PRLIMIT[column], EQUAL, 0, holds=False)  # limits of other processes
    refuse_if(PRCTL[column], EQUAL, PR_SET_PDEATHSIG, holds=True)
    line(EQUAL, CLONE3[column], 0, 1)
    line(RETURN, REFUSE | ENOSYS)  # the C library then uses clone
    for numbers in CALLS.values():
        if numbers[column] is not None:
            line(EQUAL, numbers[column] or 0, 0, 1)
            line(RETURN, refuse)
    line(RETURN, ALLOW)
    return b"".join(lines)


def apply() -> bool:
    """Apply the filter to this process for good; returns whether that worked."""
    code = program(platform.machine())
    if code is None:
        return False
    held = ctypes.create_string_buffer(code, len(code))
    packed = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(held))
    filters = ctypes.create_string_buffer(packed, len(packed))
    libc = ctypes.CDLL(None, use_errno=True)
    return bool(libc.prctl(PR_SET_SECCOMP, FILTER, ctypes.byref(filters), 0, 0) == 0) and os.getpid() > 0
