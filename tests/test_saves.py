"""Nothing is lost: kills, closed pipes, full disks, two terminals at one game."""

import io
import itertools
import os
import re
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any, Self

import pytest

import perfectplay as pp
from perfectplay import saves
from perfectplay.core.series import Series
from perfectplay.output import write_whole
from perfectplay.players.random import RandomPlayer
from perfectplay.terminal import play
from perfectplay.terminal.console import Console
from perfectplay.terminal.line.line_mode import LineMode
from perfectplay.terminal.saved_games import describe
from perfectplay.terminal.session import Session
from tests.conftest import Run
from tests.games.transcripts import transcripts
from tests.terminal.terminals import Terminal

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
def test_a_game_killed_at_every_prompt_goes_on_where_it_was(name: str, run: Run, home: Path) -> None:
    typed = GAMES[name]
    spec = f"{name}:disqualify_after=2" if name == "mirror-match" else name
    play = ("play", spec, "--seed", "1")
    run(*play, typed="".join(f"{line}\n" for line in typed))
    whole = finished_text()
    only_file(saves.folder() / "finished").unlink()
    command: tuple[str, ...] = play
    half: list[str] = []
    for line in typed[:-1]:
        # A number without its place is not yet a move, so the question is asked again.
        lines, half = [*half, line], [line] if name == "mirror-match" and line in "123456789" else []
        if command == play and half:
            continue  # nothing has been played yet
        kill_after(lines, *command)
        command = ("resume",)
    done = run("resume", typed="".join(f"{line}\n" for line in [*half, typed[-1]]))
    assert done.returncode == 0, done.stderr
    assert finished_text() == whole
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
    assert "Score after game 3 of 3: you " in done.stdout


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
    for path, seconds in zip(saves.open_games(), (1_700_000_000, 1_600_000_000), strict=True):
        os.utime(path, (seconds, seconds))
    listed = run("resume", env={"TZ": "UTC"})
    assert listed.returncode == 0
    assert listed.stdout.splitlines() == [
        "2 games are open, newest first:",
        "  1. Dual Direction, game 1 of 3, two players, Player 1's turn after 2 moves, 14 November 2023",
        "  2. Bit Flip, two players, Player 2's turn after 1 move, 13 September 2020",
        "To remove one from this list: perfectplay resume --forget NUMBER",
        "To continue one: perfectplay resume NUMBER",
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
    assert "Continuing Bit Flip. Last: Player 1, 4." in screen


def test_a_damaged_save_is_listed_and_left_alone(run: Run) -> None:
    run("play", "bit-flip", typed="4\n")
    damaged = saves.folder() / "broken.txt"
    damaged.write_text("perfectplay record 1\ngame: bit")
    assert "unreadable at line 3: the header is missing the line" in run("resume").stdout
    assert damaged.read_text() == "perfectplay record 1\ngame: bit"


def test_a_finished_game_is_not_resumed(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    run("play", "bit-flip:bits=1", "--save", str(file), typed="0\n")
    done = run("resume", str(file))
    assert done.returncode == 2
    assert "this game is over; to see it: perfectplay replay" in done.stderr


def test_a_computer_that_cannot_play_is_named_before_a_game_is_resumed(run: Run) -> None:
    run("play", "bit-flip:bits=5", "--p2", "random", typed="2\n")
    file = only_file(saves.folder())
    file.write_text(file.read_text().replace("random", "learned"))
    done = run("resume", typed="4\n")
    assert done.returncode == 2
    assert (done.stdout, done.stderr.count("\n")) == ("", 1)
    assert "no trained policy comes with" in done.stderr


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
    assert "The game is saved. To continue it: perfectplay resume" in screen
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
    assert "File too large. It continues unsaved." in output
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


@pytest.mark.parametrize("players", [["--p1", "random", "--p2", "random"], []])
def test_a_file_to_save_in_that_cannot_be_made_is_refused_before_the_game(
    run: Run, tmp_path: Path, players: list[str]
) -> None:
    file = tmp_path / "missing" / "game.txt"
    done = run("play", "dual-direction", *players, "--save", str(file), typed="left\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f'perfectplay: the game cannot be saved in "{file}": No such file or directory\n'


def test_a_file_to_save_in_that_cannot_be_filled_gives_an_exit_code(tmp_path: Path) -> None:
    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    file = tmp_path / "game.txt"
    args = ["play", "bit-flip:bits=5", "--p1", "random", "--p2", "random", "--save", str(file)]
    done = subprocess.run(
        [sys.executable, "-B", "-m", "perfectplay", *args],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        preexec_fn=small_files,
    )
    assert done.returncode == 2
    assert done.stderr.decode() == f'perfectplay: the game cannot be saved in "{file}": File too large\n'


def test_a_crash_while_writing_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game.txt"
    write_whole(file, "old")

    def power_cut(*_: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", power_cut)
    with pytest.raises(OSError, match="Input/output error"):
        write_whole(file, "new")
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
    write_whole(tmp_path / "game.txt", "new")
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
    assert "is not allowed here: it would run a program; --trust allows it" in refused.stderr
    assert not touched.exists()
    assert run("resume", str(file), "--trust").returncode == 2
    assert touched.exists()
    file.write_text(file.read_text().replace("game: bit-flip", f"game: {tmp_path / 'evil.py'}"))
    (tmp_path / "evil.py").write_text(f"open({str(touched)!r}, 'w')")
    touched.unlink()
    assert "a game file is not allowed here" in run("resume", str(file)).stderr
    assert not touched.exists()


# Records that are kept


def test_records_that_are_said_to_be_kept_never_replace_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class OneSecond(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Self:
            return cls(2026, 1, 2, 3, 4, 5)

    monkeypatch.setattr(saves, "datetime", OneSecond)
    kept: dict[Path, str] = {}
    for number in range(4):
        # Two terminals at a time, and the next two as soon as these are done, all in one second.
        slots = [saves.SaveFile.new("bit-flip") for _ in range(2)]
        for each, slot in enumerate(slots):
            slot.write([f"game {number}.{each}"])
            kept[slot.finish()] = f"game {number}.{each}\n"
            slot.close()
    assert len(kept) == 8
    assert {path: path.read_text() for path in (saves.folder() / "finished").iterdir()} == kept


def test_files_moved_at_once_into_one_folder_all_get_there(tmp_path: Path) -> None:
    barrier = threading.Barrier(20)

    def move(number: int) -> None:
        file = tmp_path / str(number) / "game.txt"
        file.parent.mkdir()
        file.write_text(str(number))
        barrier.wait()
        saves.move_into(file, tmp_path / "finished")

    threads = [threading.Thread(target=move, args=[number]) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = sorted(int(path.read_text()) for path in (tmp_path / "finished").iterdir())
    assert found == list(range(20))


def test_a_new_save_never_replaces_a_file_that_came_meanwhile(tmp_path: Path) -> None:
    slot = saves.SaveFile(tmp_path / "mine.txt", new=True)
    (tmp_path / "mine.txt").write_text("theirs")
    with pytest.raises(FileExistsError):
        slot.write(["ours"])
    slot.close()
    with pytest.raises(FileExistsError):
        saves.SaveFile(tmp_path / "mine.txt", new=True)
    assert (tmp_path / "mine.txt").read_text() == "theirs"


# Games between computers


def computers(save: saves.SaveFile | None, games: int, wait: Callable[[], bool] | None = None) -> LineMode:
    series: Series[Any] = Series(
        pp.load("bit-flip:bits=5"), games, players=("random", "random"), seed=3, max_plies=100
    )
    return LineMode(Console(None, io.StringIO()), Session(series, save), wait=wait)


def test_the_players_that_were_prepared_play(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    prepared: list[RandomPlayer] = []
    chose: list[RandomPlayer] = []
    choose = RandomPlayer.choose

    def counted_choose(self: RandomPlayer, *position: Any) -> int:
        chose.append(self)
        return choose(self, *position)

    monkeypatch.setattr(RandomPlayer, "prepare", lambda self, game: prepared.append(self))
    monkeypatch.setattr(RandomPlayer, "choose", counted_choose)
    console = Console(None, io.StringIO())
    new = play.new_series("bit-flip", players=("random", "random"), seed=1)
    play.start(console, new, save=tmp_path / "game.txt")
    assert len(prepared) == 2
    assert {id(player) for player in chose} == {id(player) for player in prepared}


def test_between_computers_the_file_grows_game_by_game(monkeypatch: pytest.MonkeyPatch) -> None:
    syncs: list[int] = []
    monkeypatch.setattr(os, "fsync", syncs.append)
    save = saves.SaveFile.new("bit-flip")
    sizes: list[int] = []

    def measure() -> bool:
        sizes.append(save.path.stat().st_size if save.path.exists() else 0)
        return False

    session = computers(save, 20, measure)
    session.run()
    assert save.path.parent == saves.folder() / "finished"
    assert save.path.read_text() == "\n\n".join(map(str, session.session.series.records())) + "\n"
    # Nothing is written in the middle of a game, and what was written is only added to.
    assert len(set(sizes)) == 20
    assert sizes == sorted(sizes)
    # Every game, the name of the file, and its name among those that are over.
    assert len(syncs) == 22
    save.close()


@pytest.mark.parametrize("plies", [1, 7])
def test_computers_that_are_interrupted_are_saved_in_the_middle_of_a_game(plies: int) -> None:
    turns = itertools.count()

    def interrupted() -> bool:
        if next(turns) == plies:
            raise KeyboardInterrupt
        return False

    save = saves.SaveFile.new("bit-flip")
    session = computers(save, 20, interrupted)
    with pytest.raises(KeyboardInterrupt):
        play.run(session)
    assert "The game is saved. To continue it: " in session.console.stdout.getvalue()  # type: ignore[attr-defined]
    records = saves.read(save.path)
    assert sum(len(record.moves) for record in records) == plies
    assert records[-1].result is None


def test_computers_that_are_killed_have_all_games_that_were_shown(run: Run) -> None:
    args = ["play", "bit-flip:bits=5", "--games", "300", "--seed", "9", "--p1", "random", "--p2", "random"]
    child = subprocess.Popen([sys.executable, "-m", "perfectplay", *args], stdout=subprocess.PIPE)
    assert child.stdout
    shown = b""
    while b"Score after game 20 of 300" not in shown:
        shown += child.stdout.read(100)
    child.kill()
    shown += child.stdout.read()
    child.wait()
    child.stdout.close()
    records = saves.read_series(only_file(saves.folder()))
    assert all(record.result for record in records)
    assert len(records) >= shown.count(b"Score after game") >= 20
    assert run("resume").returncode == 0
    resumed = finished_text()
    only_file(saves.folder() / "finished").unlink()
    assert run(*args).returncode == 0
    assert finished_text() == resumed


def test_a_game_cut_off_by_a_power_cut_is_played_again_if_computers_played_it(run: Run) -> None:
    args = ("play", "bit-flip:bits=5", "--games", "4", "--seed", "9", "--p1", "random", "--p2", "random")
    run(*args)
    whole = finished_text()
    last = whole.rindex("perfectplay record 1")
    only_file(saves.folder() / "finished").unlink()
    for length in (last + 5, last + 40, whole.rindex("result: ") + 3, len(whole) - 9, len(whole) - 1):
        (saves.folder() / "cut.txt").write_text(whole[:length])
        assert "Bit Flip (bits=5)" in describe(saves.folder() / "cut.txt")
        assert run("resume").returncode == 0
        assert finished_text() == whole
        only_file(saves.folder() / "finished").unlink()
    # A person's moves are never taken for half-written.
    (saves.folder() / "cut.txt").write_text(whole[: last + 40].replace("p1: random", "p1: human"))
    refused = run("resume")
    assert refused.returncode == 2
    assert 'the header is missing the line "p1: ..."' in refused.stderr


def test_a_full_disk_leaves_whole_games(tmp_path: Path) -> None:
    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    args = ["play", "bit-flip:bits=5", "--games", "30", "--seed", "9", "--p1", "random", "--p2", "random"]
    done = subprocess.run(
        [sys.executable, "-B", "-m", "perfectplay", *args],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        preexec_fn=small_files,
    )
    assert done.stdout.count(b"The game cannot be saved in") == 1
    assert b"Score after game 30 of 30" in done.stdout
    assert b"The record is kept" not in done.stdout
    kept = saves.read(only_file(saves.folder()))
    assert 1 < len(kept) < 30
    assert all(record.result for record in kept)


# The list of open games


def test_a_game_is_forgotten_by_its_number_and_its_file_is_kept(run: Run) -> None:
    run("play", "bit-flip", typed="4\n")
    run("play", "dual-direction", typed="left\n")
    newest, oldest = saves.open_games()
    text = oldest.read_text()
    done = run("resume", "--forget", "2")
    kept = saves.folder() / "forgotten" / oldest.name
    assert done.returncode == 0
    first, *rest = done.stdout.splitlines()
    assert re.fullmatch(
        r"Forgotten: Bit Flip, two players, Player 2's turn after 1 move, today at \d\d:\d\d",
        first,
    )
    assert rest == [f"Its file is now {kept}", f"To continue it after all: perfectplay resume {kept}"]
    assert saves.open_games() == (newest,)
    assert kept.read_text() == text
    assert "Continuing Bit Flip." in run("resume", str(kept)).stdout
    for wrong in ("2", "0", "x"):
        refused = run("resume", "--forget", wrong)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert (
            refused.stderr
            == f'perfectplay: there is no saved game "{wrong}"; perfectplay resume lists them\n'
        )
    assert run("resume", "1", "--forget", "1").returncode == 2
    held = saves.SaveFile(newest)
    assert "is being played in another terminal" in run("resume", "--forget", "1").stderr
    held.close()
    assert saves.open_games() == (newest,)


def test_a_broken_save_is_listed_with_the_name_of_its_file(run: Run) -> None:
    saves.folder().mkdir(parents=True)
    for name in ("one.txt", "two.txt"):
        (saves.folder() / name).write_text("no record\n")
    assert re.findall(r"\d\. (\w+\.txt): unreadable at line 1: ", run("resume").stdout) == [
        "two.txt",
        "one.txt",
    ]


@pytest.mark.parametrize("word", ["q", "Quit"])
def test_the_question_for_an_open_game_can_be_left_with_quit(run: Run, word: str) -> None:
    run("play", "bit-flip", typed="4\n")
    run("play", "dual-direction", typed="left\n")
    with Terminal("resume", "--line") as terminal:
        terminal.type(word)
        assert "is not a number" not in terminal.until_end()
        assert terminal.child.exitstatus == 0


# What is said about a file


@pytest.mark.parametrize(
    "args",
    [
        ("inversion-race:first=B",),
        ("inversion-race", "--first", "2"),
        ("inversion-race:first=B", "--games", "2"),
    ],
)
def test_a_resumed_game_names_the_side_that_started(run: Run, tmp_path: Path, args: tuple[str, ...]) -> None:
    file = tmp_path / "game.txt"
    begun = run("play", *args, "--p2", "level:2", "--seed", "1", "--save", str(file))
    resumed = run("resume", str(file)).stdout
    assert "Last: Player B" in resumed
    for said in (begun.stdout, resumed):
        assert "Player B goes first." in said
        assert "Player A goes first." not in said


def test_a_file_that_exists_already_comes_with_advice_that_works(run: Run, tmp_path: Path) -> None:
    def refuse(name: str) -> str:
        done = run("play", "bit-flip", "--save", name, cwd=tmp_path)
        assert done.returncode == 2
        return done.stderr

    run("play", "bit-flip", "--save", "open.txt", typed="4\n", cwd=tmp_path)
    run("play", "bit-flip", "--save", "it is over.txt", typed="resign\n", cwd=tmp_path)
    (tmp_path / "letter.txt").write_text("Dear Ann\n")
    assert refuse("open.txt").endswith("exists already; to continue it: perfectplay resume open.txt\n")
    over = "this game is over; to see it: perfectplay replay 'it is over.txt'\n"
    assert refuse("it is over.txt").endswith(f"exists already; {over}")
    assert run("resume", "it is over.txt", cwd=tmp_path).stderr.endswith(over)
    assert refuse("letter.txt").endswith("exists already and is not a saved game; choose another name\n")
    assert run("replay", "it is over.txt", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("header", "line"), [("game: chess", 2), ("p1: program:touch x", 3), ("p2: nobody", 4)]
)
def test_a_header_that_is_refused_is_named_by_its_line(
    run: Run, tmp_path: Path, header: str, line: int
) -> None:
    lines = [
        "perfectplay record 1",
        "game: bit-flip",
        "p1: human",
        "p2: human",
        "seed: 0",
        "",
        "result: in progress",
    ]
    lines[line - 1] = header
    file = tmp_path / "game.txt"
    file.write_text("\n".join(lines) + "\n")
    refused = run("resume", str(file))
    assert refused.returncode == 2
    assert f'"{file}", line {line}: ' in refused.stderr


def test_a_name_without_a_file_gets_a_hint(run: Run) -> None:
    hint = "perfectplay: there is no file mirror-match; to play moves of the game, add --moves\n"
    assert run("replay", "mirror-match").stderr == hint
    assert run("replay", "nothing.txt").stderr == "perfectplay: nothing.txt: No such file or directory\n"
    assert run("resume", "").stderr == 'perfectplay: there is no saved game ""\n'
