"""How long the command takes to start, compared with an interpreter that does nothing."""

import os
import subprocess
import sys
from tempfile import TemporaryDirectory
from threading import Timer
from time import perf_counter

import perfectplay as pp
from bench import BenchRow

ROUNDS = 15
HELP_AT_MOST = 6.0
PROMPT_AT_MOST = 12.0
PATIENCE = 30.0
"""How many seconds a child process has to show its prompt."""

NOTHING = ["-c", "pass"]
HELP = ["-m", "perfectplay", "--help"]
HEAVY = ("numpy", "rich", "textual")
IMPORTED = f"""
import sys
from perfectplay.cli import main
sys.argv = ["perfectplay", "--help"]
try:
    main()
finally:
    sys.stderr.write(" ".join(name for name in {HEAVY!r} if name in sys.modules))
"""


def rows() -> list[BenchRow]:
    with TemporaryDirectory() as home:
        environment = {**os.environ, "PERFECTPLAY_HOME": home}
        # As on a normal machine: the first run compiles the byte code, and it is kept.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        return [_help_row(environment), _imports_row(environment), _prompt_row(environment)]


def _help_row(environment: dict[str, str]) -> BenchRow:
    _run(HELP, environment)
    nothing, ours = [], []
    for _ in range(ROUNDS):
        nothing.append(_run(NOTHING, environment))
        ours.append(_run(HELP, environment))
    return _row("--help, against bare Python", min(ours), min(nothing), HELP_AT_MOST)


def _imports_row(environment: dict[str, str]) -> BenchRow:
    command = [sys.executable, "-c", IMPORTED]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    found = ended.stderr.strip()
    return BenchRow("libraries that --help loads", found or "none", f"no {' or '.join(HEAVY)}", not found, "")


def _prompt_row(environment: dict[str, str]) -> BenchRow:
    """The game that takes longest to ask for its first move."""
    names = pp.names()
    for name in names:
        until_prompt(name, environment)
    nothing: list[float] = []
    ours: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(ROUNDS):
        nothing.append(_run(NOTHING, environment))
        for name in names:
            ours[name].append(until_prompt(name, environment))
    worst = max(names, key=lambda name: min(ours[name]))
    return _row(
        f"first prompt of {worst}, against bare Python", min(ours[worst]), min(nothing), PROMPT_AT_MOST
    )


def _row(what: str, ours: float, nothing: float, most: float) -> BenchRow:
    ratio = ours / nothing
    figures = f"{ours * 1000:.1f} ms / {nothing * 1000:.1f} ms"
    return BenchRow(what, f"{ratio:.2f}x", f"at most {most:g}x", ratio <= most, figures)


def _run(arguments: list[str], environment: dict[str, str]) -> float:
    start = perf_counter()
    subprocess.run(
        [sys.executable, *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return perf_counter() - start


def until_prompt(name: str, environment: dict[str, str], *options: str) -> float:
    """Seconds until `play` has asked for the first move of a game."""
    game = pp.load(name)
    prompt = game.dialogue().question(game.initial()).text.encode()
    command = [sys.executable, "-m", "perfectplay", "play", name, *options]
    start = perf_counter()
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as child:
        assert child.stdout is not None  # it is a pipe
        watch = Timer(PATIENCE, child.kill)
        watch.start()
        shown = b""
        while prompt not in shown and (part := os.read(child.stdout.fileno(), 4096)):
            shown += part
        seconds = perf_counter() - start
        watch.cancel()
        # End of input leaves the game, and its last output must be read.
        child.communicate()
    if prompt not in shown or child.returncode:
        raise RuntimeError(f"play {name} ended with {child.returncode}; it printed {shown!r}")
    return seconds
