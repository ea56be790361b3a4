"""Settings that several environments share, and their checks."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any, Literal, get_args

from perfectplay.core.errors import (
    BadParameterError,
    IllegalActionError,
    PerfectplayError,
    UnknownParameterError,
)
from perfectplay.core.formatting import join_words
from perfectplay.core.game import Game, whole_number
from perfectplay.core.spec import split_spec
from perfectplay.core.walks import BreadthFirst, steps
from perfectplay.players.base import ComputerPlayer
from perfectplay.players.registry import player_class, player_names
from perfectplay.simulate.arguments import as_game, whole
from perfectplay.simulate.single import SingleGame
from perfectplay.validation import validate_player

Illegal = Literal["error", "lose", "forfeit"]
"""What an illegal action does: raise an error, lose the game, or lose the turn."""
SELF = "self"
"""Self-play: one caller makes the moves for both sides."""


def set_parameters(
    game: Game[Any] | str, parameters: Mapping[str, Any], options: Iterable[str] = ()
) -> Game[Any]:
    """Return a game with some parameters set, given as Python values or as written in a spec.

    `options` are what the environment takes besides: one of them may be misspelt.
    """
    rules = as_game(game)
    if not parameters:
        return rules
    new = {name: "none" if value is None else str(value) for name, value in parameters.items()}
    known = [each.name for each in fields(rules)]
    for name, text in new.items():
        if name not in known:
            raise UnknownParameterError(rules.name, name, text, known, also=options)
    return type(rules).from_texts(spec_parameters(rules) | new)


def spec_parameters(game: Game[Any]) -> dict[str, str]:
    """Return the parameters in a game's spec, which omits those that follow from the others."""
    _, rest = split_spec(game.spec)
    return dict(part.split("=", 1) for part in rest.split(",")) if rest else {}


def library_name(game: Game[Any] | type[Game[Any]]) -> str:
    """Return the name of a game in libraries that do not allow hyphens."""
    return f"perfectplay_{game.name.replace('-', '_')}"


def check_seed(seed: int | None) -> int | None:
    """Check a seed, if one is given. The libraries themselves would also accept True."""
    return None if seed is None else whole("seed", seed, 0)


def check_opponent(opponent: str | ComputerPlayer) -> ComputerPlayer:
    """Return the computer player, or load the one that a spec names.

    Settings are often read from a file, so a spec starts no program; pass a player that does as an object.
    """
    computers = [name for name in player_names() if issubclass(player_class(name), ComputerPlayer)]
    named = isinstance(opponent, str) and opponent.partition(":")[0] in computers
    found = validate_player(opponent) if named else opponent
    if not isinstance(found, ComputerPlayer):
        raise BadParameterError("opponent", opponent, f"{SELF}, or one of {', '.join(computers)}")
    return found


def check_seat(game: Game[Any], seat: int, horizon: int | None, *, self_play: bool) -> int:
    """Check the learner's side, which must have a turn before the game can be over."""
    if whole_number(seat) not in (0, 1):
        raise BadParameterError("seat", repr(seat), "0 or 1")
    seat = int(seat)
    if self_play:
        if seat:
            raise BadParameterError("seat", seat, f"0 with the opponent {SELF}, which plays both sides")
        return seat

    def waits(state: Any) -> bool:
        return game.side_to_move(state) != seat or game.is_forced_pass(state)

    onward = steps(game)
    walk = BreadthFirst([game.initial()], lambda state: onward(state) if waits(state) else ())
    for state in walk:
        if game.outcome(state) is not None or len(walk.path(state)) == horizon:
            cut = "" if horizon is None else f" with horizon={horizon}"
            when = f"{game.spec} can be over{cut} before side {seat} has a turn"
            raise BadParameterError("seat", seat, f"{1 - seat}: {when}")
    return seat


def check_illegal(game: Game[Any], illegal: Illegal) -> Illegal:
    """Check what an illegal action does; losing the turn requires a game with such a rule."""
    if illegal not in get_args(Illegal):
        raise BadParameterError("illegal", illegal, join_words(get_args(Illegal)))
    if illegal == "forfeit" and game.after_forfeit(game.initial()) is None:
        raise BadParameterError(
            "illegal", illegal, f"error or lose: turns cannot be forfeited in {game.title}"
        )
    return illegal


def check_render_mode(mode: str | None, modes: object) -> str | None:
    """Check a render mode against those that a Literal lists; None shows nothing."""
    if mode is not None and mode not in get_args(modes):
        raise BadParameterError("render_mode", mode, f"None, {join_words(get_args(modes))}")
    return mode


def penalize(play: SingleGame[Any], illegal: Illegal, action: object, error: PerfectplayError) -> str:
    """Apply the penalty for a refused action and return its name, or raise the error."""
    if illegal == "forfeit" and whole_number(action) is not None:
        play.forfeit()
        return "forfeited"
    if illegal == "lose" and isinstance(error, IllegalActionError):
        play.disqualify()
        return "illegal_action"
    raise error
