"""The seats that were taken from this machine, each held by a secret token in a file."""

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from perfectplay import saves
from perfectplay.online.client import DeniedError, Server, TableLink, read_link, read_server
from perfectplay.tables.limits import TOKEN


def seat_file(link: TableLink) -> Path:
    """The file with the token of a seat, one for each server and table."""
    name = hashlib.sha256(link.url.encode()).hexdigest()[:32]
    return saves.home() / "seats" / f"{name}.json"


def read_token(link: TableLink) -> str | None:
    """The token of the seat that was taken at a table earlier, or None."""
    try:
        kept = json.loads(seat_file(link).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    token = kept.get("token") if isinstance(kept, dict) else None
    return token if isinstance(token, str) and TOKEN.fullmatch(token) else None


def keep_token(link: TableLink, token: str) -> str | None:
    """Save the token of a seat where no other user can read it; says why that is not possible."""
    path = seat_file(link)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        forget_token(link)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump({"server": link.server, "table": link.table, "token": token}, file)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return error.strerror or str(error)
    return None


def forget_token(link: TableLink) -> None:
    """Delete the token of a seat that is no longer held."""
    with suppress(OSError):
        seat_file(link).unlink()


class Entrance(NamedTuple):
    """A way in to a table: requests with the token of the seat, and the table as the server describes it."""

    server: Server
    table: Any
    unsaved: str | None = None
    """Why the token could not be saved, if it could not: the seat is then lost with the program."""


class MadeTable(NamedTuple):
    """A new table: its address, the link to its free seat, and the way in."""

    link: str
    invitation: str
    entrance: Entrance


def make_table(address: str, game: str, name: str) -> MadeTable:
    """Make a table on a server, with a free seat for whoever gets its link."""
    server = Server(read_server(address), None)
    token = server.take_token()
    match server.post("/api/tables", {"game": game, "name": name}):
        case {"table": {"id": str(table), **rest}, "join": str(code)}:
            link = read_link(f"{server.address}/t/{table}")
            invitation = read_link(f"{link.server}/join/{table}/{code}")
        case _:
            raise server.unexpected_answer()
    entrance = Entrance(server, {"id": table, **rest}, keep_token(link, token))
    return MadeTable(link.url, f"{link.server}/join/{table}/{invitation.code}", entrance)


def enter(link: TableLink, name: str) -> Entrance:
    """Return to the seat that was taken at a table earlier, or take the free one, or watch."""
    path = f"/api/tables/{link.table}"
    token = read_token(link)
    if token is not None:
        server = Server(link.server, token)
        try:
            shape = server.get(path)
        except DeniedError as error:
            if error.code in ("missing", "token"):
                forget_token(link)
            if error.code != "token":
                raise
        else:
            if link.code is None or (isinstance(shape, dict) and shape.get("seat") is not None):
                return Entrance(server, shape)
    server = Server(link.server, None)
    if link.code is None:
        return Entrance(server, server.get(path))
    # Saved before it is used: an answer that gets lost must not cost the seat.
    unsaved = keep_token(link, server.take_token())
    try:
        joined = server.post(f"{path}/join", {"code": link.code, "name": name})
    except DeniedError:
        forget_token(link)
        raise
    if not isinstance(joined, dict):
        raise server.unexpected_answer()
    return Entrance(server, joined.get("table"), unsaved)
