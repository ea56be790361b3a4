"""Tables and games as the JSON data that the server sends. `schemas` describes it."""

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

from perfectplay.core.game import Game
from perfectplay.core.match import Match
from perfectplay.core.texts import summary
from perfectplay.players.base import DEFAULT_LEVEL
from perfectplay.players.learned.player import list_trained_specs
from perfectplay.players.level import LEVELS
from perfectplay.tables.encoding import dumps
from perfectplay.tables.events import Event, Seat
from perfectplay.tables.illustration import find_won_game, illustration
from perfectplay.tables.position_serializers import (
    PositionSource,
    position_source,
    position_text,
    result_of,
    serialize_moves,
    serialize_position,
    serialize_result,
    serialize_view,
)
from perfectplay.tables.table import Table
from perfectplay.tables.validation import load_small_game

if TYPE_CHECKING:  # only types: worker processes need not load pydantic
    from perfectplay.tables import position_schemas, schemas


def serialize_game(name: str) -> "schemas.GameSchema":
    """A game, its parameters and its start position."""
    game = load_small_game(name)
    texts = game.texts()
    parameters: list[schemas.ParameterSchema] = [
        {
            "name": each.name,
            "doc": each.doc,
            "default": each.default,
            "choices": list(game.choices(each.name)) or None,
            "kind": _kind(game, each.name),
            "allowed": each.allowed,
        }
        for each in game.parameter_help()
    ]
    return {
        "name": name,
        "title": game.title,
        "side_names": game.side_names,
        "summary": summary(type(game)),
        "parameters": parameters,
        "view": serialize_view(game, game.initial(), game.view(game.initial()), playable=True),
        "picture": illustration(game),
        "won": find_won_game(game),
        "levels": list(LEVELS),
        "level": DEFAULT_LEVEL,
        "learned": list_trained_specs(game),
        "presets": [{"spec": spec, "title": title, "why": why} for spec, title, why in texts.settings()],
        "puzzle": texts.puzzle,
        "puzzle_solved": texts.puzzle_solved,
    }


def _kind(game: Game[Any], parameter: str) -> Literal["whole", "choice", "text"]:
    if game.choices(parameter):
        return "choice"
    return "text" if isinstance(getattr(game, parameter), str) else "whole"


def serialize_state(table: Table) -> "schemas.TableStateSchema":
    """What an event may change at a table, sent with each event."""
    return {
        "status": table.status,
        "names": table.names,
        "score": table.score,
        "games": table.games,
        "next": table.next,
        "offers": table.offers,
        "closed": table.closed,
        "sides": (table.side_of(0), table.side_of(1)),
        "plies": 0 if table.match is None else table.match.plies,
        "repeated": 0 if table.match is None else table.match.positions.count(table.match.state),
        "left": None if table.control is None else table.left,
        "waited": table.waited,
    }


def table_position(table: Table, ply: int | None = None) -> "position_schemas.PositionSchema":
    """A position of a table's last game, by default the newest; before the first game, its start."""
    if table.match is None:
        start = table.game.initial()
        view = serialize_view(table.game, start, table.game.view(start), playable=False)
        return {**serialize_position(Match(table.game), 0, number=0), "legal": [], "view": view}
    at = table.match.plies if ply is None else ply
    return serialize_position(
        table.match, at, number=table.games, swapped=table.seat_of(0) == 1, unfinished=table.unfinished
    )


def serialize_board(table: Table) -> "schemas.LeftSchema":
    """The last game of a table as it was left."""
    position = table_position(table)
    return {
        "number": table.games,
        "view": position["view"],
        "owners": [] if table.match is None else table.match.cell_owners(),
        "result": position["result"],
    }


def serialize_played_game(table: Table) -> "schemas.PlayedSchema":
    """The last game of a table, move by move."""
    match, swapped = table.game_on, table.seat_of(0) == 1
    return {
        "game": match.game.spec,
        "title": match.game.title,
        "side_names": match.game.side_names,
        "names": [table.names[table.seat_of(side)] for side in (0, 1)],
        "moves": serialize_moves(match, swapped=swapped),
        "result": serialize_result(match.game, result_of(match, table.unfinished), swapped),
    }


def serialize_table(
    table: Table, *, seat: Seat | None, join: str | None, presence: "schemas.PresenceSchema", public: bool
) -> "schemas.TableSchema":
    """Everything about a table, as the player at `seat` sees it, or a spectator if it is None."""
    game = table.game if table.match is None else table.match.game
    data: schemas.TableSchema = {
        "id": table.id,
        "game": table.game.spec,
        "title": table.game.title,
        **serialize_state(table),
        "players": table.players,
        "seat": seat,
        **presence,
        "join": join,
        "public": public,
        "clock": table.control and cast("schemas.ClockSchema", table.control._asdict()),
        "away_limit": table.away_limit,
        "side_names": game.side_names,
        "moves": [] if table.match is None else serialize_moves(table.match, swapped=table.seat_of(0) == 1),
        "position": table_position(table),
    }
    if join is None:
        del data["join"]
    return data


class News(NamedTuple):
    """The message about an event, in little memory: a table keeps its newest for clients that come back."""

    head: bytes
    """The message up to the position; all of it before the first game."""
    turn: PositionSource | None
    game: int
    ply: int

    def text(self) -> bytes:
        """The message as JSON."""
        if self.turn is None:
            return self.head
        return b"%b%b}" % (self.head, position_text(self.turn, self.game, self.ply))


def event_news(table: Table, event: Event) -> News:
    """The message about an event that has just happened."""
    head = b'{"type":"event","event":%b,"table":%b,"position":' % (
        dumps(event._asdict()),
        dumps(serialize_state(table)),
    )
    match = table.match
    if match is None:
        return News(b"%b%b}" % (head, dumps(table_position(table))), None, 0, 0)
    turn = position_source(match, match.plies, table.seat_of(0) == 1, table.unfinished)
    return News(head, turn, table.games, match.plies)
