"""What a person last chose, kept for the next time: the opponent, the theme."""

import json
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from perfectplay import saves
from perfectplay.output import write_whole
from perfectplay.players.base import DEFAULT_LEVEL
from perfectplay.terminal.limits import LONGEST_PREFERENCE


class Preferences(NamedTuple):
    """Choices that are remembered. A file that cannot be read counts as none."""

    opponent: str = f"level:{DEFAULT_LEVEL}"
    theme: str = "ansi-dark"
    motion: str = "full"
    """`none` for no motion."""

    @classmethod
    def load(cls) -> "Preferences":
        """The choices of the last time."""
        try:
            kept = json.loads(_file().read_text("utf-8"))
        except (OSError, ValueError):
            return cls()
        known = kept.items() if isinstance(kept, dict) else ()
        good = {
            name: value
            for name, value in known
            if name in cls._fields and isinstance(value, str) and len(value) <= LONGEST_PREFERENCE
        }
        return cls()._replace(**good)

    def save(self) -> None:
        """Remember the choices; nothing happens where that is not possible."""
        with suppress(OSError):
            _file().parent.mkdir(parents=True, exist_ok=True)
            write_whole(_file(), json.dumps(self._asdict()) + "\n")


def _file() -> Path:
    return saves.home() / "terminal.json"
