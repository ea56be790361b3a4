"""Responses to requests: JSON, problems that say why a request failed, and their OpenAPI description."""

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter
from pydantic.json_schema import models_json_schema
from starlette.responses import Response

from perfectplay.core.errors import PerfectplayError
from perfectplay.tables.encoding import dumps
from perfectplay.tables.events import RefusedError
from perfectplay.workers.thinker import BusyError
from perfectplay_server import schemas
from perfectplay_server.http import models
from perfectplay_server.schemas import ProblemSchema
from perfectplay_server.storage.database import MissingError, UnsavedError
from perfectplay_server.throttling import TooFastError

CODES = {"seat": 403, "code": 403}
"""Refusals that depend on the client. All others depend on the state of the table, and are 409."""


class ProblemError(Exception):
    """A request that fails, and the response that says why."""

    def __init__(self, status: int, code: str, text: str, *, table: str | None = None, wait: int = 0) -> None:
        super().__init__(text)
        self.status, self.code, self.text, self.table, self.wait = status, code, text, table, wait


FORESEEN = (ProblemError, TooFastError, RefusedError, MissingError, UnsavedError, BusyError, PerfectplayError)
"""Errors that have a response of their own."""


def problem_of(error: Exception) -> ProblemError:
    """The problem that a foreseen error is answered with."""
    match error:
        case ProblemError():
            return error
        case TooFastError():
            return ProblemError(429, "slow", str(error), wait=error.wait)
        case RefusedError():
            return ProblemError(CODES.get(error.code, 409), error.code, str(error))
        case MissingError():
            return ProblemError(404, "missing", "there is no such table, game or position")
        case UnsavedError():
            return ProblemError(503, "unsaved", "this could not be saved; please try again", wait=1)
        case BusyError():
            return ProblemError(503, "busy", "the server is too busy; please try again later", wait=5)
        case PerfectplayError():
            return ProblemError(400, "bad", str(error))
        case _:
            raise error


def invalid(first: Mapping[str, Any]) -> ProblemError:
    """The problem for a request that does not match its model, from the first error of pydantic."""
    where = ".".join(str(part) for part in first["loc"]) or "the request"
    text = re.sub(r"^Value error, | after validation, not \d+$", "", first["msg"])
    return ProblemError(400, "bad", f"{where}: {re.sub('^[A-Z][a-z]+ should', 'must', text)}")


class JsonResponse(Response):
    """JSON that must not be cached."""

    media_type = "application/json"

    def __init__(self, data: object, status_code: int = 200) -> None:
        super().__init__(dumps(data), status_code, {"Cache-Control": "no-store"})


def problem_response(error: Exception) -> JsonResponse:
    """The response to a foreseen error."""
    problem = problem_of(error)
    data: ProblemSchema = {"error": problem.code, "text": problem.text}
    if problem.table is not None:
        data["table"] = problem.table
    response = JsonResponse(data, problem.status)
    if problem.wait:
        response.headers["Retry-After"] = str(problem.wait)
    return response


SCHEMAS = "#/components/schemas/"


# As a model, FastAPI would build it anew for each status of each route: a tenth of the server's start.
_PROBLEM = {"application/json": {"schema": {"$ref": f"{SCHEMAS}{schemas.ProblemSchema.__name__}"}}}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"description": HTTPStatus(status).phrase, "content": _PROBLEM}
    for status in (400, 403, 404, 408, 409, 413, 429, 503)
}
"""The error responses of the routes. Each has a `ProblemSchema`."""


def text_of(kind: str) -> dict[str, Any]:
    """A response that is text of a kind, such as `plain` or `markdown`."""
    return {"content": {f"text/{kind}": {"schema": {"type": "string"}}}, "description": "the text"}


def describe(app: FastAPI) -> dict[str, Any]:
    """The description of all routes, made once."""
    if app.openapi_schema is None:
        schema = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
        for path in schema["paths"].values():
            for operation in path.values():
                operation["responses"].pop("422", None)  # a bad request is always a 400 here
        known = schema["components"]["schemas"]
        for name in ("HTTPValidationError", "ValidationError"):
            known.pop(name, None)
        described = models_json_schema(
            [(models.Sent, "serialization"), (models.Asked, "validation")],
            ref_template=f"{SCHEMAS}{{model}}",
        )[1]["$defs"]
        problem = {schemas.ProblemSchema.__name__: TypeAdapter(schemas.ProblemSchema).json_schema()}
        schema["components"]["schemas"] = {**described, **known, **problem}
        app.openapi_schema = schema
    return app.openapi_schema
