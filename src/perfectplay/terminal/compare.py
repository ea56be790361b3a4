"""Two games compared: the same, or the shortest difference."""

import json
from typing import TYPE_CHECKING, Any

from perfectplay.foreign.environment_game import EnvironmentGame, explore_environment, load_any
from perfectplay.foreign.judge import graph_of
from perfectplay.solver.compare import compare
from perfectplay.solver.graph import Graph, explore
from perfectplay.terminal.console import Console
from perfectplay.terminal.fail_on import FOUND, UNFINISHED

if TYPE_CHECKING:
    from perfectplay.foreign.sandbox.request import Turns


def show_comparison(
    console: Console, one: str, other: str, *, turns: "Turns", limit: int, as_json: bool
) -> int:
    """Compare two games and print the result; returns the exit code."""
    found = compare(*(_load_graph(spec, turns, limit) for spec in (one, other)))
    if as_json:
        console.say(json.dumps({"games": [one, other], **found._asdict()}))
    else:
        console.say(*found.describe([one, other]).splitlines())
    return 0 if found.same else UNFINISHED if found.same is None else FOUND


def _load_graph(spec: str, turns: "Turns", limit: int) -> Graph[Any]:
    prefix = f"{EnvironmentGame.name}:"
    if spec.startswith(prefix):
        return graph_of(explore_environment(spec.removeprefix(prefix), turns))
    return explore(load_any(spec), first=limit)
