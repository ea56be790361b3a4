"""Tables from their events."""

from collections.abc import Iterable

from perfectplay.tables.events import Event
from perfectplay.tables.table import Table


def replayed(table: Table, events: Iterable[Event]) -> Table:
    """A table after its events, all of which were accepted before."""
    for event in events:
        table.add(event)
    return table
