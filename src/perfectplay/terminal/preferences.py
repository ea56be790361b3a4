"""What a person chose: in a config file, or on the full screen the last time."""

import json
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from perfectplay import saves
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.formatting import join_words, quote
from perfectplay.output import write_whole
from perfectplay.players.base import DEFAULT_LEVEL
from perfectplay.players.registry import load_player
from perfectplay.terminal.console import Console
from perfectplay.terminal.limits import LONGEST_KEY, LONGEST_PREFERENCE

THEMES = ("ansi-dark", "ansi-light", "nord", "solarized-light")
"""The first two take the terminal's own colors."""
MOTIONS = ("full", "none")
REMEMBERED = ("opponent", "theme", "motion")
"""What is kept for the next time when it is changed on the full screen."""


class Preferences(NamedTuple):
    """Choices, or their defaults."""

    opponent: str = f"level:{DEFAULT_LEVEL}"
    theme: str = THEMES[0]
    motion: str = "full"
    """`none` for no motion."""
    line: bool = False
    """Whether line mode is wanted."""
    keys: Mapping[str, str] = {}
    """Keys that stand for other keys."""

    @classmethod
    def load(cls) -> "Preferences":
        """The config file and, where it says nothing, the choices of the last time.

        Raises PerfectplayError for a bad config file. Choices that cannot be read count as none.
        """
        return cls()._replace(**_read() | read_config())

    def save(self) -> None:
        """Remember the choices; nothing happens where that is not possible."""
        with suppress(OSError):
            _file().parent.mkdir(parents=True, exist_ok=True)
            kept = {name: getattr(self, name) for name in REMEMBERED}
            write_whole(_file(), json.dumps(kept) + "\n")


def _file() -> Path:
    return saves.home() / "terminal.json"


def _read() -> dict[str, Any]:
    try:
        kept = json.loads(_file().read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    known = kept.items() if isinstance(kept, dict) else ()
    return {
        name: value
        for name, value in known
        if name in REMEMBERED and isinstance(value, str) and len(value) <= LONGEST_PREFERENCE
    }


def config_file() -> Path:
    """Where the config file is, if there is one."""
    return saves.home() / "config.toml"


def read_config() -> dict[str, Any]:
    """What the config file says. Raises PerfectplayError that names the file and what is wrong."""
    try:
        data = tomllib.loads(config_file().read_text("utf-8"))
        return dict(_check(name, value) for name, value in data.items())
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (PerfectplayError, OSError, ValueError) as error:  # tomllib's errors, and text that is not UTF-8
        raise PerfectplayError(f"{quote(str(config_file()), 200)}: {error}") from error


def _check(name: str, value: object) -> tuple[str, Any]:
    """A setting and its value, as Preferences has them."""
    match name, value:
        case "opponent", str():
            return name, load_player(value).spec
        case "level", int() if type(value) is int and 1 <= value <= 10:
            return "opponent", f"level:{value}"
        case ("theme", str()) if value in THEMES:
            return name, value
        case ("motion", str()) if value in MOTIONS:
            return name, value
        case "line", bool():
            return name, value
        case "keys", dict() if all(_is_key(key) and _is_key(other) for key, other in value.items()):
            return name, value
    if name in ALLOWED:
        raise PerfectplayError(f"{name} must be {ALLOWED[name]}")
    raise PerfectplayError(f"there is no setting {quote(name)}, only {join_words([*ALLOWED], 'and')}")


ALLOWED = {
    "opponent": 'a player, such as "level:3" or "human"',
    "level": "a number from 1 to 10",
    "theme": join_words([f'"{theme}"' for theme in THEMES]),
    "motion": '"full" or "none"',
    "line": "true or false",
    "keys": 'a table of keys, such as z = "u", after which z does what u does',
}
"""What each setting may be."""


def _is_key(key: object) -> bool:
    return isinstance(key, str) and 0 < len(key) <= LONGEST_KEY and key.isprintable()


def show_config(console: Console, *, as_json: bool = False) -> None:
    """Print where the config file is, and what holds."""
    config, kept = read_config(), _read()
    found = Preferences.load()
    if as_json:
        return console.say(json.dumps({"file": str(config_file()), **found._asdict()}))
    there = "" if config_file().exists() else " (there is none yet)"
    console.say(f"# {config_file()}{there}")
    for name, value in found._asdict().items():
        source = "the file" if name in config else "chosen last" if name in kept else "the default"
        shown = json.dumps(value)
        if name == "keys":  # which TOML writes in another way
            pairs = ", ".join(f"{json.dumps(key)} = {json.dumps(other)}" for key, other in value.items())
            shown = f"{{{pairs}}}"
        console.say(f"{name} = {shown}  # {source}")
