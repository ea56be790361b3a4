"""Data of older versions moves from the configuration folder to the data folder, and nothing is lost."""

import errno
import fcntl
import os
from collections.abc import Callable
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest

from perfectplay import migration, saves
from tests.conftest import Run

GAME = "perfectplay record 1\ngame: bit-flip\np1: human\np2: human\nseed: 1\n\n1. Player 1: 4\nresult: in progress\n"
KEPT = {
    "games/one.txt": GAME,
    "games/two.txt": GAME.replace("4", "5"),
    "games/notes about two": "mine",
    "games/finished/one.txt": "finished",
    "seats/abc.json": "{}",
    "web/tables.sqlite": "tables",
    "web/tables.sqlite-wal": "more",
}


@pytest.fixture
def old(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an older version with something of everything in it."""
    for name in ("PERFECTPLAY_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    folder = home / ".config" / "perfectplay"
    for name, text in KEPT.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
        os.utime(folder / name, (1_600_000_000, 1_600_000_000))
    (folder / "seats").chmod(0o700)
    return folder


def contents(folder: Path) -> dict[str, str]:
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_text() for name, path in found.items() if not name.endswith(".lock")}


def apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each folder be a file system of its own."""

    def far(move: Callable[..., Any]) -> Callable[..., Any]:
        def moved(one: Path, two: Path) -> Any:
            if Path(one).parent != Path(two).parent:
                raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
            return move(one, two)

        return moved

    monkeypatch.setattr(os, "replace", far(os.replace))
    monkeypatch.setattr(os, "rename", far(os.rename))


@pytest.mark.parametrize("far", [False, True], ids=["on one disk", "across disks"])
def test_everything_is_moved_once_with_its_date(
    far: bool, old: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if far:
        apart(monkeypatch)
    new = home / ".local" / "share" / "perfectplay"
    assert saves.home() == new
    assert migration.migrate() == (f"Saved games are now kept in {new}: 7 files moved from {old}",)
    assert contents(new) == KEPT
    assert not old.exists()
    assert {int(path.stat().st_mtime) for path in saves.open_games()} == {1_600_000_000}
    assert (new / "seats").stat().st_mode & 0o777 == 0o700
    assert migration.web_folder() == new / "web"
    assert migration.migrate() == ()
    assert contents(new) == KEPT


def test_the_first_start_of_a_command_moves_it(old: Path, home: Path, run: Run) -> None:
    new = home / "elsewhere" / "perfectplay"
    done = run("resume", "2", env={"XDG_DATA_HOME": str(new.parent)})
    assert done.stderr == f"Saved games are now kept in {new}: 7 files moved from {old}\n"
    assert "Continuing Bit Flip. Last: Player 1, 4." in done.stdout
    assert contents(new) == KEPT


def test_a_folder_of_ones_own_is_left_alone(old: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERFECTPLAY_HOME", str(home / "mine"))
    assert migration.migrate() == ()
    assert saves.folder() == home / "mine" / "games"
    assert migration.web_folder() == home / "mine" / "web"
    monkeypatch.delenv("PERFECTPLAY_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(old.parent))  # the two are one
    assert migration.migrate() == ()
    assert contents(old) == KEPT


def test_a_name_that_is_taken_gets_a_number(old: Path) -> None:
    new = saves.home()
    theirs = {
        "games/one.txt": "another",
        "games/two.txt": KEPT["games/two.txt"],
        "web/tables.sqlite": "others",
    }
    for name, text in theirs.items():
        (new / name).parent.mkdir(parents=True, exist_ok=True)
        (new / name).write_text(text)
    said = migration.migrate()
    # The same text under the same name is the file itself, moved before; two databases are not mixed.
    stays = {name: text for name, text in KEPT.items() if name.startswith("web")}
    moved = {name: text for name, text in KEPT.items() if name not in stays and name != "games/one.txt"}
    assert contents(new) == {**moved, **theirs, "games/one-2.txt": GAME}
    assert contents(old) == stays
    assert said[1] == (
        f"Not everything could be moved from {old} to {new}:"
        f" {new / 'web'} already exists; serve --data {old / 'web'} uses the old tables"
    )


def test_what_is_in_use_stays_until_it_is_not(old: Path) -> None:
    playing = saves.SaveFile(old / "games" / "one.txt")
    serving = os.open(old / "web" / ".serve.lock", os.O_CREAT | os.O_RDWR)
    fcntl.flock(serving, fcntl.LOCK_EX)
    said = migration.migrate()
    assert said[0].endswith(f": 4 files moved from {old}")
    assert said[1].endswith('one.txt" is being played in another terminal (and 1 more like this)')
    assert set(contents(old)) == {"games/one.txt", "web/tables.sqlite", "web/tables.sqlite-wal"}
    assert migration.web_folder() == old / "web"
    playing.write([GAME.rstrip()])
    playing.close()
    os.close(serving)
    assert len(migration.migrate()) == 1
    assert contents(saves.home()) == KEPT
    assert not old.exists()


@pytest.mark.parametrize("far", [False, True], ids=["on one disk", "across disks"])
def test_it_may_be_interrupted_at_any_step(far: bool, old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each start is stopped one step later than the last, until one comes to its end."""
    steps = 0

    def counted(call: Callable[..., Any], before: bool) -> Callable[..., Any]:
        def called(*args: Any, **settings: Any) -> Any:
            nonlocal steps
            steps -= 1
            if not steps and before:
                raise KeyboardInterrupt
            result = call(*args, **settings)
            if not steps:
                raise KeyboardInterrupt
            return result

        return called

    for count in range(1, 200):
        for name, text in KEPT.items():
            found = [*old.parent.rglob(Path(name).name), *saves.home().rglob(Path(name).name)]
            assert text in [path.read_text() for path in found], (count, name)
        with monkeypatch.context() as patch:
            steps = count
            for name in ("replace", "rename", "unlink", "rmdir", "fsync"):
                patch.setattr(os, name, counted(getattr(os, name), before=count % 2 == 0))
            if far:
                apart(patch)
            try:
                migration.migrate()
            except KeyboardInterrupt:
                continue
        break
    assert steps > 0
    assert set(contents(saves.home()).items()) >= set(KEPT.items())
    assert contents(old) == {}


def test_where_it_fails_the_game_goes_on(old: Path, home: Path, run: Run) -> None:
    blocked = home / "a file"
    blocked.write_text("")
    done = run("play", "bit-flip", typed="4\n", env={"XDG_DATA_HOME": str(blocked)})
    assert done.returncode == 0
    assert done.stderr == (
        f"Not everything could be moved from {old} to {blocked / 'perfectplay'}:"
        f" {blocked / 'perfectplay'}: Not a directory\n"
    )
    assert "You flipped bit at position 4." in done.stdout
    assert contents(old) == KEPT


def test_two_starts_at_once_move_everything_once(old: Path) -> None:
    barrier = Barrier(4)
    said: list[str] = []

    def start() -> None:
        barrier.wait()
        said.extend(migration.migrate())

    threads = [Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert contents(saves.home()) == KEPT
    assert len(said) == 1
