"""The questions before a game: how to play it, and where a table or a game file is."""

from perfectplay.core.errors import BadParameterError, PerfectplayError
from perfectplay.players.level import LEVELS
from perfectplay.players.registry import load_player
from perfectplay.terminal.contestants import plain
from perfectplay.terminal.fullscreen.app import FullScreen
from perfectplay.terminal.fullscreen.dialogs import Field, QuestionWindow
from perfectplay.terminal.fullscreen.opening import play_screen, table_screen
from perfectplay.terminal.line import menu
from perfectplay.terminal.play import NewSeries, new_series, playable

OPPONENT = "Opponent: level 1 to 10, person, random, search, mcts, learned or perfect"
KINDS = (*(f"level {each}" for each in LEVELS), *["perfect", "random", "search", "mcts", "learned", "person"])
STARTERS = ("You", "Opponent", "Random")


def show_opponent(spec: str) -> str:
    """An opponent as it is typed here."""
    return "person" if spec == "human" else plain(spec)


def opponent_spec(text: str) -> str:
    """The spec of an opponent as people type it.

    Raises PerfectplayError for an empty text.
    """
    text = text.strip()
    number = text.casefold().removeprefix("level").strip(" :")
    if number.isdecimal():
        return f"level:{number}"
    if not text:
        raise PerfectplayError("choose an opponent; for somebody at this keyboard, type person")
    return "human" if text.casefold() in ("person", "a person", "human") else text


def ask_how(app: FullScreen, name: str) -> QuestionWindow:
    """A form for how to play a game. The opponent is remembered."""
    options_of = menu.options_of(name)
    helps = "; ".join(f"{each.name}: {each.doc} ({each.allowed})" for each in options_of)
    example = f", such as {options_of[0].name}={options_of[0].default}" if options_of else ": none"

    def read(answers: list[str]) -> NewSeries:
        opponent, first, games, options = answers
        player = load_player(opponent_spec(opponent)).spec
        new = new_series(
            menu.read_options(name, options),
            players=("human", player),
            first=menu.read_starter(first.casefold() or "you"),
            games=int(menu.read_count(games or "1")),
        )
        app.prefer(opponent=player)
        return new

    fields = [
        Field(OPPONENT, show_opponent(app.preferences.opponent), KINDS),
        Field("Who goes first: You / Opponent / Random", "You", STARTERS),
        Field("How many games", "1"),
        Field(f"Options{example}. {helps}", ""),
    ]
    return QuestionWindow(playable(name).title, fields, read, lambda new: app.push_screen(play_screen(new)))


def ask_for_file(app: FullScreen, _: str) -> QuestionWindow:
    """A form for a game file to play."""

    def read(answers: list[str]) -> NewSeries:
        if not answers[0].partition(":")[0].endswith(".py"):
            raise PerfectplayError("a game file ends in .py, as in ./tic_tac_toe.py")
        player = load_player(opponent_spec(answers[1])).spec
        return new_series(answers[0], players=("human", player))

    opponent = show_opponent(app.preferences.opponent)
    fields = [Field("The file, as in ./tic_tac_toe.py (it is run)", ""), Field(OPPONENT, opponent, KINDS)]
    return QuestionWindow("Open a game file", fields, read, lambda new: app.push_screen(play_screen(new)))


def ask_for_table(app: FullScreen, _: str) -> QuestionWindow:
    """A form for the link of a web table to play at."""

    def read(answers: list[str]) -> tuple[str, str]:
        from perfectplay.online.client import read_link  # without its extra, the error says how to get it

        try:
            read_link(answers[0])
        except BadParameterError:
            raise PerfectplayError(
                "this is not the link of a table, as in http://HOST/join/TABLE/CODE"
            ) from None
        return answers[0], answers[1]

    fields = [Field("Its link, as in http://HOST/join/TABLE/CODE", ""), Field("Your name", "")]
    return QuestionWindow(
        "Join an online game", fields, read, lambda found: app.push_screen(table_screen(*found))
    )


FORMS = {"set_up": ask_how, "file": ask_for_file, "table": ask_for_table}
"""The questions at home, by their names."""
