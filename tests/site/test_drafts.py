"""The drafts of the workbench in Chromium: what is typed stays, whatever is opened, in one tab or in two."""

import json

from playwright.sync_api import Page, Route, expect

from tests.site.test_workbench import FIRST_WINS, SKELETON, content, opened, says, write
from tests.web.browsers import PHONE, Person
from tests.web.pages.tables import People

REFUSED = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused'); } })"


FULL = """Storage.prototype.setItem = function (key) {
  if (key.startsWith('perfectplay-draft')) throw new DOMException('', 'QuotaExceededError');
}"""


ASKS = "!dispatchEvent(new Event('beforeunload', { cancelable: true }))"
"""Whether the page asks before it is left."""


def nim(title: str) -> str:
    """A file that runs, with a title of its own."""
    return SKELETON.replace("My Game", title)


def drafts(page: Page) -> list[str]:
    """The names of all drafts, the last one first."""
    names: list[str] = page.locator("#files optgroup[label='Your drafts'] option").all_inner_texts()
    return names


def choose(page: Page, name: str) -> None:
    """Open a draft or a sample."""
    page.locator("#files").select_option(label=name)


def chosen(page: Page, name: str) -> None:
    expect(page.locator("#files option:checked")).to_have_text(name)


def test_a_draft_is_still_there_after_a_sample_was_chosen(visitors: People) -> None:
    page = opened(visitors, "Ann").page
    chosen(page, "Tic-Tac-Toe")
    assert drafts(page) == []  # a sample that nobody has changed
    write(page, nim("Nim of Ann"))
    chosen(page, "Tic-Tac-Toe")  # now the draft that was made of it
    assert drafts(page) == ["Tic-Tac-Toe"]
    choose(page, "Bit Flip")
    expect(content(page)).to_contain_text("class BitFlip")
    page.reload()
    expect(content(page)).to_contain_text("class BitFlip")
    assert drafts(page) == ["Tic-Tac-Toe"]
    page.locator("#files").select_option(index=0)
    expect(content(page)).to_contain_text("Nim of Ann")

    # Undoing does not bring the text of one file into another.
    content(page).focus()
    page.keyboard.press("Control+z")
    expect(content(page)).to_contain_text("Nim of Ann")
    page.reload()
    expect(content(page)).to_contain_text("Nim of Ann")


def test_nothing_can_be_typed_before_a_file_is_there(visitors: People) -> None:
    ann = visitors("Ann")
    held: list[Route] = []
    ann.context.route("**/files/files.json", lambda route: held.append(route))
    with ann.page.expect_request("**/files/files.json"):
        ann.page.goto("workbench/index.html")
    ann.page.locator("#editor .cm-content").focus()
    ann.page.keyboard.insert_text("too early")
    held[0].continue_()
    chosen(ann.page, "Tic-Tac-Toe")
    expect(content(ann.page)).to_contain_text("class")
    assert drafts(ann.page) == []


def test_a_draft_has_a_name_and_versions(visitors: People) -> None:
    ann = opened(visitors, "Ann", "#skeleton.py", viewport=PHONE)
    page = ann.page
    says(page, FIRST_WINS)
    page.locator("#drafts").click()
    expect(page.locator("#extra")).to_contain_text("This is a sample.")
    for title in ("First Nim", "Second Nim"):
        write(page, nim(title))
        expect(page.locator("#title")).to_have_text(title)
    page.get_by_label("Name").fill("  Ann's own ")
    page.keyboard.press("Enter")
    chosen(page, "Ann's own")
    expect(page.locator("#versions option")).to_have_count(2)
    expect(page.locator("#versions option").first).to_contain_text("(as it is now)")
    assert ann.width() <= PHONE["width"]
    assert ann.flaws() == []

    page.locator("#versions").select_option(index=1)
    page.locator("#restore").click()
    expect(page.locator("#title")).to_have_text("First Nim")
    content(page).focus()
    page.keyboard.press("Control+z")  # and back
    expect(page.locator("#title")).to_have_text("Second Nim")

    with page.expect_download() as download:
        page.get_by_role("button", name="Download all drafts").click()
    (kept,) = json.loads(download.value.path().read_text("utf-8"))["drafts"]
    assert (kept["name"], kept["text"]) == ("Ann's own", nim("Second Nim"))
    assert {version["text"] for version in kept["versions"]} == {nim("First Nim"), nim("Second Nim")}

    page.get_by_role("button", name="Delete this draft").click()
    page.get_by_role("button", name="Keep").click()
    assert drafts(page) == ["Ann's own"]
    page.get_by_role("button", name="Delete this draft").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    chosen(page, "Tic-Tac-Toe")
    assert drafts(page) == []


def link_to(person: Person, text: str) -> str:
    """A link that carries a text."""
    write(person.page, text)
    person.page.locator("#share").click()
    link: str = person.page.locator("#file-link").input_value()
    return link


def follow(page: Page, link: str) -> None:
    """Open a link from elsewhere: within a page only the fragment would change at first."""
    page.goto("about:blank")
    page.goto(link)


