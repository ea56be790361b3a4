"""Starting games from the command line, and leaving them."""

import shlex
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from random import Random, SystemRandom
from typing import Any, NamedTuple

from perfectplay import saves
from perfectplay.core.dialogue import Lines
from perfectplay.core.errors import BadParameterError, PerfectplayError
from perfectplay.core.game import Game
from perfectplay.core.limits import LARGEST_PLAYED
from perfectplay.core.outcome import Side
from perfectplay.core.series import Series
from perfectplay.core.texts import summary
from perfectplay.games.registry import load_bounded, names
from perfectplay.players.base import ComputerPlayer
from perfectplay.players.registry import load_players
from perfectplay.terminal import messages
from perfectplay.terminal.autosave import cannot_save, save_error
from perfectplay.terminal.console import Console, EndOfInput
from perfectplay.terminal.contestants import goes_first, name_contestants
from perfectplay.terminal.limits import MOST_COMPUTER_PLIES, MOST_DEMO_PLIES
from perfectplay.terminal.line.line_mode import LineMode, Quit
from perfectplay.terminal.saved_games import advise, choose_game, reopen
from perfectplay.terminal.session import Session

DEMO_SEED = 44
"""A seed with which each of the five games ends soon."""
DEMO_PLAYERS = ("level:7", "level:5")
DEMO_SECONDS = 1.0
"""The pause after a move."""


def start(
    console: Console,
    new: "NewSeries",
    *,
    show_seed: bool = False,
    show_board: bool = False,
    save: Path | None = None,
) -> None:
    """Play a new series of games, line by line."""
    session = Session(new.series)
    session.prepare()
    session.autosave.file, problem = new_save(new.series.game, save)
    help_line = [messages.COMMANDS] if session.attended else []
    seeded = [f"Seed: {new.series.seed}"] if new.is_random or show_seed else []
    opening = [*problem, *help_line, *seeded, *new.opening]
    console.say(*opening, *([""] if opening else []))
    run(LineMode(console, session, show_board=show_board))
    check_saved(session, save)


class NewSeries(NamedTuple):
    """A series that has not begun, and what to say before it."""

    series: Series[Any]
    opening: Lines = ()
    is_random: bool = False
    """Whether anything in it depends on the seed."""


def new_series(
    spec: str,
    *,
    players: tuple[str, str],
    first: str | None = None,
    games: int = 1,
    alternate: bool = True,
    seed: int | None = None,
    max_plies: int | None = None,
    forgiving: bool = False,
) -> NewSeries:
    """Set up a series of games; `first` is "1", "2" or "random"."""
    game = playable(spec)
    opponents = load_players(players)
    computers = [isinstance(each, ComputerPlayer) for each in opponents]
    # Not from `secrets`, which takes longer to import.
    seed = SystemRandom().getrandbits(32) if seed is None else seed
    opening = []
    starter: Side | None = 0 if first == "1" else 1 if first == "2" else None
    if first == "random":
        starter = 1 if Random(f"{seed}/toss").random() < 0.5 else 0
        sides = None if game.starting(starter) is None else game.side_names
        opening.append(f"The toss: {goes_first(name_contestants(players, sides)[starter])}.")
    if all(computers) and max_plies is None:
        max_plies = MOST_COMPUTER_PLIES
        opening.append(f"Two computers play: each game stops after {max_plies} moves.")
    series: Series[Any] = Series(
        game,
        games,
        players=(opponents[0].spec, opponents[1].spec),
        first=starter,
        alternate=alternate,
        seed=seed,
        max_plies=max_plies,
        forgiving=forgiving,
    )
    return NewSeries(series, tuple(opening), any(computers) or first == "random")


def resume(console: Console, which: str | None, *, show_board: bool = False, trust: bool = False) -> None:
    """Continue a saved game, named by its file or its number in the list; without a name, the only one.

    A file from elsewhere may run a game file or a program only with `trust`.
    """
    path = choose_game(console, which)
    if path is not None:
        with closing(reopen(path, trust=trust)) as session:
            session.prepare()
            run(LineMode(console, session, show_board=show_board))


def playable(spec: str) -> Game[Any]:
    """Load a game, and refuse it if it is too large to be shown in a terminal."""
    return load_bounded(spec, LARGEST_PLAYED, "play", environments=True)


def new_save(game: Game[Any], save: Path | None) -> tuple[saves.SaveFile | None, Lines]:
    """The file of a new game, by default in the folder of saved games, or why it is not saved.

    Raises PerfectplayError if the file that was asked for cannot be written.
    """
    if save is not None and (str(save) == "-" or (save.exists() and not save.is_file())):
        raise BadParameterError("save", save, "a plain file, so that the game can be read again")
    try:
        return (saves.SaveFile.new(game.name) if save is None else saves.SaveFile(save, new=True)), ()
    except FileExistsError as error:
        raise PerfectplayError(advise(Path(error.filename))) from error
    except OSError as error:
        if save is not None:
            raise save_error(save, error) from error
        return None, (cannot_save(saves.folder(), error),)


def check_saved(session: Session, save: Path | None) -> None:
    """Raise PerfectplayError if a game is not in the file that was asked for."""
    if save is not None and session.autosave.failed is not None:
        raise save_error(save, session.autosave.failed)


def run(line_mode: LineMode) -> None:
    """Play a series, and say how to continue it if it is left."""
    console, session = line_mode.console, line_mode.session
    try:
        line_mode.run()
    except (EndOfInput, Quit) as end:
        console.say(*([""] if isinstance(end, EndOfInput) else []), *describe_leaving(session))
    except OSError:
        raise  # most likely nobody reads the output any more
    except Exception:  # a program that failed as a player, an error in a game file
        console.say(*describe_leaving(session))
        raise
    except KeyboardInterrupt:
        console.say("", *describe_leaving(session))
        raise
    finally:
        with suppress(OSError):  # nobody may be there any more to read it
            console.say(*session.autosave.flush())
        session.close()


def describe_leaving(session: Session) -> list[str]:
    """What to say to a player who leaves a game."""
    failure = session.autosave.flush()
    save = session.autosave.file
    if save is None or not session.autosave.is_saved:
        played = any(match.history for match in session.series.matches)
        return [*failure, "The game was not saved." if played else "No move was made, so nothing was saved."]
    file = "" if save.path.parent == saves.folder() else f" {shlex.quote(str(save.path))}"
    return [f"The game is saved. To continue it: {messages.own_command()} resume{file}"]


def demo(console: Console, spec: str | None, seed: int, wait: Callable[[], bool] | None = None) -> None:
    """Play one short game, or one of each kind.

    `wait` is called before each move until it returns True. By default, a terminal waits for a second or
    until Enter is pressed, which shows the rest of the game at once.
    """
    if wait is None and console.interactive and console.stdout.isatty():
        console.say("Enter shows the rest of a game at once, Ctrl-C ends the demo.", "")
        wait = partial(console.pause, DEMO_SECONDS)
    for number, each in enumerate([spec] if spec else names()):
        game = playable(each)
        console.say(*([""] * 2 if number else []), f"== {game.title} ==", summary(type(game)), "")
        series: Series[Any] = Series(game, players=DEMO_PLAYERS, seed=seed, max_plies=MOST_DEMO_PLIES)
        LineMode(console, Session(series), wait=wait).run()
