"""Requests about the puzzles of a day. What became of them is known to the browser alone."""

from datetime import date, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Response
from fastapi import Path as InPath
from pydantic import AfterValidator

from perfectplay.coach.puzzles import day_of
from perfectplay.core.errors import ParseError
from perfectplay.tables import schemas
from perfectplay.web.http import models
from perfectplay.web.http.identity import Asker
from perfectplay.web.http.responses import PROBLEMS, JsonResponse

router = APIRouter(prefix="/api/puzzles/{day}", responses=PROBLEMS)


def check_day(text: str) -> str:
    """A day that has begun somewhere on earth."""
    try:
        day = day_of(text)
    except ParseError as error:
        raise ValueError(str(error)) from error
    if day > date.today() + timedelta(days=1):
        raise ValueError(f"{day} is not here yet")
    return text


Day = Annotated[str, InPath(max_length=10), AfterValidator(check_day)]
GameName = Annotated[str, InPath(max_length=40, pattern="^[a-z-]+$")]


@router.get("", response_model=list[schemas.DailyPuzzleSchema])
async def list_puzzles(asker: Asker, day: Day) -> Response:
    """The puzzles of a day, one for each game, the same for everyone."""
    return await _ask(asker, "day", date=day)


@router.post("/{name}/attempt", response_model=schemas.PuzzleAttemptSchema)
async def attempt(asker: Asker, day: Day, name: GameName, tried: models.PuzzleMoves) -> Response:
    """Whether moves solve a puzzle, and what follows."""
    return await _ask(asker, "attempt", date=day, game=name, moves=tried.moves)


@router.get("/{name}/answer", response_model=schemas.PuzzleAttemptSchema)
async def answer(asker: Asker, day: Day, name: GameName) -> Response:
    """The answer to a puzzle."""
    return await _ask(asker, "answer", date=day, game=name)


async def _ask(asker: Asker, ask: str, **given: Any) -> JsonResponse:
    asker.take("study")
    return JsonResponse(await asker.hub.workers.puzzles(ask, asker.address, **given))
