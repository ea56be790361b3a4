"""What this release and every later one must read: records and save files of version 1."""

from pathlib import Path

import perfectplay as pp
from perfectplay import saves
from perfectplay.core.record import ENTRIES
from tests.conftest import Run

RECORDS = Path(__file__).parent / "formats" / "record_1.txt"
"""Never changed: add lines to it only for what version 1 can say and this file does not."""


def test_records_of_version_1_are_read_replayed_and_written_as_they_were() -> None:
    text = RECORDS.read_text("utf-8")
    records = pp.read_records(text)
    assert saves.join_records([str(record) for record in records]) == text
    for record in records:
        match = pp.Match.replay(record, pp.load(record.spec))
        assert match.record().moves == tuple(move._replace(line=0) for move in record.moves)


def test_the_records_have_every_line_that_version_1_has() -> None:
    text = RECORDS.read_text("utf-8")
    for word in ("forfeit", *ENTRIES):
        assert f": {word}" in text
    for key in ("series", "seats", "starts", "max-plies", "forgiving", "start"):
        assert f"\n{key}: " in text
    for result in ("Player 1 wins", "unfinished", "in progress"):
        assert f"\nresult: {result}" in text


def test_a_game_saved_by_version_1_is_resumed(run: Run) -> None:
    saves.folder().mkdir(parents=True)
    last = RECORDS.read_text("utf-8").split("\n\nperfectplay record 1\n")[2:4]
    text = "perfectplay record 1\n" + "\n\nperfectplay record 1\n".join(last) + "\n"
    (saves.folder() / "race-to-the-center-20261116-215000.txt").write_text(text)
    done = run("resume", typed="2\n")
    assert done.returncode == 0
    assert "Player 2 moves to position 8." in done.stdout
