"""Saved and finished games, each in one line."""

from datetime import datetime
from pathlib import Path
from typing import Any

from perfectplay import saves
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.match import Match
from perfectplay.core.record import Record
from perfectplay.games.registry import load
from perfectplay.terminal.play import describe

RESULTS = "finished"


def finished_games() -> tuple[Path, ...]:
    """The files of finished games, newest first."""
    found = (saves.folder() / RESULTS).glob("*.txt")
    return tuple(sorted(found, key=lambda path: path.stat().st_mtime_ns, reverse=True))


def about_open(path: Path) -> str:
    """A game to go on with: which, against whom, whose turn, and when it was last played."""
    try:
        last = saves.read_series(path)[-1]
        match = _replayed(last)
    except (PerfectplayError, OSError):
        return describe(path)  # a game file is not run for this, and a bad file is named
    number, games = last.place.number, last.place.games
    series = f", game {number} of {games}" if games > 1 else ""
    turn = match.game.side_names[match.side]
    state = "over" if match.result is not None else f"{turn} to move"
    return f"{match.game.title}{series}, {_against(last)}, {state}, {_when(path)}"


def about_finished(path: Path) -> str:
    """A finished game: which, against whom, how it went, and when."""
    try:
        last = saves.read_series(path)[-1]
        title = load(last.spec, allow_paths=False).title
    except (PerfectplayError, OSError):
        return describe(path)
    return f"{title}, {_against(last)}: {last.result or 'not finished'}, {_when(path)}"


def _replayed(record: Record) -> Match[Any]:
    return Match.replay(record, load(record.spec, allow_paths=False))


def _against(record: Record) -> str:
    one, two = record.players
    if one == "human":
        return "two people" if two == "human" else f"against {two}"
    return f"against {one}" if two == "human" else f"{one} against {two}"


def _when(path: Path) -> str:
    return f"{datetime.fromtimestamp(path.stat().st_mtime):%Y-%m-%d %H:%M}"
