"""The database of the web server: versions, and what happens when several want the same."""

import asyncio
import math
import sqlite3
from pathlib import Path
from threading import current_thread
from typing import Any

import pytest
import sqlalchemy as sql

from perfectplay.tables.events import Event
from perfectplay_server.storage import schema, writer
from perfectplay_server.storage.database import UnsavedError, sqlite_url
from perfectplay_server.storage.schema import MIGRATIONS, TOKENS, DatabaseError
from perfectplay_server.storage.store import Store
from perfectplay_server.storage.writer import Checkpoints
from perfectplay_server.storage.writes import Drop, Write, event_columns, execute, execute_moves, join_notices


def table_row(name: str, **changes: Any) -> dict[str, Any]:
    return {
        "id": name,
        "game": "bit-flip",
        "seed": 1,
        "player0": None,
        "player1": None,
        "code": "c",
        "public": True,
        "touched": 1.0,
        "status": "open",
        "due": False,
        "turn": None,
        "name0": "Ann",
        "name1": None,
        "score0": 0,
        "score1": 0,
        "plies": 0,
        **changes,
    }


def sits(table: str, number: int = 1, owner: str = "h") -> dict[str, Any]:
    return event_columns(table, Event(number, 0.5, 0, "sit", "Ann"), owner)


def moves(table: str, number: int, text: str = "4") -> dict[str, Any]:
    return event_columns(table, Event(number, 0.5, 0, "move", text, 1))


def written(store: Store, *writes: Write) -> list[bool | BaseException]:
    """The answers to writes that wait together: the thread that writes begins after all have come."""

    async def run() -> list[bool | BaseException]:
        answers = [store.write(write) for write in writes]
        store.start()
        return await asyncio.gather(*answers, return_exceptions=True)

    return asyncio.run(run())


def test_what_is_written_is_read(tmp_path: Path) -> None:
    store = Store(sqlite_url(tmp_path))
    assert written(store, Write(table=table_row("t"), events=[sits("t"), moves("t", 2)])) == [True]
    store.close()
    again = Store(sqlite_url(tmp_path))
    found = again.load("t")
    assert found is not None
    assert (found.owners, found.row["code"], found.row["public"]) == (("h", None), "c", True)
    assert found.events == [Event(1, 0.5, 0, "sit", "Ann"), Event(2, 0.5, 0, "move", "4", 1)]
    assert again.load("u") is None
    assert again.events("t", after=1) == found.events[1:]
    assert again.events("t", game=1) == found.events[1:]
    assert again.owners("t") == ("h", None)
    again.close()


def test_of_two_events_of_one_number_the_first_counts_and_the_others_are_not_harmed(tmp_path: Path) -> None:
    store = Store(sqlite_url(tmp_path))
    answers = written(
        store,
        Write(table=table_row("t"), events=[sits("t")]),
        Write(table=table_row("u"), events=[sits("u")]),
        Write(events=[moves("t", 2, "first")]),
        Write(events=[moves("t", 2, "second"), moves("t", 3, "second")]),
        Write(events=[moves("u", 2, "other")]),
        Write(events=[moves("gone", 1)]),
        Write(table=table_row("t", code="another")),
    )
    assert answers == [True, True, True, False, True, False, False]
    assert [event.text for event in store.events("t")] == ["Ann", "first"]
    assert [event.text for event in store.events("u")] == ["Ann", "other"]
    store.close()


def test_of_two_moves_of_one_number_the_first_counts(tmp_path: Path) -> None:
    """As above, but with nothing but moves, which take a shorter way."""
    store = Store(sqlite_url(tmp_path))

    async def run() -> list[bool]:
        store.start()
        await store.write(Write(table=table_row("t"), events=[sits("t")]))
        wanted = [moves("t", 2, "first"), moves("t", 2, "second"), moves("t", 3, "third")]
        return await asyncio.gather(*(store.write(Write(events=[row])) for row in wanted))

    assert asyncio.run(run()) == [True, False, True]
    assert [event.text for event in store.events("t")] == ["Ann", "first", "third"]
    store.close()


def test_what_waits_is_written_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(sqlite_url(tmp_path))
    commits = []
    sql.event.listen(store.engine, "commit", lambda connection: commits.append(connection))
    made = [Write(table=table_row(str(number)), events=[sits(str(number))]) for number in range(50)]
    assert written(store, *made) == [True] * 50
    assert len(commits) == 1
    store.close()


def test_what_cannot_be_written_is_said_to_be_unsaved(tmp_path: Path) -> None:
    store = Store(sqlite_url(tmp_path))
    with sqlite3.connect(tmp_path / "tables.sqlite3") as connection:
        connection.execute("ALTER TABLE events RENAME TO hidden")
    answers = written(store, Write(table=table_row("t"), events=[sits("t")]))
    assert [type(answer) for answer in answers] == [UnsavedError]
    with pytest.raises(UnsavedError):
        store.events("t")
    with sqlite3.connect(tmp_path / "tables.sqlite3") as connection:
        assert connection.execute("SELECT count(*) FROM tables").fetchone() == (0,)
    store.close()


