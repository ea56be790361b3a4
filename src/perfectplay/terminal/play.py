"""Starting and resuming games from the command line."""

import os
import secrets
import shlex
import shutil
import sys
from contextlib import suppress
from dataclasses import fields
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from perfectplay import saves
from perfectplay.core.dialogue import Lines
from perfectplay.core.errors import BadParameterError, PerfectplayError, RecordError
from perfectplay.core.game import Game
from perfectplay.core.outcome import Side
from perfectplay.core.record import Record
from perfectplay.core.series import Series
from perfectplay.core.wording import counted, quoted
from perfectplay.games.registry import ENVIRONMENT, load
from perfectplay.players.base import ComputerPlayer, Player
from perfectplay.players.registry import load_players
from perfectplay.terminal.autosave import cannot_save
from perfectplay.terminal.console import Console, EndOfInput, numbered
from perfectplay.terminal.line_mode import LineMode, Quit
from perfectplay.terminal.session import Session

LARGEST = 10_000
"""The largest parameter of a game, and the most moves of a position, that line mode can show."""
COMPUTERS_STOP_AFTER = 1000
"""Plies after which a game between two computers stops by default: some games never end."""


def start(
    console: Console,
    new: "NewSeries",
    *,
    show_seed: bool = False,
    show_board: bool = False,
    save: Path | None = None,
) -> None:
    """Play a new series of games, line by line."""
    for each in new.players:
        if isinstance(each, ComputerPlayer):
            each.prepare(new.series.game)
    slot, problem = new_save(new.series.game, save)
    attended = not all(isinstance(each, ComputerPlayer) for each in new.players)
    help_line = ["Type help at any prompt for commands."] if attended else []
    seeded = [f"Seed: {new.series.seed}"] if new.is_random or show_seed else []
    opening = [*problem, *help_line, *seeded, *new.opening]
    console.say(*opening, *([""] if opening else []))
    run(LineMode(console, new.series, new.players, slot, show_board=show_board))


class NewSeries(NamedTuple):
    """A series that has not begun, its players, and what to say before it."""

    series: Series[Any]
    players: tuple[Player, Player]
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
    """Set up a series of games; `first` is "1", "2" or "random".

    >>> new_series("bit-flip", players=("human", "random"), first="random", seed=4).opening
    ('The toss: p2 (random) goes first.',)
    """
    game = playable(spec)
    opponents = load_players(players)
    computers = [isinstance(each, ComputerPlayer) for each in opponents]
    seed = secrets.randbits(32) if seed is None else seed
    opening = []
    starter: Side | None = {"1": 0, "2": 1}.get(first or "")  # type: ignore[assignment]
    if first == "random":
        starter = 1 if Random(f"{seed}/toss").random() < 0.5 else 0
        opening.append(f"The toss: p{starter + 1} ({players[starter]}) goes first.")
    if all(computers) and max_plies is None:
        max_plies = COMPUTERS_STOP_AFTER
        opening.append(f"Two computers play: each game stops after {max_plies} plies.")
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
    return NewSeries(series, opponents, tuple(opening), any(computers) or first == "random")


def resume(console: Console, which: str | None, *, show_board: bool = False, trust: bool = False) -> None:
    """Continue a saved game, named by its file or its number in the list; without a name, the only one.

    A file from elsewhere may run a game file or a program only with `trust`.
    """
    path = chosen_game(console, which)
    if path is None:
        return
    series, players, slot = reopened(path, trust=trust)
    run(LineMode(console, series, players, slot, show_board=show_board))


def reopened(path: Path, *, trust: bool) -> tuple[Series[Any], tuple[Player, Player], saves.SaveFile]:
    """A saved game that is to go on: its series, its players and its file, locked."""
    slot = saves.SaveFile(path)
    try:
        own = path.resolve().is_relative_to(saves.folder().resolve())
        series, players = read_series(path, trust=trust or own)
        if series.over:
            raise PerfectplayError(
                f"{quoted(str(path), 200)}: this game is over; to see it: perfectplay replay"
            )
    except BaseException:
        slot.close()
        raise
    return series, players, slot


def read_series(path: Path, *, trust: bool) -> tuple[Series[Any], tuple[Player, Player]]:
    """Read a save: its series and players. A PerfectplayError names the file and the first wrong line."""
    try:
        records = saves.read_series(path)
        players = [_trusted_players(record, trust=trust) for record in records]
        return Series.from_records(records, load), players[0]
    except RecordError as error:
        raise file_error(path, error) from error


def _trusted_players(record: Record, *, trust: bool) -> tuple[Player, Player]:
    """Load a record's players. Refuse unknown games and players and, without `trust`, those that run code."""
    environment = record.spec.startswith(f"{ENVIRONMENT}:")
    if environment:
        from perfectplay.foreign.games import allow

        allow()
    try:
        load(record.spec, allow_paths=trust)
        players = load_players(record.players)
    except PerfectplayError as error:
        hint = "; --trust allows it" if not trust and (environment or ".py" in record.spec) else ""
        raise RecordError(record.lines[0], f"{error}{hint}") from error
    for player in players:
        if player.runs_commands and not trust:
            problem = f"it would run the program of {quoted(player.spec, 100)}; --trust allows it"
            raise RecordError(record.lines[0], problem)
    return players


def file_error(path: Path, error: RecordError) -> PerfectplayError:
    """The error of a record, with the name of its file."""
    return PerfectplayError(f"{quoted(str(path), 200)}, line {error.line}: {error.problem}")


