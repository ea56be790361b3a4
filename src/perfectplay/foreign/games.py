"""Environments as games: `env:./env.py` on the command line."""

from pathlib import Path

from perfectplay.core.errors import ParseError
from perfectplay.foreign.environment_game import EnvironmentGame, is_known, table_game
from perfectplay.foreign.sandbox.client import AuditOptions, Server, require_sandbox
from perfectplay.foreign.transitions import TransitionTable, rest_text
from perfectplay.games import registry


def allow() -> None:
    """Let specs name environments. Only the command line does: whoever names one runs foreign code."""
    registry.loaders[registry.ENVIRONMENT] = load_environment


def load_environment(what: str) -> EnvironmentGame:
    """The game of an environment, if its whole table can be reached."""
    if what.endswith(".py"):
        what = str(Path(what).resolve())  # so that a saved game finds it from anywhere
    if is_known(what):
        return EnvironmentGame(what)
    require_sandbox(what, trust=False)
    with Server() as server:
        answer = server.run(what, AuditOptions(), draw=True)
    if answer.ended or answer.done is None or answer.done.table is None:
        raise ParseError(f"{what} has no table: perfectplay audit-env {what} says why")
    table: TransitionTable = answer.done.table
    if not table.whole:
        rest = rest_text(blocked=table.blocked, tried=table.tried)
        raise ParseError(
            f"{what} was not explored completely: {len(table.actions):,} moves were tried, and"
            f" {rest}; perfectplay audit-env {what} says what is known"
        )
    return table_game(what, table)
