"""What this release and every later one must read: an example of version 1 of each format."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from perfectplay_server.http.identity import Tokens
from tab import tables
from tab.stored import Stored
from tests.web.servers import Person, client
from tests.web.test_store import describe_schema

DATABASE = Path(__file__).parent / "formats" / "database_1.sql"
ANN = "m5wl0EF7ZrXRM7xrd4qSiJfpMkLWf4Gb4XMar-SwE1omv5VflO43tW0ZRkY0dQ9mzGvVeuadxU2Vdu3snza11U"
BOB = "TzYpWZL7M5rbKkT5hFwc8AFSxDnosGDNx54pkHzVEmE88GpWqs15NBrDmxSZ81775pSGt3rsNwIMeuSFaI5sVE"
KEY = "-j7FtVgkWBM6GYM1rSUF_WASs7ZBDcJO2BBhssVapXI"
TABLE = "l1u12sjOl6Fu"
IN_A_TAB: Stored = {
    "id": "t1",
    "game": "bit-flip:bits=4",
    "seed": 3,
    "players": [None, "level:3"],
    "events": [
        [1, 1794865223.979, 0, "sit", "Ann", 0, 0],
        [2, 1794865223.979, 1, "sit", "Computer (level 3)", 1, 0],
        [3, 1794865223.980, 0, "move", "2", 1, 0],
        [4, 1794865223.980, 1, "move", "0", 1, 0],
    ],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the database of a server that ran version 1."""
    with closing(sqlite3.connect(tmp_path / "tables.sqlite3")) as database:
        database.executescript(DATABASE.read_text())
    return tmp_path


def test_a_database_of_version_1_is_served(folder: Path) -> None:
    with client(folder) as server:
        ann, bob = Person(server, ANN), Person(server, BOB)
        found = ann.table(TABLE)
        assert (found["status"], found["seat"], found["games"], found["score"]) == ("running", 0, 2, [0, 1])
        assert found["clock"] == {"per": "game", "seconds": 300, "increment": 5}
        assert [each["text"] for each in found["moves"]] == ["0"]
        assert bob.table(TABLE)["seat"] == 1
        kinds = [each["kind"] for each in bob.events(TABLE)]
        assert kinds == ["sit", "sit", "move", "offer", "decline", "move", "offer", "accept", "move"]
        record = server.get(f"/api/tables/{TABLE}/games/1/record").text
        assert "game: bit-flip:bits=4" in record
        assert ann.act(TABLE, 10, "move", found["position"]["legal"][0]).status_code == 200
        assert {each["id"] for each in ann.get("/api/own-games").json()["games"]} == {TABLE, "kQB-dZtmiHlv"}


def test_the_definitions_are_those_of_version_1(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A change to a table needs a migration; this fails if only the definition was changed."""
    new = tmp_path_factory.mktemp("new")
    with client(new):
        pass
    with (
        closing(sqlite3.connect(folder / "tables.sqlite3")) as old,
        closing(sqlite3.connect(new / "tables.sqlite3")) as made,
    ):
        assert describe_schema(made) == describe_schema(old)


def test_tokens_of_version_1_are_recognized() -> None:
    assert [Tokens(KEY).has_issued(token) for token in (ANN, BOB, ANN[:-1] + "V")] == [True, True, False]


def test_a_table_that_a_tab_has_kept_opens() -> None:
    shown = tables.show(IN_A_TAB)
    assert (shown["status"], shown["score"], shown["names"]) == (
        "over",
        (0, 1),
        ["Ann", "Computer (level 3)"],
    )
    assert tables.record(IN_A_TAB, 1).startswith("perfectplay record 1\ngame: bit-flip:bits=4\n")
