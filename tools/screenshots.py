"""The screenshots in docs/, retaken by `python -m tools.screenshots`."""

from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, expect

from tests.web.browsers import PHONE, Person, started
from tests.web.servers import Server
from tools import ROOT


def _take(person: Person, name: str, whole: bool = False) -> None:
    person.page.screenshot(path=ROOT / "docs" / f"web-{name}.png", full_page=whole, animations="disabled")


def _take_all(browser: Browser, server: Server) -> None:
    ann = Person(browser, server.address, "Ann")
    bob = Person(browser, server.address, "Bob", viewport=PHONE, color_scheme="dark")
    link = ann.make("bit-flip:bits=12", public=True)
    _take(ann, "share")
    bob.page.goto(link)
    bob.page.get_by_label("Your name").fill("Bob")
    _take(bob, "join")
    bob.sit_down(link)
    for person, text in ((ann, "4"), (bob, "1"), (ann, "8")):
        person.play(text)
    bob.to_move()
    bob.tab_to("#board [data-move]")
    bob.page.keyboard.press("ArrowRight")
    _take(bob, "table-phone")
    bob.page.keyboard.press("Enter")
    bob.press("Take back")
    expect(ann.page.locator("#offers button")).to_have_count(2)
    _take(ann, "table")

    cora = Person(browser, server.address, "Cora")
    cora.make("mirror-match", opponent="level:4", public=True)
    cora.play("4 B")
    expect(cora.listed()).to_have_count(2)
    cora.to_move()
    cora.page.locator('[data-pick="3"]').click()
    _take(cora, "mirror-match")
    watching = cora.another_page()  # so that the table stays listed
    watching.goto(cora.page.url)
    dan = Person(browser, server.address, "Dan")
    dan.make("inversion-race:cells=15", public=True)
    cora.page.goto("/")
    expect(cora.page.locator(".picture a")).to_have_count(2)
    expect(cora.page.locator("#seats a")).to_have_count(1)
    expect(cora.page.locator("#open a")).to_have_count(1)
    expect(cora.page.locator("#puzzle-list a")).not_to_have_count(0)
    _take(cora, "home", whole=True)
    gil = Person(browser, server.address, "Gil", viewport=PHONE)
    gil.page.goto("/")
    gil.page.locator('#hero-board [data-move="2"]').click()
    gil.connected()
    gil.to_move()
    _take(gil, "guide-phone")

    ann.press("Decline")
    people = [ann, bob]
    while ann.page.locator("#status.verdict").count() == 0:
        plies = ann.listed().count()
        mover = people[plies % 2]
        mover.to_move()
        mover.play(sorted(mover.offered())[0])
        expect(ann.listed()).to_have_count(plies + 1)
        expect(people[1 - plies % 2].listed()).to_have_count(plies + 1)
    for person in people:
        expect(person.page.locator("#status.verdict")).to_be_visible()
        expect(person.page.locator("#note")).to_contain_text("The lead changed")
        if person.page.locator("#status.lost").count():
            _take(person, "end")
    for person, name in ((ann, "study"), (bob, "study-phone")):
        person.page.goto(f"{ann.page.url.partition('/g/')[0]}/g/1#1")
        expect(person.page.locator("#values table")).to_be_visible()
        expect(person.page.locator("#last")).to_have_text("After 1 move. Ann: 4.")
        _take(person, name)
    ann.page.goto("/games")
    expect(ann.page.locator("#all a")).not_to_have_count(0)
    _take(ann, "games")
    emil = Person(browser, server.address, "Emil", viewport=PHONE)
    emil.make("inversion-race:cells=200", opponent="level:4")
    emil.play("left")
    expect(emil.listed()).to_have_count(2)
    emil.to_move()
    _take(emil, "long-phone")
    dora = Person(browser, server.address, "Dora", color_scheme="dark")
    dora.page.goto("/study?game=inversion-race&moves=left,right")
    expect(dora.page.locator("#values table")).to_be_visible()
    _take(dora, "study-board")


def main() -> None:
    """Take all screenshots, using a separate server."""
    with TemporaryDirectory() as data, Server("--data", data) as server, started() as browser:
        _take_all(browser, server)


if __name__ == "__main__":
    main()
