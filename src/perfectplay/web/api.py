"""The web server: requests, sockets and pages. What happens at a table is decided elsewhere."""

import asyncio
import hashlib
import json
import re
import secrets
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from math import ceil
from pathlib import Path
from time import monotonic
from typing import Annotated, Any, get_args
from urllib.parse import urlsplit

from perfectplay.core.errors import BadParameterError, MissingExtraError, PerfectplayError
from perfectplay.core.match import Match
from perfectplay.games.registry import names
from perfectplay.games.rulebook import rulebook
from perfectplay.web import models, shapes
from perfectplay.web.hub import LISTED, Hub, Link, MissingError, Place
from perfectplay.web.limits import Bucket, Limit
from perfectplay.web.pool import BusyError
from perfectplay.web.settings import LONGEST_MESSAGE, LONGEST_MOVES, LONGEST_SPEC, LONGEST_TEXT, Settings
from perfectplay.web.shapes import Shape, dumps
from perfectplay.web.store import Row, Store, UnsavedError
from perfectplay.web.table import RefusedError, most_plies

try:
    from fastapi import FastAPI, Query, Request, Response, WebSocket, WebSocketDisconnect
    from fastapi import Path as InPath
    from fastapi.exceptions import RequestValidationError
    from fastapi.openapi.utils import get_openapi
    from starlette.datastructures import Headers, MutableHeaders
    from starlette.exceptions import HTTPException
    from starlette.responses import FileResponse
    from starlette.routing import Match as RouteMatch
    from starlette.staticfiles import StaticFiles
    from starlette.types import ASGIApp, Message, Receive, Scope, Send
except ImportError as error:
    raise MissingExtraError("fastapi", "web") from error

STATIC = Path(__file__).with_name("static")
COOKIE = "perfectplay"
YEAR = 365 * 86_400
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
SAFETY = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
TOKEN = re.compile(r"[A-Za-z0-9_-]{32,128}")
MESSAGES_PER_SECOND = 40
"""Messages of one socket, of whatever kind; who sends more is disconnected."""
WITH_MOVES = ("/api/study", "/api/tables")
"""Where the moves of a whole game may be sent."""
CODES = {"seat": 403, "code": 403}
"""Refusals that are about who asks; any other is about the state of the table."""

TableId = Annotated[str, InPath(min_length=1, max_length=32, description="of a table")]
GameNumber = Annotated[int, InPath(ge=1, le=2**31 - 1, description="which game of the table, from 1 on")]
Ply = Annotated[int, InPath(ge=0, le=2**31 - 1, description="the position after so many plies")]


class Problem(Exception):
    """A request that is not fulfilled, and the answer that says why."""

    def __init__(self, status: int, code: str, text: str, *, table: str | None = None, wait: int = 0) -> None:
        super().__init__(text)
        self.status, self.code, self.text, self.table, self.wait = status, code, text, table, wait


def problem_of(error: Exception) -> Problem:
    """What to answer when something went wrong in a way that is foreseen."""
    match error:
        case Problem():
            return error
        case RefusedError():
            return Problem(CODES.get(error.code, 409), error.code, str(error))
        case MissingError():
            return Problem(404, "missing", "there is no such table, game or position here")
        case UnsavedError():
            return Problem(503, "unsaved", "this could not be saved just now; please try again", wait=1)
        case BusyError():
            return Problem(
                503, "busy", "the server has too much to do just now; please try again later", wait=5
            )
        case PerfectplayError():
            return Problem(400, "bad", str(error))
        case _:
            raise error


FORESEEN = (Problem, RefusedError, MissingError, UnsavedError, BusyError, PerfectplayError)


class Answer(Response):
    """JSON that is not kept by anyone."""

    media_type = "application/json"

    def __init__(self, shape: object, status_code: int = 200) -> None:
        super().__init__(dumps(shape), status_code, {"Cache-Control": "no-store"})


def problem_answer(problem: Problem) -> Answer:
    """A problem as an answer."""
    shape = {"error": problem.code, "text": problem.text}
    if problem.table is not None:
        shape["table"] = problem.table
    answer = Answer(shape, problem.status)
    if problem.wait:
        answer.headers["Retry-After"] = str(problem.wait)
    return answer


