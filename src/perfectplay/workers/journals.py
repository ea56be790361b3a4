"""What a finished game adds to the journal of a page: a row, and exercises with all they need to be asked."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from perfectplay.coach.exercises import Exercise
from perfectplay.core.match import Match
from perfectplay.core.outcome import Side
from perfectplay.solver.oracle import Oracle
from perfectplay.strength.journal import Journal
from perfectplay.tables.encoding import JsonObject
from perfectplay.tables.position_serializers import serialize_position


def of_game(match: Match[Any], oracle: Oracle[Any], people: Mapping[Side, str], day: date) -> JsonObject:
    """The journal of one game; `people` are the sides played by whoever asks, with their opponents."""
    found = Journal.of_game(match, oracle, people, day)
    return {
        "games": [each.as_dict() for each in found.games],
        "exercises": [_serialize(each, match, oracle) for each in found.exercises],
    }


def _serialize(exercise: Exercise, match: Match[Any], oracle: Oracle[Any]) -> JsonObject:
    game = match.game
    ply = match.positions.index(game.parse_state(exercise.position))
    before: Match[Any] = Match(game, start=match.positions[0])
    for entry in [entry for entry in match.history if entry.is_ply][:ply]:
        before.forfeit() if entry.action is None else before.play(entry.action)
    return {
        **exercise.as_dict(),
        **exercise.describe(oracle),
        "sides": game.side_names,
        "board": serialize_position(match, ply, number=1, ended=False),
        "owners": before.cell_owners(),
    }
