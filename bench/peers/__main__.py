"""Measure everything against the peers, print the table, and exit with 1 if a bound is missed."""

import os
import sys

from bench import BenchRow, report
from bench.peers import REPORTED, memory, single
from bench.peers.batched import Contest


def main() -> int:
    # Other load on the machine slows pgx, which uses all cores, more than code that uses one.
    busy = f"load {os.getloadavg()[0]:.1f} before the start"
    cores = BenchRow("cores of this machine", str(os.cpu_count()), REPORTED, True, busy)
    contest = Contest()
    rows = [*single.rows(), *contest.rows(), *memory.rows(contest.rates), cores]
    return report(rows)


if __name__ == "__main__":
    sys.exit(main())
