"""The journal of your games, kept beside the saved games."""

from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from perfectplay import saves
from perfectplay.coach.coach import Coach
from perfectplay.coach.exercises import Exercise
from perfectplay.core.dialogue import Lines
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.formatting import pluralize, quote
from perfectplay.core.limits import MOST_EXPLORED
from perfectplay.core.match import Match
from perfectplay.core.outcome import Side
from perfectplay.output import write_whole
from perfectplay.solver.errors import TooLargeError
from perfectplay.solver.oracle import Oracle
from perfectplay.solver.oracle_cache import oracle_for
from perfectplay.strength.journal import Journal
from perfectplay.validation import validate_game


def file() -> Path:
    """Where the journal is kept."""
    return saves.home() / "journal.json"


def load() -> Journal:
    """The journal; an empty one if there is none. A PerfectplayError names a file that is damaged."""
    try:
        return Journal.parse(file().read_text("utf-8"))
    except FileNotFoundError:
        return Journal()
    except (PerfectplayError, UnicodeDecodeError) as error:
        why = "it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else str(error)
        advice = "move it away to begin a new one"
        raise PerfectplayError(f"{quote(str(file()), 200)} cannot be read: {why}; {advice}") from error


def change(how: Callable[[Journal], Journal]) -> Journal:
    """Change the journal, and return it. A damaged one is left as it is, and raises PerfectplayError."""
    with saves.lock(file()):
        journal = how(load())
        write_whole(file(), str(journal))
    return journal


def note(journal: Journal) -> Lines:
    """Add the journal of a game. If that is not possible, the line that says so is returned."""
    if journal == Journal():
        return ()
    try:
        change(lambda kept: kept.join(journal))
    except (PerfectplayError, OSError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        return (f"This game is not in your statistics: {why}.",)
    return ()


def delete() -> None:
    """Delete the journal, damaged or not."""
    with saves.lock(file()):
        file().unlink(missing_ok=True)


def of_game(match: Match[Any], oracle: Oracle[Any], people: Mapping[Side, str], day: date) -> Journal:
    """The journal of one game. It is empty for a game that comes from a file, which later runs of the
    program must not run because a journal names it."""
    try:
        validate_game(match.game.spec)
    except PerfectplayError:
        return Journal()
    return Journal.of_game(match, oracle, people, day)


def review(
    match: Match[Any], people: Mapping[Side, str], names: tuple[str, str] | None = None
) -> tuple[Lines, Journal]:
    """The coach's words about a game, and its journal; both are empty if it is too large to solve at once."""
    try:
        oracle = oracle_for(match.game, MOST_EXPLORED)
    except TooLargeError:
        return (), Journal()
    journal = of_game(match, oracle, people, date.today())
    return Coach(oracle).review(match.record(), names), journal


def oracle_of(exercise: Exercise) -> Oracle[Any]:
    """The oracle that judges an exercise. Raises PerfectplayError if its game or position is not valid."""
    oracle = oracle_for(validate_game(exercise.game), MOST_EXPLORED)
    exercise.question(oracle)
    return oracle


def about_due(journal: Journal, today: date) -> str:
    """How many exercises are due, in words."""
    due = sum(each.due <= today for each in journal.exercises)
    if due or not journal.exercises:
        return pluralize(due, "exercise is due", "exercises are due") if due else "none yet"
    first = min(each.due for each in journal.exercises)
    return f"none is due before {first.day} {first:%B}"
