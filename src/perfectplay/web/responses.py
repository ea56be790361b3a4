"""Answers to requests, the good ones and those that say what is wrong."""

from collections.abc import Mapping
from typing import Any

from perfectplay.core.errors import MissingExtraError, PerfectplayError
from perfectplay.web import models
from perfectplay.web.database import UnsavedError
from perfectplay.web.live_table import MissingError
from perfectplay.web.shapes import dumps
from perfectplay.web.table import RefusedError
from perfectplay.web.thinker import BusyError

try:
    from starlette.responses import Response
except ImportError as error:
    raise MissingExtraError("fastapi", "web") from error

CODES = {"seat": 403, "code": 403}
"""Refusals that are about who asks; any other is about the state of the table."""


class ProblemError(Exception):
    """A request that is not fulfilled, and the answer that says why."""

    def __init__(self, status: int, code: str, text: str, *, table: str | None = None, wait: int = 0) -> None:
        super().__init__(text)
        self.status, self.code, self.text, self.table, self.wait = status, code, text, table, wait


FORESEEN = (ProblemError, RefusedError, MissingError, UnsavedError, BusyError, PerfectplayError)
"""What may go wrong, each with an answer of its own."""


def problem_of(error: Exception) -> ProblemError:
    """What to answer when something went wrong in a way that is foreseen."""
    match error:
        case ProblemError():
            return error
        case RefusedError():
            return ProblemError(CODES.get(error.code, 409), error.code, str(error))
        case MissingError():
            return ProblemError(404, "missing", "there is no such table, game or position here")
        case UnsavedError():
            return ProblemError(503, "unsaved", "this could not be saved just now; please try again", wait=1)
        case BusyError():
            return ProblemError(
                503, "busy", "the server has too much to do just now; please try again later", wait=5
            )
        case PerfectplayError():
            return ProblemError(400, "bad", str(error))
        case _:
            raise error


def invalid(first: Mapping[str, Any]) -> ProblemError:
    """What to answer to a request that is not as described, by the first thing that is wrong with it."""
    where = ".".join(str(part) for part in first["loc"]) or "the request"
    return ProblemError(400, "bad", f"{where}: {first['msg'].removeprefix('Value error, ')}")


class JsonResponse(Response):
    """JSON that is not kept by anyone."""

    media_type = "application/json"

    def __init__(self, shape: object, status_code: int = 200) -> None:
        super().__init__(dumps(shape), status_code, {"Cache-Control": "no-store"})


def problem_response(problem: ProblemError) -> JsonResponse:
    """A problem as an answer."""
    shape = {"error": problem.code, "text": problem.text}
    if problem.table is not None:
        shape["table"] = problem.table
    answer = JsonResponse(shape, problem.status)
    if problem.wait:
        answer.headers["Retry-After"] = str(problem.wait)
    return answer


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The answers besides the good one, for the OpenAPI page."""
    return {status: {"model": models.Problem} for status in (400, 403, 429, *statuses)}
