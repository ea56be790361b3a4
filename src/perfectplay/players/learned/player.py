"""A player that was trained by playing against itself."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from perfectplay.core.errors import ParseError
from perfectplay.core.formatting import join_words, quote
from perfectplay.core.game import Action, Game
from perfectplay.core.spec import parameter
from perfectplay.players.base import KnownPlayer
from perfectplay.players.learned.policy import Policy, load_policy

SHIPPED = Path(__file__).with_name("shipped")
"""The policies that come with the package."""


@dataclass(frozen=True)
class LearnedPlayer(KnownPlayer):
    """The computer, as it was trained by playing against itself; it looks nothing up and does not search.

    With a file, it plays the policy in it; without one, the policy that comes with the package.

    >>> import perfectplay as pp
    >>> game = pp.load("dual-direction")
    >>> sum(LearnedPlayer().chances(game, game.initial()).values())
    1.0
    """

    name = "learned"
    bare = "file"

    file: str = parameter("", "a file with a trained policy, given last; without it, the one for this game")

    @property
    def spec(self) -> str:
        """The shortest spec that loads to an equal object."""
        return f"{self.name}:{self.file}" if self.file else self.name

    def prepare(self, game: Game[Any]) -> None:
        _policy(self.file, game)

    def chances(self, game: Game[Any], state: Any) -> Mapping[Action, float]:
        return _policy(self.file, game).chances(game, state)


@lru_cache(maxsize=32)
def _policy(file: str, game: Game[Any]) -> Policy:
    path = Path(file) if file else shipped_path(game.spec)
    if not file and not path.is_file():
        trained = sorted(load_policy(each).game for each in SHIPPED.glob("*.json"))
        raise ParseError(
            f"no trained policy comes with {quote(game.spec, 80)}; {join_words(trained)} have one"
        )
    policy = load_policy(path)
    policy.check(game)
    return policy


def shipped_path(spec: str) -> Path:
    """Where the policy of a game is that comes with the package.

    >>> shipped_path("bit-flip:bits=16").name
    'bit-flip-bits-16.json'
    """
    return SHIPPED / f"{re.sub('[^a-z0-9]+', '-', spec)}.json"
