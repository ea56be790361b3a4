"""All games of a client, newest first, each with its result and the board as it was left."""

from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from perfectplay.core.errors import BadParameterError
from perfectplay.core.outcome import Side
from perfectplay.tables.position_schemas import PositionSchema
from perfectplay.tables.schemas import OwnGameSchema, OwnGamesSchema
from perfectplay.tables.serializers import table_position
from perfectplay.web.limits import GAMES_PER_PAGE, MOST_BOARDS
from perfectplay.web.live.lobby import brief_of
from perfectplay.web.storage.database import MissingError
from perfectplay.web.storage.restore import History
from perfectplay.web.storage.store import Store


@dataclass(eq=False)
class OwnGames:
    """The games of clients, in pages."""

    store: Store
    history: History

    def __post_init__(self) -> None:
        self._board = lru_cache(MOST_BOARDS)(self._read_board)

    async def page(self, owner: str, after: str | None) -> OwnGamesSchema:
        """The games of `owner` after the place in their list that a page before has named."""
        rows = await self.store.read(self.store.games_of, owner, _place(after), GAMES_PER_PAGE + 1)
        games = []
        for row in rows[:GAMES_PER_PAGE]:
            brief = brief_of(row)
            with suppress(MissingError):  # its game is no longer installed
                position, owners = await self.store.read(self._board, row["id"], row["touched"])
                if brief is not None:
                    game: OwnGameSchema = {
                        **brief,
                        "seat": row["seat"],
                        "turn": row["turn"],
                        "at": row["at"],
                        "view": position["view"],
                        "result": position["result"],
                        "owners": owners,
                        "number": position["game"],
                    }
                    games.append(game)
        last = rows[GAMES_PER_PAGE - 1] if len(rows) > GAMES_PER_PAGE else None
        return {"games": games, "next": None if last is None else f"{last['touched']!r},{last['id']}"}

    def _read_board(self, table_id: str, touched: float) -> tuple[PositionSchema, list[Side | None]]:
        """The last position of a table, and who filled its cells; `touched` says which state is meant."""
        table = self.history.replay(table_id).table
        return table_position(table), [] if table.match is None else table.match.cell_owners()


def _place(text: str | None) -> tuple[float, str] | None:
    if text is None:
        return None
    touched, _, table = text.partition(",")
    try:
        return float(touched), table
    except ValueError:
        raise BadParameterError("after", text, "the `next` of the page before") from None
