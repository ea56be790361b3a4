"""Pictures of positions, for previews and for sharing a finished game."""

from typing import Annotated

from fastapi import APIRouter, Request, Response
from fastapi import Path as InPath

from perfectplay.web.http.dependencies import Asker, Ply, TableId
from perfectplay.web.http.openapi import problems
from perfectplay.web.http.previews import Pictures, picture_of
from perfectplay.web.storage.database import MissingError

router = APIRouter()

Number = Annotated[int, InPath(ge=0, le=2**31 - 1, description="the game of the table; 0: before the first")]
IMAGE = {"content": {"image/png": {}}, "description": "the picture"}


@router.get(
    "/picture/{table_id}/{number}/{ply}.png",
    response_class=Response,
    responses={**problems(404, 503), 200: IMAGE},
)
async def show_picture(
    request: Request, asker: Asker, table_id: TableId, number: Number, ply: Ply
) -> Response:
    """A position of a game as a PNG; the last one of a finished game says how it ended."""
    pictures: Pictures = request.app.state.pictures
    if number:
        table = (await asker.hub.game(table_id, number, ply=ply)).table
    else:
        table = await asker.hub.table(table_id)
        if ply or table.match is not None:
            raise MissingError
    picture = picture_of(table, ply)
    key = (table_id, number, ply, picture)
    image = pictures.kept(key)
    if image is None:
        asker.limits.picture(asker.address)
        image = await pictures.draw(key, picture)
    # A move may be taken back, and another one be made in its place.
    return Response(image, media_type="image/png", headers={"Cache-Control": "public, max-age=300"})
