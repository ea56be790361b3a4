"""Where output goes: only plain files are replaced, whole; links, pipes, devices and `-` stay what they are."""

import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from perfectplay.output import is_standard_output, write_whole, writing
from tests.conftest import Run


@contextmanager
def read_from(pipe: Path) -> Iterator[list[bytes]]:
    """Read all that is written to a pipe meanwhile; without a writer there is nothing, not a hang."""
    found: list[bytes] = []
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    held = os.open(pipe, os.O_WRONLY)  # so that the reader waits until all have written
    os.set_blocking(reader, True)

    def read() -> None:
        while part := os.read(reader, 65536):
            found.append(part)

    thread = threading.Thread(target=read)
    thread.start()
    yield found
    os.close(held)
    thread.join()
    os.close(reader)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"home"}


def test_a_plain_file_is_replaced_whole_and_keeps_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("old")
    file.chmod(0o640)
    with writing(file) as out:
        out.write(b"new")
        assert file.read_text() == "old"
    assert file.read_text() == "new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    with suppress(ZeroDivisionError), writing(file) as out:
        out.write(b"half" * (1 // 0))
    assert file.read_text() == "new"
    assert names(tmp_path) == {"a.txt"}


def test_a_write_protected_file_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.txt"
    file.write_text("old")
    # Nothing is protected from the superuser, who may run this.
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    with pytest.raises(PermissionError) as caught:
        write_whole(file, "new")
    assert caught.value.filename == str(file)
    assert file.read_text() == "old"


def test_a_new_file_replaces_nothing(tmp_path: Path) -> None:
    write_whole(tmp_path / "a.txt", "one", new=True)
    with pytest.raises(FileExistsError) as caught:
        write_whole(tmp_path / "a.txt", "two", new=True)
    assert caught.value.filename == str(tmp_path / "a.txt")
    # Nor does it if the other file comes while this one is being written.
    with pytest.raises(FileExistsError), writing(tmp_path / "b.txt", new=True):
        (tmp_path / "b.txt").write_text("theirs")
    assert (tmp_path / "a.txt").read_text() == "one"
    assert (tmp_path / "b.txt").read_text() == "theirs"
    assert names(tmp_path) == {"a.txt", "b.txt"}


def test_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    target = tmp_path / "folder" / "target"
    target.write_text("old")
    (tmp_path / "link").symlink_to("second")
    (tmp_path / "second").symlink_to(target)
    write_whole(tmp_path / "link", "new")
    assert target.read_text() == "new"
    target.unlink()
    write_whole(tmp_path / "link", "made", new=True)
    assert target.read_text() == "made"
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "second").is_symlink()
    assert names(tmp_path / "folder") == {"target"}
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(OSError, match="Too many levels of symbolic links"):
        write_whole(tmp_path / "loop", "new")
    (tmp_path / "lost").symlink_to("none/file")
    with pytest.raises(FileNotFoundError) as caught:
        write_whole(tmp_path / "lost", "new")
    assert caught.value.filename == str(tmp_path / "lost")
    assert (tmp_path / "loop").is_symlink()
    assert (tmp_path / "lost").is_symlink()


@pytest.mark.parametrize("new", [False, True])
def test_a_pipe_is_written_to_and_so_is_one_behind_a_link(new: bool, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    with read_from(tmp_path / "pipe") as found:
        write_whole(tmp_path / "pipe", "one ", new=new)
        write_whole(tmp_path / "link", "two", new=new)
    assert b"".join(found) == b"one two"
    assert (tmp_path / "pipe").is_fifo()
    assert (tmp_path / "link").is_symlink()
    assert names(tmp_path) == {"pipe", "link"}


def test_a_device_is_written_to() -> None:
    # A terminal: unlike other devices, it could not be replaced by a file if this went wrong.
    master, slave = os.openpty()
    device = Path(os.ttyname(slave))
    write_whole(device, "text")
    assert os.read(master, 100) == b"text"
    assert device.is_char_device()
    os.close(slave)
    os.close(master)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        write_whole(tmp_path, "text")


@pytest.mark.parametrize("name", ["-", "/dev/stdout", "/dev/fd/1"])
def test_a_dash_is_standard_output(name: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert is_standard_output(Path(name))
    write_whole(Path(name), "täxt")
    assert capfdbinary.readouterr().out == "täxt".encode()
    assert not Path("-").exists()


def test_a_file_that_standard_output_goes_to_is_added_to(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("before\n")
    with log.open("a") as out:
        command = [sys.executable, "-m", "perfectplay", "dataset", "bit-flip:bits=1", "--out", "/dev/stdout"]
        subprocess.run(command, stdout=out, stderr=subprocess.DEVNULL, check=True)
    first, *rows = log.read_text().splitlines()
    assert (first, len(rows)) == ("before", 2)


def test_a_missing_standard_output_is_an_error_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(OSError, match="there is no standard output to write to"):
        write_whole(Path("-"), "text")


def test_the_commands_write_to_pipes_links_and_standard_output(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "target.html").write_text("old")
    (tmp_path / "link.html").symlink_to("target.html")
    (tmp_path / "rows").symlink_to("pipe")
    audit, dataset = ("audit", "dual-direction", "--html"), ("dataset", "bit-flip:bits=1", "--out")
    page = run(*audit, "-", cwd=tmp_path)
    assert page.stdout.startswith("<!DOCTYPE html>")
    assert page.stdout.rstrip().endswith("</html>")
    assert page.stderr == "The audit went to standard output\n"
    assert run(*audit, "link.html", "--force", cwd=tmp_path).stdout == "The audit is in link.html\n"
    assert (tmp_path / "target.html").read_text() == page.stdout
    with read_from(tmp_path / "pipe") as found:
        run(*audit, "pipe", cwd=tmp_path)
    assert b"".join(found).decode() == page.stdout
    rows = run(*dataset, "-", cwd=tmp_path)
    assert len(rows.stdout.splitlines()) == 2
    assert rows.stderr == "2 positions of bit-flip:bits=1 went to standard output\n"
    with read_from(tmp_path / "pipe") as found:
        said = run(*dataset, "rows", cwd=tmp_path)
    assert b"".join(found).decode() == rows.stdout
    assert said.stdout == "2 positions of bit-flip:bits=1 are in rows\n"
    for args in (audit, dataset):
        refused = run(*args, ".", cwd=tmp_path)
        assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert names(tmp_path) == {"pipe", "target.html", "link.html", "rows"}
    assert (tmp_path / "pipe").is_fifo()
    assert (tmp_path / "link.html").is_symlink()


def test_a_copy_of_a_game_goes_to_pipes_links_and_the_screen(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("target")
    with read_from(tmp_path / "pipe") as found:
        done = run(
            "play", "bit-flip", typed="4\nsave pipe\nsave link\nsave -\nsave .\nsave link\n", cwd=tmp_path
        )
    record = (tmp_path / "target").read_text()
    assert "1. Player 1: 4" in record
    assert b"".join(found).decode() == record
    assert f"{record}Enter" in done.stdout
    assert "A copy is in pipe\n" in done.stdout
    assert "A copy is in -\n" not in done.stdout
    assert "Cannot write .: Is a directory\n" in done.stdout
    assert "link exists already and was not changed.\n" in done.stdout
    assert names(tmp_path) == {"pipe", "link", "target"}


def test_a_game_is_kept_behind_a_link_but_not_in_what_cannot_be_read_again(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("target")
    assert run("play", "bit-flip", "--save", "link", typed="4\n5\n", cwd=tmp_path).returncode == 0
    assert (tmp_path / "link").is_symlink()
    assert "1. Player 1: 4" in (tmp_path / "target").read_text()
    for name in ("pipe", ".", "-"):
        refused = run("play", "bit-flip", "--save", name, cwd=tmp_path)
        assert refused.returncode == 2
        assert refused.stderr == (
            f"perfectplay: save={name}: must be a plain file, so that the game can be read again\n"
        )
    assert names(tmp_path) == {"pipe", "link", "target"}
