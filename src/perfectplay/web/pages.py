"""The pages: files in `static`, all in the same frame."""

from functools import cache
from pathlib import Path
from typing import Any

from perfectplay.core.errors import MissingExtraError

try:
    from fastapi import APIRouter, FastAPI, Response
    from starlette.requests import Request
    from starlette.responses import HTMLResponse
    from starlette.staticfiles import StaticFiles
except ImportError as error:
    raise MissingExtraError("fastapi", "web") from error

STATIC = Path(__file__).with_name("static")
PAGES = {
    "/": "index.html",
    "/t/{table_id}": "table.html",
    "/t/{table_id}/g/{number}": "study.html",
    "/join/{table_id}/{code}": "join.html",
    "/study": "study.html",
}


def add_pages(app: FastAPI) -> None:
    """Add every page, and the files that the pages load."""
    router = APIRouter(include_in_schema=False)

    def add(path: str, file: str) -> None:
        @router.get(path)
        async def page() -> Response:
            return _page(file)

    for path, file in PAGES.items():
        add(path, file)
    app.include_router(router)
    app.mount("/static", _Files(directory=STATIC))


def missing_page(request: Request) -> Response | None:
    """The page for an unknown address; None if the client does not ask for HTML."""
    if request.method != "GET" or "text/html" not in request.headers.get("accept", ""):
        return None
    return _page("missing.html", 404)


def _page(file: str, status: int = 200) -> Response:
    return HTMLResponse(_html(file), status, headers={"Cache-Control": "no-cache"})


@cache
def _html(file: str) -> str:
    """A page, in the frame that all pages share."""
    frame, page = ((STATIC / name).read_text(encoding="utf-8") for name in ("frame.html", file))
    return frame.replace("<!-- page -->\n", page)


class _Files(StaticFiles):
    """Files that browsers revalidate before each use, so that a new release shows at once."""

    def file_response(self, *args: Any, **settings: Any) -> Response:
        response = super().file_response(*args, **settings)
        response.headers["Cache-Control"] = "no-cache"
        return response
