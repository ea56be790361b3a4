"""A filter of system calls: no new processes or programs, no sockets, no changes to files by other ways."""

# libseccomp would assemble it, but has no wheel, and pyseccomp needs it on the system, which may lack it.

import ctypes
import platform
import struct
from errno import ENOSYS, EPERM
from functools import cache

CALLS = {  # the numbers of each call on x86-64 and on 64-bit ARM; None where it does not exist
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281),
    "socket": (41, 198), "connect": (42, 203), "bind": (49, 200),
    "sendmsg": (46, 211), "sendmmsg": (307, 269), "ptrace": (101, 117), "process_vm_writev": (311, 271),
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39),
    "bpf": (321, 280), "perf_event_open": (298, 241), "io_uring_setup": (425, 425), "userfaultfd": (323, 282),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "reboot": (169, 142), "init_module": (175, 105), "finit_module": (313, 273), "kexec_load": (246, 104),
    "settimeofday": (164, 170), "clock_settime": (227, 112), "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195),
    "mq_open": (240, 180), "mq_unlink": (241, 181),
    "semget": (64, 190), "semop": (65, 193), "semctl": (66, 191), "semtimedop": (220, 192),
    "msgget": (68, 186), "msgsnd": (69, 189), "msgrcv": (70, 188), "msgctl": (71, 187),
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, None), "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54),
    "utime": (132, None), "utimes": (235, None), "futimesat": (261, None), "utimensat": (280, 88),
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "setxattrat": (463, 463),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    "removexattrat": (466, 466), "file_setattr": (469, 469),
    "sched_setscheduler": (144, 119), "sched_setaffinity": (203, 122), "setpriority": (141, 140),
    "sched_setparam": (142, 118), "sched_setattr": (314, 274), "ioprio_set": (251, 30), "syslog": (103, 116),
}  # fmt: skip
CLONE, CLONE3, PRLIMIT, PRCTL = (56, 220), (435, 435), (302, 261), (157, 167)
SENDTO, MMAP, IOCTL = (44, 206), (9, 222), (16, 29)
ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
CLONE_THREAD, OTHER_ABI, PR_SET_PDEATHSIG, PR_SET_SECCOMP, FILTER = 0x10000, 0x40000000, 1, 22, 2
MAP_SHARED, MAP_ANONYMOUS, IOCTL_WRITES = 0x01, 0x20, 0x40000000


@cache
def program(machine: str) -> bytes | None:
    """The filter for a machine, as the kernel takes it; None for a machine that is not known."""
    if machine not in ARCHITECTURES:
        return None
    column, architecture = ARCHITECTURES[machine]
    refuse, lines = REFUSE | EPERM, []

    def line(code: int, value: int, yes: int = 0, no: int = 0) -> None:
        lines.append(struct.pack("HBBI", code, yes, no, value))

    def refuse_if(number: int, argument: int, *tests: tuple[int, int, bool]) -> None:
        """Refuse a call if an argument passes every test: what is tested, a value, what is wanted."""
        line(EQUAL, number, 0, len(tests) + 3)
        line(LOAD, ARGUMENTS + 8 * argument)
        for place, (test, value, wanted) in enumerate(tests):
            allowed = len(tests) - place
            line(test, value, 0 if wanted else allowed, allowed if wanted else 0)
        line(RETURN, refuse)
        line(RETURN, ALLOW)

    line(LOAD, ARCHITECTURE)
    line(EQUAL, architecture, 1, 0)
    line(RETURN, refuse)
    line(LOAD, NUMBER)
    line(AT_LEAST, OTHER_ABI, 0, 1)
    line(RETURN, refuse)
    refuse_if(CLONE[column], 0, (ANY_BIT, CLONE_THREAD, False))  # threads are allowed
    refuse_if(PRLIMIT[column], 0, (EQUAL, 0, False))  # limits of other processes
    refuse_if(PRCTL[column], 0, (EQUAL, PR_SET_PDEATHSIG, True))
    refuse_if(SENDTO[column], 5, (EQUAL, 0, False))  # with an address: a pair of sockets reaches any other
    # Shared memory without a file is held even while it is not resident, so that nothing would count it.
    refuse_if(MMAP[column], 3, (ANY_BIT, MAP_SHARED, True), (ANY_BIT, MAP_ANONYMOUS, True))
    refuse_if(IOCTL[column], 1, (ANY_BIT, IOCTL_WRITES, True))  # flags of files that can only be read
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
    return bool(libc.prctl(PR_SET_SECCOMP, FILTER, ctypes.byref(filters), 0, 0) == 0)
