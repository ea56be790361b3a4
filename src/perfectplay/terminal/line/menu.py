"""The menu that `perfectplay` opens with on a terminal."""

from collections.abc import Callable, Sequence

from perfectplay import __version__, saves
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.formatting import join_words, quote
from perfectplay.core.spec import ParameterHelp
from perfectplay.core.texts import summary
from perfectplay.games.registry import game_class, names
from perfectplay.players.registry import load_player, player_class, player_names
from perfectplay.terminal.commands.show import show_puzzles
from perfectplay.terminal.console import Console, EndOfInput, read_number
from perfectplay.terminal.limits import MOST_SERIES_GAMES
from perfectplay.terminal.play import new_series, playable, resume, start
from perfectplay.terminal.saved_games import HELP

MENU_HELP = (
    "Answer the question, or type one of these:",
    "  help, h, ?  this list",
    "  quit, q     go back; at the question for a game, leave",
    "Enter takes the answer in brackets. To a question for a game, answer its number or its name.",
)


class Back(Exception):
    """The player goes back to the menu."""


def menu(console: Console) -> None:
    """Offer the games until the player quits."""
    console.say(f"perfectplay {__version__}: five small games of pure strategy")
    listed = True
    while True:
        try:
            listed = _choose(console, listed=listed)
        except PerfectplayError as error:
            console.say(str(error))
            listed = False
        except EndOfInput:
            return console.say("")
        except Back:
            return


def _choose(console: Console, *, listed: bool) -> bool:
    """Ask for a game and play it; returns whether the next question is to list the games.

    After a game it does not: on a small screen the list would push the result away.
    """
    games = names()
    waiting = len(saves.open_games())
    console.say("")
    if listed:
        for number, name in enumerate(games, start=1):
            kind = game_class(name)
            console.say(f"  {number}. {kind.title}: {summary(kind)}")
        if waiting:
            console.say(f"  r. Resume a saved game ({waiting} open)")
        console.say("  p. Puzzles of the day", "  q. Quit", "")
    letters = ["r", "p"] if waiting else ["p"]

    def read(answer: str) -> str:
        if answer in letters or not (answer or listed):
            return answer
        return _pick(answer.replace(" ", "-"), games, *letters, "q")

    chosen = _ask(console, "Which game? " if listed else "Enter lists the games. Which game? ", "", read)
    if not chosen:
        return True
    try:
        if chosen == "r":
            resume(console, None)
        elif chosen == "p":
            show_puzzles(console, None, None, (), answer=False, as_json=False)
        else:
            _set_up(console, chosen)
    except Back:
        return True
    return False


def _set_up(console: Console, name: str) -> None:
    opponents = [each for each in player_names() if each != "human" and not player_class(each).runs_commands]
    opponents.sort(key="learned".__eq__)  # which not every setting has, so it comes last
    console.say("", "Choose an opponent (q goes back):")
    for number, each in enumerate(opponents, start=1):
        console.say(f"  {number}. {each}: {summary(player_class(each))}")
    console.say(f"  {len(opponents) + 1}. human: another person at this keyboard")

    def read_player(answer: str) -> str:
        return load_player(answer).spec if ":" in answer else _pick(answer, [*opponents, "human"])

    opponent = _ask(console, "Opponent (1): ", "1", read_player)
    kind = player_class(opponent) if opponent in opponents else None
    if kind is not None and kind.bare is not None and opponent != "learned":
        about = next(each for each in kind.parameter_help() if each.name == kind.bare)
        question = f"{about.doc[0].upper()}{about.doc[1:]} ({about.default}): "
        of = f"{opponent}:"
        opponent = _ask(console, question, about.default, lambda answer: load_player(of + answer).spec)
    first = _ask(console, "Who goes first: 1 You / 2 Opponent / r Random (1): ", "1", read_starter)
    games = _ask(console, "How many games (1): ", "1", read_count)
    spec, options = name, options_of(name)
    if options:
        example = f"{options[0].name}={options[0].default}"
        question = f"Options, such as {example}, or ? for all of them (none): "
        spec = _ask(console, question, "", lambda answer: read_options(name, answer), own="?")
    console.say("")
    start(console, new_series(spec, players=("human", opponent), first=first, games=int(games)))


def _ask(
    console: Console, question: str, default: str, read: Callable[[str], str], own: Sequence[str] = ()
) -> str:
    """Ask until the answer is valid; an empty line takes the default, q goes back.

    `own` are short forms of help that are answers to this question.
    """
    while True:
        answer = console.ask(question).strip().casefold()
        if answer in ("q", "quit"):
            raise Back
        if answer in HELP and answer not in own:
            console.say(*MENU_HELP)
            continue
        try:
            return read(answer or default)
        except PerfectplayError as error:
            console.say(*str(error).split("\n"))


def _pick(answer: str, choices: Sequence[str], *letters: str) -> str:
    if answer in choices:
        return answer
    number = read_number(answer, len(choices))
    if number is None:
        allowed = join_words([f"a number from 1 to {len(choices)}", *letters])
        raise PerfectplayError(f"{quote(answer)} is not a choice here: type {allowed}.")
    return choices[number - 1]


def read_starter(answer: str) -> str:
    """Who goes first, as `start` takes it."""
    choices = {"1": "1", "you": "1", "2": "2", "opponent": "2", "r": "random", "random": "random"}
    if answer not in choices:
        raise PerfectplayError(f"{quote(answer)} is not a choice here: type 1, 2 or r.")
    return choices[answer]


def read_count(answer: str) -> str:
    """A number of games."""
    if read_number(answer, MOST_SERIES_GAMES) is None:
        raise PerfectplayError(f"{quote(answer)} is not a number from 1 to {MOST_SERIES_GAMES}.")
    return answer


def options_of(name: str) -> list[ParameterHelp]:
    """The parameters of a game, except `first`, which is asked separately."""
    return [each for each in game_class(name).parameter_help() if each.name != "first"]


def read_options(name: str, options: str) -> str:
    """The spec of a game with options as they are typed; `?` raises an error that lists them all."""
    if options == "?":
        raise PerfectplayError(
            "\n".join(
                f"  {each.name}: {each.doc} ({each.allowed}; default {each.default})"
                for each in options_of(name)
            )
        )
    parts = [tuple(side.strip() for side in part.split("=")) for part in options.split(",")]
    if any(part[0] == "first" for part in parts):
        raise PerfectplayError("You have already chosen who goes first: leave out first=, or go back with q.")
    joined = ",".join("=".join(part) for part in parts)
    spec = f"{name}:{joined}" if joined else name
    playable(spec)
    return spec
