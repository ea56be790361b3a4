"""Two games compared: the same, or the shortest difference."""

import json
from typing import Any

from perfectplay.games.registry import ENVIRONMENT, environment_tool, load_any
from perfectplay.solver.compare import compare
from perfectplay.solver.graph import Graph, explore
from perfectplay.terminal.console import Console

PREFIX = f"{ENVIRONMENT}:"
FOUND, UNFINISHED = 1, 3
"""Exit codes: a difference, and more positions than may be visited."""
FEW = 100
"""How many positions are compared first: most differences show there, and games with many moves take long."""
SEED = 0
"""Environments may start differently with another one."""


def show_comparison(console: Console, one: str, other: str, *, turns: str, limit: int, as_json: bool) -> int:
    """Compare two games and print the result; returns the exit code."""
    for most in sorted({min(FEW, limit), limit}):
        found = compare(*(_load_graph(spec, turns, most) for spec in (one, other)))
        if found.same is not None:
            break
    seed = SEED if any(spec.startswith(PREFIX) for spec in (one, other)) else None
    if as_json:
        console.say(json.dumps({"games": [one, other], "seed": seed, **found._asdict()}))
    else:
        console.say(*found.describe([one, other]).splitlines())
        if seed is not None:
            console.say(f"Environments were started with seed {seed}.")
    return 0 if found.same else UNFINISHED if found.same is None else FOUND


def _load_graph(spec: str, turns: str, limit: int) -> Graph[Any]:
    if spec.startswith(PREFIX):
        graph: Graph[Any] = environment_tool("graph")(spec.removeprefix(PREFIX), SEED, turns, limit)
        return graph
    return explore(load_any(spec), first=limit)
