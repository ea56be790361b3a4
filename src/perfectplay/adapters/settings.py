"""What several environments share: settings with their checks, and pictures drawn with NumPy alone."""

from collections.abc import Iterable, Mapping
from colorsys import hsv_to_rgb
from dataclasses import fields
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from perfectplay.core.errors import (
    BadParameterError,
    IllegalActionError,
    PerfectplayError,
    UnknownParameterError,
)
from perfectplay.core.formatting import join_words
from perfectplay.core.game import Game, whole_number
from perfectplay.core.spec import split_spec
from perfectplay.core.view import View
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


CELL = 16
"""The width and height of a cell in pixels, including its border."""
BACKGROUND = 255
EMPTY = 224
_GOLDEN_RATIO = 0.6180339887498949


def render(play: SingleGame[Any], mode: str) -> str | NDArray[np.uint8]:
    """The position of a game as a render mode shows it: a picture for "rgb_array", otherwise text."""
    state = play.row.state
    if mode == "rgb_array":
        return picture(play.game.view(state), play.observer.board)
    return "\n".join(play.game.dialogue().board(state))


def picture(view: View, board: tuple[int, ...] = ()) -> NDArray[np.uint8]:
    """Draw a view as uint8 of shape `(16 * rows, 16 * columns, 3)`.

    Each cell is a square, striped in the colors of its pieces. `board` is the smallest size of the
    picture in cells, `(rows, columns)` or `(columns,)`, so that a growing board gives pictures of one
    size; an observer has it as `board`.
    """
    rows, columns = (1, *board)[-2:] if board else (1, 1)
    rows = max(rows, len(view.rows))
    columns = max([columns, *map(len, view.rows)])
    drawn = np.full((rows * CELL, columns * CELL, 3), BACKGROUND, np.uint8)
    for y, row in enumerate(view.rows):
        for x, cell in enumerate(row):
            square = drawn[y * CELL + 1 : (y + 1) * CELL - 1, x * CELL + 1 : (x + 1) * CELL - 1]
            square[:] = EMPTY
            if cell.pieces:
                stripes = np.array_split(square, len(cell.pieces), axis=1)
                for piece, stripe in zip(cell.pieces, stripes, strict=True):
                    stripe[:] = color(piece)
    return drawn


def color(piece: str) -> tuple[int, int, int]:
    """Return the color of a piece, which is the same in every picture."""
    # Steps of the golden ratio spread hues evenly, so that neighboring numbers or letters look different.
    number = int(piece) if piece.isdecimal() else int.from_bytes(piece.encode())
    hue = number * _GOLDEN_RATIO % 1
    red, green, blue = (round(255 * part) for part in hsv_to_rgb(hue, 0.8, 0.8))
    return red, green, blue
