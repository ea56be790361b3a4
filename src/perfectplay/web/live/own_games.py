"""All games of a client, newest first, each with its result and the board as it was left."""

from collections import OrderedDict
from typing import NamedTuple

from perfectplay.core.errors import BadParameterError
from perfectplay.core.outcome import Side
from perfectplay.tables.list_schemas import OwnGameSchema, OwnGamesSchema
from perfectplay.tables.owners import owners_of
from perfectplay.tables.position_schemas import PositionSchema
from perfectplay.tables.position_serializers import serialize_moves
from perfectplay.tables.serializers import table_position
from perfectplay.web.live.live_table import MissingError
from perfectplay.web.live.lobby import brief_of
from perfectplay.web.storage.history import History
from perfectplay.web.storage.store import Store
from perfectplay.web.storage.writes import Columns

PAGE = 12
"""Games that one request returns."""
MOST_BOARDS = 500
"""Boards that stay in memory: reading a table again takes time."""


class LastBoard(NamedTuple):
    """The last position of a table, and who filled its cells."""

    position: PositionSchema
    owners: list[Side | None]


class OwnGames:
    """The games of clients, in pages."""

    def __init__(self, store: Store, history: History) -> None:
        self._store = store
        self._history = history
        self._boards: OrderedDict[tuple[str, float], LastBoard] = OrderedDict()
        """By table and when something last happened there, least recently used first."""

    async def page(self, owner: str, after: str | None) -> OwnGamesSchema:
        """The games of `owner` after the place in their list that a page before has named."""
        rows = await self._store.read(self._store.games_of, owner, _place(after), PAGE + 1)
        games = []
        for row in rows[:PAGE]:
            brief = brief_of(row)
            try:
                board = await self._board(row)
            except MissingError:
                brief = None  # its game is no longer installed
            if brief is None:
                continue
            game: OwnGameSchema = {
                **brief,
                "seat": row["seat"],
                "turn": row["turn"],
                "at": row["at"],
                "view": board.position["view"],
                "result": board.position["result"],
                "owners": board.owners,
                "number": board.position["game"],
            }
            games.append(game)
        last = rows[PAGE - 1] if len(rows) > PAGE else None
        return {"games": games, "next": None if last is None else f"{last['touched']!r},{last['id']}"}

    async def _board(self, row: Columns) -> LastBoard:
        key = (row["id"], row["touched"])
        board = self._boards.get(key)
        if board is None:
            board = self._boards[key] = await self._store.read(self._read, row["id"])
        self._boards.move_to_end(key)
        while len(self._boards) > MOST_BOARDS:
            self._boards.popitem(last=False)
        return board

    def _read(self, table_id: str) -> LastBoard:
        table = self._history.replay(table_id).table
        moves = [] if table.match is None else serialize_moves(table.match, swapped=table.seat_of(0) == 1)
        position = table_position(table)
        return LastBoard(position, owners_of(moves, position["ply"]))


def _place(text: str | None) -> tuple[float, str] | None:
    if text is None:
        return None
    touched, _, table = text.partition(",")
    try:
        return float(touched), table
    except ValueError:
        raise BadParameterError("after", text, "the `next` of the page before") from None
