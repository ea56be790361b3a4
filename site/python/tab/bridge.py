"""Answers the requests of the pages: one line of JSON in, one line of JSON out.

A request names a module of this folder and an entry of its dictionary `REQUESTS`, such as
`tables.make`; the page's parameters are passed by name. A module is imported when it is first needed,
so a page waits for nothing that it does not use.
"""

import json
from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import tab as here
from perfectplay.core.errors import PerfectplayError
from perfectplay.solver.errors import TooLargeError
from perfectplay.solver.oracle_cache import oracle_for
from perfectplay.tables.events import RefusedError

Requests = dict[str, Callable[..., Any]]
"""What the requests of a module are called, and what answers them."""


def answer(text: str) -> str:
    """The reply to a request: an answer, or a problem, with the error in a word and in a sentence."""
    request = json.loads(text)
    reply = {"id": request["id"], **_reply(request["ask"], request.get("with", {}))}
    return json.dumps(reply, ensure_ascii=False, separators=(",", ":"))


def _reply(name: str, given: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"answer": _handler(name)(**given)}
    except TooLargeError as error:
        # The advice in the error itself is for the command line.
        text = f"{error.spec} has more than {error.limit:,} positions, too many to solve in a browser tab"
        return _problem("large", text)
    except RefusedError as error:
        return _problem(error.code, str(error))
    except PerfectplayError as error:
        return _problem("invalid", str(error))
    except (MemoryError, RecursionError):
        oracle_for.clear()
        return _problem("large", "this game is too large for a browser tab")


def _problem(error: str, text: str) -> dict[str, Any]:
    return {"problem": {"error": error, "text": text}}


def _handler(name: str) -> Callable[..., Any]:
    module, _, request = name.partition(".")
    if module not in {each.name for each in iter_modules(here.__path__)}:
        raise RefusedError("missing", f"nothing answers {name}")
    found: Requests = getattr(import_module(f"{here.__name__}.{module}"), "REQUESTS", {})
    if request not in found:
        raise RefusedError("missing", f"nothing answers {name}")
    return found[request]
