"""How you are doing, as lines and as JSON."""

import json
from collections.abc import Sequence
from datetime import date

from perfectplay.core.errors import PerfectplayError
from perfectplay.core.formatting import pluralize
from perfectplay.strength.history import History, Period, histories
from perfectplay.strength.journal import ENDINGS, Journal
from perfectplay.strength.statistics import BELOW
from perfectplay.terminal import journal_file
from perfectplay.terminal.command_parser import confirm
from perfectplay.terminal.console import Console
from perfectplay.terminal.contestants import plain
from perfectplay.terminal.saved_games import describe_game

BLOCKS = "▁▂▃▄▅▆▇█"
NOTHING_YET = (
    "You have not finished a game yet.",
    "After your first game against the computer or online, this page shows your results,",
    "your accuracy and the level that you play like. They never leave this machine.",
)
DELETE = "Delete all statistics and exercises, but no records of games"
NOTHING_TO_DELETE = "There is nothing to delete."
DELETED = "Statistics and exercises are deleted; records of games are kept."


def show_statistics(
    console: Console, *, as_json: bool = False, delete: bool = False, yes: bool = False
) -> None:
    """Print how the person is doing, or delete everything about that."""
    if not delete:
        journal = journal_file.load()
        facts = json.dumps([each.as_dict() for each in histories(journal.games)]) if as_json else ""
        return console.say(*([facts] if as_json else statistics(journal, date.today())))
    if not journal_file.file().exists():
        return console.say(NOTHING_TO_DELETE)
    if not yes and not console.interactive:
        raise PerfectplayError("--delete asks before it deletes; add --yes where nobody can answer")
    if not yes and not confirm(console.ask, f"{DELETE} (y/n)? "):
        return console.say("Nothing was deleted.")
    journal_file.delete()
    console.say(DELETED)


def statistics(journal: Journal, today: date) -> list[str]:
    """The page of statistics, in lines."""
    found = histories(journal.games)
    lines = [line for history in found for line in (*_describe(history), "")] or [*NOTHING_YET, ""]
    return [*lines, f"Exercises from your games: {journal_file.about_due(journal, today)}."]


def _describe(history: History) -> list[str]:
    lines = [describe_game(history.game), f"  {pluralize(history.games, 'game', 'games')}"]
    for opponent, counts in history.results.items():
        ended = ", ".join(f"{counts[ending]} {ending}" for ending in ENDINGS if counts[ending])
        lines.append(f"    against {plain(opponent)}: {ended}")
    total = history.total
    if history.assisted:
        games = pluralize(history.assisted, "game", "games")
        lines.append(f"  {games} with hints, left out of what follows")
    if total.accuracy is None:
        return [*lines, "  No critical moves yet, so there is no accuracy."] if total.games else lines
    moves = pluralize(total.decisions, "critical move", "critical moves")
    lines.append(f"  Accuracy: {total.accuracy:.0%} ({total.kept} of {moves})")
    if len(history.periods) > 1:
        words, half = [], len(history.periods) // 2
        for name, part in (("earlier", history.periods[:half]), ("later", history.periods[half:])):
            decided, kept = sum(each.decisions for each in part), sum(each.kept for each in part)
            words.append(f"{name} games{f' {kept / decided:.0%}' if decided else ': no critical moves'}")
        lines += [
            f"    {strip(history.periods)}  oldest to newest; a full block is 100%",
            f"    {', '.join(words)}",
        ]
    if history.plays_like is not None:
        like, low, high = ("below 1" if each == BELOW else each for each in history.plays_like)
        if like == "below 1":
            perhaps = f" It may be as high as {high}." if high != like else ""
            lines.append(f"  Your level is below 1: random moves would have kept more.{perhaps}")
        else:
            lines.append(f"  You play like level {like} (from {low} to {high}).")
    return lines


def strip(periods: Sequence[Period]) -> str:
    """Accuracy over time as blocks, and a dot where there were no critical moves."""
    shares = (each.accuracy for each in periods)
    return "".join("·" if share is None else BLOCKS[min(7, int(share * 8))] for share in shares)
