"""What docs/online.md says about the socket."""

import re
from contextlib import suppress

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from tests.conftest import ROOT
from tests.terminal.online.opponents import Opponent, until
from tests.web.servers import Server

PAGE = (ROOT / "docs" / "online.md").read_text("utf-8")


def test_the_page_names_every_message_of_the_socket(server: Server) -> None:
    described = server.person().get("/api/openapi.json").json()
    schemas = described["components"]["schemas"]
    socket = described["paths"]["/api/tables/{table_id}/socket"]["get"]["x-websocket"]
    for direction, schema, word in (("sends", "Sent", "type"), ("takes", "Asked", "do")):
        assert socket[direction]["$ref"].endswith(f"/{schema}")
        assert f"`{schema}`" in PAGE
        names = [each["$ref"].rpartition("/")[2] for each in schemas[schema]["anyOf"]]
        assert len(names) > 1
        for name in names:
            kind = schemas[name]["properties"][word]["const"]
            assert re.search(rf"^\| `{kind}` \| .+ \|$", PAGE, re.MULTILINE), kind


def test_the_page_is_right_about_the_socket(server: Server) -> None:
    ann = Opponent(server, "bit-flip", opponent="random")
    with ann.person.socket(ann.table) as socket:
        whole = until(socket, "table")["table"]
        assert {"seat", "id", "position"} <= whole.keys()
        ann.act("move", "0")
        changed = until(socket, "event")["table"]
        assert changed.keys() < whole.keys() - {"seat", "id", "position"}
        socket.send('{"do": "ping"}')
        assert until(socket, "pong") == {"type": "pong", "mark": 1}
        socket.send(" " * 4094 + "{}")
        assert until(socket, "answer")["error"] == "bad"
        socket.send(" " * 4095 + "{}")
        assert ended(socket) == 1009
    with ann.person.socket(ann.table) as socket:
        with suppress(ConnectionClosed):
            for _ in range(200):
                socket.send('{"do": "ping"}')
        assert ended(socket) == 1008


def ended(socket: ClientConnection) -> int | None:
    """The code with which a socket was closed."""
    with pytest.raises(ConnectionClosed) as closed:
        until(socket, "nothing")
    return None if closed.value.rcvd is None else closed.value.rcvd.code
