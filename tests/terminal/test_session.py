"""A session without a screen: what a front end is told when it makes moves and carries out commands."""

from pathlib import Path
from typing import Any

import pytest

import perfectplay as pp
from perfectplay import saves
from perfectplay.terminal.command_parser import TypedCommand
from perfectplay.terminal.move_entry import MoveReader
from perfectplay.terminal.session import Session


def session(game: str, *moves: str, players: tuple[str, str] = ("human", "human"), games: int = 1) -> Session:
    """A session in the middle of a game."""
    series: pp.Series[Any] = pp.Series(pp.load(game), games, players=players)
    found = Session(series)
    found.begin()
    for move in moves:
        found.move(found.match.game.parse_action(found.match.state, move))
    return found


def test_a_game_is_played_without_a_console() -> None:
    found = session("bit-flip:bits=5", games=2)
    assert found.contestants.seating()[0] == "Game 1 of 2: Player 1 goes first."
    turn = MoveReader(found.dialogue, found.match.state)
    assert turn.prompt().text == "Enter the position of the bit you want to flip: "
    action = turn.answer("2")
    assert isinstance(action, int)
    assert found.move(action) == found.dialogue.confirm(found.match.positions[0], 2, found.match.state)
    assert found.carry_out(TypedCommand("resign")) == ((), True)
    lines = found.ending()
    assert lines[0] == "Player 1 won. Player 2 resigned."
    assert lines[-1] == "Score after game 1 of 2: Player 1: 1, Player 2: 0."
    found.begin()
    assert found.match.plies == 0
    assert found.contestants.seating()[1].endswith("Player 2 goes first.")
    assert found.dialogue.game == found.match.game


def test_only_commands_that_end_the_turn_say_so() -> None:
    found = session("dual-direction", *["left", "right"] * 2)
    for word in ("board", "moves", "history", "hint", "why", "save"):
        reply = found.carry_out(TypedCommand(word))
        assert reply.lines, word
        assert not reply.ends_turn, word
    reply = found.carry_out(TypedCommand("abandon"))
    assert not reply.ends_turn
    assert reply.lines[0].startswith("Player 1 offers to end the game unfinished.")
    assert found.carry_out(TypedCommand("undo")).lines[0] == "Taken back: Player 2's right."
    assert found.carry_out(TypedCommand("redo")).lines[0] == "Redone: Player 2's right."
    assert not found.carry_out(TypedCommand("redo")).ends_turn
    assert found.carry_out(TypedCommand("abandon")).ends_turn
    assert found.ending()[0] == "Unfinished. The game was abandoned."


def test_a_command_of_the_front_end_is_rejected() -> None:
    with pytest.raises(ValueError, match="quit"):
        session("bit-flip").carry_out(TypedCommand("quit"))


def test_a_disk_that_fails_is_reported_once_until_it_works_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    series: pp.Series[Any] = pp.Series(pp.load("bit-flip"))
    file = saves.SaveFile(tmp_path / "game.txt", new=True)
    found = Session(series, file)
    found.begin()
    failing = True

    def write(self: saves.SaveFile, *records: Any) -> None:
        if failing:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(saves.SaveFile, "write", write)
    failure = f"The game cannot be saved in {file.path}: No space left on device. It continues unsaved."
    assert found.move(4)[0] == failure
    assert found.autosave.where() == "This game is not being saved; save FILE writes a copy."
    assert failure not in found.move(0)
    failing = False
    assert failure not in found.move(2)
    assert found.autosave.is_saved
    failing = True
    assert found.carry_out(TypedCommand("undo")).lines[0] == failure
    found.close()
