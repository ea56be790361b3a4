"""The menu that `perfectplay` opens with on a terminal."""

from collections.abc import Callable, Sequence

from perfectplay import __version__, saves
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.wording import quoted
from perfectplay.games.registry import game_class, load, names
from perfectplay.games.rulebook import rulebook, summary
from perfectplay.players.registry import load_player, player_class, player_names
from perfectplay.terminal.console import Console, EndOfInput
from perfectplay.terminal.play import playable, resume, start


def menu(console: Console) -> None:
    """Offer the games until the player has had enough."""
    console.say(f"perfectplay {__version__}: five small games of pure strategy")
    try:
        while _choose(console):
            pass
    except EndOfInput:
        console.say("")


def _choose(console: Console) -> bool:
    games = names()
    console.say("")
    for number, name in enumerate(games, start=1):
        kind = game_class(name)
        console.say(f"  {number}. {kind.title}: {summary(kind)}")
    waiting = len(saves.open_games())
    if waiting:
        console.say(f"  r. Resume a saved game ({waiting} open)")
    console.say("  q. Quit", "")
    while True:
        answer = console.ask("Which game? ").strip().casefold()
        if answer in ("q", "quit"):
            return False
        try:
            if answer in ("r", "resume") and waiting:
                resume(console, None)
                return True
            chosen = _picked(answer, games)
            if chosen is not None:
                _set_up(console, chosen)
                return True
        except PerfectplayError as error:
            console.say(str(error))
            return True
        console.say(f"{quoted(answer)} is none of these: type a number from 1 to {len(games)}, or q.")


def _set_up(console: Console, name: str) -> None:
    opponents = [each for each in player_names() if each != "human" and not player_class(each).runs_commands]
    console.say("", "Who is the opponent?", "  1. human: another person at this keyboard")
    for number, each in enumerate(opponents, start=2):
        console.say(f"  {number}. {each}: {summary(player_class(each))}")
    opponent = _asked(console, "Opponent (1): ", "1", lambda text: _picked(text, ["human", *opponents]))
    opponent = _with_its_parameter(console, opponent)
    choices = {"1": "1", "you": "1", "2": "2", "opponent": "2", "r": "random", "random": "random"}
    first = _asked(console, "Who goes first: 1 you, 2 the opponent, r a toss (1): ", "1", choices.get)
    games = _asked(console, "How many games (1): ", "1", _count)
    spec = _asked(
        console,
        "Options such as " + _example(name) + ", ? to see them all (none): ",
        "",
        lambda text: _spec(console, name, text),
    )
    console.say("")
    start(console, spec, players=("human", opponent), first=first, games=int(games))


def _with_its_parameter(console: Console, name: str) -> str:
    """The spec of a player, after the one thing it cannot do without has been asked."""
    kind = player_class(name)
    if kind.bare is None:
        return name
    about = next(each for each in kind.parameter_help() if each.name == kind.bare)

    def read(text: str) -> str | None:
        try:
            return load_player(f"{name}:{text}").spec
        except PerfectplayError as error:
            console.say(str(error))
            return None

    question = f"{about.doc[0].upper()}{about.doc[1:]} ({about.default}): "
    return _asked(console, question, about.default, read)


def _asked(console: Console, question: str, default: str, read: Callable[[str], str | None]) -> str:
    """Ask until the answer reads as something; an empty line takes the default."""
    while True:
        answer = console.ask(question).strip().casefold()
        value = read(answer or default)
        if value is not None:
            return value
        if answer != "?":
            console.say(f"{quoted(answer)} is not an answer here.")


def _picked(answer: str, names: Sequence[str]) -> str | None:
    """The name that an answer gives by its number or itself."""
    if answer in names:
        return answer
    numbered = answer.isascii() and answer.isdigit() and 1 <= int(answer[:9]) <= len(names)
    return names[int(answer) - 1] if numbered else None


def _count(answer: str) -> str | None:
    return answer if answer.isascii() and answer.isdigit() and 1 <= int(answer[:9]) <= 1000 else None


def _example(name: str) -> str:
    return ",".join(f"{each.name}={each.default}" for each in game_class(name).parameter_help()[:1])


def _spec(console: Console, name: str, options: str) -> str | None:
    if options == "?":
        text = rulebook(type(load(name)))
        console.say(*text[text.index("## Parameters") :].rstrip().split("\n"))
        return None
    spec = f"{name}:{options}" if options else name
    try:
        playable(spec)
    except PerfectplayError as error:
        console.say(str(error))
        return None
    return spec
