"""The second visit, without a connection; and what the first one fetches."""

import json
from pathlib import Path

from playwright.sync_api import Browser, expect

from bench.site import MOST_BYTES, count_fetched, first_visit, keep_all
from tests.web.browsers import Person


def test_after_the_first_visit_no_connection_is_needed(chromium: Browser, built: Path) -> None:
    with count_fetched(built) as (address, fetched):
        ann = first_visit(chromium, address)
        keep_all(ann)
        assert fetched.repeated == []
        assert fetched.total <= MOST_BYTES
        needed = set(
            json.loads((built / "service-worker.js").read_text().split("const FILES = ")[1].split(";")[0])
        )
        assert {f"/{path}" for path in needed} <= set(fetched.times)
        moves = ann.listed().all_text_contents()
    # From here on there is no host.
    ann.page.reload()
    expect(ann.listed()).to_have_text(moves)
    ann.page.goto("app/index.html")
    expect(ann.page.locator("#seats a")).to_have_count(1)
    ann.page.locator('[data-play="dual-direction"]').click()
    ann.to_move()
    ann.play("left")
    expect(ann.listed()).not_to_have_count(1)
    ann.page.goto("workbench/index.html")
    expect(ann.page.locator("#values .outlook")).to_have_text("With best play it is a tie in 9 moves.")
    for page, title in (
        ("", "perfectplay"),
        ("index.html", "perfectplay"),
        ("docs/workbench.html", "The workbench"),
    ):
        ann.page.goto(page)
        expect(ann.page.get_by_role("heading", level=1)).to_contain_text(title)
    assert ann.page.evaluate("getComputedStyle(document.body).getPropertyValue('--edge')")
    ann.context.close()
    assert [each for each in ann.complaints if "net::" not in each] == []  # screenshots are not kept


def test_a_visit_to_the_workbench_alone_is_enough(chromium: Browser, built: Path) -> None:
    with count_fetched(built) as (address, fetched):
        ann = Person(chromium, address, "Ann", service_workers="allow")
        ann.page.goto("workbench/index.html")
        expect(ann.page.locator("#values .outlook")).to_be_visible()
        keep_all(ann)
        assert fetched.repeated == []
    ann.page.goto("app/index.html")
    ann.page.locator('#hero-board [data-move="2"]').click()
    expect(ann.listed()).to_have_count(2)
    ann.context.close()
    assert ann.complaints == []


def test_the_site_can_be_installed(built: Path) -> None:
    manifest = json.loads((built / "manifest.webmanifest").read_text())
    assert (built / manifest["start_url"]).is_file()
    assert manifest["display"] == "standalone"
    assert {icon["sizes"] for icon in manifest["icons"]} >= {"192x192", "512x512"}
    assert all((built / icon["src"]).is_file() for icon in manifest["icons"])
    page = (built / manifest["start_url"]).read_text()
    assert '<link rel="manifest" href="../manifest.webmanifest">' in page
    assert "http:" not in page
    assert 'href="/' not in page
    assert 'src="/' not in page
