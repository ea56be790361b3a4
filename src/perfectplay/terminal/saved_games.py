"""Saved games: open and finished ones, each described in a line."""

import shlex
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from perfectplay import saves
from perfectplay.core.errors import PerfectplayError, RecordError
from perfectplay.core.formatting import pluralize, quote
from perfectplay.core.game import Game
from perfectplay.core.match import Match
from perfectplay.core.record import Record
from perfectplay.core.series import Series
from perfectplay.games.registry import ENVIRONMENT, load_any
from perfectplay.players.base import ComputerPlayer
from perfectplay.players.registry import load_player
from perfectplay.terminal.console import Console, EndOfInput, read_number
from perfectplay.terminal.contestants import YOU, name_contestants, plain
from perfectplay.terminal.messages import own_command
from perfectplay.terminal.session import Session
from perfectplay.validation import validate_game, validate_player

HELP = ("help", "h", "?")


def reopen(path: Path, *, trust: bool) -> Session:
    """A saved game to continue. Its file is locked."""
    slot = saves.SaveFile(path)
    try:
        own = path.resolve().is_relative_to(saves.folder().resolve())
        series = read_series(path, trust=trust or own)
        if series.over:
            raise PerfectplayError(f"{quote(str(path), 200)}: {_over(path)}")
        return Session(series, slot)
    except BaseException:
        slot.close()
        raise


def advise(path: Path) -> str:
    """That a file exists already, and what can be done with it."""
    exists = f"{quote(str(path), 200)} exists already"
    try:
        last = saves.read_series(path)[-1]
    except (RecordError, OSError):
        return f"{exists} and is not a saved game; choose another name"
    if last.result is not None and last.place.number >= last.place.games:
        return f"{exists}; {_over(path)}"
    return f"{exists}; to continue it: {own_command()} resume {shlex.quote(str(path))}"


def _over(path: Path) -> str:
    return f"this game is over; to see it: {own_command()} replay {shlex.quote(str(path))}"


def read_series(path: Path, *, trust: bool) -> Series[Any]:
    """Read a saved series. A PerfectplayError names the file and the first wrong line."""
    try:
        records = saves.read_series(path)
        for record in records:
            _check_players(record, trust=trust)
        return Series.from_records(records, load_any)
    except RecordError as error:
        raise file_error(path, error) from error


def _check_players(record: Record, *, trust: bool) -> None:
    """Refuse unknown games and players and, without `trust`, those that run code."""
    foreign = record.spec.startswith(f"{ENVIRONMENT}:") or ".py" in record.spec
    line = record.lines[0]
    try:
        load_any(record.spec) if trust else validate_game(record.spec)
        for number, spec in zip(record.player_lines, record.players, strict=True):
            line = number
            player = load_player(spec)
            foreign = player.runs_commands or bool(getattr(player, "file", ""))
            if not trust and isinstance(player, ComputerPlayer):
                validate_player(player.spec)
    except PerfectplayError as error:
        hint = "; --trust allows it" if not trust and foreign else ""
        raise RecordError(line, f"{error}{hint}") from error


def file_error(path: Path, error: RecordError) -> PerfectplayError:
    """The error of a record, with the name of its file."""
    return PerfectplayError(f"{quote(str(path), 200)}, line {error.line}: {error.problem}")


# In plain words


def describe(path: Path) -> str:
    """An open game in one line: its title, opponent, turn, and when it was last played."""
    try:
        last = saves.read_series(path)[-1]
    except (RecordError, OSError) as error:
        why = f" at {error}" if isinstance(error, RecordError) else f": {error.strerror}"
        return f"{path.name}: unreadable{why}, {_when(path)}"
    number, games = last.place.number, last.place.games
    state = _whose_turn(last)
    if last.result is not None and number < games:
        number, state = number + 1, "not begun"
    series = f", game {number} of {games}" if games > 1 else ""
    return f"{_title(last)}{series}, {_against(last)}, {state}, {_when(path)}"


def describe_finished(path: Path) -> str:
    """A finished game in one line: its title, opponent, result, and when it was played."""
    try:
        records = saves.read_series(path)
    except (PerfectplayError, OSError):
        return describe(path)
    return f"{_title(records[-1])}, {_against(records[-1])}: {_how_it_went(records)}, {_when(path)}"


def describe_game(spec: str) -> str:
    """The title of a game with its options; its spec if it comes from a file."""
    game = _load_game(spec)
    options = spec.partition(":")[2]
    return spec if game is None else f"{game.title} ({options})" if options else game.title


