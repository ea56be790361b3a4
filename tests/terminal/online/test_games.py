"""Whole games at a web table, played from a terminal."""

import subprocess
import threading
from pathlib import Path

import pytest

import perfectplay as pp
from tests.conftest import Run
from tests.terminal.online.opponents import PATIENCE, Opponent, both_are_there, later_than, of, sit, until
from tests.terminal.terminals import drawn
from tests.web.servers import Server


@pytest.mark.parametrize("name", pp.names())
def test_a_game_of_each_kind_is_played_over_a_link(name: str, server: Server) -> None:
    ann = Opponent(server, name)
    game = pp.load(name)
    with ann.person.socket(ann.table) as socket, sit(ann) as terminal:
        until(socket, "table")
        for ply in range(6):
            position = ann.shape()["position"]
            if position["result"] is not None:
                break
            if position["seat"] == 0:
                ann.act("move", position["legal"][-1])
            else:
                state = game.parse_state(position["state"])
                action = game.parse_action(state, position["legal"][-1])
                for answer in game.dialogue().answers(state, action):
                    terminal.type(answer)
            until(socket, "event", later_than(ply))
        if ann.shape()["status"] == "running":
            ann.act("resign")
        terminal.type("quit")
        screen = terminal.until_end()
    moves = ann.events("move")
    assert {seat for seat, _, _ in moves} == {0, 1}
    match = pp.Match(game)
    dialogue = game.dialogue()
    dialogue.width = 80
    assert "\n".join(dialogue.greeting(match.state)) in screen
    for _, _, text in moves:
        before = match.state
        action = game.parse_action(before, text)
        match.play(action)
        said = "\n".join(dialogue.confirm(before, action, match.state))
        if dialogue.mover(before) == game.side_names[0]:  # Ann, who is not "You" to Bob
            said = said.replace("You ", f"{game.side_names[0]} ")
        assert said in screen
    winner = "Bob (you)" if match.result is None else game.side_names[match.result.winner or 0]
    assert f"{winner} " in screen.partition("Score: Ann ")[0].splitlines()[-1]
    assert terminal.child.exitstatus == 0


def test_the_opponents_turn_is_shown_as_line_mode_shows_it(server: Server) -> None:
    ann = Opponent(server, "bit-flip:bits=5")
    with sit(ann) as terminal:
        ann.act("move", "1")
        screen = terminal.until_quiet_prompt_or_end()
    dialogue = pp.load("bit-flip:bits=5").dialogue()
    start = dialogue.game.initial()
    seats = "Ann is Player 1, Bob (you) is Player 2; Player 1 goes first."
    opening = (
        "Type help for commands.",
        "",
        seats,
        "",
        *dialogue.greeting(start),
        "",
        "Waiting for Ann.",
        "",
    )
    question = dialogue.question(start)
    after = dialogue.game.apply(start, 1)
    confirmed = dialogue.confirm(start, 1, after)
    assert confirmed[1] == "You flipped bit at position 1."
    named = (confirmed[0], "Player 1 flipped bit at position 1.", *confirmed[2:])
    turn = (*question.lines, f"{question.text}1", *named, "")
    own = dialogue.question(after)
    assert screen == drawn("\n".join((*opening, *turn, *own.lines, own.text)))


def test_piped_lines_answer_questions_and_their_end_leaves(server: Server, run: Run) -> None:
    ann = Opponent(server, "bit-flip:bits=5")
    done: list[subprocess.CompletedProcess[str]] = []
    with ann.person.socket(ann.table) as socket:
        player = threading.Thread(
            target=lambda: done.append(run("play", "--table", ann.join, typed="7\n3\n")), daemon=True
        )
        player.start()
        until(socket, "present", both_are_there)
        ann.act("move", "1")
        until(socket, "event", of("text", "3"))
        player.join(2 * PATIENCE)
    assert done[0].returncode == 0, done[0].stderr
    # Before Ann has moved nothing is asked, so that no line is lost.
    assert '"7" is not a move here' in done[0].stdout
    assert done[0].stdout.index("Waiting for Ann") < done[0].stdout.index('"7" is not')
    assert ann.events("move") == [(0, "move", "1"), (1, "move", "3")]
    assert ann.shape()["names"] == ["Ann", "Guest"]


def test_the_time_left_stands_before_the_question_and_its_end_is_said(tmp_path: Path) -> None:
    late = tmp_path / "late"  # once it is there, so much time has passed
    before = (
        "import os, time\nfrom perfectplay_server.live import hub\n"
        f"hub.monotonic = lambda: time.monotonic() + 1000 * os.path.exists({str(late)!r})"
    )
    with Server("--data", str(tmp_path), before=before) as server:
        ann = Opponent(server, "bit-flip:bits=5", clock={"per": "game", "seconds": 300})
        with sit(ann) as terminal:
            terminal.expect(r", who has [45]:\d\d left\.")
            ann.act("move", "0")
            terminal.expect(r"\[[45]:\d\d\] .*: $")
            late.touch()
            assert ann.person.act(ann.table, 4, "resign").json()["error"] == "time"
            terminal.expect(r"Ann won\. Bob \(you\) ran out of time\.")
            terminal.expect(r"Score: Ann 1, Bob \(you\) 0\.")
