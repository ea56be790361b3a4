"""Only a marked line is an answer, and prose is never searched."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfectplay.evals.answers import read_marked
from perfectplay.evals.play import Play
from perfectplay.evals.setup import Setup

ORNAMENTS = [
    "Move: 4",
    "**Move: 4**",
    "**Move:** 4",
    "> move : 4.",
    "- `Move: 4`",
    "# MOVE: '4'!",
    'Move: "4";',
    "\tMove:4",
]


@pytest.mark.parametrize("line", ORNAMENTS)
def test_ornaments_around_a_marked_line_are_dropped(line: str) -> None:
    assert read_marked(f"Let me see: 3 or 5?\n{line}\nThat is it.") == "4"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4",
        "I play 4",
        "My move: 4",
        "The final Move: 4",
        "Remove: 4",
        "Move 4",
        "Moves: 4",
        "Answer: 4",
        "(Move: 4)",
    ],
)
def test_nothing_else_is_an_answer(text: str) -> None:
    assert read_marked(text) is None


def test_the_last_marked_line_counts() -> None:
    assert read_marked("Move: 1\nMove: 2\nor Move: 3") == "2"
    assert read_marked("Move: 1\nMove:") == ""
    assert read_marked("Answer: yes.", "Answer") == "yes"


TEXTS = st.lists(
    st.one_of(st.text(), st.sampled_from([*ORNAMENTS, "Move: 99", "Move: x", "Move:", "move"]))
).map("\n".join)


@given(TEXTS)
def test_any_text_is_read_and_nothing_is_played_that_was_not_marked(text: str) -> None:
    play = Play(Setup("bit-flip", "perfect"), seat=0)
    play.answer(text)
    said = read_marked(text)
    assert sum(play.counts.answers.values()) == 1
    assert bool(play.counts.answers["silent"]) == (said is None)
    moved = [entry.action for entry in play.match.history if entry.side == 0]
    assert moved in ([], [int(said or "-1")] if said and said.strip().isdecimal() else [])
    if said is not None:
        assert any(
            line.rstrip(" \t*_`~\"'\u2018\u2019\u201c\u201d.,;!").endswith(said) for line in text.splitlines()
        )
    assert play.texts[0] == text


@given(TEXTS)
def test_any_text_is_read_in_a_game_that_takes_the_turn_for_an_invalid_answer(text: str) -> None:
    play = Play(Setup("mirror-match", "perfect"), seat=0)
    play.answer(text)
    [outcome] = [name for name, number in play.counts.answers.items() if number]
    assert outcome in ("silent", "unreadable", "invalid", "legal")
    assert (outcome == "silent") == (read_marked(text) is None)