class Identity:
    """Who asks: the token that a request carries, or a new one."""

    def __init__(self, connection: Request | WebSocket) -> None:
        self.secure = connection.url.scheme in ("https", "wss")
        self.wants_token = connection.headers.get("x-client") == "1"
        self.given = self._given(connection)
        self.token = self.given or secrets.token_urlsafe(32)

    @staticmethod
    def _given(connection: Request | WebSocket) -> str | None:
        header = connection.headers.get("authorization")
        if header is not None:
            scheme, _, token = header.partition(" ")
            if scheme.lower() != "bearer" or not TOKEN.fullmatch(token):
                raise Problem(
                    400, "token", "Authorization: must be Bearer and a token of 32 to 128 characters"
                )
            return token
        cookie = connection.cookies.get(COOKIE, "")
        return cookie if TOKEN.fullmatch(cookie) else None

    @property
    def holder(self) -> str | None:
        """What is stored instead of the token, if the request had one."""
        return None if self.given is None else _digest(self.given)

    @property
    def new_holder(self) -> str:
        """What is stored instead of the token, a new one if need be."""
        return _digest(self.token)

    def answer(self, shape: Shape, status: int) -> Answer:
        """An answer that hands a new token over."""
        if self.given is None and self.wants_token:
            shape = {**shape, "token": self.token}
        answer = Answer(shape, status)
        if self.given is None:
            answer.set_cookie(
                COOKIE, self.token, max_age=YEAR, path="/", httponly=True, samesite="lax", secure=self.secure
            )
        return answer


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class Gate:
    """What every request passes first: who it is from, how large it is, how many there are; and headers."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.behind_proxy = settings.behind_proxy
        rate = settings.requests_per_second
        self.requests = Limit(rate, 2 * rate)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        headers = Headers(scope=scope)
        if self.behind_proxy:
            scope = _forwarded(scope, headers)
        if scope["type"] == "websocket":
            try:
                self._limit(scope)
                check_origin(scope, headers)
            except Problem as problem:
                return await WebSocket(scope, receive, send).send_denial_response(problem_answer(problem))
            return await self.app(scope, receive, send)

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(SAFETY)
            await send(message)

        try:
            if scope["path"].startswith("/api/"):
                self._limit(scope)
            if scope["method"] not in ("GET", "HEAD", "OPTIONS"):
                check_origin(scope, headers)
                receive = await _within_limits(scope, headers, receive)
        except Problem as problem:
            return await problem_answer(problem)(scope, receive, send_safely)
        await self.app(scope, receive, send_safely)

    def _limit(self, scope: Scope) -> None:
        wait = self.requests.wait(address_of(scope))
        if wait:
            raise Problem(429, "slow", "too many requests; please wait a little", wait=wait)


def _forwarded(scope: Scope, headers: Headers) -> Scope:
    """A request as the proxy got it. What stands last was added by the proxy itself."""
    changed: Scope = dict(scope)
    scheme = headers.get("x-forwarded-proto", "").rpartition(",")[2].strip().lower()
    if scheme in ("http", "https"):
        socket = scope["type"] == "websocket"
        changed["scheme"] = scheme.replace("http", "ws") if socket else scheme
    client = headers.get("x-forwarded-for", "").rpartition(",")[2].strip()
    if client:
        changed["client"] = (client[:64], 0)
    return changed


def address_of(scope: Scope) -> str:
    """The address of a client; an IPv6 one stands for its whole network."""
    client = scope.get("client")
    host = str(client[0]) if client else ""
    return ":".join(host.split(":")[:4]) if host.count(":") > 1 and "." not in host else host


def check_origin(scope: Scope, headers: Headers) -> None:
    """A page of another origin may not act for whoever looks at it."""
    origin = headers.get("origin")
    if origin is None:
        return
    scheme = {"ws": "http", "wss": "https"}.get(scope["scheme"], scope["scheme"])
    if origin.lower() != f"{scheme}://{headers.get('host', '')}".lower() or not urlsplit(origin).netloc:
        raise Problem(403, "origin", "this request comes from a page of another server")


async def _within_limits(scope: Scope, headers: Headers, receive: Receive) -> Receive:
    """The body of a request is read before anything else, and no more of it than is allowed."""
    most = LONGEST_MOVES if scope["path"] in WITH_MOVES else LONGEST_MESSAGE
    large = Problem(413, "large", f"at most {most} bytes can be sent here")
    length = headers.get("content-length", "0")
    if not re.fullmatch("[0-9]{1,18}", length) or int(length) > most:
        raise large
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            break
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > most:
            raise large
    handed = False

    async def receive_again() -> Message:
        nonlocal handed
        if handed:
            return await receive()
        handed = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The answers besides the good one, for the OpenAPI page."""
    return {status: {"model": models.Problem} for status in (400, 429, *statuses)}


