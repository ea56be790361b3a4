"""The web server as an application: puts its parts together, and answers requests that match no route."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.routing import Route

from perfectplay_server.http import lobby_routes, previews, responses, routes
from perfectplay_server.http.identity import Tokens
from perfectplay_server.http.middleware import RequestMiddleware
from perfectplay_server.http.pages import page_routes, render_missing_page
from perfectplay_server.http.responses import FORESEEN, ProblemError, invalid, problem_response
from perfectplay_server.http.sockets import socket_router
from perfectplay_server.live.hub import Hub
from perfectplay_server.settings import ServerSettings
from perfectplay_server.storage.schema import TOKENS
from perfectplay_server.storage.store import Store
from perfectplay_server.throttling import ClientLimits


def make_app(settings: ServerSettings) -> FastAPI:
    """The server as an application, which opens its database when it starts."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[dict[str, Any]]:
        hub = Hub(await asyncio.to_thread(Store, settings.database), settings)
        await hub.start()
        app.state.hub = hub
        app.state.tokens = Tokens(await hub.store.read(hub.store.key, TOKENS))
        # The connections themselves are limited as well, and hear first that the server stops.
        yield {"limits": app.state.limits, "stop": hub.stop}
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
    app.state.limits = ClientLimits(settings)
    app.state.pictures = previews.Pictures()
    app.add_middleware(RequestMiddleware, settings=settings, limits=app.state.limits)
    for kind in FORESEEN:
        app.add_exception_handler(kind, lambda _, error: problem_response(error))
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_problem)
    for router in (
        routes.router,
        lobby_routes.router,
        routes.games,
        routes.puzzles,
        previews.router,
        socket_router(settings),
    ):
        # Including a router would build all its routes once more, during the first request, and hide them
        # from `_methods`.
        app.router.routes.extend(router.routes)
    app.router.routes.extend(page_routes())
    app.openapi = lambda: responses.describe(app)  # type: ignore[method-assign]
    return app


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return problem_response(ProblemError(400, "bad", "the request must be JSON"))
    return problem_response(invalid({**first, "loc": first["loc"][1:]}))  # without body, path or query


async def _http_problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404 and (page := render_missing_page(request)) is not None:
        return page
    codes = {400: "bad", 404: "missing", 405: "method"}
    texts = {404: "there is no such page", 405: "this method is not allowed here"}
    text = texts.get(error.status_code, "this request is malformed")
    answer = problem_response(ProblemError(error.status_code, codes.get(error.status_code, "bad"), text))
    if error.status_code == 405:
        answer.headers["Allow"] = ", ".join(sorted(_methods(request)))
    return answer


def _methods(request: Request) -> set[str]:
    """The methods of all routes that match the path of a request."""
    path = request.scope["path"]
    found = {
        method
        for route in request.app.routes
        if isinstance(route, Route) and route.path_regex.match(path)
        for method in route.methods or ()
    }
    return found | {"HEAD"} if "GET" in found else found or {"GET", "HEAD"}  # those of files
