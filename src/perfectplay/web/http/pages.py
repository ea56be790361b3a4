"""The pages: files in `static`, all in the same frame."""

from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from starlette.responses import FileResponse, HTMLResponse
from starlette.staticfiles import StaticFiles

from perfectplay.web.http.identity import hub_of
from perfectplay.web.http.previews import preview
from perfectplay.web.storage.database import UnsavedError

STATIC = Path(__file__).parents[1] / "static"
PAGES = {
    "/": "index.html",
    "/games": "games.html",
    "/move": "move.html",
    "/offline": "offline.html",
    "/study": "study.html",
}
"""Pages that are the same for everyone."""
TABLE_PAGES = {"/t/{table_id}": "table.html", "/join/{table_id}/{code}": "join.html"}
"""Pages of a table, which have a preview."""
GAME_PAGE = "/t/{table_id}/g/{number}"
ROOT_FILES = {
    # A service worker is in charge of everything below its own address.
    "/service-worker.js": "text/javascript",
    "/manifest.webmanifest": "application/manifest+json",
}
FRESH = {"Cache-Control": "no-cache"}
"""Browsers revalidate before each use, so that a new release shows at once."""


def add_pages(app: FastAPI) -> None:
    """Add every page, and the files that the pages load."""
    router = APIRouter(include_in_schema=False)

    def page(file: str) -> Callable[[], Awaitable[Response]]:
        async def show() -> Response:
            return _page(file)

        return show

    def table_page(file: str) -> Callable[[Request, str], Awaitable[Response]]:
        async def show(request: Request, table_id: str) -> Response:
            return await _page_of(request, file, table_id)

        return show

    def root_file(name: str, kind: str) -> Callable[[], Awaitable[Response]]:
        async def show() -> Response:
            return FileResponse(STATIC / name, media_type=kind, headers=FRESH)

        return show

    for path, file in PAGES.items():
        router.get(path)(page(file))
    for path, file in TABLE_PAGES.items():
        router.get(path)(table_page(file))
    for path, kind in ROOT_FILES.items():
        router.get(path)(root_file(path[1:], kind))

    @router.get(GAME_PAGE)
    async def show_game(request: Request, table_id: str, number: str) -> Response:
        # Whatever the address, the page says what is wrong with it.
        known = int(number) if number.isdecimal() and len(number) < 10 else 0
        return await _page_of(request, "study.html", table_id, known)

    app.router.routes.extend(router.routes)  # as those of the API
    app.mount("/static", _Files(directory=STATIC))


def missing_page(request: Request) -> Response | None:
    """The page for an unknown address; None if the client does not ask for HTML."""
    if request.method != "GET" or "text/html" not in request.headers.get("accept", ""):
        return None
    return _page("missing.html", 404)


def _page(file: str, status: int = 200) -> Response:
    return HTMLResponse(_html(file), status, headers=FRESH)


async def _page_of(request: Request, file: str, table_id: str, number: int | None = None) -> Response:
    """The page of a table, with its preview for those who are sent the link."""
    try:
        found = await preview(hub_of(request), table_id, number)
    except UnsavedError:
        found = None  # the page itself says what is wrong
    if found is None:
        return _page(file)
    url = request.url
    tags = found.tags(f"{url.scheme}://{url.netloc}", url.path)
    return HTMLResponse(_html(file).replace("<title>", f"{tags}<title>", 1), headers=FRESH)


@cache
def _html(file: str) -> str:
    """A page, in the frame that all pages share."""
    frame, page = ((STATIC / name).read_text(encoding="utf-8") for name in ("frame.html", file))
    return frame.replace("<!-- page -->\n", page)


class _Files(StaticFiles):
    """Files that browsers revalidate before each use."""

    def file_response(self, *args: Any, **settings: Any) -> Response:
        response = super().file_response(*args, **settings)
        response.headers.update(FRESH)
        return response