def test_a_link_opens_as_a_draft_of_its_own(visitors: People) -> None:
    bob = opened(visitors, "Bob", "#skeleton.py")
    link = link_to(bob, nim("Nim of Bob"))
    bob.page.goto("about:blank")  # he is done, and his Python need not work on
    page = opened(visitors, "Ann").page
    write(page, nim("Nim of Ann"))
    follow(page, link)
    chosen(page, "Nim of Bob")
    expect(page.locator("#status")).to_have_text("Not run yet.")
    assert drafts(page) == ["Nim of Bob", "Tic-Tac-Toe"]

    # It waits for the click after a reload, too, and the link does not bring it a second time.
    page.reload()
    expect(page.locator("#status")).to_have_text("Not run yet.")
    follow(page, link)
    chosen(page, "Nim of Bob")
    assert drafts(page) == ["Nim of Bob", "Tic-Tac-Toe"]
    page.locator("#run").click()
    expect(page.locator("#title")).to_have_text("Nim of Bob")
    page.reload()
    expect(page.locator("#title")).to_have_text("Nim of Bob")
    expect(page.locator("#held")).to_be_hidden()

    # What has been changed since is another draft.
    write(page, nim("Nim of both"))
    follow(page, link)
    expect(content(page)).to_contain_text("Nim of Bob")
    chosen(page, "Nim of Bob (2)")
    choose(page, "Tic-Tac-Toe")
    expect(page.locator("#title")).to_have_text("Nim of Ann")
    expect(page.locator("#held")).to_be_hidden()


def test_two_tabs_do_not_overwrite_each_other(visitors: People) -> None:
    ann = opened(visitors, "Ann", "#skeleton.py")
    one = ann.page
    write(one, nim("Nim"))
    chosen(one, "My Game")
    two = ann.another_page()
    two.goto("workbench/index.html")
    expect(content(two)).to_contain_text('"Nim"')

    write(one, nim("Nim in one"))
    note = two.locator("#draft-note")
    expect(note).to_contain_text("Another tab has changed “My Game”.")
    expect(content(two)).to_contain_text('"Nim"')  # nothing moves while one looks
    write(two, nim("Nim in two"))
    chosen(two, "My Game (2)")
    expect(note).to_have_text(
        "Another tab has changed “My Game”. Your changes here are kept as “My Game (2)”."
    )
    expect(one.locator("#files optgroup option", has_text="My Game (2)")).to_have_count(1)
    chosen(one, "My Game")

    # Each shows what it had, after a reload as well.
    for page, title in ((one, "Nim in one"), (two, "Nim in two")):
        page.reload()
        expect(content(page)).to_contain_text(f'"{title}"')
    choose(two, "My Game")
    write(two, nim("Nim in both"))
    one.get_by_role("button", name="Show that text").click()
    expect(content(one)).to_contain_text('"Nim in both"')
    expect(one.locator("#draft-note")).to_be_hidden()

    # A draft that one has deleted is not lost to the other.
    two.locator("#drafts").click()
    two.get_by_role("button", name="Delete this draft").click()
    two.get_by_role("button", name="Delete", exact=True).click()
    expect(one.locator("#draft-note")).to_contain_text("Another tab has deleted “My Game”.")
    write(one, nim("Nim again"))
    chosen(one, "My Game")
    assert drafts(one) == ["My Game", "My Game (2)"]


def test_without_storage_drafts_last_as_long_as_the_tab(visitors: People) -> None:
    page = opened(visitors, "Ann").page
    page.add_init_script(REFUSED)
    follow(page, "workbench/index.html#skeleton.py")
    expect(page.locator("#draft-note")).to_contain_text("This browser keeps nothing for this site")
    write(page, nim("Nim"))
    choose(page, "Bit Flip")
    expect(content(page)).to_contain_text("class BitFlip")
    choose(page, "My Game")
    expect(content(page)).to_contain_text('"Nim"')
    expect(page.locator("#draft-note")).to_contain_text("keeps nothing")


def test_without_room_nothing_is_left_unasked(visitors: People) -> None:
    bob = opened(visitors, "Bob", "#skeleton.py")
    link = link_to(bob, nim("Nim of Bob"))
    bob.page.goto("about:blank")  # he is done, and his Python need not work on
    page = opened(visitors, "Ann").page
    page.add_init_script(FULL)
    follow(page, link)
    expect(page.locator("#draft-note")).to_contain_text("no room left")
    expect(page.locator("#status")).to_have_text("Not run yet.")
    assert page.url == link  # a reload brings it again
    assert not page.evaluate(ASKS)
    write(page, nim("Nim of Ann"))
    assert page.evaluate(ASKS)
    choose(page, "Bit Flip")
    page.get_by_role("button", name="Stay here").click()
    expect(content(page)).to_contain_text("Nim of Ann")
    choose(page, "Bit Flip")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(content(page)).to_contain_text("class BitFlip")
    assert not page.evaluate(ASKS)
    choose(page, "Dual Direction")  # nothing was typed in the last one
    expect(content(page)).to_contain_text("class DualDirection")
