"""Five two-player strategy games by the rulebook, and the machinery to add more.

>>> import perfectplay as pp
>>> match = pp.Match(pp.load("bit-flip"))
>>> match.play("4")
>>> match.legal()
('0', '1', '2', '6', '7', '8', '9')
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from perfectplay.core.array_rules import ArrayRules
    from perfectplay.core.dialogue import Dialogue
    from perfectplay.core.errors import (
        BadParameterError,
        ConformanceError,
        ForfeitError,
        IllegalActionError,
        MatchStateError,
        ParseError,
        PerfectplayError,
        RecordError,
        UnknownGameError,
        UnknownParameterError,
        UnknownPlayerError,
        WrongTypeError,
    )
    from perfectplay.core.game import PASS, Action, Game, Outcome, Refusal, Side, other, parameter
    from perfectplay.core.laws.conformance import check_game
    from perfectplay.core.match import Match, Result
    from perfectplay.core.record import Record, read_records
    from perfectplay.core.series import Series
    from perfectplay.core.texts import GameTexts, Preset
    from perfectplay.core.theory import Theory
    from perfectplay.core.value import Value
    from perfectplay.core.view import Cell, Control, Link, Placed, TextField, View
    from perfectplay.evals.policies.measure import PolicyMeasure, measure_policy
    from perfectplay.games.registry import load, names
    from perfectplay.players.learned.policy import Policy, load_policy
    from perfectplay.solver.errors import TooLargeError
    from perfectplay.solver.oracle import Oracle, solve
    from perfectplay_foreign.check import FaultyEnvironmentError, check_env

__version__ = "0.1.0"

_NAMES = {
    "core.array_rules": "ArrayRules",
    "core.laws.conformance": "check_game",
    "core.dialogue": "Dialogue",
    "core.errors": (
        "BadParameterError ConformanceError ForfeitError IllegalActionError MatchStateError "
        "ParseError PerfectplayError RecordError UnknownGameError UnknownParameterError "
        "UnknownPlayerError WrongTypeError"
    ),
    "core.game": "PASS Action Game Outcome Refusal Side other parameter",
    "core.match": "Match Result",
    "core.record": "Record read_records",
    "core.series": "Series",
    "core.texts": "GameTexts Preset",
    "core.theory": "Theory",
    "core.value": "Value",
    "core.view": "Cell Control Link Placed TextField View",
    "games.registry": "load names",
    "evals.policies.measure": "PolicyMeasure measure_policy",
    "players.learned.policy": "Policy load_policy",
    "solver.errors": "TooLargeError",
    "solver.oracle": "Oracle solve",
}
_FOREIGN = {"FaultyEnvironmentError": "error", "check_env": "check"}
"""What another package defines, and the names under which it offers that."""
_HOMES = {name: home for home, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    # Names are imported on first use, so the command line starts without loading any of them.
    if name in _FOREIGN:
        return import_module("perfectplay.games.registry").environment_tool(_FOREIGN[name])
    if name not in _HOMES:
        raise AttributeError(f"module 'perfectplay' has no attribute {name!r}")
    import_module("perfectplay.render.notebook")  # gives matches and values their looks there
    return getattr(import_module(f"perfectplay.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)


__all__ = [
    "PASS",
    "Action",
    "ArrayRules",
    "BadParameterError",
    "Cell",
    "ConformanceError",
    "Control",
    "Dialogue",
    "ForfeitError",
    "Game",
    "GameTexts",
    "IllegalActionError",
    "Link",
    "Match",
    "MatchStateError",
    "Oracle",
    "Outcome",
    "ParseError",
    "PerfectplayError",
    "Placed",
    "Policy",
    "Preset",
    "Record",
    "RecordError",
    "Refusal",
    "Result",
    "Series",
    "Side",
    "TextField",
    "Theory",
    "TooLargeError",
    "UnknownGameError",
    "UnknownParameterError",
    "UnknownPlayerError",
    "Value",
    "View",
    "WrongTypeError",
    "check_game",
    "load",
    "load_policy",
    "names",
    "other",
    "parameter",
    "read_records",
    "solve",
]
# `import *` and help() ask for all of these, so the list has only what is installed.
if find_spec("numpy") is not None:
    __all__ += ["PolicyMeasure", "measure_policy"]
if find_spec("perfectplay_foreign") is not None:
    __all__ += ["FaultyEnvironmentError", "check_env"]
