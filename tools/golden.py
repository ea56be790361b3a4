"""Golden playthroughs: a record of a random game per game and reading. `make golden` rewrites them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import perfectplay as pp
from perfectplay.players.random import RandomPlayer
from tools import ROOT

FOLDER = ROOT / "tests" / "golden"
SEED = 1
PLIES = 60


def specs() -> Iterator[str]:
    """Every registered game, and each reading that is not its default."""
    for name in pp.names():
        game = pp.load(name)
        yield name
        for key, values in game.readings().items():
            yield from (f"{name}:{key}={value}" for value in values[1:])


def file_of(spec: str) -> Path:
    """The golden file of a spec."""
    return FOLDER / f"{spec.replace(':', '.').replace('=', '-')}.txt"


def playthrough(spec: str) -> str:
    """The record of a random game; in Mirror Match, with an invalid number now and then."""
    match: pp.Match[Any] = pp.Match(pp.load(spec), players=("random", "random"), seed=SEED, max_plies=PLIES)
    while match.result is None:
        if match.plies % 7 == 5 and match.game.after_forfeit(match.state) is not None:
            match.forfeit()
        else:
            match.play(RandomPlayer().choose(match.game, match.state, match.generator()))
    return f"{match.record()}\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for each in specs():
        file_of(each).write_text(playthrough(each))
