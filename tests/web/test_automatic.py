"""What happens at a table by itself: how it begins, forced passes, and answers to offers."""

import pytest

import perfectplay as pp
from perfectplay.tables import automatic
from perfectplay.tables.automatic import first_events, is_due, next_automatic
from perfectplay.tables.events import Event
from perfectplay.tables.table import Table
from tests.web.test_table import did, seated


@pytest.fixture(autouse=True)
def noon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automatic, "time", lambda: 12.0)


def test_a_new_table_has_its_players_its_moves_and_what_follows_from_them() -> None:
    table = Table("t", pp.load("inversion-race:cells=5,start=4"), players=("level:3", None))
    happened = [
        event._replace(game=0) for event in first_events(table, 1, "Ann", "Computer", (("move", "left"),))
    ]
    assert happened == [
        Event(1, 12.0, 1, "sit", "Ann"),
        Event(2, 12.0, 0, "sit", "Computer"),
        Event(3, 12.0, 0, "move", "left"),
        Event(4, 12.0, 1, "move", "pass"),
    ]
    assert (table.turn, is_due(table), next_automatic(table)) == (0, True, None)


def test_a_new_table_may_wait_for_its_second_player() -> None:
    table = Table("t", pp.load("bit-flip"))
    assert [event.seat for event in first_events(table, 1, "Ann", None, ())] == [1]
    assert (table.status, is_due(table)) == ("open", False)


def test_a_turn_that_was_lost_before_the_table_began_stays_lost() -> None:
    table = Table("t", pp.load("mirror-match"))
    *_, last = first_events(table, 0, "Ann", "Bob", (("forfeit", "forfeit"),))
    assert (last.seat, last.kind, table.turn) == (0, "forfeit", 1)


def test_a_computer_agrees_to_every_offer_until_the_table_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    table, _ = seated("bit-flip", players=("perfect", None))
    assert is_due(table)
    did(table, 0, "move", "4")
    assert not is_due(table)
    did(table, 1, "offer", "abandon")
    monkeypatch.setattr(automatic, "MOST_EVENTS", 5)
    assert next_automatic(table) == Event(5, 12.0, 0, "accept", "abandon")
    monkeypatch.setattr(automatic, "MOST_EVENTS", 4)
    assert next_automatic(table) is None


def test_people_answer_offers_themselves() -> None:
    table, _ = seated("bit-flip", players=("perfect", None))
    did(table, 0, "offer", "abandon")
    assert next_automatic(table) is None


def test_a_computer_moves_until_the_table_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    table, _ = seated("bit-flip", players=("perfect", None))
    monkeypatch.setattr(automatic, "MOST_EVENTS", table.next)
    assert is_due(table)
    monkeypatch.setattr(automatic, "MOST_EVENTS", table.next - 1)
    assert not is_due(table)
