"""A player that was trained by playing against itself."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from perfectplay.core.errors import ParseError
from perfectplay.core.formatting import join_words, quote
from perfectplay.core.game import Action, Game
from perfectplay.core.spec import parameter
from perfectplay.players.base import KnownPlayer
from perfectplay.players.learned.policy import Policy, load_policy, parse_policy

SHIPPED = resources.files(__package__).joinpath("shipped")
"""The policies that come with the package."""


@dataclass(frozen=True)
class LearnedPlayer(KnownPlayer):
    """The computer, as it was trained by playing against itself; it looks nothing up and does not search.

    With a file, it plays the policy in it; without one, the policy that comes with the package.
    """

    name = "learned"
    bare = "file"

    file: str = parameter("", "a file with a trained policy, given last; without it, the one for this game")

    def prepare(self, game: Game[Any]) -> None:
        _policy(self.file, game)

    def chances(self, game: Game[Any], state: Any) -> Mapping[Action, float]:
        return _policy(self.file, game).chances(game, state)


@lru_cache(maxsize=32)
def _policy(file: str, game: Game[Any]) -> Policy:
    shipped = find_shipped_file(game.spec)
    if file:
        policy = load_policy(file)
    elif shipped.is_file():
        policy = parse_policy(shipped.read_bytes())
    else:
        trained = list_trained_specs(game)
        others = f"; one comes with {join_words(trained)}" if trained else ""
        raise ParseError(f"no trained policy comes with {quote(game.spec, 80)}{others}")
    policy.check(game)
    return policy


def list_trained_specs(game: Game[Any]) -> list[str]:
    """The settings of a game for which a policy comes with the package."""
    specs = {type(game).name, *(preset.spec for preset in game.texts().presets)}
    return sorted(spec for spec in specs if find_shipped_file(spec).is_file())


def find_shipped_file(spec: str) -> Traversable:
    """Where the policy of a game is, if one comes with the package."""
    return SHIPPED.joinpath(f"{re.sub('[^a-z0-9]+', '-', spec)}.json")
