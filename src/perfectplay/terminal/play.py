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
from typing import Any

from perfectplay import saves
from perfectplay.core.errors import BadParameterError, PerfectplayError, RecordError
from perfectplay.core.game import Game
from perfectplay.core.outcome import Side
from perfectplay.core.record import Record
from perfectplay.core.series import Series
from perfectplay.core.wording import counted, quoted
from perfectplay.games.registry import load
from perfectplay.players.base import ComputerPlayer, Player
from perfectplay.players.registry import load_players
from perfectplay.terminal.console import Console, EndOfInput, numbered
from perfectplay.terminal.session import Quit, Session

LARGEST = 10_000
"""Games with larger parameters than this cannot be shown line by line."""
COMPUTERS_STOP_AFTER = 1000
"""Plies after which two computers stop, unless said otherwise: some games never end."""


def start(
    console: Console,
    spec: str,
    *,
    players: tuple[str, str] = ("human", "human"),
    first: str | None = None,
    games: int = 1,
    alternate: bool = True,
    seed: int | None = None,
    show_board: bool = False,
    max_plies: int | None = None,
    save: Path | None = None,
    forgiving: bool = False,
) -> None:
    """Play a new series of games; `first` is "1", "2" or "random"."""
    game = playable(spec)
    opponents = load_players(players)
    computers = [isinstance(each, ComputerPlayer) for each in opponents]
    given = seed
    seed = secrets.randbits(32) if seed is None else seed
    opening = ["Type help at any prompt for commands."] if not all(computers) else []
    if any(computers) or first == "random" or given is not None:
        opening.append(f"Seed: {seed}")
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
    for each in opponents:
        if isinstance(each, ComputerPlayer):
            each.prepare(game)
    slot = _slot(console, game, save)
    console.say(*opening, *([""] if opening else []))
    run(console, Session(console, series, opponents, slot, show_board=show_board))


def resume(console: Console, which: str | None, *, show_board: bool = False, trust: bool = False) -> None:
    """Go on with a saved game: the one named by its file or its number in the list, or the only one.

    A file from elsewhere runs neither a game file nor a program unless the caller has `trust` in it.
    """
    path = _chosen(console, which)
    if path is None:
        return
    slot = saves.SaveFile(path)
    try:
        own = path.resolve().is_relative_to(saves.folder().resolve())
        series, players = read_series(path, trust=trust or own)
        if series.over:
            raise PerfectplayError(
                f"{quoted(str(path), 200)}: this game is over; perfectplay replay shows it"
            )
    except BaseException:
        slot.close()
        raise
    run(console, Session(console, series, players, slot, show_board=show_board))


def read_series(path: Path, *, trust: bool) -> tuple[Series[Any], tuple[Player, Player]]:
    """The series in a save file, and its players.

    Raises a PerfectplayError that names the file and the first line that is wrong.
    """
    try:
        records = saves.read_series(path)
        players = [_trusted_players(record, trust=trust) for record in records]
        return Series.from_records(records, load), players[0]
    except RecordError as error:
        raise file_error(path, error) from error


def _trusted_players(record: Record, *, trust: bool) -> tuple[Player, Player]:
    """The players of a record; what runs code, or is not known, is refused at the line of the game."""
    try:
        load(record.spec, allow_paths=trust)
        players = load_players(record.players)
    except PerfectplayError as error:
        hint = "" if trust or ".py" not in record.spec else "; --trust allows it"
        raise RecordError(record.lines[0], f"{error}{hint}") from error
    for player in players:
        if player.runs_commands and not trust:
            problem = f"it would run the program of {quoted(player.spec, 100)}; --trust allows it"
            raise RecordError(record.lines[0], problem)
    return players


def file_error(path: Path, error: RecordError) -> PerfectplayError:
    """A record's error with its file."""
    return PerfectplayError(f"{quoted(str(path), 200)}, line {error.line}: {error.problem}")


def playable(spec: str) -> Game[Any]:
    """The game that a spec names, if it is small enough to be shown in a terminal."""
    game = load(spec)
    for each in fields(game):
        value = getattr(game, each.name)
        if isinstance(value, int) and value > LARGEST:
            raise PerfectplayError(f"{each.name}={value} is too large to play here: the limit is {LARGEST:,}")
    if game.num_actions > LARGEST:
        raise PerfectplayError(f"{spec} has {game.num_actions:,} moves; the limit here is {LARGEST:,}")
    return game


def describe(path: Path) -> str:
    """A saved game in a line, for a list, with when it was last played."""
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
    """Take a game off the list of open ones, by its number there. Its file is kept elsewhere."""
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
    console.say(f"Forgotten: {about}", f"Its file is now {kept}", f"To go on with it after all: {again}")


def _slot(console: Console, game: Game[Any], save: Path | None) -> saves.SaveFile | None:
    if save is not None and (str(save) == "-" or (save.exists() and not save.is_file())):
        raise BadParameterError("save", save, "a plain file: a saved game has to be read again")
    try:
        return saves.SaveFile.new(game.name) if save is None else saves.SaveFile(save, new=True)
    except FileExistsError as error:
        hint = f"go on with it by: {_command()} resume {shlex.quote(str(save))}"
        raise PerfectplayError(f"{quoted(str(save), 200)} exists already; {hint}") from error
    except OSError as error:
        where = save or saves.folder()
        console.say(f"The game cannot be saved in {where}: {error.strerror}. It goes on unsaved.")
        return None


def run(console: Console, session: Session) -> None:
    """Play a session out, and say how to go on with it if it is left."""
    try:
        session.run()
    except (EndOfInput, Quit) as end:
        console.say(*([""] if isinstance(end, EndOfInput) else []), *_parting(session))
    except OSError:
        raise  # most likely nobody reads what would be said
    except Exception:  # a program that failed as a player, an error in a game file
        console.say(*_parting(session))
        raise
    except KeyboardInterrupt:
        console.say("", *_parting(session))
        raise
    finally:
        for player in session.players:
            if isinstance(player, ComputerPlayer):
                player.close()
        with suppress(OSError):  # nobody may be there any more to be told
            session.keep_rest()
        if session.save is not None:
            session.save.close()


def _parting(session: Session) -> list[str]:
    session.keep_rest()
    if session.save is None or session.save_failed or not session.saved:
        played = any(match.history for match in session.series.matches)
        return ["The game was not saved." if played else "The game is left with nothing to save."]
    file = "" if session.save.path.parent == saves.folder() else f" {shlex.quote(str(session.save.path))}"
    return [f"The game is saved. Go on with it by: {_command()} resume{file}"]


def _command() -> str:
    """How to call this program again: not every shell knows it by its name."""
    if shutil.which("perfectplay"):
        return "perfectplay"
    if Path(sys.argv[0]).name == "perfectplay":
        return os.path.relpath(sys.argv[0])
    return "python -m perfectplay"


def _chosen(console: Console, which: str | None) -> Path | None:
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
    console.say(f"{len(games)} games are open, the newest first:")
    console.say(*(f"  {number}. {describe(path)}" for number, path in enumerate(games, start=1)))
    console.say("To take one off this list: perfectplay resume --forget NUMBER")
    if not console.interactive:
        console.say("Go on with one by its number: perfectplay resume NUMBER")
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
