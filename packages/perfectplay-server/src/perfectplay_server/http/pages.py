"""The pages: files in `static`, all in the same frame."""

from collections.abc import Iterator
from contextlib import suppress
from functools import cache, partial

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from perfectplay.web.pages import STATIC, with_menu
from perfectplay_server.http.identity import hub_of
from perfectplay_server.http.previews import preview_tags
from perfectplay_server.storage.database import MissingError, UnsavedError

PAGES = {
    "/": "index.html",
    "/games": "games.html",
    "/move": "move.html",
    "/offline": "offline.html",
    "/puzzles": "puzzles.html",
    "/exercises": "exercises.html",
    "/progress": "progress.html",
    "/study": "study.html",
    "/t/{table_id}": "table.html",
    "/t/{table_id}/g/{number}": "study.html",
    "/join/{table_id}/{code}": "join.html",
}
"""Those of a table have a preview."""
ROOT_FILES = {
    # A service worker is in charge of everything below its own address.
    "/service-worker.js": "text/javascript",
    "/manifest.webmanifest": "application/manifest+json",
}


def page_routes() -> Iterator[BaseRoute]:
    """Every page, and the files that the pages load."""

    async def show_page(request: Request, file: str) -> Response:
        table_id, number = (request.path_params.get(name) for name in ("table_id", "number"))
        if table_id is None:
            return _page(file)
        # Whatever the address, the page says what is wrong with it.
        known = int(number) if number and number.isdecimal() and len(number) < 10 else 0
        tags, game = "", None if number is None else known
        with suppress(UnsavedError, MissingError):
            tags = await preview_tags(hub_of(request), request.url, table_id, game)
        return HTMLResponse(_html(file).replace("<title>", f"{tags}<title>", 1))

    async def show_file(_: Request, name: str, kind: str) -> Response:
        return FileResponse(STATIC / name, media_type=kind)

    for path, file in PAGES.items():
        yield Route(path, partial(show_page, file=file))
    for path, kind in ROOT_FILES.items():
        yield Route(path, partial(show_file, name=path[1:], kind=kind))
    yield Mount("/static", StaticFiles(directory=STATIC))


def render_missing_page(request: Request) -> Response | None:
    """The page for an unknown address; None if the client does not ask for HTML."""
    if request.method != "GET" or "text/html" not in request.headers.get("accept", ""):
        return None
    return _page("missing.html", 404)


def _page(file: str, status: int = 200) -> Response:
    return HTMLResponse(_html(file), status)


@cache
def _html(file: str) -> str:
    """A page, in the frame that all pages share."""
    path = next((path for path, name in PAGES.items() if name == file), "")
    frame, page = ((STATIC / name).read_text(encoding="utf-8") for name in ("frame.html", file))
    return frame.replace("<!-- page -->\n", with_menu(page, path))
