"""What h11 lacks: a bound on the chunks of a body.

Written for h11 0.16, which bounds the size of the head alone; `tests/web/test_protocols.py` fails when the
method that is extended here changes.
"""

import h11

from perfectplay.web.limits import MOST_CHUNKS


class BoundedConnection(h11.Connection):
    """Reads requests, and refuses a body in too many chunks."""

    _chunks = 0

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """The next part of a request."""
        event = super().next_event()
        if isinstance(event, h11.Request):
            self._chunks = 0
        elif isinstance(event, h11.Data) and event.chunk_start:
            self._chunks += 1
            if self._chunks > MOST_CHUNKS:
                raise h11.RemoteProtocolError("too many chunks")
        return event
