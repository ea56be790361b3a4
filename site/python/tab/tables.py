"""Playing in a tab: the requests of the pages about games and tables, with the answers of the server.

The browser keeps the tables. Each request about one brings it along, and each that changes it returns
it anew, so a worker can be ended at any time and nothing is lost.
"""

from collections.abc import Sequence
from random import Random
from time import time
from typing import TYPE_CHECKING, Any

from perfectplay.core.outcome import Side, other
from perfectplay.games.registry import names
from perfectplay.players.base import ComputerPlayer
from perfectplay.players.learned import LearnedPlayer
from perfectplay.players.registry import player_class, player_names
from perfectplay.tables.automatic import first_events, is_due, next_automatic
from perfectplay.tables.encoding import JsonObject
from perfectplay.tables.events import Event, EventKind, RefusedError, Seat
from perfectplay.tables.position_serializers import is_end
from perfectplay.tables.serializers import (
    serialize_board,
    serialize_game,
    serialize_played_game,
    serialize_state,
    serialize_table,
    table_position,
)
from perfectplay.tables.table import Table
from perfectplay.tables.validation import Plies, computer_name, load_small_game, plies_of
from perfectplay.validation import validate_player
from perfectplay.workers.worker import solve_bounded
from tab.stored import (
    Stored,
    events_of,
    from_records,
    open_table,
    own_seat,
    pack_table,
    record_of,
    refuse_missing_game,
)

if TYPE_CHECKING:
    from perfectplay.tables.position_schemas import PositionSchema
    from perfectplay.tables.schemas import GameSchema, PresenceSchema, TableSchema


def games() -> "list[GameSchema]":
    """The games, their parameters and how they look at the start."""
    return [serialize_game(name) for name in names()]


def rules(name: str) -> str:
    """The rules of a game in words, as Markdown."""
    if name not in names():
        raise RefusedError("missing", f"there is no game called “{name}”")
    return load_small_game(name).texts().rulebook()


def opponents() -> list[dict[str, str]]:
    """Every computer player that needs no process of its own, except for the levels, which a game lists."""
    found = []
    for name in player_names():
        kind = player_class(name)
        if issubclass(kind, ComputerPlayer) and not kind.runs_commands and kind.bare is None:
            found.append({"spec": name, "title": name})
    return found


def make(
    *,
    table_id: str,
    seed: int,
    game: str,
    opponent: str | None,
    seat: Seat | None = None,
    name: str = "",
    moves: Sequence[str] = (),
    **_: object,
) -> JsonObject:
    """A new table against a computer player, or for two people at one screen, after `moves`."""
    own: Seat = seat if seat is not None else 0 if Random(seed).random() < 0.5 else 1
    if opponent is not None:
        opponent = _able(opponent, game)
    players = (None, opponent) if own == 0 else (opponent, None)
    table = Table(table_id, load_small_game(game), seed=seed, players=players)
    guest = "" if opponent is None else computer_name(opponent)
    plies: Plies = tuple(("move", text) for text in moves)
    return _reply(table, list(first_events(table, own, name, guest, plies)))


def _able(opponent: str, game: str) -> str:
    """The spec of a computer player, once it is known that it can play the game here."""
    player = validate_player(opponent)
    if isinstance(player, LearnedPlayer):
        player.prepare(load_small_game(game))  # which has a trained policy, or not
    elif type(player).prepare is not ComputerPlayer.prepare:  # it solves the game
        solve_bounded(load_small_game(game))
    return player.spec


def show(table: Stored) -> "TableSchema":
    """A table as it is now."""
    return _serialize(open_table(table), own_seat(table))


def act(table: Stored, number: int, kind: EventKind, text: str) -> JsonObject:
    """Do something at a table: make a move of a person, or whatever else a player may do."""
    found = open_table(table)
    seat = _find_acting_seat(found, own_seat(table), kind, text)
    return _happen(table, found, Event(number, time(), seat, kind, text))


def _find_acting_seat(table: Table, own: Seat, kind: EventKind, text: str) -> Seat:
    """The seat that does something. Where two people share a screen, it is whoever's turn it is."""
    if not _is_shared(table):
        return own
    if kind == "offer" and text == "takeback" and table.match is not None and table.match.plies:
        return table.seat_of(table.match.last.side)
    return own if table.turn is None else table.turn


def think(table: Stored) -> JsonObject | None:
    """Make the move of the computer player; None if it is not to move."""
    found = open_table(table)
    if not is_due(found):
        return None
    seat, match = found.turn, found.match
    assert seat is not None
    assert match is not None
    player = validate_player(_able(str(found.players[seat]), match.game.spec))
    action = player.move(match)
    text = match.game.action_text(match.state, action)
    return _happen(table, found, Event(found.next, time(), seat, "move", text))


