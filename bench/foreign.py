"""What auditing a collection of foreign environments costs: `make bench-foreign ENVS=FOLDER`."""

import resource
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

from perfectplay_foreign.collections.collection import audit_collection, expand_names, use_pool
from perfectplay_foreign.explore import explore
from perfectplay_foreign.findings import CODES
from perfectplay_foreign.load import environment, find_needed_files
from perfectplay_foreign.probe import Probe
from perfectplay_foreign.records import AuditRecord
from perfectplay_foreign.sandbox.client import ForkServer
from perfectplay_foreign.sandbox.layers import confine
from perfectplay_foreign.sandbox.limits import MEMORY
from perfectplay_foreign.sandbox.request import AuditOptions, JobRequest

WORKERS, FRESH, STARTS = 2, 5, 30
COMPARED, COMPARED_MOVES = 60, 5_000
"""How many environments are explored beside random play, and up to how many moves."""
TINY = """
class Tiny:
    def reset(self, seed=None):
        return 0, {}
    def valid_moves(self):
        return [0]
    def step(self, move):
        return 0, 1.0, True, False, {}
"""


def count_seconds() -> float:
    """The CPU time of this process and of all that have ended."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in both)


def fresh_interpreter() -> float:
    """The CPU time of a fresh interpreter that imports NumPy and Gymnasium."""
    begun = count_seconds()
    for _ in range(FRESH):
        subprocess.run([sys.executable, "-c", "import numpy, gymnasium"], check=True)
    return (count_seconds() - begun) / FRESH


def time_sandboxed_start(folder: Path) -> float:
    """The CPU time of a process until it is in the sandbox."""
    tiny = folder / "tiny.py"
    tiny.write_text(TINY)
    request = JobRequest(str(tiny), AuditOptions(), steps=[0])
    with ForkServer() as server:
        return median(server.run(request).spent for _ in range(STARTS))


def exploring(names: list[str]) -> float:
    """How much longer exploring takes than random play of as many moves."""
    explored = played = 0.0
    context = get_context("fork")
    for what in names[:: max(1, len(names) // COMPARED)]:
        ours, theirs = context.Pipe()
        job = context.Process(target=compare, args=(what, theirs))
        job.start()
        theirs.close()
        with suppress(EOFError):  # it cannot be explored
            one, other = ours.recv()
            explored, played = explored + one, played + other
        job.join()
    return explored / played


def compare(what: str, result: Connection) -> None:
    """Send the CPU time of exploring, and of plain random play of as many moves. Runs in a sandbox."""
    confine(lambda: find_needed_files(what), seconds=60, memory=MEMORY)
    env = environment(what)
    try:
        probe = Probe(env, 0)
        begun = time.process_time()
        done = explore(env, probe, COMPARED_MOVES)
    except Exception:  # noqa: BLE001 - it cannot be explored
        return
    explored = time.process_time() - begun
    moves, rng = len(done.table.actions), Random(0)
    begun, left = time.process_time(), moves
    while left > 0:
        adapter = env.fresh(0)
        legal = adapter.moves()
        while legal and left > 0:
            left -= 1
            if adapter.step(rng.choice(legal)).over:
                break
            legal = adapter.moves()
        left -= not legal
    if moves > 100:
        result.send((explored, time.process_time() - begun))


def replays(records: list[AuditRecord]) -> tuple[int, list[str]]:
    """How many witnesses there are, and those that cannot be played in a new process."""
    count, failed = 0, []
    with ForkServer() as server:
        for record in records:
            for found in record["findings"]:
                if not found["witness"] or found["code"] in ("hang", "memory", "killed"):
                    continue
                count += 1
                options = AuditOptions(seed=found["seed"])
                shown = server.run(JobRequest(record["env"], options, steps=found["witness"])).steps or []
                # The last move may be illegal, or the one that crashes.
                firm = shown[1:-1] if found["code"] in CODES or not record["whole"] else shown[1:]
                complete = len(shown) == len(found["witness"]) + 1
                legal = all("error" not in each and "not in the list" not in each["said"] for each in firm)
                if not complete or not legal:
                    failed.append(f"{record['env']} {found['code']}")
    return count, failed


def main() -> None:
    """Run everything, and print one line for each figure."""
    names = expand_names(sys.argv[1:])
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        fresh = fresh_interpreter()
        start = time_sandboxed_start(folder)
        ratio = exploring(names)
        before, begun = count_seconds(), time.monotonic()
        records = audit_collection(names, folder / "out", AuditOptions(), use_pool(WORKERS))
        cost, seconds = count_seconds() - before, time.monotonic() - begun
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    count, failed = replays(records)
    codes = Counter(code for each in records for code in {found["code"] for found in each["findings"]})
    unfinished = [each["env"] for each in records if each["error"] is not None]
    values = [each["value"] for each in records if each["value"] is not None]
    lines = [
        f"environments: {len(records)}; audits that could not be finished: {len(unfinished)}",
        f"values known: {len(values)}, with distances {sum(each['plies'] is not None for each in values)};"
        f" whole graphs: {sum(each['whole'] for each in records)}",
        f"positions: {sum(each['positions'] for each in records):,};"
        f" moves: {sum(each['moves'] for each in records):,}",
        f"witnesses: {count}, of which {len(failed)} do not replay;"
        f" dropped before: {sum(len(each['dropped']) for each in records)}",
        f"CPU time: {cost:.0f} s in all, {seconds:.0f} s on the clock with {WORKERS} workers;"
        f" {cost / len(records) / fresh:.1f} times a fresh import of numpy and gymnasium each (at most 10)",
        f"exploring: {ratio:.2f} times plain random play of as many moves (at most 2.5)",
        f"sandboxed start: {1000 * start:.1f} ms, a fresh interpreter {1000 * fresh:.0f} ms:"
        f" 1/{fresh / start:.0f} (at most 1/15)",
        f"peak memory of a process: {peak:.0f} MB",
        f"findings: {', '.join(f'{code} {number}' for code, number in codes.most_common())}",
        *(f"does not replay: {each}" for each in failed),
        *(f"not finished: {each}" for each in unfinished),
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    sys.exit(bool(failed or unfinished))


if __name__ == "__main__":
    main()
