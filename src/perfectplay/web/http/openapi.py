"""The OpenAPI description of the server: what routes share, and the messages of the socket."""

from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter
from pydantic.json_schema import models_json_schema

from perfectplay.tables import schemas
from perfectplay.web.http import messages

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
            [(messages.Sent, "serialization"), (messages.Asked, "validation")],
            ref_template=f"{SCHEMAS}{{model}}",
        )[1]["$defs"]
        problem = {schemas.ProblemSchema.__name__: TypeAdapter(schemas.ProblemSchema).json_schema()}
        schema["components"]["schemas"] = {**described, **known, **problem}
        app.openapi_schema = schema
    return app.openapi_schema
