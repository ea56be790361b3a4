"""How long games between computers take in the terminal, including saving."""

import os
import subprocess
import sys
from tempfile import TemporaryDirectory
from time import perf_counter

from bench import BenchRow

GAMES = 1000
ROUNDS = 3
SECONDS = 10.0


def rows() -> list[BenchRow]:
    seconds = min(_seconds() for _ in range(ROUNDS))
    what = f"{GAMES} random games of bit-flip, played and saved"
    return [BenchRow(what, f"{seconds:.1f} s", f"under {SECONDS:g} s", seconds < SECONDS, "")]


def _seconds() -> float:
    command = ["play", "bit-flip", "--p1", "random", "--p2", "random", "--games", str(GAMES), "--seed", "1"]
    with TemporaryDirectory() as home:
        start = perf_counter()
        ended = subprocess.run(
            [sys.executable, "-m", "perfectplay", *command],
            env={**os.environ, "PERFECTPLAY_HOME": home},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=True,
        )
        seconds = perf_counter() - start
    if f"Score after game {GAMES} of {GAMES}" not in ended.stdout or "The record is kept" not in ended.stdout:
        raise RuntimeError(f"the series was not played or not kept: {ended.stdout[-200:]!r}")
    return seconds
