"""What happens at a table: its events, and why some are refused."""

from typing import Literal, NamedTuple, get_args

from perfectplay.core.errors import PerfectplayError
from perfectplay.core.outcome import Side

Seat = Side
EventKind = Literal[
    "sit", "move", "forfeit", "resign", "offer", "accept", "decline", "time", "claim", "close", "assisted"
]
KINDS = frozenset(get_args(EventKind))
CHOSEN = ("move", "forfeit")
"""Events that end a turn; the delay of the network is given back for these alone."""
Offer = Literal["takeback", "abandon", "rematch"]


class Event(NamedTuple):
    """Something that happened. `text` is the move as written, the name of the new player, or the offer.

    The seat of a `time` event is the one whose time ran out, that of a `claim` the one who waited. A
    player is `assisted` who has asked the coach, which a server's tables do not have.
    """

    number: int
    at: float
    """When, in seconds since 1970, by the server's clock. Nothing depends on it."""
    seat: Seat | None
    kind: EventKind
    text: str = ""
    game: int = 0
    """The number of the game it belongs to: how many games had begun."""
    ms: int = 0
    """How long the player to move had it on their clock since the event before, in milliseconds."""


class RefusedError(PerfectplayError):
    """Something that cannot be done at the table now; `code` is the reason as a word."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def late_error(own: bool) -> RefusedError:
    """The refusal of an event because the time has run out, one's `own` or the other player's."""
    whose = "your" if own else "the other player's"
    return RefusedError("time", f"{whose} time has run out")


def seat_of(event: Event) -> Seat:
    """The seat that an event comes from."""
    if event.seat is None:
        raise RefusedError("seat", "only seated players can do that")
    return event.seat
