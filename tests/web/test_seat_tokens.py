"""The files that hold the seats taken from this machine."""

from pathlib import Path

import pytest

from perfectplay import saves
from perfectplay.online.client import read_link
from perfectplay.online.seat_tokens import seat_file


def test_the_seats_of_web_tables_are_found_in_the_new_place(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PERFECTPLAY_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    (home / ".config" / "perfectplay" / "seats").mkdir(parents=True)  # as an older version has it
    assert seat_file(read_link("http://host/t/abc")).parent == saves.home() / "seats"