def play_on(
    table: Stored,
    number: int,
    ply: int,
    level: str,
    *,
    table_id: str,
    seed: int,
) -> JsonObject:
    """A new table against the computer, from a position of a game."""
    found = open_table(table, number)
    match = _match(found, ply)
    if is_end(match, ply):
        raise RefusedError("over", "the game is over in this position")
    if match.positions[0] != match.game.initial():  # a new table always begins at the start
        raise RefusedError("start", "the record of this game begins in the middle: it cannot be continued")
    side = match.game.side_to_move(match.positions[ply])
    moves = [text for _, text in plies_of(match)[:ply]]
    name = found.names[found.seat_of(side)] if found.players[found.seat_of(side)] is None else ""
    return make(
        table_id=table_id,
        seed=seed,
        game=match.game.spec,
        opponent=level,
        seat=side,
        name=name or "",
        moves=moves,
    )


def game(table: Stored, number: int) -> JsonObject:
    """A game of a table, move by move, and where it began if that was not at the start of the game.

    The person at this screen is called so if they gave no name.
    """
    found = open_table(table, number)
    start = _match(found).record().start
    data = serialize_played_game(found)
    if not _is_shared(found) and "record" not in table:
        own = found.side_of(own_seat(table))
        names = [name or "" for name in data["names"]]
        names[own] = names[own] or f"{data['side_names'][own]} (you)"
        data["names"] = names
    return {**data, **({"start": start} if start else {})}


def position(table: Stored, number: int, ply: int) -> "PositionSchema":
    """A position of a game of a table."""
    found = open_table(table, number)
    _match(found, ply)
    return table_position(found, ply)


def record(table: Stored, number: int) -> str:
    """A game as a record, in a file as the command writes it."""
    return f"{record_of(table, open_table(table, number))}\n"


def take_records(text: str) -> list[JsonObject]:
    """The games of a file of records, to be kept like those that were played here."""
    replies = []
    for kept in from_records(text):
        table = open_table(kept)
        replies.append({**_reply(table, []), "stored": kept})
    return replies


def _match(table: Table, ply: int = 0) -> Any:
    if table.match is None or ply > table.match.plies:
        raise refuse_missing_game()
    return table.match


def _is_shared(table: Table) -> bool:
    """Whether two people share the screen."""
    return table.players == (None, None)


def _happen(kept: Stored, table: Table, event: Event | None) -> JsonObject:
    """Add an event, and what follows by itself: forced passes, and answers to offers."""
    events, messages = events_of(kept), []
    while event is not None:
        events.append(table.add(event))
        messages.append(_message(table, events[-1]))
        event = next_automatic(table) or _accept_at_once(table)
    return _reply(table, events, messages)


def _accept_at_once(table: Table) -> Event | None:
    """Two people at one screen need not be asked whether they agree."""
    if not _is_shared(table) or not table.offers:
        return None
    what, seat = next(iter(table.offers.items()))
    return Event(table.next, time(), other(seat), "accept", what)


def _message(table: Table, event: Event) -> JsonObject:
    """The message about an event, as a socket sends it."""
    stand: JsonObject = {**serialize_state(table), "offers": dict(table.offers), "names": list(table.names)}
    if _is_shared(table):
        stand["seat"] = table.turn
    return {
        "type": "event",
        "event": event._asdict(),
        "table": stand,
        "position": table_position(table),
    }


def _serialize(table: Table, own: Seat) -> "TableSchema":
    seat: Side | None = table.turn if _is_shared(table) else own
    present: PresenceSchema = {"present": (True, True), "away": (None, None), "watching": 0, "ran": 0}
    return serialize_table(table, seat=seat, join=None, presence=present, public=False)


def _reply(table: Table, events: Sequence[Event], messages: Sequence[JsonObject] = ()) -> JsonObject:
    kept = pack_table(table, events)
    own = own_seat(kept)
    data = _serialize(table, own)
    return {
        "stored": kept,
        "table": data,
        "own": {
            "id": table.id,
            "game": table.game.spec,
            "title": table.game.title,
            "names": data["names"],
            "score": data["score"],
            "status": data["status"],
            "plies": data["plies"],
            "clock": None,
            "seat": own,
            "turn": table.turn,
            **serialize_board(table),
        },
        "messages": messages,
    }


_ANSWERS = (games, rules, opponents, make, show, act, think, play_on, game, position, record, take_records)
REQUESTS = {each.__name__: each for each in _ANSWERS}
