"""Messages as JSON."""

import json
from typing import Any

try:
    import orjson
except ImportError:  # not on every platform; the standard library takes longer
    orjson = None  # type: ignore[assignment]

JsonObject = dict[str, Any]
"""A request, an answer or a part of one, to be sent as JSON."""


def dumps(data: object) -> bytes:
    """JSON without blanks."""
    if orjson is None:
        return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    return orjson.dumps(data, default=tuple)  # a named tuple, which orjson does not know by itself
