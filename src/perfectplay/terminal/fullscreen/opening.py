"""The screens that commands and other screens open."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Any

from textual.screen import Screen

from perfectplay.coach.exercises import Exercise, due_exercises
from perfectplay.coach.puzzles import puzzle
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.match import Match
from perfectplay.core.series import Series
from perfectplay.core.texts import summary
from perfectplay.games.registry import load
from perfectplay.terminal import journal_file
from perfectplay.terminal.fullscreen.app import FullScreen, run
from perfectplay.terminal.fullscreen.screens.play import PlayScreen
from perfectplay.terminal.fullscreen.screens.review import ReviewScreen
from perfectplay.terminal.fullscreen.screens.solving import ExerciseScreen, PuzzleScreen
from perfectplay.terminal.fullscreen.screens.stats import StatsScreen
from perfectplay.terminal.fullscreen.screens.study import StudyScreen
from perfectplay.terminal.fullscreen.screens.watch import WatchScreen
from perfectplay.terminal.fullscreen.widgets.rules import RulesDialog
from perfectplay.terminal.limits import MOST_DEMO_PLIES
from perfectplay.terminal.line.exercises import state_of
from perfectplay.terminal.play import DEMO_PLAYERS, NewSeries, new_save, new_series, playable
from perfectplay.terminal.saved_games import read_series, reopen
from perfectplay.terminal.session import Session

if TYPE_CHECKING:
    from perfectplay.online.seat_tokens import MadeTable


def show(screen: Screen[Any]) -> list[str]:
    """Show the full screen, first of all this screen, and return the lines to print afterwards."""
    return run(lambda app: screen)


def session_screen(session: Session, opening: tuple[str, ...] = ()) -> PlayScreen:
    """A screen for playing or, where two computers play, for watching."""
    return PlayScreen(session, opening) if session.attended else WatchScreen(session, opening)


def play_screen(new: NewSeries, save: Path | None = None, *opening: str) -> PlayScreen:
    """A new series, saved if possible."""
    slot, problem = new_save(new.series.game, save)
    return session_screen(Session(new.series, slot), (*problem, *new.opening, *opening))


def resume_screen(path: Path, *, trust: bool = False) -> PlayScreen:
    """A saved game."""
    return session_screen(reopen(path, trust=trust))


def rematch_screen(old: Series[Any]) -> PlayScreen:
    """The same players again; the other one starts."""
    new = new_series(
        old.game.spec,
        players=old.players,
        first="2" if old.starter(old.games) == 0 else "1",
        games=old.games,
        alternate=old.alternate,
        max_plies=old.max_plies,
        forgiving=old.forgiving,
    )
    return play_screen(new, None, "The other player goes first this time.")


def make_continuation(match: Match[Any], ply: int, players: tuple[str, str]) -> PlayScreen:
    """A new game that starts in a position of another one.

    It has a seed of its own: with the old one, the computer would make the same mistakes again.
    """
    seed, start = SystemRandom().getrandbits(32), match.positions[ply]
    series: Series[Any] = Series(match.game, players=players, seed=seed, start=start)
    return session_screen(Session(series, new_save(match.game, None)[0]))


def review_screen(path: Path) -> ReviewScreen:
    """The mistakes of the last game in a file of one's own."""
    return ReviewScreen(read_series(path, trust=True).matches[-1])


def exercise_screen(exercises: Sequence[Exercise], today: date) -> ExerciseScreen:
    """The exercises that are due. Raises PerfectplayError if there are none."""
    due = due_exercises(exercises, today)
    if not due:
        raise PerfectplayError(state_of(exercises, today))
    return ExerciseScreen(due, today)


def demo_screen(specs: Sequence[str], seed: int) -> WatchScreen:
    """Computers play one short game after the other; nothing is saved."""
    series: Series[Any] = Series(
        playable(specs[0]), players=DEMO_PLAYERS, seed=seed, max_plies=MOST_DEMO_PLIES
    )

    def follow(app: FullScreen) -> None:
        app.switch_screen(demo_screen(specs[1:], seed))

    opening = (summary(type(series.game)),)
    return WatchScreen(Session(series), opening, follow if len(specs) > 1 else None)


def table_screen(link: str, name: str, made: "MadeTable | None" = None) -> Screen[None]:
    """A web table, perhaps one that was `made` just now. Needs the extra `web`."""
    from perfectplay.terminal.fullscreen.screens.online import OnlineScreen

    return OnlineScreen(link, name, made)


SCREENS: Mapping[str, Callable[[str], Screen[Any]]] = {
    "rules": lambda name: RulesDialog(load(name)),
    "watch": lambda name: demo_screen([name], SystemRandom().getrandbits(32)),
    "study": lambda name: StudyScreen(playable(name)),
    "puzzle": lambda name: PuzzleScreen(puzzle(name, date.today())),
    "exercises": lambda _: exercise_screen(journal_file.load().exercises, date.today()),
    "stats": lambda _: StatsScreen(),
}
"""The screens that home opens with a key, each for the name of a game."""
