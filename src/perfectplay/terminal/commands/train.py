"""Training a player on a terminal: a curve that grows as it learns, and what the player came to."""

import re
import shlex
import textwrap
from pathlib import Path
from zipfile import is_zipfile

import perfectplay.learning  # noqa: F401  # without its extra, which brings NumPy too, this says so first
from perfectplay.core.errors import PerfectplayError
from perfectplay.evals.policies.measure import measure_policy
from perfectplay.evals.policies.positions import positions_of
from perfectplay.games.registry import load
from perfectplay.learning.ppo import Ppo, PpoSettings
from perfectplay.learning.training import Training
from perfectplay.simulate.jax_tables import jax_game
from perfectplay.solver.tablebase.interrupts import postpone_interrupts
from perfectplay.terminal.console import JOINED, Console
from perfectplay.terminal.messages import own_command
from perfectplay.terminal.progress import can_redraw, waiting

POINTS, TALL, WIDE = 40, 10, 20
"""How often the learner is measured, the rows of its curve, and the width of a bar in a pipe."""


def train(
    console: Console, game: str, *, seed: int, updates: int, out: Path | None, force: bool = False
) -> int:
    """Train a player by self-play, show its exact curve, and write it to a file. The exit code is 0.

    A training that was stopped continues; with `force` it begins afresh, and its file is replaced.
    """
    rules = load(game)
    path = out or Path(re.sub("[^a-z0-9]+", "-", Path(rules.spec).name.lower()).strip("-") + ".policy.json")
    checkpoint = path.with_suffix(".training.npz")
    if path.is_dir():
        raise PerfectplayError(f"{path} is a folder")
    if not path.parent.is_dir():
        raise PerfectplayError(f"there is no folder {path.parent}")
    if force:
        checkpoint.unlink(missing_ok=True)
    elif path.is_file() and not checkpoint.is_file():
        raise PerfectplayError(f"{path} exists already; --force replaces it")
    elif checkpoint.is_file() and not is_zipfile(checkpoint):  # before the learner takes its time
        raise PerfectplayError(f"{checkpoint} is damaged; remove it or add --force to start afresh")
    with waiting("Preparing the learner"):
        ppo = Ppo(jax_game(rules), PpoSettings(updates=updates))
        training = Training(ppo, (seed,), max(1, updates // POINTS), checkpoint)
    live, drawn = can_redraw(console.stdout), 0
    where = "over positions near the start" if positions_of(rules).table is None else "over all positions"

    def watch(now: Training) -> None:
        nonlocal drawn
        if live:
            lines = curve(now.corrected[:, 0].tolist(), console.width or 80, where)
            up = f"\x1b[{drawn}A\x1b[J" if drawn else ""
            console.stdout.write(up + "".join(f"{line}\n" for line in lines))
            console.stdout.flush()
            drawn = len(lines)
        else:
            share = float(now.corrected[-1, 0])
            bar = "#" * round(WIDE * max(0.0, share))
            console.say(f"{now.updates[-1]:5} of {updates} updates  {bar:<{WIDE}} corrected {share:.3f}")
        heed_interrupts()

    try:
        with postpone_interrupts() as heed_interrupts:
            training.run(watch)
    except KeyboardInterrupt:
        if not any(training.updates):  # nothing was learned, so nothing is kept
            checkpoint.unlink(missing_ok=True)
            raise
        if training.updates[-1] < updates:
            done = f"Stopped after {training.updates[-1]} of {updates} updates."
            console.say(f"{done} The same command continues.")
    policy = training.policy()
    policy.save(path)
    if training.updates[-1] == updates:
        checkpoint.unlink(missing_ok=True)
    console.say(*measure_policy(rules, policy).text(3).split("\n"))
    play = f"{own_command()} {shlex.join(['play', game, '--p2', f'learned:{path}'])}"
    console.say(f"Written to {path}. Play against it: {play.replace(' ', JOINED)}")
    return 0


def curve(shares: list[float], width: int, where: str) -> list[str]:
    """A curve of corrected shares as lines of text, from guessing at the bottom to perfect at the top.

    `width` is that of the terminal; `where` says over which positions they were measured.
    """
    shown = shares[-min(POINTS + 1, max(1, width - 12)) :]
    heights = [round((TALL - 1) * min(max(share, 0.0), 1.0)) for share in shown]
    lines = []
    for row in reversed(range(TALL)):
        label = {TALL - 1: "1 perfect", 0: "0 guessing"}.get(row, "")
        lines.append(f"{label:<10} |{''.join('*' if each == row else ' ' for each in heights)}".rstrip())
    last = f"corrected share of decisions kept, {where}: {shares[-1]:.3f}"
    return [*lines, *textwrap.wrap(last, width)]
