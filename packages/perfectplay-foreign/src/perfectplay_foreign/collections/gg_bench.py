"""The sound part of gg-bench: games of a copy that its owner names, each known by its table."""

import json
import re
from array import array
from collections.abc import Collection, Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from perfectplay.core.errors import ParseError
from perfectplay.core.formatting import join_words, quote
from perfectplay_foreign.environment_game import EnvironmentGame, explore_environment
from perfectplay_foreign.limits import LONGEST_RULES
from perfectplay_foreign.protocol import plain
from perfectplay_foreign.sandbox.request import AuditOptions
from perfectplay_foreign.transitions import TransitionTable

SOUND = Path(__file__).with_name("gg_bench_sound.json")
"""The numbers of the games, each with the digest of its table, as the study of gg-bench found them."""
NAMED = re.compile(r"env:gg-bench-([0-9]{1,4})@")
DATA = Path("gg_bench") / "data"
PROTOCOL = AuditOptions(turns="alternating", rewards="mover", moves=300_000)
"""How the authors' evaluation plays: sides alternate, and whoever moves sees the reward."""


def digest(table: TransitionTable) -> str:
    """What a table is known by: its positions, moves and ends, not its pictures."""
    columns = [list(column) for column in (table.sides, table.offsets, table.actions, table.targets)]
    return sha256(json.dumps([columns, list(table.names)]).encode()).hexdigest()[:16]


def offer_named(folder: Path, specs: Iterable[str]) -> dict[str, EnvironmentGame]:
    """The sound games that specs name, by spec, from a copy of gg-bench that the user names."""
    found = {int(match[1]) for spec in specs if (match := NAMED.match(spec))}
    return offer_sound(folder, sorted(found)) if found else {}


def offer_sound(folder: Path, numbers: Collection[int] = ()) -> dict[str, EnvironmentGame]:
    """The sound games of a copy of gg-bench by spec, or those with these numbers.

    They are explored in the sandbox. Raises ParseError for a game that is not the one that was found sound.
    """
    return {game.spec: game for game in _load_sound(folder, numbers)}


def _load_sound(folder: Path, numbers: Collection[int]) -> Iterator[EnvironmentGame]:
    if not (folder / DATA / "envs").is_dir():
        raise ParseError(f"{quote(str(folder), 200)} is not a copy of gg-bench: it has no {DATA / 'envs'}")
    known: dict[str, str] = json.loads(SOUND.read_text("utf-8"))
    strange = sorted({str(number) for number in numbers} - known.keys())
    if strange:
        raise ParseError(f"{join_words(strange, 'and')}: not in the sound part, which is {', '.join(known)}")
    for number in numbers or map(int, known):
        game = load_game(folder, number)
        if not game.what.endswith(f"@{known[str(number)]}"):
            raise ParseError(f"game {number} in this folder is not the one that was audited: {game.spec}")
        yield game


def load_game(folder: Path, number: int) -> EnvironmentGame:
    """One game of a copy, with its rulebook. Its spec has its number and the digest of its table."""
    data = folder / DATA
    table = _drop_unused(explore_environment(str(data / "envs" / f"env_{number}.py"), PROTOCOL).table)
    parts = [data / "descriptions" / f"{number}.txt", data / "actions" / f"{number}.txt"]
    said = [part.read_text("utf-8", errors="replace").strip() for part in parts if part.is_file()]
    table.rules = plain("\n\n".join(said))[:LONGEST_RULES]
    return EnvironmentGame(f"gg-bench-{number}@{digest(table)}", table)


def _drop_unused(table: TransitionTable) -> TransitionTable:
    """The table with the actions that occur: an action space may list any number of others."""
    used = sorted(set(table.actions))
    place = {action: number for number, action in enumerate(used)}
    table.actions = array("l", [place[action] for action in table.actions])
    table.names = tuple(table.names[action] for action in used)
    return table
