"""What the terminal makes of names, numbers, tables and times, in words."""

from datetime import date, datetime

import pytest

from perfectplay.render.markdown import markdown_table
from perfectplay.terminal.command_parser import Commands
from perfectplay.terminal.console import has_colors, read_number
from perfectplay.terminal.contestants import name_contestants, plain
from perfectplay.terminal.markdown import fit
from perfectplay.terminal.messages import sentence
from perfectplay.terminal.saved_games import day


@pytest.mark.parametrize(
    ("spec", "said"),
    [("level:5", "level 5"), ("human", "a person"), ("mcts:simulations=9", "mcts:simulations=9")],
)
def test_a_player_is_said_as_people_say_it(spec: str, said: str) -> None:
    assert plain(spec) == said


def test_contestants_have_the_names_of_their_sides_where_both_are_people() -> None:
    assert name_contestants(("human", "level:5")) == ("you", "the computer (level 5)")
    assert name_contestants(("human", "human")) == ("person 1", "person 2")
    assert name_contestants(("human", "human"), ("Player A", "Player B")) == ("Player A", "Player B")
    assert name_contestants(("random", "random")) == ("p1 (random)", "p2 (random)")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("it is not your turn", "It is not your turn."),
        ("no\x1b", "No\\x1b."),
        ("bits=0: must be at least 1", "bits=0: must be at least 1."),
        ("level:11: must be a number from 1 to 10", "level:11: must be a number from 1 to 10."),
    ],
)
def test_a_text_from_elsewhere_is_a_safe_sentence(text: str, said: str) -> None:
    assert sentence(text) == said


@pytest.mark.parametrize(
    ("moment", "said"),
    [
        (datetime(2026, 3, 2, 9, 5), "today at 09:05"),
        (datetime(2026, 3, 1, 9, 5), "yesterday at 09:05"),
        (datetime(2026, 2, 1, 9, 5), "1 February"),
        (datetime(2025, 3, 1, 9, 5), "1 March 2025"),
    ],
)
def test_a_moment_is_said_as_people_say_it(moment: datetime, said: str) -> None:
    assert day(moment, date(2026, 3, 2)) == said


def test_commands_are_read_from_their_help() -> None:
    lines = ("Type one of these:", "  help, h  this list", "  save FILE  a copy")
    assert Commands.parse_help(lines) == Commands(("help", "save"), ("save",))


def test_a_number_is_read_as_it_is_written() -> None:
    assert [read_number(text, 3) for text in ("2", "0000000002", "4", "0")] == [2, None, None, None]


def test_a_kind_of_terminal_has_colors_or_not() -> None:
    assert not has_colors("vt100")


def test_a_table_that_is_too_wide_becomes_several_or_lists() -> None:
    table = markdown_table(["n", "one", "two"], [["1", "11.5", "12.5"], ["2", "21.5", "22.5"]])
    first, second = fit(table, 14).split("\n\n")
    assert first.split("\n") == ["| n | one  |", "|---|------|", "| 1 | 11.5 |", "| 2 | 21.5 |"]
    assert second.split("\n")[-2:] == ["| 1 | 12.5 |", "| 2 | 22.5 |"]
    assert fit(table, 11) == "1\n\n* one: 11.5\n* two: 12.5\n\n2\n\n* one: 21.5\n* two: 22.5"
