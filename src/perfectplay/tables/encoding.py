"""Messages as bytes: their JSON, and the frame of a WebSocket around it."""

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


def frame(text: bytes) -> bytes:
    """A text as an unmasked frame of a WebSocket, as servers send it (RFC 6455, section 5.2).

    >>> frame(b"hi"), frame(b"x" * 300)[:4]
    (b'\\x81\\x02hi', b'\\x81~\\x01,')
    """
    length = len(text)
    if length < 126:
        return bytes((0x81, length)) + text
    if length < 1 << 16:
        return b"\x81\x7e" + length.to_bytes(2) + text
    return b"\x81\x7f" + length.to_bytes(8) + text
