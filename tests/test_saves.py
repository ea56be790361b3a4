"""Nothing is lost: kills, closed pipes, full disks, two terminals at one game."""

import os
import re
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from perfectplay import saves
from perfectplay.games.examples import transcripts
from tests.conftest import Run
from tests.terminals import Terminal

GAMES = {
    "bit-flip": ["4", "1", "7", "9"],
    "inversion-race": ["2", "1", "2", "1", "2", "1", "2", "1", "2"],
    "mirror-match": ["3", "E", "7", "B", "0", "5", "E", "3", "E", "9", "E", "0", "0", "0"],
    **{name: list(transcripts(name)[0].inputs) for name in ("dual-direction", "race-to-the-center")},
}


def only_file(folder: Path) -> Path:
    [file] = folder.glob("*.txt")
    return file


def finished_text() -> str:
    return only_file(saves.folder() / "finished").read_text()


def kill_after(lines: list[str], *args: str) -> None:
    """Type some lines, wait for the prompt after them, and pull the plug."""
    with Terminal(*args) as terminal:
        for line in lines:
            terminal.type(line)
        terminal.expect(Terminal.PROMPT)
        terminal.child.kill(signal.SIGKILL)
        terminal.until_end()


@pytest.mark.parametrize("name", GAMES)
def test_a_game_killed_at_any_prompt_goes_on_where_it_was(name: str, run: Run, home: Path) -> None:
    typed = GAMES[name]
    spec = f"{name}:disqualify_after=2" if name == "mirror-match" else name
    run("play", spec, "--seed", "1", typed="".join(f"{line}\n" for line in typed))
    whole = finished_text()
    only_file(saves.folder() / "finished").unlink()
    for count in range(2 if name == "mirror-match" else 1, len(typed)):
        kill_after(typed[:count], "play", spec, "--seed", "1")
        # A move half given, a number without its place, is no move yet and is asked for again.
        half = name == "mirror-match" and typed[count - 1] in "123456789"
        done = run("resume", typed="".join(f"{line}\n" for line in typed[count - half :]))
        assert done.returncode == 0, done.stderr
        assert finished_text() == whole
        only_file(saves.folder() / "finished").unlink()
        assert not list(saves.folder().glob("*.txt"))


def test_a_series_killed_in_the_middle_goes_on_with_its_score(run: Run) -> None:
    args = ("play", "bit-flip:bits=3", "--games", "3", "--seed", "9", "--p2", "random")
    run(*args, typed="1\n1\n1\n1\n")
    whole = finished_text()
    only_file(saves.folder() / "finished").unlink()
    kill_after(["1"], *args)
    done = run("resume", typed="1\n1\n1\n")
    assert done.returncode == 0
    assert finished_text() == whole
    assert "Score after game 3 of 3: p1 (human)" in done.stdout


def test_resuming_and_undoing_reproduce_a_random_players_choices(run: Run) -> None:
    args = ("play", "bit-flip:bits=40", "--p2", "random", "--seed", "11")
    straight = run(*args, typed="0\n4\n")
    reply = re.findall(r"flip: (\d+)\n", straight.stdout)
    only_file(saves.folder()).unlink()
    undone = run(*args, typed="0\nundo\n0\n4\nundo\n4\n")
    moves = only_file(saves.folder()).read_text()
    assert re.findall(r": (\d+) ->", moves) == reply
    run("resume", typed="undo\n")
    # The undo itself is on disk: the human's move and the reply to it are gone.
    assert len(re.findall(r"\n\d+\. ", only_file(saves.folder()).read_text())) == len(reply) - 2
    resumed = run("resume", typed="4\n")
    assert only_file(saves.folder()).read_text() == moves
    assert reply[-1] in re.findall(r"flip: (\d+)\n", undone.stdout + resumed.stdout)


