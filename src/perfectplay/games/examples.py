"""The worked examples of a rulebook as data, replayed against the rules."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

from perfectplay.core.errors import PerfectplayError
from perfectplay.core.game import Game
from perfectplay.core.match import Match
from perfectplay.games.registry import game_class, load


@dataclass(frozen=True)
class WorkedExample:
    """A worked example: its moves, with the positions, events and result given in the rulebook."""

    name: str
    where: str
    spec: str
    moves: Sequence[str]
    positions: Sequence[str]
    readings: Mapping[str, Sequence[str]]
    """For each parameter that settles an unclear rule, the readings under which the example holds."""
    events: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The events of a ply, by its number as text."""
    refused: Sequence[Mapping[str, Any]] = ()
    """Each `move` that the example calls impossible, the `ply` it comes before, and the `rule` it names."""
    result: str | None = None

    def problem(self, game: Game[Any]) -> str | None:
        """The first thing in the example that does not hold in `game`; None if all of it holds."""
        match: Match[Any] = Match(game)
        for ply, (move, position) in enumerate(zip(self.moves, self.positions, strict=True), start=1):
            for refused in self.refused:
                if refused["ply"] == ply:
                    action = game.parse_action(match.state, refused["move"])
                    refusal = game.refusal(match.state, action)
                    if refusal is None or refusal.rule != refused["rule"]:
                        return f"ply {ply}: {refused['move']} is not refused as {refused['rule']}"
            try:
                match.play(move)
            except PerfectplayError as error:
                return f"ply {ply}: {error}"
            line = match.line(match.last)
            if line.position != position:
                return f"ply {ply}: the position is {line.position}, not {position}"
            events = tuple(self.events.get(str(ply), ()))
            if line.events != events:
                return f"ply {ply}: the events are {line.events}, not {events}"
        result = match.record().result
        if result == self.result:
            return None
        goes_on = "the game goes on"
        return f"{result or goes_on}, where the rulebook says {self.result or goes_on}"


@dataclass(frozen=True)
class Erratum:
    """A place where the rulebook is wrong, and what is right."""

    where: str
    printed: str
    right: str


def examples(name: str) -> tuple[WorkedExample, ...]:
    """The worked examples of a game's rulebook."""
    return tuple(WorkedExample(**each) for each in entries(name, "example"))


def errata(name: str) -> tuple[Erratum, ...]:
    """The errors in a game's rulebook."""
    return tuple(Erratum(**each) for each in _data(name).get("erratum", ()))


def entries(name: str, kind: str) -> Iterator[dict[str, Any]]:
    """What examples.toml has of a kind, with its spec and the readings under which it holds."""
    every = load(name).readings()
    for each in _data(name).get(kind, ()):
        yield {"spec": name, **each, "readings": {**every, **each.get("readings", {})}}


def _data(name: str) -> dict[str, Any]:
    package = game_class(name).__module__.rpartition(".")[0]
    file = resources.files(package).joinpath("examples.toml") if package else None
    return tomllib.loads(file.read_text("utf-8")) if file is not None and file.is_file() else {}
