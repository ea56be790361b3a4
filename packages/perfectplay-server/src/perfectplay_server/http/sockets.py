"""The socket of a table: everything that happens at it, as it happens."""

import asyncio
import json
import re
from collections import Counter
from contextlib import suppress
from time import monotonic
from typing import Annotated, Any, cast

from fastapi import APIRouter, Query, Response, WebSocket, WebSocketDisconnect
from pydantic import ValidationError
from starlette.routing import WebSocketRoute

from perfectplay.tables.encoding import dumps
from perfectplay.tables.limits import LONGEST_MESSAGE, LONGEST_TEXT
from perfectplay.tables.schemas import EventSchema
from perfectplay.workers.thinker import BusyError
from perfectplay_server.http import models
from perfectplay_server.http.identity import Caller, TableId
from perfectplay_server.http.middleware import address_of
from perfectplay_server.http.models import AnswerMessage
from perfectplay_server.http.responses import (
    FORESEEN,
    PROBLEMS,
    SCHEMAS,
    ProblemError,
    invalid,
    problem_of,
    problem_response,
)
from perfectplay_server.live.hub import Hub
from perfectplay_server.live.live_table import Subscriber
from perfectplay_server.protocols import WRITE
from perfectplay_server.schemas import ProblemSchema
from perfectplay_server.settings import ServerSettings
from perfectplay_server.storage.database import MissingError, UnsavedError
from perfectplay_server.throttling import one_of

SOCKET = "/api/tables/{table_id}/socket"

After = Annotated[int | None, Query(ge=0, lt=10**9, description="the number of the last event that you know")]


def socket_router(settings: ServerSettings) -> APIRouter:
    """The socket, and its description for the OpenAPI page."""
    router = APIRouter(responses=PROBLEMS)
    connected: Counter[str] = Counter()

    @router.get(
        SOCKET,
        status_code=426,
        response_model=ProblemSchema,
        responses={101: {"description": "messages as described by x-websocket"}},
        openapi_extra={
            # OpenAPI cannot describe sockets; the schemas of their messages are listed with the others.
            "x-websocket": {"sends": {"$ref": f"{SCHEMAS}Sent"}, "takes": {"$ref": f"{SCHEMAS}Asked"}}
        },
    )
    async def upgrade(table_id: TableId, after: After = None) -> Response:
        """A WebSocket: the table, and then everything that happens at it. Each message is JSON as text.

        With `after`, the events after that number are sent instead of the table, unless there are too
        many, and then `ready`.
        """
        raise ProblemError(426, "upgrade", "this is a WebSocket; connect to it as one")

    async def socket(websocket: WebSocket) -> None:
        with one_of(connected, address_of(websocket.scope), settings.sockets_per_address) as allowed:
            try:
                if not allowed:
                    raise BusyError
                after = websocket.query_params.get("after")
                if after is not None and not re.fullmatch("[0-9]{1,9}", after):
                    raise ProblemError(400, "bad", "after: must be the number of an event")
                caller = Caller(websocket)
            except (ProblemError, BusyError, UnsavedError) as error:
                return await websocket.send_denial_response(problem_response(error))
            await _serve(websocket, caller, None if after is None else int(after))

    async def nowhere(websocket: WebSocket) -> None:
        await websocket.send_denial_response(
            problem_response(ProblemError(404, "missing", "there is no such page"))
        )

    # A plain route: FastAPI would use much more memory for each open socket.
    router.routes += [WebSocketRoute(SOCKET, socket), WebSocketRoute("/{path:path}", nowhere)]
    return router


async def _serve(websocket: WebSocket, caller: Caller, after: int | None) -> None:
    task = asyncio.current_task()
    assert task is not None
    hub, subscriber = caller.hub, Subscriber(None, task.cancel, caller.address)
    try:
        live = await hub.connect(websocket.path_params["table_id"], caller.owner, after, subscriber)
    except (MissingError, UnsavedError, BusyError) as error:
        return await websocket.send_denial_response(problem_response(error))
    sender = None
    try:
        await websocket.accept()
        subscriber.write = websocket.scope["extensions"].get(WRITE)
        sender = asyncio.create_task(_send_all(websocket, subscriber))
        await _receive_all(websocket, hub, live.id, subscriber)
    except (WebSocketDisconnect, RuntimeError):
        pass  # the client has gone, perhaps while a message was on its way
    except asyncio.CancelledError:
        if not subscriber.dropped:
            raise
        task.uncancel()  # it reads no messages, so there is no point in sending one
    finally:
        hub.disconnect(live, subscriber)
        if sender is not None:
            sender.cancel()


async def _send_all(websocket: WebSocket, subscriber: Subscriber) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        while True:
            text = await subscriber.queue.get()
            subscriber.sending = True
            await websocket.send_text(text.decode())
            subscriber.sending = False


async def _receive_all(websocket: WebSocket, hub: Hub, table_id: str, subscriber: Subscriber) -> None:
    while True:
        message = await websocket.receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text")
        if text is None:
            return await websocket.close(1003, "text only")
        if len(text) > LONGEST_MESSAGE:
            return await websocket.close(1009, f"at most {LONGEST_MESSAGE} bytes")
        try:
            asked = json.loads(text)
        except (ValueError, RecursionError):
            asked = None
        if not isinstance(asked, dict):
            subscriber.send(dumps(_refuse(None, ProblemError(400, "bad", "a message must be a JSON object"))))
        elif asked.get("do") == "ping":
            subscriber.send(subscriber.lag.pong(monotonic()))
        elif asked.get("do") == "echo":
            subscriber.lag.note_echo(asked.get("mark"), monotonic())
        else:
            subscriber.send(dumps(await _answer(hub, table_id, subscriber, asked)))


async def _answer(hub: Hub, table_id: str, subscriber: Subscriber, asked: dict[str, Any]) -> AnswerMessage:
    mark = asked.get("id")
    # Nothing else can be sent back for sure.
    short = isinstance(mark, str) and len(mark) <= LONGEST_TEXT and mark.isprintable()
    if not short and not (isinstance(mark, int) and mark.bit_length() < 64):
        mark = None
    try:
        if asked.get("do") != "event":
            raise ProblemError(400, "bad", "do: must be event, ping or echo")
        # Other fields are ignored.
        named = {name: asked[name] for name in models.NewEvent.model_fields if name in asked}
        wanted = models.NewEvent.model_validate(named)
        happened = await hub.request(
            table_id,
            subscriber.owner,
            wanted.number,
            wanted.kind,
            wanted.text,
            address=subscriber.address,
            subscriber=subscriber,
        )
    except ValidationError as error:
        return _refuse(mark, invalid(error.errors()[0]))
    except FORESEEN as error:
        return _refuse(mark, problem_of(error))
    return {"type": "answer", "id": mark, "ok": True, "event": cast(EventSchema, happened._asdict())}


def _refuse(mark: str | int | None, problem: ProblemError) -> AnswerMessage:
    return {"type": "answer", "id": mark, "ok": False, "error": problem.code, "text": problem.text}
