"""How a game ended, in words: the same for terminals, pages, previews and reports.

Where a rulebook prints the end of a game, a terminal prints that instead: see `Dialogue.farewell`.
"""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from perfectplay.core.formatting import capitalize
from perfectplay.core.outcome import Result, Side, other

if TYPE_CHECKING:
    from perfectplay.core.game import Game
    from perfectplay.core.match import Match

# In the past tense, because "you" may stand for a name.
_WON = {
    "resignation": "{loser} resigned.",
    "disqualification": "{loser} lost by disqualification after {turns}.",
    "time": "{loser} ran out of time.",
}
"""How a match is won by other means than the rules of its game."""
GIVEN_UP = {"resign": "resigned", "time": "ran out of time in"}
"""What the loser did to the game by the last entry of such a match."""
_UNFINISHED = {
    "abandoned": "The game was abandoned.",
    "abandoned by agreement": "Both players agreed to abandon the game.",
    "claimed": "{player} left or stopped playing, and {opponent} stopped waiting.",
    "ply limit": "The move limit{limit} was reached.",
    "time": "{player} ran out of time, but {opponent} could no longer win.",
}
_NAMELESS = {"player": "a player", "opponent": "the opponent", "limit": ""}


def verdict(result: Result, names: Sequence[str], viewer: Side | None = None) -> str:
    """Who won, in two words. `viewer` is the side of the one who reads it."""
    if result.winner is None:
        return "A tie" if result.finished else "Unfinished"
    if viewer is not None:
        return "You won" if viewer == result.winner else "You lost"
    return f"{capitalize(names[result.winner])} won"


def reason(game: "Game[Any]", result: Result) -> str:
    """Why a match ended so, in a sentence with `{winner}` and `{loser}` for the names."""
    return _fill(_sentence(game, result), _NAMELESS)


def explain(match: "Match[Any]", result: Result, names: Sequence[str]) -> str:
    """Why a match ended so. `names` are those of the sides in the middle of a sentence, such as "you"."""
    called = dict(_NAMELESS)
    if result.winner is not None:
        called |= {"winner": names[result.winner], "loser": names[other(result.winner)]}
    elif match.history:
        late = match.last.side if result.reason == "time" else other(match.last.side)
        called |= {"player": names[late], "opponent": names[other(late)]}
    if match.max_plies is not None:
        called["limit"] = f" of {match.max_plies:,}"
    return _fill(_sentence(match.game, result), called)


def _sentence(game: "Game[Any]", result: Result) -> str:
    if result.winner is None:
        known = None if result.finished else _UNFINISHED.get(result.reason)
        return known or f"{capitalize(result.reason)}."
    known = _WON.get(result.reason) or game.texts().endings.get(result.reason)
    most = game.forfeit_limit
    turns = "an invalid turn" if most == 1 else f"{most or 'too many'} invalid turns in a row"
    return (known or f"{{winner}} won: {result.reason}.").replace("{turns}", turns)


def _fill(sentence: str, names: Mapping[str, str]) -> str:
    return capitalize(re.sub(r"\{(\w+)\}", lambda found: names.get(found[1], found[0]), sentence))


def describe_ending(match: "Match[Any]", result: Result, names: Sequence[str]) -> str:
    """Who won, and why."""
    return f"{verdict(result, names)}. {explain(match, result, names)}"