def playable(spec: str) -> Game[Any]:
    """Load a game, and refuse it if it is too large to be shown in a terminal."""
    game = load(spec)
    for each in fields(game):
        value = getattr(game, each.name)
        if isinstance(value, int) and value > LARGEST:
            raise PerfectplayError(f"{each.name}={value} is too large to play here: the limit is {LARGEST:,}")
    if game.num_actions > LARGEST:
        raise PerfectplayError(f"{spec} has {game.num_actions:,} moves; the limit here is {LARGEST:,}")
    return game


def describe(path: Path) -> str:
    """Describe a saved game in one line, with the time it was last played."""
    return f"{_about(path)}, last played {datetime.fromtimestamp(path.stat().st_mtime):%Y-%m-%d %H:%M}"


def _about(path: Path) -> str:
    try:
        records = saves.read_series(path)
    except RecordError as error:
        return f"unreadable at {error}"
    except OSError as error:
        return f"unreadable: {error.strerror}"
    last = records[-1]
    plies = sum(move.ply is not None for move in last.moves)
    played = f"{counted(plies, 'ply', 'plies')} played"
    number, games = last.place.number, last.place.games
    if last.result is not None and number < games:
        number, played = number + 1, "not begun"
    series = f", game {number} of {games}" if games > 1 else ""
    return f"{last.spec}{series}, {last.players[0]} against {last.players[1]}, {played}"


def forget(console: Console, which: str) -> None:
    """Remove a game from the list of open games, by its number. Its file is moved, not deleted."""
    games = saves.open_games()
    number = numbered(which, len(games))
    if number is None:
        raise PerfectplayError(f"there is no saved game {quoted(which)}; {_command()} resume lists them")
    about = describe(games[number - 1])
    slot = saves.SaveFile(games[number - 1])
    try:
        kept = slot.forget()
    finally:
        slot.close()
    again = f"{_command()} resume {shlex.quote(str(kept))}"
    console.say(f"Forgotten: {about}", f"Its file is now {kept}", f"To continue it after all: {again}")


def new_save(game: Game[Any], save: Path | None) -> tuple[saves.SaveFile | None, Lines]:
    """The file of a new game, by default in the folder of saved games, or why it is not saved."""
    if save is not None and (str(save) == "-" or (save.exists() and not save.is_file())):
        raise BadParameterError("save", save, "a plain file, so that the game can be read again")
    try:
        return (saves.SaveFile.new(game.name) if save is None else saves.SaveFile(save, new=True)), ()
    except FileExistsError as error:
        hint = f"to continue it: {_command()} resume {shlex.quote(str(save))}"
        raise PerfectplayError(f"{quoted(str(save), 200)} exists already; {hint}") from error
    except OSError as error:
        return None, (cannot_save(save or saves.folder(), error),)


def run(line_mode: LineMode) -> None:
    """Play a series, and say how to continue it if it is left."""
    console, session = line_mode.console, line_mode.session
    try:
        line_mode.run()
    except (EndOfInput, Quit) as end:
        console.say(*([""] if isinstance(end, EndOfInput) else []), *parting(session))
    except OSError:
        raise  # most likely nobody reads the output any more
    except Exception:  # a program that failed as a player, an error in a game file
        console.say(*parting(session))
        raise
    except KeyboardInterrupt:
        console.say("", *parting(session))
        raise
    finally:
        with suppress(OSError):  # nobody may be there any more to read it
            console.say(*session.autosave.flush())
        session.close()


def parting(session: Session) -> list[str]:
    """What to say to a player who leaves a game."""
    failure = session.autosave.flush()
    save = session.autosave.file
    if save is None or not session.autosave.is_saved:
        played = any(match.history for match in session.series.matches)
        return [*failure, "The game was not saved." if played else "The game is left with nothing to save."]
    file = "" if save.path.parent == saves.folder() else f" {shlex.quote(str(save.path))}"
    return [f"The game is saved. To continue it: {_command()} resume{file}"]


def _command() -> str:
    """The command that starts this program: perfectplay may not be on the PATH."""
    if shutil.which("perfectplay"):
        return "perfectplay"
    if Path(sys.argv[0]).name == "perfectplay":
        return os.path.relpath(sys.argv[0])
    return "python -m perfectplay"


def chosen_game(console: Console, which: str | None) -> Path | None:
    """The saved game that is named, the only one, or the one that a person picks; None for none."""
    games = saves.open_games()
    if which is not None:
        number = numbered(which, len(games))
        if number is not None:
            return games[number - 1]
        path = Path(which)
        if not path.exists():
            raise PerfectplayError(f"there is no saved game {quoted(which, 200)}")
        return path
    if not games:
        console.say("No game is open.")
        return None
    if len(games) == 1:
        return games[0]
    console.say(f"{len(games)} games are open, newest first:")
    console.say(*(f"  {number}. {describe(path)}" for number, path in enumerate(games, start=1)))
    console.say("To remove one from this list: perfectplay resume --forget NUMBER")
    if not console.interactive:
        console.say("To continue one: perfectplay resume NUMBER")
        return None
    while True:
        try:
            answer = console.ask("Which one (Enter for none)? ").strip()
        except EndOfInput:
            console.say("")
            return None
        if not answer:
            return None
        number = numbered(answer, len(games))
        if number is not None:
            return games[number - 1]
        console.say(f"{quoted(answer)} is not a number from 1 to {len(games)}.")
