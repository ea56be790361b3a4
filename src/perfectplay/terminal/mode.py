"""The commands that play: on the full screen where it can be shown, else line by line."""

import json
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from perfectplay.terminal.console import Console, wants_plain_lines
from perfectplay.terminal.limits import SMALLEST_SCREEN


def full_screen(console: Console, *, line: bool = False) -> bool:
    """Whether the full screen can be shown, and nothing asks for line mode."""
    from perfectplay.terminal.preferences import Preferences

    output = console.stdout
    if line or Preferences.load().line or wants_plain_lines() or not console.interactive:
        return False
    if output is not sys.__stdout__ or not output.isatty():
        return False
    try:
        "│▸⠋".encode(output.encoding or "ascii")  # what it draws with
        columns, lines = os.get_terminal_size(output.fileno())
    except (OSError, UnicodeEncodeError):
        return False
    large = columns >= SMALLEST_SCREEN[0] and lines >= SMALLEST_SCREEN[1]
    return large and find_spec("textual") is not None


def open_menu(console: Console, *, line: bool) -> None:
    """Offer all games."""
    if full_screen(console, line=line):
        from perfectplay.terminal.fullscreen.opening import show
        from perfectplay.terminal.fullscreen.screens.home import HomeScreen

        return console.say(*show(HomeScreen()))
    from perfectplay.terminal.line.menu import menu

    menu(console)


def play(
    console: Console,
    game: str | None,
    *,
    p1: str,
    p2: str,
    no_alternate: bool,
    seed: int | None,
    board: bool,
    save: Path | None,
    table: str | None,
    host: str | None,
    name: str | None,
    line: bool,
    **settings: Any,
) -> None:
    """Play a new series of games, or at a web table."""
    fullscreen = full_screen(console, line=line or board)
    if table is None and game is None:
        raise click.UsageError("Missing argument 'GAME'; the command games lists the games")
    made = None
    if host is not None and game is not None:
        from perfectplay.online.seat_tokens import make_table

        made = make_table(host, game, name or "")
        table = made.link
    if table is not None and fullscreen:
        from perfectplay.terminal.fullscreen.opening import show, table_screen

        return console.say(*show(table_screen(table, name or "", made)))
    if table is not None:
        from perfectplay.terminal.line.online import play_online

        return play_online(console, table, made=made, name=name or "", show_board=board)
    assert game is not None
    if name is not None:
        raise click.UsageError("--name needs --table or --host")
    from perfectplay.terminal.play import check_saved, new_series, start

    new = new_series(game, players=(p1, p2), alternate=not no_alternate, seed=seed, **settings)
    if not fullscreen:
        return start(console, new, show_seed=seed is not None, show_board=board, save=save)
    from perfectplay.terminal.fullscreen.opening import play_screen, show

    screen = play_screen(new, save)
    console.say(*show(screen))
    check_saved(screen.session, save)


def resume(
    console: Console, which: str | None, *, board: bool, trust: bool, forget: str | None, line: bool
) -> None:
    """Continue a saved game, or remove one from the list."""
    from perfectplay.terminal import saved_games

    if forget is not None:
        return saved_games.forget(console, forget)
    if not full_screen(console, line=line or board):
        from perfectplay.terminal.play import resume

        return resume(console, which, show_board=board, trust=trust)
    from perfectplay.terminal.fullscreen.opening import resume_screen, show

    path = saved_games.choose_game(console, which)
    if path is not None:
        console.say(*show(resume_screen(path, trust=trust)))


def exercises(
    console: Console, game: str | None, *, every: bool, day: str | None, as_json: bool, line: bool
) -> None:
    """Practise the exercises from one's own games that are due or, with `every`, all of them."""
    from perfectplay.coach.exercises import due_exercises
    from perfectplay.terminal.line import exercises as lines

    today, chosen = lines.choose_exercises(game, day)
    due = chosen if every else due_exercises(chosen, today)
    if as_json:
        return console.say(json.dumps([lines.as_dict(each) for each in due]))
    if due and full_screen(console, line=line):
        from perfectplay.terminal.fullscreen.opening import show
        from perfectplay.terminal.fullscreen.screens.solving import ExerciseScreen

        return console.say(*show(ExerciseScreen(due, today)))
    console.say(lines.state_of(chosen, today))
    lines.practise(console, due, today)


def demo(console: Console, game: str | None, *, seed: int | None, line: bool) -> None:
    """Let the computer play one game, or one of each kind."""
    from perfectplay.terminal.play import DEMO_SEED, demo

    seed = DEMO_SEED if seed is None else seed
    if not full_screen(console, line=line):
        return demo(console, game, seed)
    from perfectplay.games.registry import names
    from perfectplay.terminal.fullscreen.opening import demo_screen, show

    console.say(*show(demo_screen([game] if game else names(), seed)))
