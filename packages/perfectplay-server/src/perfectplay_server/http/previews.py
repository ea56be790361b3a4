"""What a link shows where it is pasted: a title, a sentence, and a picture of the position."""

import asyncio
from collections import OrderedDict
from html import escape
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from fastapi import Path as InPath
from starlette.datastructures import URL

from perfectplay.core.endings import describe_ending
from perfectplay.core.match import Match
from perfectplay.core.outcome import SIDES
from perfectplay.core.texts import summary
from perfectplay.render.png import HEIGHT, WIDTH, Picture, png
from perfectplay.tables.position_serializers import result_of
from perfectplay.tables.table import Table
from perfectplay.workers.thinker import BusyError
from perfectplay_server.http.identity import Asker, Ply, TableId
from perfectplay_server.http.responses import PROBLEMS
from perfectplay_server.limits import MOST_PICTURES, MOST_PICTURES_WAITING, PICTURES_AT_ONCE
from perfectplay_server.live.hub import Hub
from perfectplay_server.storage.database import MissingError


async def preview_tags(hub: Hub, url: URL, table_id: str, number: int | None) -> str:
    """The preview of a table, or of one of its games, as tags for the head of the page at `url`."""
    table = await hub.table(table_id) if number is None else (await hub.game(table_id, number))[0]
    games, plies = (0, 0) if table.match is None else (table.games, table.match.plies)
    title, text = _line(table, plies), summary(type(table.game))
    if table.status != "open":
        title, text = f"{table.game.title}: {table.names[0]} against {table.names[1]}", title
    origin = f"{url.scheme}://{url.netloc}"
    said = {
        "og:site_name": "perfectplay",
        "og:type": "website",
        "og:title": title,
        "og:description": text,
        "og:url": f"{origin}{url.path}",
        "og:image": f"{origin}/picture/{table_id}/{games}/{plies}.png",
        "og:image:type": "image/png",
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
        "og:image:alt": title,
    }
    tags = [f'<meta property="{name}" content="{escape(value)}">' for name, value in said.items()]
    return "\n".join([*tags, '<meta name="twitter:card" content="summary_large_image">', ""])


def _line(table: Table, ply: int) -> str:
    """What is going on at a table, in a sentence."""
    host = next((name for name in table.names if name), None) or "Someone"
    match = table.match
    if match is None:
        return f"{host} invites you to play {table.game.title}" if table.status == "open" else "Closed"
    result = result_of(match, table.unfinished) if ply == match.plies else None
    if result is None:
        side = match.game.side_to_move(match.position(ply))
        return f"{'Start' if ply == 0 else f'Move {ply}'}: {_names(table)[side]} to move"
    return describe_ending(match, result, _names(table))


def _names(table: Table) -> tuple[str, str]:
    """The names of side 0 and side 1; that of the side itself while a seat is free."""
    game = table.game if table.match is None else table.match.game
    first, second = (table.names[table.seat_of(side)] or game.side_names[side] for side in SIDES)
    return first, second


def picture_of(table: Table, ply: int) -> Picture:
    """The picture of a position of a table's last game, or of its start before the first."""
    match: Match[Any] = table.match or Match(table.game)
    view = match.game.view(match.position(ply))
    return Picture(view, tuple(match.cell_owners(ply)), table.game.title, _line(table, ply), _names(table))


class Pictures:
    """Draws pictures, a few at a time, and keeps those that were asked for last."""

    # `lru_cache` could not tell which are there: only drawing one counts as work.

    def __init__(self) -> None:
        self._kept: OrderedDict[Picture, bytes] = OrderedDict()
        self._drawing = asyncio.Semaphore(PICTURES_AT_ONCE)
        self._waiting = 0

    def get(self, picture: Picture) -> bytes | None:
        """A picture that was drawn before."""
        found = self._kept.get(picture)
        if found is not None:
            self._kept.move_to_end(picture)
        return found

    async def draw(self, picture: Picture) -> bytes:
        """Draw a picture and keep it; BusyError if too many wait to be drawn."""
        if self._waiting >= MOST_PICTURES_WAITING:
            raise BusyError
        self._waiting += 1
        try:
            async with self._drawing:
                found = self.get(picture)
                drawn = await asyncio.to_thread(png, picture) if found is None else found
        finally:
            self._waiting -= 1
        self._kept[picture] = drawn
        while len(self._kept) > MOST_PICTURES:
            self._kept.popitem(last=False)
        return drawn


router = APIRouter(responses=PROBLEMS)

Number = Annotated[int, InPath(ge=0, le=2**31 - 1, description="the game of the table; 0: before the first")]
IMAGE = {"content": {"image/png": {}}, "description": "the picture"}


@router.get(
    "/picture/{table_id}/{number}/{ply}.png",
    response_class=Response,
    responses={200: IMAGE},
)
async def show_picture(
    request: Request, asker: Asker, table_id: TableId, number: Number, ply: Ply
) -> Response:
    """A position of a game as a PNG; the last one of a finished game says how it ended."""
    pictures: Pictures = request.app.state.pictures
    if number:
        table, _ = await asker.hub.game(table_id, number, ply=ply)
    else:
        table = await asker.hub.table(table_id)
        if ply or table.match is not None:
            raise MissingError
    picture = picture_of(table, ply)
    image = pictures.get(picture)
    if image is None:
        asker.take("picture")
        image = await pictures.draw(picture)
    # A move may be taken back, and another one be made in its place.
    return Response(image, media_type="image/png", headers={"Cache-Control": "public, max-age=300"})
