"""The frames of a WebSocket as clients send them (RFC 6455, section 5.2)."""

from perfectplay.core.errors import MissingExtraError

try:
    from websockets.utils import apply_mask
except ImportError as error:
    raise MissingExtraError("websockets", "web") from error


class FrameCounter:
    """Counts frames as they arrive, in pieces of any size. It only looks at their lengths.

    >>> counter = FrameCounter()
    >>> hi, ping = bytes.fromhex("8182 00000000") + b"hi", bytes.fromhex("8980 00000000")
    >>> counter.count(hi + ping + hi[:1]), counter.count(hi[1:]), counter.count(ping * 9, most=4)
    (2, 1, 5)
    """

    __slots__ = ("_begun", "_rest")

    def __init__(self) -> None:
        self._begun = b""
        """The start of a frame whose length is not known yet."""
        self._rest = 0
        """Bytes to come of the last frame."""

    def count(self, data: bytes, most: int = 1 << 30) -> int:
        """How many frames have begun; above `most`, the others are not counted."""
        data, at, frames = self._begun + data, self._rest, 0
        self._begun = b""
        while at < len(data) and frames <= most:
            code = data[at + 1] & 0x7F if at + 1 < len(data) else 0
            head = at + {126: 4, 127: 10}.get(code, 2)
            if head > len(data):
                self._begun = data[at:]
                at = len(data)
                break
            masked = 4 if data[at + 1] & 0x80 else 0
            at = head + masked + (code if code < 126 else int.from_bytes(data[at + 2 : head]))
            frames += 1
        self._rest = at - len(data)
        return frames


def short_text(data: bytes) -> str | None:
    r"""The text in a masked frame of a WebSocket, if that is all there is, and it is short.

    >>> short_text(b"\x81\x82\0\0\0\0hi"), short_text(b"\x81\x82\0\0\0\0hi\x81")
    ('hi', None)
    """
    length = len(data) - 6
    if not 0 <= length < 126 or data[0] != 0x81 or data[1] != 0x80 | length:
        return None
    try:
        return apply_mask(data[6:], data[2:6]).decode()
    except UnicodeDecodeError:
        return None
