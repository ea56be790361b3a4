"""How matches, positions and values show themselves in notebooks.

Rules know nothing of pictures: importing this module gives `Match`, `View` and `Value` the methods that
notebooks look for. The package imports it with the first public name.
"""

from html import escape
from typing import Any

from perfectplay.core.formatting import pluralize
from perfectplay.core.match import Match
from perfectplay.core.value import Value
from perfectplay.core.view import View, compare_cells
from perfectplay.render.html import write_value
from perfectplay.render.svg import svg


def match_svg(match: Match[Any], *, said: bool = False) -> str:
    """The board of a match, with its last move marked and its pieces in the colors of their owners.

    If `said`, the game and how it stands are written below it.
    """
    game = match.game
    plies = [entry for entry in match.history if entry.is_ply]
    view = game.view(match.state)
    changed: tuple[int, ...] = ()
    if plies:
        changed = compare_cells(game.view(match.position(match.plies - 1)), view, plies[-1].action)
    if said:
        view = view._replace(captions=(*view.captions, f"{game.title}: {match.status}"))
    return svg(view, match.cell_owners(), changed=changed, title=f"{game.title}: {match.status}")


def match_html(match: Match[Any]) -> str:
    """A match as HTML: the board, whose turn it is or who won, and the moves."""
    game = match.game
    moves = "".join(
        f"<li>{escape(line.side)}: {escape(line.text)}</li>" for line in map(match.line, match.history)
    )
    number = pluralize(match.plies, "move", "moves")
    listed = f"<details><summary>{number}</summary><ol>{moves}</ol></details>" if moves else ""
    return (
        f"<div><p><b>{escape(game.title)}</b> <code>{escape(game.spec)}</code></p>{match_svg(match)}"
        f"<p>{escape(match.status)}</p>{listed}</div>"
    )


for shown, method, function in (
    (Match, "_repr_svg_", match_svg),
    (Match, "_repr_html_", match_html),
    (View, "_repr_svg_", svg),
    (Value, "_repr_html_", write_value),
):
    setattr(shown, method, function)
