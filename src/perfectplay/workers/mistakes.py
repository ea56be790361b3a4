"""Where a computer player gives value away, for pages: in a worker of a server, and in a tab."""

from collections.abc import Iterator
from functools import lru_cache
from math import fsum
from typing import TYPE_CHECKING, Any

from perfectplay.core.errors import BadParameterError
from perfectplay.core.game import Game
from perfectplay.core.walks import move_texts
from perfectplay.evals.positions import find_decisions, find_positions, paths_to_positions
from perfectplay.players.base import KnownPlayer
from perfectplay.solver.judgement import Scored, keepers
from perfectplay.solver.oracle_cache import oracle_for
from perfectplay.strength.points import points_of_kind
from perfectplay.tables.validation import validate_opponent

if TYPE_CHECKING:
    from perfectplay.tables.schemas import ErringPositionSchema, MistakesSchema

LISTED = 12
"""How many positions are listed."""
NOTICED = 1e-3
"""Less likely moves are left out."""


def mistakes(game: Game[Any], state: Any, spec: str) -> "MistakesSchema":
    """Which moves of a position lose value, how likely a player makes them, and where it loses most."""
    player = validate_opponent(spec, game)
    if not isinstance(player, KnownPlayer):
        raise BadParameterError("player", spec, "a player with known chances")
    erring, worst = _worst(game, player)
    return {
        "wrong": [
            {"action": move.action, "text": move.text, "kind": move.value.kind, "chance": chance}
            for move, chance in _wrong(game, state, player)
        ],
        "positions": len(find_positions(game)),
        "decisions": sum(map(len, find_decisions(game).values())),
        "erring": erring,
        "worst": worst,
    }


def _wrong(game: Game[Any], state: Any, player: KnownPlayer) -> Iterator[tuple[Scored, float]]:
    """The moves that a player may make and that have a worse kind of value than the best."""
    moves = oracle_for(game).moves(state) if game.legal_actions(state) else ()
    chances, right = player.chances(game, state) if moves else {}, keepers(moves)
    for move in moves:
        chance = chances.get(move.action, 0.0)
        if move not in right and chance >= NOTICED:
            yield move, chance


@lru_cache(maxsize=64)
def _worst(game: Game[Any], player: KnownPlayer) -> tuple[int, "list[ErringPositionSchema]"]:
    """In how many positions a player may lose value, and those where it is expected to lose most points."""
    found = []
    for state in (each for states in find_decisions(game).values() for each in states):
        wrong = list(_wrong(game, state, player))
        if wrong:
            value = oracle_for(game).value(state)
            best = points_of_kind(value.kind)
            lost = fsum(chance * (best - points_of_kind(move.value.kind)) for move, chance in wrong)
            chance = fsum(chance for _, chance in wrong)
            found.append((round(lost, 9), round(chance, 9), state, value.kind, wrong))
    found.sort(key=lambda each: (-each[0], -each[1]))
    walk = paths_to_positions(game)
    return len(found), [
        {
            "moves": list(move_texts(game, walk.path(state))),
            "side": game.side_to_move(state),
            "kind": kind,
            "chance": chance,
            "lost": lost,
            "likeliest": max(wrong, key=lambda each: each[1])[0].text,
        }
        for lost, chance, state, kind, wrong in found[:LISTED]
    ]
