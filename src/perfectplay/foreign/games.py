"""Environments as games: `env:./env.py` on the command line.

Only the command line passes `load_environment` on: whoever names an environment runs foreign code.
"""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from perfectplay.core.errors import ParseError
from perfectplay.games.registry import load

if TYPE_CHECKING:
    from typing import Any

    from perfectplay.core.game import Game
    from perfectplay.foreign.environment_game import EnvironmentGame


def load_any(spec: str) -> "Game[Any]":
    """The game that a spec names, which may be an environment."""
    return load(spec, environments=load_environment)


def load_environment(what: str) -> "EnvironmentGame":
    """The game of an environment, if all of its positions can be reached."""
    # The whole path, so that a saved game finds it from anywhere.
    return _explore(str(Path(what).resolve()) if what.endswith(".py") else what)


@cache  # a saved game is loaded several times
def _explore(what: str) -> "EnvironmentGame":
    from perfectplay.foreign.environment_game import EnvironmentGame
    from perfectplay.foreign.sandbox.client import AuditOptions, Server, require_sandbox
    from perfectplay.foreign.transitions import rest_text

    require_sandbox(what, trust=False)
    with Server() as server:
        answer = server.run(what, AuditOptions(), draw=True)
    if answer.ended or answer.done is None or answer.done.table is None:
        raise ParseError(f"{what} has no table: perfectplay audit-env {what} says why")
    table = answer.done.table
    if not table.whole:
        rest = rest_text(blocked=table.blocked, tried=table.tried)
        raise ParseError(
            f"{what} was not explored completely: {len(table.actions):,} moves were tried, and"
            f" {rest}; perfectplay audit-env {what} says what is known"
        )
    return EnvironmentGame(what, table)