def test_with_several_games_open_resume_lists_them(run: Run) -> None:
    assert run("resume").stdout == "No game is open.\n"
    run("play", "bit-flip", typed="4\n")
    run("play", "dual-direction", "--games", "3", typed="left\nright\n")
    listed = run("resume")
    assert listed.returncode == 0
    assert listed.stdout.splitlines() == [
        "2 games are open, the newest first:",
        "  1. dual-direction, game 1 of 3, human against human, 2 plies played",
        "  2. bit-flip, human against human, 1 ply played",
        f"A game is forgotten when its file in {saves.folder()} is deleted.",
        "Go on with one by its number: perfectplay resume NUMBER",
    ]
    assert "Available positions to flip: 0, 1, 2, 6, 7, 8, 9" in run("resume", "2").stdout
    wrong = run("resume", "3")
    assert (wrong.returncode, wrong.stderr) == (2, 'perfectplay: there is no saved game "3"\n')


def test_on_a_terminal_one_of_several_games_is_chosen(run: Run) -> None:
    run("play", "bit-flip", typed="4\n")
    run("play", "dual-direction", typed="left\n")
    with Terminal("resume") as terminal:
        terminal.type("9")
        terminal.type("2")
        terminal.type("quit")
        screen = terminal.until_end()
    assert '"9" is not a number from 1 to 2.' in screen
    assert "Going on with Bit Flip. Last: Player 1, 4." in screen


def test_a_damaged_save_is_listed_and_left_alone(run: Run) -> None:
    run("play", "bit-flip", typed="4\n")
    damaged = saves.folder() / "broken.txt"
    damaged.write_text("perfectplay record 1\ngame: bit")
    assert "unreadable at line 3: the header has no line" in run("resume").stdout
    assert damaged.read_text() == "perfectplay record 1\ngame: bit"


