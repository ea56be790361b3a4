"""Positions that show what a game looks like: in the middle, neither empty nor over, and won."""

from random import Random
from typing import TYPE_CHECKING, Any

from perfectplay.core.endings import explain
from perfectplay.core.game import Game
from perfectplay.core.match import Match
from perfectplay.tables.limits import MOST_ILLUSTRATED
from perfectplay.tables.position_serializers import serialize_view

if TYPE_CHECKING:  # only a type: worker processes need not load pydantic
    from perfectplay.tables.schemas import IllustrationSchema, WonGameSchema

GAMES = 60
"""Random games from which the position is taken."""
PLIES = 4
"""How many moves lead to it, and at least to the end of a won game."""


def illustration(game: Game[Any]) -> "IllustrationSchema":
    """The most telling position of some random games, and who put what there."""
    return _draw_illustration(find_telling_match(game))


def find_won_game(game: Game[Any]) -> "WonGameSchema":
    """The end of the most telling of some random games, and why it was won."""
    played = [_random_match(game, seed, MOST_ILLUSTRATED) for seed in range(GAMES)]
    ended = [match for match in played if match.result is not None and match.plies >= PLIES]
    match = max(ended, key=lambda match: (_rate_match(match)[0], -match.plies))
    assert match.result is not None
    return {**_draw_illustration(match), "words": explain(match, match.result, game.side_names)}


def _draw_illustration(match: Match[Any]) -> "IllustrationSchema":
    game, state = match.game, match.state
    view = serialize_view(game, state, game.view(state), playable=False)
    return {"view": view, "owners": match.cell_owners()}


def find_telling_match(game: Game[Any]) -> Match[Any]:
    """The most telling of some random games, after four moves or before the last of a shorter one.

    The games are always the same, so that every process shows the same picture.
    """
    return max((_random_match(game, seed, PLIES, over=False) for seed in range(GAMES)), key=_rate_match)


def _random_match(game: Game[Any], seed: int, most: int, *, over: bool = True) -> Match[Any]:
    """A random game of at most `most` moves; unless it may be `over`, without the move that ends it."""
    match, rng = Match(game), Random(seed)
    while match.result is None and match.plies < most:
        match.play(rng.choice(game.legal_actions(match.state)))
    if not over and match.result is not None:
        match.undo()
    return match


def _rate_match(match: Match[Any]) -> tuple[int, int, int]:
    """How much there is to see: matching cells, then roles, then pieces in places of their own."""
    game = match.game
    view, start = game.view(match.state), game.view(game.initial())
    matched = sum(link.matched for link in view.links)
    kinds = len({(cell.role, cell.owner) for cell in view.cells})
    moved = sum(cell.pieces != other.pieces for cell, other in zip(view.cells, start.cells, strict=False))
    return min(matched, 1), kinds, moved + len(view.cells)
