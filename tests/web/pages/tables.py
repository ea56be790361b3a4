"""Tables that the tests of the pages share."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page, expect

from tests.web.browsers import Person
from tests.web.servers import Server

MANY = tuple(
    part
    for limit in ("--tables-per-minute", "--requests-per-second", "--custom-games-per-minute")
    for part in (limit, "10000")
)
"""Options of a server whose limits no machine is fast enough to reach."""


People = Callable[..., Person]


@contextmanager
def gathered(people: People) -> Iterator[People]:
    """Let people in. At the end everyone leaves, and nobody's browser may have complained."""
    known: list[Person] = []

    def person(name: str, **profile: Any) -> Person:
        known.append(people(name, **profile))
        return known[-1]

    yield person
    for each in known:
        each.context.close()
    assert [complaint for each in known for complaint in each.complaints] == []


def seated(people: People, spec: str, **profile: Any) -> tuple[Person, Person]:
    """Ann, who moves first, and Bob, at a table."""
    ann, bob = people("Ann", **profile), people("Bob")
    bob.join(ann.make(spec))
    ann.to_move()
    return ann, bob


def finished(server: Server, spec: str, moves: tuple[str, ...]) -> str:
    """The address of a table with a game that was played without any page."""
    ann, bob = server.person(), server.person()
    made = ann.make(spec, name="Ann")
    assert bob.join(made).status_code == 200
    table = made["table"]["id"]
    for number, text in enumerate(moves, start=3):
        mover = (ann, bob)[ann.get(f"/api/tables/{table}").json()["position"]["seat"]]
        assert mover.act(table, number, "move", text).status_code == 200
    return f"/t/{table}"


def play(people: tuple[Person, Person], moves: tuple[str, ...]) -> None:
    """Click moves by turns; both see each before the next."""
    first = 0 if people[0].offered() else 1
    for ply, text in enumerate(moves):
        people[(first + ply) % 2].play(text)
        for each in people:
            expect(each.listed()).to_have_count(ply + 1)


def frozen(page: Page) -> None:
    """Stop the clock of a page that is still empty: from here on only fast_forward makes time pass."""
    page.clock.install(time=0)
    page.clock.pause_at(3600)


def listed(moves: tuple[str, ...]) -> list[str]:
    """Moves as their list has them: with an arrow where a number is put at an end of a row."""
    first, *others = [re.sub(r"^(\d+) B$", r"← \1", re.sub(r"^(\d+) E$", r"\1 →", move)) for move in moves]
    return [first.strip("←→ "), *others]
