"""How a match ended, in words. Terminals, pages, previews and reports all take them from here.

Where a rulebook prints the end of a game, a terminal prints that instead: see `Dialogue.farewell`.
"""

import re
from collections.abc import Sequence
from typing import Any

from perfectplay.core.game import Game
from perfectplay.core.outcome import Result, Side, other
from perfectplay.core.wording import capitalize

_WON = {
    "resignation": "{loser} resigned.",
    "disqualification": "{loser} was disqualified after too many invalid turns.",
    "time": "{loser} ran out of time.",
}
"""How a match is won by other means than the rules of its game."""
_UNFINISHED = {
    "abandoned": "The game was abandoned.",
    "abandoned by agreement": "Both players agreed to abandon the game.",
    "claimed": "A player was away or stopped playing.",
    "ply limit": "The move limit was reached.",
    "time": "Time ran out, but the opponent could no longer win.",
}


def verdict(result: Result, names: Sequence[str], viewer: Side | None = None) -> str:
    """Who won, in two words. `viewer` is the side of the one who reads it.

    >>> verdict(Result(1, "time"), ("Ann", "Bob")), verdict(Result(1, "time"), ("Ann", "Bob"), 0)
    ('Bob won', 'You lost')
    >>> verdict(Result(None, "claimed", finished=False), ("Ann", "Bob"))
    'Unfinished'
    """
    if result.winner is None:
        return "A tie" if result.finished else "Unfinished"
    if viewer is not None:
        return "You won" if viewer == result.winner else "You lost"
    return f"{capitalize(names[result.winner])} won"


def reason(game: Game[Any], result: Result) -> str:
    """Why a match ended so, in a sentence with `{winner}` and `{loser}` for the names.

    >>> import perfectplay as pp
    >>> reason(pp.load("bit-flip"), Result(1, "resignation"))
    '{loser} resigned.'
    """
    if result.winner is None:
        known = None if result.finished else _UNFINISHED.get(result.reason)
        return known or f"{capitalize(result.reason)}."
    known = _WON.get(result.reason) or game.texts().endings.get(result.reason)
    return known or f"{{winner}} won: {result.reason}."


def explain(game: Game[Any], result: Result, names: Sequence[str]) -> str:
    """Why a match ended so. `names` are those of the sides in the middle of a sentence, such as "you".

    >>> import perfectplay as pp
    >>> explain(pp.load("bit-flip"), Result(1, "last flip"), ("you", "the computer"))
    'The computer made the last flip, and no bit was left for you.'
    """
    if result.winner is None:
        return reason(game, result)
    called = {"{winner}": names[result.winner], "{loser}": names[other(result.winner)]}
    return capitalize(re.sub(r"\{(winner|loser)\}", lambda found: called[found[0]], reason(game, result)))


def describe_ending(game: Game[Any], result: Result, names: Sequence[str]) -> str:
    """Who won, and why.

    >>> import perfectplay as pp
    >>> describe_ending(pp.load("bit-flip"), Result(1, "resignation"), ("Ann", "Bob"))
    'Bob won. Ann resigned.'
    """
    return f"{verdict(result, names)}. {explain(game, result, names)}"
