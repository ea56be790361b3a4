"""What a person chose: in a config file, or on the full screen the last time."""

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import lookup

from perfectplay import saves
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.formatting import join_words, quote
from perfectplay.output import write_whole
from perfectplay.players.base import DEFAULT_LEVEL
from perfectplay.players.registry import load_player
from perfectplay.terminal.console import Console
from perfectplay.terminal.limits import LONGEST_PREFERENCE

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
        for name, value in data.items():
            if name not in SETTINGS:
                known = join_words([*SETTINGS], "and")
                raise PerfectplayError(f"there is no setting {quote(name)}, only {known}")
            allowed, is_allowed = SETTINGS[name]
            if not is_allowed(value):
                raise PerfectplayError(f"{name} must be {allowed}")
        for key in (each for pair in data.get("keys", {}).items() for each in pair):
            if not _is_key(key):
                names = "a key is a character, or has a name such as enter, f1 or ctrl+x"
                raise PerfectplayError(f"keys: there is no key {quote(key)}; {names}")
        if "level" in data and "opponent" in data:
            raise PerfectplayError("opponent and level exclude each other; leave one of them out")
        opponent = f"level:{data.pop('level')}" if "level" in data else data.get("opponent")
        return data if opponent is None else data | {"opponent": load_player(opponent).spec}
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (PerfectplayError, OSError, ValueError) as error:  # tomllib's errors, and text that is not UTF-8
        raise PerfectplayError(f"{quote(str(config_file()), 200)}: {error}") from error


SETTINGS: dict[str, tuple[str, Callable[[Any], object]]] = {
    "opponent": ('a player, such as "level:3" or "human"', lambda given: isinstance(given, str)),
    "level": ("a number from 1 to 10", lambda given: type(given) is int and 1 <= given <= 10),
    "theme": (join_words([f'"{theme}"' for theme in THEMES]), THEMES.__contains__),
    "motion": (join_words([f'"{motion}"' for motion in MOTIONS]), MOTIONS.__contains__),
    "line": ("true or false", lambda given: isinstance(given, bool)),
    "keys": (
        'a table of keys, such as z = "u", after which z does what u does',
        lambda given: isinstance(given, dict) and all(isinstance(each, str) for each in given.values()),
    ),
}
"""What each setting may be, in words and as a test."""
NAMED_KEYS = {
    *("up", "down", "left", "right", "home", "end", "pageup", "pagedown", "insert", "delete", "backspace"),
    *("enter", "tab", "escape", "minus", "plus", "slash", "backslash", "at", "underscore"),
    *(f"f{number}" for number in range(1, 25)),
}
"""Keys that type nothing, or whose name is not that of a character."""


def _is_key(key: str) -> bool:
    """Whether a text is a key as Textual names it: a character, or a name such as ctrl+x or question_mark."""
    name = re.sub(r"^((ctrl|alt|shift)\+)+(?=.)", "", key)
    if len(name) == 1 or name in NAMED_KEYS:
        return name.isprintable()
    with suppress(KeyError):  # no character has that name
        return bool(lookup(name.replace("_", " ")))
    return False


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
