"""How often, and how much at once, a client may do something. `settings` says how many of each."""

import logging
import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from time import monotonic
from typing import Any, Literal

from perfectplay.core.game import Game
from perfectplay.tables.validation import is_custom
from perfectplay_server.limits import KNOWN_GAMES, LIMITED_KEYS
from perfectplay_server.settings import DAY, ServerSettings

logger = logging.getLogger("perfectplay_server")

Clock = Callable[[], float]
Counted = Literal["request", "file", "table", "join", "study", "picture", "game"]


class TooFastError(Exception):
    """A client exceeds a rate limit; `wait` is how many seconds to wait."""

    def __init__(self, text: str, wait: float) -> None:
        super().__init__(text)
        self.wait = math.ceil(wait)


class Bucket:
    """Fills at `rate` per second up to `most`, and is full at first."""

    __slots__ = ("at", "left", "most", "rate")

    def __init__(self, rate: float, most: float) -> None:
        self.rate = rate
        self.most = most
        self.left = most
        self.at: float | None = None

    def take(self, now: float, amount: float = 1) -> float:
        """Take an amount and return 0, or take nothing and return the seconds to wait."""
        if self.at is not None:
            self.left = min(self.most, self.left + (now - self.at) * self.rate)
        self.at = now
        if self.left < amount:
            return (amount - self.left) / self.rate
        self.left -= amount
        return 0.0

    def full(self, now: float) -> bool:
        """Whether it has filled up again."""
        return self.at is None or self.left + (now - self.at) * self.rate >= self.most


class RateLimit:
    """A bucket for each key, such as a client address. Full buckets are removed when there are too many."""

    def __init__(self, rate: float, most: float, clock: Clock = monotonic) -> None:
        self.rate = rate
        self.most = most
        self.clock = clock
        self._buckets: dict[Hashable, Bucket] = {}

    def wait(self, key: Hashable) -> int:
        """Take one for `key` and return 0, or return the whole seconds to wait."""
        now = self.clock()
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= LIMITED_KEYS:
                kept = {key: bucket for key, bucket in self._buckets.items() if not bucket.full(now)}
                # With too many keys, the oldest are forgotten, so that memory stays bounded.
                self._buckets = dict(list(kept.items())[-LIMITED_KEYS // 2 :])
            bucket = self._buckets[key] = Bucket(self.rate, self.most)
        return math.ceil(bucket.take(now))


class Seldom(logging.Filter):
    """Logs the same message at most once a minute, so that no client can fill the log."""

    def __init__(self, clock: Clock = monotonic) -> None:
        super().__init__()
        self._limit = RateLimit(1 / 60, 1, clock)

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to log it."""
        error = record.exc_info[1] if record.exc_info else None
        return not self._limit.wait((record.getMessage(), repr(error)))


@contextmanager
def one_of(counter: Counter[str], key: str, most: float) -> Iterator[bool]:
    """Count one more for `key` until the block ends; yields False if there are `most` already."""
    if counter[key] >= most:
        yield False
        return
    counter[key] += 1
    try:
        yield True
    finally:
        counter[key] -= 1
        if not counter[key]:
            del counter[key]


class ClientLimits:
    """The limits of each client address; TooFastError when one is exceeded."""

    def __init__(self, settings: ServerSettings) -> None:
        second, minute = settings.requests_per_second, settings.tables_per_minute
        self._limits = {
            "request": (RateLimit(second, 2 * second),),
            # A page loads some forty files, and many people may open one at once behind the same router.
            "file": (RateLimit(2 * second, 20 * second),),
            "table": (
                RateLimit(minute / 60, minute),
                RateLimit(settings.tables_per_day / DAY, settings.tables_per_day),
            ),
            # To take a seat, so that nobody can guess codes.
            "join": (RateLimit(minute / 30, 2 * minute),),
            "study": (RateLimit(settings.studies_per_minute / 60, settings.studies_per_minute),),
            "picture": (RateLimit(settings.pictures_per_minute / 60, settings.pictures_per_minute),),
            "game": (RateLimit(settings.custom_games_per_minute / 60, settings.custom_games_per_minute),),
        }
        self._connected: Counter[str] = Counter()
        # The connections of a proxy are those of many clients.
        self._most_connected = math.inf if settings.behind_proxy else settings.connections_per_address
        # Remembers for which games it returned, so that each counts once for an address.
        self._take_game = lru_cache(KNOWN_GAMES)(lambda address, spec: self.take("game", address))

    def connection(self, address: str) -> AbstractContextManager[bool]:
        """Count a connection until the block ends; yields False if the address has too many."""
        if self._connected[address] >= self._most_connected:
            logger.warning("%s has reached its limit of %d connections", address, self._connected[address])
        return one_of(self._connected, address, self._most_connected)

    def take(self, what: Counted, address: str) -> None:
        """Count one more request, table or whatever else is limited."""
        for limit in self._limits[what]:
            if wait := limit.wait(address):
                raise TooFastError("too many requests; please wait a moment", wait)

    def take_game(self, address: str, game: Game[Any]) -> None:
        """Count a game to solve, unless it is a standard game or the address has asked for it before."""
        if is_custom(game):
            self._take_game(address, game.spec)