def _title(record: Record) -> str:
    title = describe_game(record.spec)
    return title if record.start is None else f"{title}, from a position"


def _load_game(spec: str) -> Game[Any] | None:
    try:
        return validate_game(spec)  # a game file is not run for a list
    except PerfectplayError:
        return None


def _whose_turn(record: Record) -> str:
    plies = sum(move.ply is not None for move in record.moves)
    after = f"after {pluralize(plies, 'move', 'moves')}"
    game = _load_game(record.spec)
    try:
        match = None if game is None else Match.replay(record, game)
    except PerfectplayError:
        match = None
    if match is None or match.result is not None:
        return after
    players = record.seated
    if players.count("human") != 1:
        return f"{match.game.side_names[match.side]}'s turn {after}"
    whose = "your" if players[match.side] == "human" else "the computer's"
    return f"{whose} turn {after}"


def _against(record: Record) -> str:
    computers = [plain(player) for player in record.players if player != "human"]
    people = "against " if len(computers) == 1 else ""
    return people + " against ".join(computers) if computers else "two players"


def _how_it_went(records: Sequence[Record]) -> str:
    last = records[-1]
    game = _load_game(last.spec)
    if game is None or not last.result:
        return last.result or "not finished"
    change_sides = any(record.place.swapped for record in records)
    names = name_contestants(last.players, None if change_sides else game.side_names)
    wins = [0, 0]
    for record in records:
        for side, name in enumerate(game.side_names):
            if (record.result or "").startswith(f"{name} wins"):
                wins[side ^ record.place.swapped] += 1
    score = f" {max(wins)} to {min(wins)}" if len(records) > 1 else ""
    if wins[0] == wins[1]:
        tied = len(records) > 1 or last.result.startswith("tie")
        return f"tied{score}" if tied else "left unfinished"
    winner = names[wins[1] > wins[0]]
    if YOU in names:
        return f"you {'won' if winner == YOU else 'lost'}{score}"
    seat = game.side_names[(wins[1] > wins[0]) ^ last.place.swapped]
    return f"{seat if len(records) == 1 else winner} won{score}"


def _when(path: Path) -> str:
    return day(datetime.fromtimestamp(path.stat().st_mtime), date.today())


def day(moment: datetime, today: date) -> str:
    """When something was, as people say it."""
    if moment.date() == today:
        return f"today at {moment:%H:%M}"
    if moment.date() == today - timedelta(days=1):
        return f"yesterday at {moment:%H:%M}"
    return f"{moment.day} {moment:%B}" if moment.year == today.year else f"{moment.day} {moment:%B %Y}"


# The list of open games


def forget(console: Console, which: str) -> None:
    """Remove a game from the list of open games, by its number. Its file is moved, not deleted."""
    games = saves.open_games()
    number = read_number(which, len(games))
    if number is None:
        raise PerfectplayError(f"there is no saved game {quote(which)}; {own_command()} resume lists them")
    about = describe(games[number - 1])
    kept = saves.forget(games[number - 1])
    again = f"{own_command()} resume {shlex.quote(str(kept))}"
    console.say(f"Forgotten: {about}", f"Its file is now {kept}", f"To continue it after all: {again}")


def choose_game(console: Console, which: str | None) -> Path | None:
    """The saved game that is named, the only one, or the one that a person picks; None for none."""
    games = saves.open_games()
    if which is not None:
        number = read_number(which, len(games))
        if number is not None:
            return games[number - 1]
        path = Path(which)
        if not which or not path.exists():
            raise PerfectplayError(f"there is no saved game {quote(which, 200)}")
        return path
    if not games:
        console.say("No game is open.")
        return None
    if len(games) == 1:
        return games[0]
    console.say(f"{len(games)} games are open, newest first:")
    console.say(*(f"  {number}. {describe(path)}" for number, path in enumerate(games, start=1)))
    console.say(f"To remove one from this list: {own_command()} resume --forget NUMBER")
    if not console.interactive:
        console.say(f"To continue one: {own_command()} resume NUMBER")
        return None
    answer = ""
    while (number := read_number(answer, len(games))) is None:
        if answer.casefold() in HELP:
            console.say(
                "Type the number of a game in the list to continue it. Enter takes the newest, q leaves."
            )
        elif answer:
            console.say(f"{quote(answer)} is not a number from 1 to {len(games)}.")
        try:
            answer = console.ask("Which one (1)? ").strip() or "1"
        except EndOfInput:
            console.say("")
            return None
        if answer.casefold() in ("q", "quit"):
            return None
    return games[number - 1]
