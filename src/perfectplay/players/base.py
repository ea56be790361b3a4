"""The interface of players."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, ClassVar

from perfectplay.core.errors import MatchStateError
from perfectplay.core.game import Action, Game
from perfectplay.core.match import Match
from perfectplay.core.spec import Parameters

DEFAULT_LEVEL = 5
"""The strength of the computer where none is chosen: in specs, terminals, web pages and notebooks."""


@dataclass(frozen=True)
class Player(Parameters):
    """A participant in a game. Like a game, a frozen dataclass named by a spec.

    >>> from perfectplay.players.registry import load_player
    >>> load_player("level:strength=4").spec, load_player("human").runs_commands
    ('level:4', False)
    """

    runs_commands: ClassVar[bool] = False
    """Whether playing runs a command from the spec, so that untrusted specs must be refused."""


@dataclass(frozen=True)
class ComputerPlayer(Player, ABC):
    """A player that chooses its own moves.

    >>> import perfectplay as pp
    >>> from perfectplay.players.registry import load_player
    >>> match = pp.Match(pp.load("bit-flip"))
    >>> load_player("perfect").choose(match.game, match.state, match.generator()) in (0, 2, 7, 9)
    True
    """

    def prepare(self, game: Game[Any]) -> None:
        """Do slow preparation before a game starts. Raises if the player cannot play the game."""

    @abstractmethod
    def choose(self, game: Game[Any], state: Any, rng: Random) -> Action:
        """Choose a legal action. All randomness comes from `rng`, which is new for each ply."""

    def move(self, match: Match[Any]) -> Action:
        """Choose a move in a match. Raises MatchStateError in a dead end."""
        if not match.game.legal_actions(match.state):
            raise MatchStateError(
                f"{match.game.side_names[match.side]} has no legal move, and the rules name no result"
            )
        return self.choose(match.game, match.state, match.generator())

    def close(self) -> None:
        """Release external resources. The player may be asked to play again later."""


@dataclass(frozen=True)
class KnownPlayer(ComputerPlayer):
    """A player with exactly known move probabilities, so that results can be computed.

    >>> import perfectplay as pp
    >>> from perfectplay.players.registry import load_player
    >>> game = pp.load("dual-direction")
    >>> load_player("random").chances(game, game.initial())
    {0: 0.5, 1: 0.5}
    """

    @abstractmethod
    def chances(self, game: Game[Any], state: Any) -> Mapping[Action, float]:
        """The probability of each action that the player may choose; they add up to 1."""

    def choose(self, game: Game[Any], state: Any, rng: Random) -> Action:
        return draw(self.chances(game, state), rng)


@lru_cache(maxsize=1 << 16)
def chances_of(player: KnownPlayer, game: Game[Any], state: Any) -> Mapping[Action, float]:
    """The move probabilities of a player, from a cache: they are slow, and games begin alike."""
    return player.chances(game, state)


def draw(chances: Mapping[Action, float], rng: Random) -> Action:
    """Draw an action according to its probability."""
    return rng.choices(list(chances), list(chances.values()))[0]
