"""The private parts of Textual that the full screen relies on are as they were."""

import inspect

import pytest
import textual
from textual.app import App
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver

from perfectplay.terminal.fullscreen.textual_internals import WRITTEN_FOR


def test_textual_is_the_release_that_the_module_was_written_for() -> None:
    """After an upgrade: read the module, compare it with the new source, and change `WRITTEN_FOR`."""
    assert textual.__version__.rpartition(".")[0] == WRITTEN_FOR


@pytest.mark.parametrize(
    ("where", "part"),
    [
        (App._handle_exception, "self._fatal_error()"),
        (App._fatal_error, "self._close_messages_no_wait()"),
        (LinuxDriver.__init__, "self._file = sys.__stderr__"),
        (LinuxDriver.write, "self._writer_thread.write("),
        (LinuxDriver.start_application_mode, "WriterThread(self._file)"),
        (Driver.__init__, "self._loop = asyncio.get_running_loop()"),
    ],
)
def test_each_private_part_is_used_by_textual_as_it_was(where: object, part: str) -> None:
    assert part in inspect.getsource(where)  # type: ignore[arg-type]
