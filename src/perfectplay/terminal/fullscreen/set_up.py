"""The questions before a game: how to play it, and where a table or a game file is."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from perfectplay.core.errors import PerfectplayError
from perfectplay.players.registry import load_player
from perfectplay.terminal import menu
from perfectplay.terminal.fullscreen.dialogs import Question
from perfectplay.terminal.play import NewSeries, new_series, playable

if TYPE_CHECKING:
    from perfectplay.terminal.fullscreen.app import FullScreen


def set_up(app: "FullScreen", name: str) -> None:
    """Ask how a game is to be played, and play it. The opponent is remembered."""
    helps = [f"{each.name} ({each.allowed})" for each in menu.options_of(name)]

    def read(answers: list[str]) -> NewSeries:
        opponent, first, games, options = answers
        player = load_player(opponent or "human").spec
        new = new_series(
            menu.read_options(name, options),
            players=("human", player),
            first=menu.read_starter(first or "1"),
            games=int(menu.read_count(games or "1")),
        )
        app.prefer(opponent=player)
        return new

    fields = [
        ("Opponent: level:1 to level:10, perfect, random, search, mcts or human", app.preferences.opponent),
        ("Who goes first: 1 you, 2 the opponent, r a toss", "1"),
        ("How many games", "1"),
        (f"Options: {'; '.join(helps)}" if helps else "Options: none", ""),
    ]
    app.push_screen(Question(playable(name).title, fields, read), _then(app.play))


def ask_for_file(app: "FullScreen") -> None:
    """Ask for a game file, and play it."""

    def read(answers: list[str]) -> NewSeries:
        if not answers[0].partition(":")[0].endswith(".py"):
            raise PerfectplayError("a game file ends in .py, as in ./tic_tac_toe.py")
        return new_series(answers[0], players=("human", load_player(answers[1] or "human").spec))

    fields = [("The file, as in ./tic_tac_toe.py (it is run)", ""), ("Opponent", app.preferences.opponent)]
    app.push_screen(Question("A game file of your own", fields, read), _then(app.play))


def ask_for_table(app: "FullScreen") -> None:
    """Ask for the link of a web table, and open it."""

    def read(answers: list[str]) -> tuple[str, str]:
        try:
            from perfectplay.web.client import read_link
        except ImportError as error:
            raise PerfectplayError("web tables need the extra web: pip install 'perfectplay[web]'") from error
        read_link(answers[0])
        return answers[0], answers[1]

    fields = [("Its link, as in http://HOST/join/TABLE/CODE", ""), ("Your name", "")]
    app.push_screen(Question("A web table", fields, read), _then(lambda found: app.table(*found)))


def _then(go_on: Callable[[Any], None]) -> Callable[[Any], None]:
    """Go on with an answer, unless there is none."""
    return lambda found: None if found is None else go_on(found)