def test_the_settings_of_sqlite_keep_what_is_committed(tmp_path: Path) -> None:
    store = Store(sqlite_url(tmp_path))
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    store.close()


def test_the_log_of_sqlite_is_moved_beside_the_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "COMMITS", 3)
    moved: list[str] = []
    move = Checkpoints.move_log

    def noted(self: Checkpoints) -> None:
        moved.append(current_thread().name.split("_")[0])
        move(self)

    monkeypatch.setattr(Checkpoints, "move_log", noted)
    store = Store(sqlite_url(tmp_path))

    async def run() -> None:
        store.start()
        await store.write(Write(table=table_row("t")))
        number = 0
        while len(moved) < 10:
            number += 1
            await store.write(Write(events=[moves("t", number, "x" * 20_000)]))

    asyncio.run(run())
    # A reader moves most of the log, and the writer the rest, after which the log starts from its beginning.
    assert moved[:10] == ["reader", "writer"] * 5
    assert (tmp_path / "tables.sqlite3").stat().st_size > 10 * 20_000
    store.close()


def test_the_database_is_brought_up_to_date_once(tmp_path: Path) -> None:
    runs = []

    def another(connection: sql.Connection) -> None:
        runs.append(1)
        connection.exec_driver_sql("ALTER TABLE tables ADD COLUMN extra TEXT")

    Store(sqlite_url(tmp_path)).close()
    for _ in range(2):
        Store(sqlite_url(tmp_path), (*MIGRATIONS, another)).close()
    assert runs == [1]
    newest = len(MIGRATIONS)
    with pytest.raises(
        DatabaseError,
        match=f"has version {newest + 1}, from a newer release; this release knows version {newest}",
    ):
        Store(sqlite_url(tmp_path))


def describe_schema(connection: sqlite3.Connection) -> list[Any]:
    """All that matters of a schema: columns, keys and indexes of each table, and how it is stored."""
    found: list[Any] = []
    for name, rowid in connection.execute("SELECT name, wr FROM pragma_table_list WHERE schema = 'main'"):
        columns = connection.execute(
            'SELECT name, type, "notnull" OR pk, pk FROM pragma_table_info(?)', [name]
        ).fetchall()
        keys = connection.execute(f"PRAGMA foreign_key_list({name})").fetchall()
        indexes = connection.execute(
            "SELECT l.name, l.partial, i.name FROM pragma_index_list(?) l, pragma_index_info(l.name) i"
            " WHERE l.origin = 'c' ORDER BY l.name, i.seqno",
            [name],
        ).fetchall()
        shown = [(column, kind.partition(" ")[0], *more) for column, kind, *more in columns]
        found.append((name, rowid, shown, keys, indexes))
    return sorted(found)


def test_each_database_has_a_key_and_keeps_it(tmp_path: Path) -> None:
    found = []
    for _ in range(2):
        store = Store(sqlite_url(tmp_path))
        found.append(store.key(TOKENS))
        store.close()
    assert found[0] == found[1]
    (tmp_path / "other").mkdir()
    store = Store(sqlite_url(tmp_path / "other"))
    assert store.key(TOKENS) != found[0]
    store.close()


def test_the_clock_of_a_new_database_begins_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "time", lambda: 1234.5)
    for _ in range(2):
        store = Store(sqlite_url(tmp_path))
        assert store.beats() == (0, 1234.5)
        store.close()
        monkeypatch.setattr(schema, "time", lambda: 0.0)


def test_beats_are_counted_and_the_clock_never_goes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "time", lambda: 100.0)
    store = Store(sqlite_url(tmp_path))

    async def run() -> list[tuple[int, float]]:
        store.start()
        found = []
        for seconds in (150.0, 120.0, 0.0, 151.0):
            assert await store.write(Write(beat=seconds))
            found.append(store.beats())
        return found

    assert asyncio.run(run()) == [(1, 150.0), (2, 150.0), (3, 150.0), (4, 151.0)]
    with sqlite3.connect(tmp_path / "tables.sqlite3") as connection:
        connection.execute("DELETE FROM server")
    with pytest.raises(UnsavedError):
        store.beats()
    store.close()


def test_a_step_that_fails_leaves_the_database_as_it_was(tmp_path: Path) -> None:
    Store(sqlite_url(tmp_path)).close()

    def broken(connection: sql.Connection) -> None:
        connection.exec_driver_sql("ALTER TABLE tables ADD COLUMN extra TEXT")
        connection.exec_driver_sql("ALTER TABLE absent ADD COLUMN extra TEXT")

    with pytest.raises(DatabaseError, match="no such table: absent"):
        Store(sqlite_url(tmp_path), (*MIGRATIONS, broken))
    store = Store(sqlite_url(tmp_path))
    with store.engine.connect() as connection:
        columns = [row[1] for row in connection.exec_driver_sql("PRAGMA table_info(tables)")]
    assert "extra" not in columns
    store.close()


