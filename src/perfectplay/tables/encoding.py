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
    """JSON without blanks.

    >>> dumps({"name": "Zoë", "plies": [1, 2]}).decode()
    '{"name":"Zoë","plies":[1,2]}'
    >>> from perfectplay.web.live.live_table import Counts
    >>> dumps(Counts(1, 0, 2))
    b'[1,0,2]'
    """
    if orjson is None:
        return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    return orjson.dumps(data, default=tuple)  # a named tuple, which orjson does not know by itself