def test_a_finished_game_is_not_resumed(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    run("play", "bit-flip:bits=1", "--save", str(file), typed="0\n")
    done = run("resume", str(file))
    assert done.returncode == 2
    assert "this game is over; perfectplay replay shows it" in done.stderr


def test_save_writes_the_named_file_and_never_over_one(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    done = run("play", "bit-flip", "--save", str(file), typed="4\n")
    assert f"perfectplay resume {file}" in done.stdout
    before = file.read_text()
    assert "1. Player 1: 4" in before
    again = run("play", "bit-flip", "--save", str(file), typed="5\n")
    assert again.returncode == 2
    assert "exists already" in again.stderr
    assert file.read_text() == before
    assert "Available positions to flip: 0, 1, 2, 6" in run("resume", str(file), typed="1\n").stdout
    assert "2. Player 2: 1" in file.read_text()


def test_one_game_is_not_played_in_two_terminals(run: Run) -> None:
    with Terminal("play", "bit-flip") as terminal:
        terminal.type("4")
        terminal.expect(Terminal.PROMPT)
        second = run("resume")
        assert second.returncode == 2
        assert "is being played in another terminal" in second.stderr
        # A new game of the same kind, begun in the same second, is kept apart.
        assert run("play", "bit-flip", typed="5\n").returncode == 0
        terminal.child.sendline("quit")
        terminal.until_end()
    assert len(list(saves.folder().glob("*.txt"))) == 2


def test_ctrl_c_and_ctrl_d_leave_the_game_saved() -> None:
    with Terminal("play", "bit-flip") as terminal:
        terminal.type("4")
        terminal.expect(Terminal.PROMPT)
        terminal.child.sendintr()
        screen = terminal.until_end()
        assert terminal.child.exitstatus == 130
    assert "The game is saved. Go on with it by: perfectplay resume" in screen
    with Terminal("resume") as terminal:
        terminal.expect(Terminal.PROMPT)
        terminal.child.sendeof()
        screen = terminal.until_end()
        assert terminal.child.exitstatus == 0
    assert "The game is saved." in screen
    assert "Traceback" not in screen


def test_a_closed_pipe_ends_the_game_quietly_and_saved() -> None:
    child = subprocess.Popen(
        [sys.executable, "-u", "-m", "perfectplay", "play", "dual-direction"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert child.stdin
    assert child.stdout
    assert child.stderr
    child.stdin.write(b"left\n")
    child.stdin.flush()
    shown = b""
    while b"Current Position: 5\n" not in shown:
        shown += child.stdout.read(1)
    child.stdout.close()
    child.stdin.write(b"right\nright\n")
    child.stdin.close()
    assert child.wait(20) == 1
    assert child.stderr.read() == b""
    child.stderr.close()
    assert "1. Player 1: left" in only_file(saves.folder()).read_text()


def test_a_full_disk_is_spoken_of_once_and_the_game_goes_on(tmp_path: Path) -> None:
    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (150, 150))

    done = subprocess.run(
        [sys.executable, "-B", "-m", "perfectplay", "play", "dual-direction", "--seed", "1"],
        input=b"left\nright\n" * 4 + b"save\n",
        capture_output=True,
        check=False,
        preexec_fn=small_files,
    )
    output = done.stdout.decode()
    assert done.returncode == 0
    assert output.count("The game cannot be saved in") == 1
    assert "File too large. It goes on unsaved." in output
    assert output.count("Moved ") == 8
    assert "This game is not being saved" in output
    # What was saved while it could be is still whole, and no scrap of a later try is left.
    kept = saves.read(only_file(saves.folder()))[0]
    assert 1 <= len(kept.moves) < 8
    assert not list(saves.folder().glob(".*.partial"))


def test_a_folder_that_cannot_be_made_is_spoken_of_and_the_game_goes_on(run: Run) -> None:
    done = run("play", "dual-direction", typed="left\n", env={"PERFECTPLAY_HOME": os.devnull})
    assert done.returncode == 0
    assert done.stdout.count("The game cannot be saved in") == 1
    assert "Moved left to position 5." in done.stdout


def test_a_crash_while_writing_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game.txt"
    saves.write_whole(file, "old")

    def power_cut(*_: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", power_cut)
    with pytest.raises(OSError, match="Input/output error"):
        saves.write_whole(file, "new")
    assert file.read_text() == "old"
    assert {path.name for path in tmp_path.iterdir()} == {"game.txt", "home"}


def test_the_text_is_on_disk_before_it_takes_the_old_ones_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    fsync, replace = os.fsync, os.replace

    def noted_fsync(descriptor: int) -> None:
        steps.append("sync")
        fsync(descriptor)

    def noted_replace(old: Path, new: Path) -> None:
        steps.append("replace")
        replace(old, new)

    monkeypatch.setattr(os, "fsync", noted_fsync)
    monkeypatch.setattr(os, "replace", noted_replace)
    saves.write_whole(tmp_path / "game.txt", "new")
    assert steps == ["sync", "replace", "sync"]


def test_a_file_from_elsewhere_runs_nothing_unless_trusted(run: Run, tmp_path: Path) -> None:
    touched = tmp_path / "touched"
    file = tmp_path / "mine.txt"
    args = ("play", "bit-flip", "--p2", f"program:touch {touched}", "--save", str(file))
    failed = run(*args, typed="4\n")
    assert failed.returncode == 2
    assert touched.exists()
    touched.unlink()
    file.write_text(
        "perfectplay record 1\ngame: bit-flip\n"
        f"p1: human\np2: program:touch {touched}\nseed: 0\n\n1. Player 1: 4\nresult: in progress\n"
    )
    refused = run("resume", str(file))
    assert refused.returncode == 2
    assert "line 2: it would run the program of" in refused.stderr
    assert not touched.exists()
    assert run("resume", str(file), "--trust").returncode == 2
    assert touched.exists()
    file.write_text(file.read_text().replace("game: bit-flip", f"game: {tmp_path / 'evil.py'}"))
    (tmp_path / "evil.py").write_text(f"open({str(touched)!r}, 'w')")
    touched.unlink()
    assert "a game file is not allowed here" in run("resume", str(file)).stderr
    assert not touched.exists()