def _text(kind: str) -> dict[str, Any]:
    """An answer that is text, for the OpenAPI page."""
    return {"content": {f"text/{kind}": {"schema": {"type": "string"}}}, "description": "the text"}


def make_app(settings: Settings) -> FastAPI:
    """The server as an application; its database is opened when it starts."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()
        store = await loop.run_in_executor(None, Store, settings.database)
        hub = Hub(store, settings)
        await hub.start()
        app.state.hub = hub
        yield
        await hub.close()

    app = FastAPI(
        title="perfectplay",
        summary="Tables for five games of pure strategy",
        version="1",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,
    )
    app.add_middleware(Gate, settings=settings)
    for kind in FORESEEN:
        app.add_exception_handler(kind, lambda _, error: problem_answer(problem_of(error)))
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_problem)
    _add_api(app, settings)
    _add_socket(app, settings)
    _add_pages(app)
    app.openapi = lambda: _openapi(app)  # type: ignore[method-assign]
    return app


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:]) or "the request"
    return problem_answer(Problem(400, "bad", f"{where}: {first['msg']}"))


async def _http_problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    codes = {400: "bad", 404: "missing", 405: "method"}
    texts = {404: "there is nothing here", 405: "that cannot be done here"}
    text = texts.get(error.status_code, "this request cannot be understood")
    answer = problem_answer(Problem(error.status_code, codes.get(error.status_code, "bad"), text))
    if error.status_code == 405:
        answer.headers["Allow"] = ", ".join(sorted(_methods(request)))
    return answer


def _methods(request: Request) -> set[str]:
    """The methods of all routes to where a request goes; each route by itself knows only its own."""
    found: set[str] = set()
    for route in request.app.routes:
        methods = getattr(route, "methods", None)
        if methods and route.matches({**request.scope, "method": next(iter(methods))})[0] is RouteMatch.FULL:
            found |= methods
    return found


def _openapi(app: FastAPI) -> dict[str, Any]:
    if app.openapi_schema is None:
        schema = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
        for path in schema["paths"].values():
            for operation in path.values():
                operation["responses"].pop("422", None)  # a bad request is always a 400 here
        for name in ("HTTPValidationError", "ValidationError"):
            schema["components"]["schemas"].pop(name, None)
        app.openapi_schema = schema
    return app.openapi_schema


def _hub(connection: Request | WebSocket) -> Hub:
    hub: Hub = connection.app.state.hub
    return hub


def _add_api(app: FastAPI, settings: Settings) -> None:
    makings = Limit(settings.tables_per_minute / 60, settings.tables_per_minute)
    studies = Limit(settings.studies_per_minute / 60, settings.studies_per_minute)
    joinings = Limit(settings.tables_per_minute / 30, 2 * settings.tables_per_minute)
    games = dumps([shapes.game_shape(name) for name in names()])

    def limited(limit: Limit, request: Request) -> None:
        wait = limit.wait(address_of(request.scope))
        if wait:
            raise Problem(429, "slow", "that was too often; please wait a little", wait=wait)

    async def not_seated(request: Request) -> None:
        """Who plays a game may neither study nor have a computer player show how to go on."""
        hub, holder = _hub(request), Identity(request).holder
        running = None if holder is None else await hub.read(hub.store.seated_at, holder)
        if running is not None:
            text = "you have a seat at a running game; finish it first"
            raise Problem(403, "seated", text, table=running)

    async def made(request: Request, identity: Identity, spec: str, **wishes: Any) -> Answer:
        hub = _hub(request)
        opponent = wishes.pop("opponent")
        spec = shapes.bounded_game(spec).spec
        if opponent is not None:
            opponent = shapes.opponent_spec(opponent)
            if opponent != "random":
                await hub.players.ask({"do": "check", "game": spec})
        place = await hub.make(spec, opponent=opponent, holder=identity.new_holder, **wishes)
        table = hub.shape(place, identity.new_holder)
        return identity.answer({"table": table, "join": table.get("join")}, 201)

    @app.get("/healthz", response_model=models.HealthModel, responses={503: {"model": models.Problem}})
    async def health(request: Request) -> Response:
        """Whether the server and its database answer."""
        hub = _hub(request)
        try:
            async with asyncio.timeout(10):
                await hub.read(hub.store.ping)
        except TimeoutError:
            raise UnsavedError("no answer in time") from None
        return Answer({"ok": True, "tables": len(hub.places)})

    @app.get("/api/games", response_model=list[models.GameModel], responses=problems())
    async def list_games() -> Response:
        """The games, their parameters and how they look at the start."""
        return Response(games, media_type="application/json", headers={"Cache-Control": "no-cache"})

    @app.get(
        "/api/games/{name}/rules",
        response_class=Response,
        responses={**problems(404), 200: _text("markdown")},
    )
    async def show_rules(name: Annotated[str, InPath(max_length=LONGEST_SPEC)]) -> Response:
        """The rules of a game in words, as Markdown."""
        if name not in names():
            raise MissingError
        text = rulebook(type(shapes.bounded_game(name)))
        return Response(text, media_type="text/markdown", headers={"Cache-Control": "no-cache"})

    @app.get("/api/tables", response_model=models.ListModel, responses=problems(503))
    async def list_tables(request: Request) -> Response:
        """Public tables that wait for a player, and those that are played at, the newest first."""
        hub = _hub(request)
        shown = {}
        for status in ("open", "running"):
            rows = await hub.read(hub.store.listed, status, LISTED)
            shown[status] = [_brief(row) for row in rows]
        return Answer(shown)

    @app.post(
        "/api/tables",
        status_code=201,
        response_model=models.MadeModel,
        response_model_exclude_none=True,
        responses=problems(403, 413, 503),
    )
    async def make_table(request: Request, wanted: models.NewTable) -> Response:
        """Make a table and take a seat at it."""
        limited(makings, request)
        moves = _moves(wanted.game, wanted.moves)
        if moves:
            await not_seated(request)
        if moves and wanted.opponent is None:
            raise BadParameterError("opponent", "null", "a computer player where moves are given")
        return await made(
            request,
            Identity(request),
            wanted.game,
            seat=wanted.seat,
            opponent=wanted.opponent,
            name=wanted.name or "Guest",
            public=wanted.public,
            moves=moves,
        )

    @app.get("/api/tables/{table_id}", response_model=models.TableModel, responses=problems(404, 503))
    async def show_table(request: Request, table_id: TableId) -> Response:
        """A table as it is now."""
        identity, hub = Identity(request), _hub(request)
        async with hub.table(table_id) as place:
            _seen(place, identity)
            return Answer(hub.shape(place, identity.holder))

    @app.post(
        "/api/tables/{table_id}/join",
        response_model=models.JoinedModel,
        responses=problems(403, 404, 409, 413, 503),
    )
    async def join_table(request: Request, table_id: TableId, joining: models.Joining) -> Response:
        """Take the free seat, with the code from the link that leads to it."""
        identity, hub = Identity(request), _hub(request)
        limited(joinings, request)
        await hub.join(table_id, code=joining.code, name=joining.name or "Guest", holder=identity.new_holder)
        async with hub.table(table_id) as place:
            return identity.answer({"table": hub.shape(place, identity.new_holder)}, 200)

    @app.post(
        "/api/tables/{table_id}/events",
        response_model=models.HappenedModel,
        responses=problems(403, 404, 409, 413, 503),
    )
    async def act(request: Request, table_id: TableId, event: models.NewEvent) -> Response:
        """Do something at a table: a move, or whatever else a player may do."""
        identity, hub = Identity(request), _hub(request)
        async with hub.table(table_id) as place:
            seat = place.seat_of(identity.holder)
            if seat is None:
                raise RefusedError("seat", "only who has a seat at this table can do that")
            wait = hub.slow(place, seat)
        if wait:
            raise Problem(429, "slow", "that was too quick; please wait a little", wait=ceil(wait))
        happened = await hub.act(table_id, seat, event.number, event.kind, event.text)
        return Answer({"event": shapes.event_shape(happened)})

    @app.get(
        "/api/tables/{table_id}/events",
        response_model=list[models.EventModel],
        responses=problems(404, 503),
    )
    async def list_events(
        request: Request, table_id: TableId, after: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0
    ) -> Response:
        """What has happened at a table after an event, at most 1000 events at a time."""
        identity, hub = Identity(request), _hub(request)
        async with hub.table(table_id) as place:
            _seen(place, identity)
            found = await hub.read(hub.store.events, table_id, after=after, most=1000)
        return Answer([shapes.event_shape(event) for event in found])

    @app.get(
        "/api/tables/{table_id}/games/{number}/positions/{ply}",
        response_model=models.PositionModel,
        responses=problems(404, 503),
    )
    async def show_position(request: Request, table_id: TableId, number: GameNumber, ply: Ply) -> Response:
        """A position of a game that was or is played at a table."""
        hub = _hub(request)
        async with hub.table(table_id) as place:
            table = await hub.old_game(place, number)
            if table.match is None or ply > table.match.plies:
                raise MissingError
            return Answer(shapes.table_position(table, ply))

    @app.get(
        "/api/tables/{table_id}/games/{number}/record",
        response_class=Response,
        responses={**problems(404, 503), 200: _text("plain")},
    )
    async def show_record(request: Request, table_id: TableId, number: GameNumber) -> Response:
        """A game as a record, as `perfectplay replay` reads it."""
        hub = _hub(request)
        async with hub.table(table_id) as place:
            text = f"{(await hub.old_game(place, number)).record()}\n"
        name = f"attachment; filename=perfectplay-{place.id}-{number}.txt"
        return Response(text, media_type="text/plain", headers={"Content-Disposition": name})

    @app.get(
        "/api/tables/{table_id}/games/{number}/study/{ply}",
        response_model=models.StudyModel,
        responses=problems(403, 404, 503),
    )
    async def study_game(request: Request, table_id: TableId, number: GameNumber, ply: Ply) -> Response:
        """What every move of a position was worth, and how well the game was played."""
        hub = _hub(request)
        limited(studies, request)
        await not_seated(request)
        async with hub.table(table_id) as place:
            table = await hub.old_game(place, number)
            if table.match is None or ply > table.match.plies:
                raise MissingError
            question = {"do": "study", "record": str(table.record()), "ply": ply, "number": number}
            question["closed"] = table.closed
        return Answer(await hub.students.ask(question))

    @app.post("/api/study", response_model=models.StudyModel, responses=problems(403, 413, 503))
    async def study_alone(request: Request, solo: models.Solo) -> Response:
        """What every move of any position is worth."""
        hub = _hub(request)
        limited(studies, request)
        await not_seated(request)
        spec = shapes.bounded_game(solo.game).spec
        question = {"do": "solo", "game": spec, "moves": solo.moves, "ply": solo.ply, "number": 1}
        return Answer(await hub.students.ask({**question, "closed": None}))

    @app.post(
        "/api/tables/{table_id}/games/{number}/play-on",
        status_code=201,
        response_model=models.MadeModel,
        responses=problems(403, 404, 409, 413, 503),
    )
    async def play_on(
        request: Request, table_id: TableId, number: GameNumber, wanted: models.PlayOn
    ) -> Response:
        """A new table against the computer, from a position of a game that is over."""
        identity, hub = Identity(request), _hub(request)
        limited(makings, request)
        await not_seated(request)
        async with hub.table(table_id) as place:
            table = await hub.old_game(place, number)
            match = table.match
            if match is None or wanted.ply > match.plies:
                raise MissingError
            if table.status == "running":
                raise RefusedError("running", "this game is still being played")
            state = match.positions[wanted.ply]
            if match.game.outcome(state) is not None:
                raise RefusedError("over", "the game is over in this position")
            moves = _plies(match)[: wanted.ply]
            seat = table.seat_of(match.game.side_to_move(state))
            name = table.names[seat] if place.seat_of(identity.holder) == seat else None
        return await made(
            request,
            identity,
            match.game.spec,
            seat=match.game.side_to_move(state),
            opponent=wanted.level,
            name=name or "Guest",
            public=False,
            moves=moves,
        )


def _moves(spec: str, texts: list[str]) -> tuple[tuple[str, str], ...]:
    """Moves from the start of a game, checked one by one; the game must go on after them."""
    game = shapes.bounded_game(spec)
    match = Match(game, max_plies=most_plies(game))
    for index, text in enumerate(texts):
        try:
            match.play(text)
        except PerfectplayError as error:
            raise Problem(400, "bad", f"moves.{index}: {error}") from error
    if match.result is not None:
        raise Problem(400, "bad", "moves: the game is over after them")
    return _plies(match)


def _plies(match: Match[Any]) -> tuple[tuple[str, str], ...]:
    """The plies of a game as they are played again: of which kind each is, and its text."""
    return tuple((entry.kind, match.line(entry).text) for entry in match.history if entry.is_ply)


def _brief(row: Row) -> Shape:
    """A table in the list. One that waits for someone can be joined from there."""
    game = shapes.bounded_game(row["game"])
    return {
        "id": row["id"],
        "game": row["game"],
        "title": game.title,
        "names": [row["name0"], row["name1"]],
        "score": [row["score0"], row["score1"]],
        "status": row["status"],
        "plies": row["plies"],
        **({"join": row["code"]} if row["status"] == "open" else {}),
    }


def _seen(place: Place, identity: Identity) -> None:
    """Who asks for the table is there, even without a socket."""
    seat = place.seat_of(identity.holder)
    if seat is not None:
        place.seen[seat] = monotonic()


def _add_socket(app: FastAPI, settings: Settings) -> None:
    connected: Counter[str] = Counter()

    @app.websocket("/api/tables/{table_id}/socket")
    async def socket(websocket: WebSocket, table_id: str) -> None:
        """Everything that happens at a table, as it happens."""
        address = address_of(websocket.scope)
        try:
            identity = Identity(websocket)
            if connected[address] >= settings.sockets_per_address:
                raise BusyError
            after = _after(websocket.query_params.get("after"))
        except (Problem, BusyError) as error:
            return await websocket.send_denial_response(problem_answer(problem_of(error)))
        connected[address] += 1
        try:
            await _serve_socket(websocket, _hub(websocket), table_id, identity, after)
        finally:
            connected[address] -= 1
            if not connected[address]:
                del connected[address]


def _after(text: str | None) -> int | None:
    if text is None:
        return None
    if not re.fullmatch("[0-9]{1,9}", text):
        raise Problem(400, "bad", "after: must be the number of an event")
    return int(text)


async def _serve_socket(
    websocket: WebSocket, hub: Hub, table_id: str, identity: Identity, after: int | None
) -> None:
    task = asyncio.current_task()
    assert task is not None
    link = Link(None, task.cancel)
    try:
        place = await hub.connect(table_id, identity.holder, after, link)
    except (MissingError, UnsavedError, BusyError) as error:
        return await websocket.send_denial_response(problem_answer(problem_of(error)))
    sender = None
    try:
        await websocket.accept()
        sender = asyncio.create_task(_send_all(websocket, link))
        await _receive_all(websocket, hub, place, link, identity)
    except (WebSocketDisconnect, RuntimeError):
        pass  # gone, or gone while something was on its way to it
    except asyncio.CancelledError:
        if not link.dropped:
            raise
        task.uncancel()  # it took no messages: there is no use in telling it that it is dropped
    finally:
        hub.disconnect(place, link)
        if sender is not None:
            sender.cancel()


async def _send_all(websocket: WebSocket, link: Link) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        while True:
            await websocket.send_text(await link.queue.get())


async def _receive_all(websocket: WebSocket, hub: Hub, place: Place, link: Link, identity: Identity) -> None:
    bucket = Bucket(MESSAGES_PER_SECOND, 2 * MESSAGES_PER_SECOND)
    while True:
        message = await websocket.receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text")
        if text is None:
            return await websocket.close(1003, "text only")
        if len(text) > LONGEST_MESSAGE:
            return await websocket.close(1009, f"at most {LONGEST_MESSAGE} bytes")
        if bucket.take(monotonic()):
            return await websocket.close(1008, "too many messages")
        try:
            asked = json.loads(text)
        except (ValueError, RecursionError):
            asked = None
        if not isinstance(asked, dict):
            link.send(dumps(_refused(None, Problem(400, "bad", "a message must be a JSON object"))))
        elif asked.get("do") == "ping":
            link.send('{"type":"pong"}')
        else:
            link.send(dumps(await _answered(hub, place, link, identity, asked)))


async def _answered(hub: Hub, place: Place, link: Link, identity: Identity, asked: Shape) -> Shape:
    mark = asked.get("id")
    if not isinstance(mark, str | int) or len(str(mark)) > LONGEST_TEXT or not str(mark).isprintable():
        mark = None  # whatever else cannot always be sent back
    try:
        if asked.get("do") != "event":
            raise Problem(400, "bad", "do: must be event or ping")
        wanted = _checked_event(asked)
        # The seat may have been taken, by another request of the same client, since it connected.
        seat = link.seat = place.seat_of(identity.holder)
        if seat is None:
            raise RefusedError("seat", "only who has a seat at this table can do that")
        if hub.slow(place, seat):
            raise Problem(429, "slow", "that was too quick; please wait a little")
        happened = await hub.act(place.id, seat, wanted.number, wanted.kind, wanted.text)
    except FORESEEN as error:
        return _refused(mark, problem_of(error))
    return {"type": "answer", "id": mark, "ok": True, "event": shapes.event_shape(happened)}


def _checked_event(asked: Shape) -> models.NewEvent:
    number, kind, text = asked.get("number"), asked.get("kind"), asked.get("text", "")
    if type(number) is not int or not 0 <= number < 2**31:
        raise Problem(400, "bad", "number: must be the number of the next event")
    if kind not in get_args(models.NewEvent.model_fields["kind"].annotation):
        raise Problem(400, "bad", "kind: must be move, resign, offer, accept, decline or close")
    if not isinstance(text, str) or len(text) > LONGEST_TEXT or not text.isprintable():
        raise Problem(400, "bad", f"text: must be at most {LONGEST_TEXT} printable characters")
    return models.NewEvent.model_construct(number=number, kind=kind, text=text)


def _refused(mark: object, problem: Problem) -> Shape:
    return {"type": "answer", "id": mark, "ok": False, "error": problem.code, "text": problem.text}


def _add_pages(app: FastAPI) -> None:
    pages = {
        "/": "index.html",
        "/t/{table_id}": "table.html",
        "/t/{table_id}/g/{number}": "study.html",
        "/join/{table_id}/{code}": "join.html",
        "/study": "study.html",
    }

    def add(path: str, file: str) -> None:
        @app.get(path, include_in_schema=False)
        async def page() -> Response:
            if not (STATIC / file).is_file():
                raise HTTPException(404)
            return FileResponse(STATIC / file, headers={"Cache-Control": "no-cache"})

    for path, file in pages.items():
        add(path, file)
    app.mount("/static", _Files(directory=STATIC, check_dir=False))


class _Files(StaticFiles):
    """Files that are asked for again before they are used again: a new release shows at once."""

    def file_response(self, *args: Any, **settings: Any) -> Response:
        response = super().file_response(*args, **settings)
        response.headers["Cache-Control"] = "no-cache"
        return response
