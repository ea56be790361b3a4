"""Mirror Match without a table: it has infinitely many positions."""

from typing import Any

from perfectplay.core.errors import BadParameterError
from perfectplay.core.game import Game
from perfectplay.games.mirror_match.kernel.packed import MirrorKernel
from perfectplay.games.mirror_match.kernel.single import MirrorGame
from perfectplay.games.mirror_match.rules import MirrorMatch, State
from perfectplay.simulate.observation import Observer, check_shown
from perfectplay.simulate.single.base import SingleGame
from perfectplay.simulate.single.games import RulesGame


def serves(game: Game[Any]) -> bool:
    return True


def positions(game: MirrorMatch, limit: int) -> None:
    """None: the sequence can grow without limit."""


def horizon(game: MirrorMatch) -> int:
    """How many digits fit into 64 bits."""
    longest = 1
    while (game.digits + 1) ** (longest + 1) <= 2**64:
        longest += 1
    return longest


def longest(game: MirrorMatch) -> None:
    """None: the sequence can grow without limit."""


def observer(game: MirrorMatch, horizon: int) -> Observer[State]:
    """The board does not determine the side to move, because an invalid number forfeits a turn."""
    check_shown(game, horizon * (game.digits + 1))  # before a piece is made for every number
    pieces = tuple(str(number) for number in range(1, game.digits + 1))
    return Observer((horizon,), pieces, shows_side=True, game=game)


def single(game: MirrorMatch, horizon: int) -> SingleGame[State]:
    """One game at a time; played by calling the rules if its numbers do not fit into bytes."""
    return MirrorGame(game, horizon) if game.digits < 256 else RulesGame(game, horizon)


def kernel(game: MirrorMatch, length: int) -> MirrorKernel:
    if length > horizon(game):
        allowed = f"at most {horizon(game)} with digits={game.digits}, which is what fits into 64 bits"
        raise BadParameterError("horizon", length, allowed)
    return MirrorKernel(game, observer(game, length))
