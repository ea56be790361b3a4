"""A move made by single keys, without a screen."""

from typing import Any

import pytest

import perfectplay as pp
from perfectplay.terminal.command_parser import Commands, TypedCommand
from perfectplay.terminal.move_entry import Effect, MoveEntry

COMMANDS = Commands(("help", "rules", "why"), with_rest=("why",))


def asked(spec: str, position: str | None = None) -> MoveEntry:
    """An entry for a position, by default the first."""
    game = pp.load(spec)
    entry = MoveEntry(COMMANDS)
    entry.ask(game.dialogue(), game.initial() if position is None else game.parse_state(position))
    return entry


def press(entry: MoveEntry, *keys: str, **settings: Any) -> Effect | None:
    """Press keys; the effect of the last."""
    effect = None
    for key in keys:
        effect = entry.press(key, key if len(key) == 1 else None, **settings)
    return effect


def test_a_move_is_typed_and_previewed() -> None:
    entry = asked("bit-flip:bits=12")
    assert press(entry, "1", "1") == Effect("typed")
    assert entry.preview() == 11
    assert press(entry, "enter") == Effect("move", 11)
    assert entry.reader is None
    assert entry.typed == ""


def test_a_letter_after_a_number_begins_the_second_answer() -> None:
    entry = asked("mirror-match")
    press(entry, "4", "e")
    assert (entry.answers, entry.typed) == (("4",), "e")
    assert entry.question()[:2] == ("Player 1: Place at the (B)eginning or (E)nd? ", "4 e")
    assert len(entry.open_moves()) == 2


def test_a_key_with_a_meaning_keeps_it_unless_it_continues_a_word() -> None:
    entry = asked("inversion-race")
    assert press(entry, "l", "h", bound=True) is None
    assert entry.typed == "l"
    assert press(entry, "e", bound=True) == Effect("typed")
    assert entry.typed == "le"


def test_the_word_of_a_command_can_be_typed_where_its_letters_are_keys() -> None:
    entry = asked("inversion-race")
    for key in "rules":  # begins as right does
        assert press(entry, key, bound=True) == Effect("typed")
    assert press(entry, "enter") == Effect("command", TypedCommand("rules"))


@pytest.mark.parametrize(
    ("typed", "effect"),
    [
        (":why 4", Effect("command", TypedCommand("why", "4"))),
        (":none", Effect("say", 'There is no command "none"; ? shows the keys.')),
    ],
)
def test_a_command_is_typed_at_any_time(typed: str, effect: Effect) -> None:
    entry = MoveEntry(COMMANDS)  # nobody is asked for a move
    press(entry, *typed)
    assert press(entry, "enter") == effect


def test_without_commands_a_colon_is_left_to_the_screen() -> None:
    assert press(MoveEntry(), ":") is None


def test_a_refused_move_is_named_by_its_text() -> None:
    entry = asked("bit-flip", "0000100000 2")
    effect = press(entry, "5", "enter")
    assert effect is not None
    assert (effect.kind, effect.value.rule, effect.action) == ("refused", "adjacent", 5)
    assert entry.reader is not None


def test_a_line_that_costs_the_turn_is_not_sent_at_once() -> None:
    entry = asked("mirror-match")
    effect = press(entry, "1", "2", "enter")
    assert effect == Effect("forfeit", ('"12" is not a number from 1 to 9.', "12"))
    assert entry.reader is not None


def test_backspace_takes_letters_and_then_answers_back() -> None:
    entry = asked("mirror-match")
    press(entry, "4", "e", "backspace")
    assert (entry.answers, entry.typed) == (("4",), "")
    assert press(entry, "backspace") == Effect("taken back", "4")
    assert entry.answers == ()


def test_an_arrow_takes_a_first_answer_and_points() -> None:
    entry = asked("mirror-match")
    assert press(entry, "4", "right") == Effect("point", (1, 0))
    assert (entry.answers, entry.typed) == (("4",), "")


def test_enter_makes_the_chosen_move_or_says_how_to_choose() -> None:
    entry = asked("mirror-match")
    assert press(entry, "enter") == Effect("say", "Choose a move first: with the arrow keys, or type it.")
    press(entry, "4", "enter")
    assert "type B or E" in press(entry, "enter").value  # type: ignore[union-attr]
    entry = asked("bit-flip")
    assert press(entry, "enter", chosen=3) == Effect("move", 3)


def test_nothing_is_taken_while_an_earlier_position_is_shown() -> None:
    entry = asked("bit-flip")
    for key in ("4", "left", "enter", "tab", "backspace"):
        assert press(entry, key, live=False) is None
    assert entry.typed == ""
