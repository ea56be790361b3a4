"""The full screen on a real pseudo-terminal: how it opens, is killed, and leaves the terminal."""

import io
import os
import re
import signal
import sys
import termios
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pexpect
import pytest

from perfectplay import saves
from perfectplay.terminal import mode
from perfectplay.terminal.console import Console
from tests.conftest import ROOT

ENTERED, LEFT = "\x1b[?1049h", "\x1b[?1049l"
"""The other screen of a terminal, and back to the first."""


TIC_TAC_TOE = (ROOT / "examples" / "tic_tac_toe.py").read_text()
APPLY, VIEW = 'return f"{squares[:action]}', "legal = self.legal_actions(state)"


def _heed_signals() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def _under_nohup() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


@contextmanager
def terminal(
    *args: str,
    size: tuple[int, int] = (24, 80),
    env: Mapping[str, str] = {},
    signals: Callable[[], None] = _heed_signals,
) -> Iterator["pexpect.spawn[str]"]:
    """The command on a terminal of its own."""
    environment = {**os.environ, "TERM": "xterm-256color", **env}
    child: pexpect.spawn[str] = pexpect.spawn(
        sys.executable,
        ["-m", "perfectplay", *args],
        dimensions=size,
        env=environment,
        encoding="utf-8",
        timeout=30,
        preexec_fn=signals,
    )
    child.delaybeforesend = None
    try:
        yield child
    finally:
        child.close(force=True)


def test_killed_at_every_ply_nothing_is_lost() -> None:
    moves = ["4", "0", "9"]
    for played, move in enumerate(moves):
        with terminal(*(["resume"] if played else ["play", "bit-flip"])) as child:
            child.expect("you want to flip")
            child.send(f"{move}\r")
            child.expect(f"{played + 1}\\. P[12]: {move}")
            child.kill(signal.SIGKILL)
            child.wait()
        [file] = saves.open_games()
        assert [each.text for each in saves.read(file)[0].moves] == moves[: played + 1]


def test_the_terminal_is_left_as_it_was_found() -> None:
    with terminal("play", "bit-flip") as child:
        before = termios.tcgetattr(child.child_fd)
        child.expect_exact(ENTERED)
        child.expect("you want to flip")
        child.send("\x1a")  # Ctrl-Z
        child.expect_exact(LEFT)
        assert child.pid is not None
        os.waitpid(child.pid, os.WUNTRACED)
        assert termios.tcgetattr(child.child_fd) == before
        os.kill(child.pid, signal.SIGCONT)
        child.expect_exact(ENTERED)
        child.expect("you want to flip")
        child.send("4\r")
        child.expect("1\\. P1: 4")
        child.send("\x03")  # Ctrl-C
        child.expect_exact(LEFT)
        child.expect("The game is saved.")
        child.expect(pexpect.EOF)
        assert child.wait() == 130  # as in line mode


@pytest.mark.parametrize(("typed", "leave"), [("5\r", "\x03"), ("5\r", "q"), ("5\r\x03", "")])
def test_a_rule_that_does_not_return_is_left_by_the_keys_that_leave(
    typed: str, leave: str, tmp_path: Path
) -> None:
    endless = tmp_path / "endless.py"
    stuck = "import os; os.write(1, b'STUCK'); STUCK.append(1)"
    text = TIC_TAC_TOE.replace(APPLY, f"{stuck}\n        while STUCK: pass\n        {APPLY}")
    # The board, which is drawn again while the screen closes, does not come back then either.
    endless.write_text(text.replace(VIEW, f"while STUCK: pass\n        {VIEW}") + "\nSTUCK = []\n")
    with terminal("play", str(endless)) as child:
        before = termios.tcgetattr(child.child_fd)
        child.expect("Your move")
        child.logfile_read = shown = io.StringIO()
        child.send(typed)
        child.expect("STUCK")
        child.send(leave)
        child.expect(pexpect.EOF)
        assert child.wait() == 130
        assert termios.tcgetattr(child.child_fd) == before
    assert LEFT in shown.getvalue()
    said = shown.getvalue().rpartition("\x1b")[2]
    assert "No move was made, so nothing was saved." in said
    assert f'perfectplay: interrupted in the game file "{endless}", line 45: apply had not' in said


def test_an_error_in_a_game_file_leaves_a_line_and_the_game(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text(TIC_TAC_TOE.replace(APPLY, f"1 // (action - 4); {APPLY}"))
    with terminal("play", str(broken), size=(24, 200)) as child:
        child.expect("Your move")
        child.send("1\r")
        child.expect("1\\. X: 1")
        child.send("5\r")
        child.expect_exact(LEFT)
        child.expect(pexpect.EOF)
        said = (child.before or "").rpartition("\x1b")[2]
        assert "The game is saved. To continue it: " in said
        assert f'perfectplay: the game file "{broken}", line 44: ZeroDivisionError' in said
        assert "Traceback" not in said
        assert child.wait() == 2


@pytest.mark.parametrize("signals", [_heed_signals, _under_nohup])
@pytest.mark.parametrize("mode", ["full screen", "line by line"])
def test_a_closed_terminal_ends_the_game_and_keeps_it(mode: str, signals: Callable[[], None]) -> None:
    line = mode == "line by line"
    args = ["play", "bit-flip", "--p2", "level:5", *["--line"] * line]
    with terminal(*args, signals=signals) as child:
        child.expect("you want to flip")
        child.send("4\r")
        child.expect("Player 2's turn" if line else "1\\. P1: 4")
        pty: Any = child
        pty.ptyproc.fileobj.close()
        child.wait()  # for an end of its own: nothing is sent to it
    [file] = saves.open_games()
    assert saves.read(file)[0].moves[0].text == "4"


@pytest.mark.parametrize(
    ("args", "size", "env"),
    [
        (("--line",), (24, 80), {}),
        ((), (24, 80), {"PERFECTPLAY_LINE": "1"}),
        ((), (14, 80), {}),
        ((), (24, 39), {}),
        ((), (24, 80), {"PYTHONIOENCODING": "latin-1"}),
    ],
)
def test_line_mode_where_it_is_asked_for_or_the_screen_too_small(
    args: tuple[str, ...], size: tuple[int, int], env: dict[str, str]
) -> None:
    with terminal("play", "bit-flip", *args, size=size, env=env) as child:
        child.expect("flip: ")
        assert ENTERED not in (child.before or "")


def test_a_terminal_without_colors_gets_none() -> None:
    with terminal("play", "bit-flip", env={"TERM": "xterm-mono"}) as child:
        child.expect("you want to flip")
        assert not re.search(r"\x1b\[(?:[0-9]+;)*[349][0-7][;m]", child.before or "")


def test_line_mode_on_a_dumb_terminal_in_a_pipe_and_without_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream: Any = SimpleNamespace(isatty=lambda: True, fileno=lambda: 1, encoding="utf-8", write=len)
    monkeypatch.setattr(sys, "__stdout__", stream)
    monkeypatch.setattr(os, "get_terminal_size", lambda descriptor: os.terminal_size((40, 15)))
    monkeypatch.setenv("TERM", "xterm")
    console = Console(stream, stream)
    assert mode.full_screen(console)
    assert not mode.full_screen(Console(None, stream))
    assert not mode.full_screen(console, line=True)
    with monkeypatch.context() as without:
        without.setenv("TERM", "dumb")
        assert not mode.full_screen(console)
    monkeypatch.setattr(mode, "find_spec", lambda name: None)
    assert not mode.full_screen(console)