def test_tables_that_are_too_old_or_too_many_are_found(tmp_path: Path) -> None:
    store = Store(sqlite_url(tmp_path))
    made = [
        table_row("older", touched=1.0),
        table_row("old", touched=1.5),
        table_row("new", touched=9.0),
        table_row("live", touched=0.0, status="running", due=True),
    ]
    written(store, *(Write(table=row) for row in made))
    assert store.find_untouched("open", 2.0) == ["older", "old"]
    assert store.find_untouched("open", 2.0, most=1) == ["older"]
    assert (store.read_last_event("old"), store.read_last_event("none")) == (1.5, math.inf)
    assert store.count_live() == 4
    assert (store.find_due(5.0), store.find_due(-1.0)) == (["live"], [])
    store.close()


@pytest.mark.parametrize(
    ("drop", "dropped"),
    [
        (Drop(5.0), ["left", "oldest", "old"]),
        (Drop(5.0, begun=True), ["oldest", "old"]),
        (Drop(5.0, begun=False), ["left"]),
        (Drop(5.0, begun=True, most=1), ["oldest"]),
        (Drop(2.0), ["left", "oldest"]),
        (Drop(5.0, kept=4), ["left", "oldest"]),
        (Drop(5.0, kept=6), []),
        (Drop(5.0, kept=9), []),
    ],
)
def test_what_is_dropped_is_gone_with_its_events(tmp_path: Path, drop: Drop, dropped: list[str]) -> None:
    """Only what is over, and has not been touched by a write that came first."""
    store = Store(sqlite_url(tmp_path))
    made = [
        table_row("left", touched=1.0, status="closed"),
        table_row("oldest", touched=1.5, status="over", name1="Bob"),
        table_row("old", touched=3.0, status="closed", name1="Bob"),
        table_row("new", touched=9.0, status="over", name1="Bob"),
        table_row("goes on", touched=1.0, status="over", name1="Bob"),
        table_row("open", touched=1.0),
    ]
    again = {name: made[4][name] for name in ("due", "turn", "name0", "name1", "score0", "score1", "plies")}
    touch = {"table_id": "goes on", "touched": 9.0, "status": "running", "flag_fall": None, **again}
    write = Write(drop=drop)
    written(store, *(Write(table=row, events=[sits(row["id"])]) for row in made), Write(touch=touch), write)
    assert sorted(write.dropped) == sorted(dropped)
    for row in made:
        gone = row["id"] in dropped
        assert (store.load(row["id"]) is None, store.events(row["id"]) == []) == (gone, gone)
    store.close()


def test_whatever_goes_wrong_the_next_write_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(sqlite_url(tmp_path))
    failures = [UnicodeError("what is this?")]

    def fail_first(*given: Any, **settings: Any) -> None:
        if failures:
            raise failures.pop()
        execute(*given, **settings)

    monkeypatch.setattr(writer, "execute", fail_first)

    async def run() -> None:
        store.start()
        with pytest.raises(UnsavedError, match="what is this"):
            await store.write(Write(table=table_row("t")))
        assert await store.write(Write(table=table_row("t")))

    asyncio.run(run())
    assert store.load("t") is not None
    store.close()


def test_rows_are_written_in_the_same_order_by_everyone(tmp_path: Path) -> None:
    store = Store(sqlite_url(tmp_path))
    asked: list[Any] = []

    class Recorder:
        def executemany(self, statement: str, rows: Any) -> None:
            asked.append([(row["table_id"], row.get("number")) for row in rows])

    touches = [{"table_id": name} for name in "ba"]
    writes = [Write(events=[moves("b", 2)], touch=touches[0]), Write(events=[moves("a", 3), moves("a", 2)])]
    dialect = store.engine.dialect
    execute_moves(Recorder(), dialect, [*writes, Write(touch=touches[1])], notify=False)  # type: ignore[arg-type]
    assert asked == [[("a", 2), ("a", 3), ("b", 2)], [("a", None), ("b", None)]]
    store.close()


@pytest.mark.parametrize("url", ["mysql://host/x", "nonsense", "postgresql", ""])
def test_a_database_of_another_kind_is_refused(url: str) -> None:
    with pytest.raises(DatabaseError, match="must be postgresql://USER:PASSWORD@HOST/NAME"):
        Store(url)


def test_notices_are_sent_in_few_lines() -> None:
    notice = "x" * 100
    lines = join_notices([notice] * 200)
    assert sum(line.count(notice) for line in lines) == 200
    assert len(lines) == 3
    assert max(map(len, lines)) < 8000
