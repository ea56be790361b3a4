"""Lists of tables: those open to everyone, and a client's own."""

import logging
from collections.abc import Iterable

from perfectplay.core.errors import PerfectplayError
from perfectplay.web.admission import bounded_game
from perfectplay.web.serializers import clock_shape
from perfectplay.web.shapes import BriefShape, ListShape, OwnShape
from perfectplay.web.store import Store
from perfectplay.web.time_control import read_control
from perfectplay.web.writes import Row

logger = logging.getLogger("perfectplay.web")

LISTED = 50
"""Tables in each public list."""
OWN = 20
"""Tables in the list of a client's own."""
RECENT = 3600.0
"""Seconds without a move after which a running game is no longer listed."""


async def public_tables(store: Store, now: float) -> ListShape:
    """The public tables that wait for a player, and those being played at, the newest first."""
    waiting = await store.read(store.listed, "open", 0.0, LISTED)
    running = await store.read(store.listed, "running", now - RECENT, LISTED)
    return {
        "open": [brief for _, brief in _briefs(waiting)],
        "running": [brief for _, brief in _briefs(running)],
    }


async def own_tables(store: Store, holder: str) -> list[OwnShape]:
    """The tables where `holder` has a seat, live ones first."""
    rows = await store.read(store.seats, holder, OWN)
    return [{**brief, "seat": row["seat"], "turn": row["turn"]} for row, brief in _briefs(rows)]


def _briefs(rows: Iterable[Row]) -> list[tuple[Row, BriefShape]]:
    found = []
    for row in rows:
        try:
            game, control = bounded_game(row["game"]), read_control(row["clock"])
        except PerfectplayError as error:
            # Its game is no longer installed; the other tables are still shown.
            logger.error("table %s cannot be listed: %s", row["id"], error)
            continue
        brief: BriefShape = {
            "id": row["id"],
            "game": row["game"],
            "title": game.title,
            "names": [row["name0"], row["name1"]],
            "score": [row["score0"], row["score1"]],
            "status": row["status"],
            "plies": row["plies"],
            "clock": clock_shape(control),
        }
        if row["status"] == "open":
            brief["join"] = row["code"]
        found.append((row, brief))
    return found
