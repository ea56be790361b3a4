"""The documentation on the site: every link leads somewhere, nothing comes from elsewhere, people can read it."""

import inspect
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import expect

import perfectplay as pp
from tests.conftest import ROOT
from tests.site import test_play
from tests.site.conftest import UNDER
from tests.web.browsers import PHONE, WIDE
from tests.web.pages.tables import People
from tools.public_api import names_of, public_names
from tools.site.previews import add_preview

LOADED = {
    **dict.fromkeys(("script", "img", "iframe", "source", "audio", "video", "embed"), "src"),
    "object": "data",
    "use": "href",
}
"""What makes a browser fetch something, besides styles and some kinds of `link`."""
ONLY_NAMED = {"canonical", "index", "next", "prev", "search"}
"""The kinds of `link` that only name another page."""
REMOTE = re.compile(r"^(https?:)?//")
REMOTE_IN_STYLE = re.compile(r"""(?:url\(\s*|@import\s+)["']?((?:https?:)?//[^"')]+)""")
REMOTE_IN_SCRIPT = re.compile(
    r"""(?:\b(?:import|fetch|importScripts|Worker|SharedWorker|EventSource|WebSocket)\(|\bfrom|\.src\s*=|\bimport)"""
    r"""\s*["'`]((?:https?|wss?):[^"'`]+)"""
)


@cache
def soup(path: Path) -> Any:
    return BeautifulSoup(path.read_text("utf-8"), "html.parser")


def words(path: Path) -> list[str]:
    """The words of a page's own text, without the marks beside its headings."""
    article = BeautifulSoup(str(soup(path).find(role="main")), "html.parser")
    for mark in article.select(".headerlink"):
        mark.decompose()
    return re.findall(r"\w+", article.get_text(" "))


def pages(built: Path) -> list[Path]:
    return sorted(built.rglob("*.html"))


class Page(HTMLParser):
    """The tags of a page and the texts in some of them, in a fraction of the time that a tree takes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: defaultdict[str, list[str]] = defaultdict(list)
        self._within = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._within = tag
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.texts[self._within].append(data)

    def handle_endtag(self, tag: str) -> None:
        self._within = ""


@cache
def parsed(path: Path) -> Page:
    return Page(path.read_text("utf-8"))


def tags(path: Path) -> list[dict[str, str]]:
    """The attributes of every tag of a page."""
    return [attributes for _, attributes in parsed(path).tags]


@cache
def anchors(path: Path) -> set[str]:
    return {each[name] for each in tags(path) for name in ("id", "name") if name in each}


def broken(page: Path, link: str, built: Path) -> bool:
    """Whether a link of a page leads nowhere on the site; links to other sites are not followed."""
    address = urlsplit(link)
    if address.scheme or address.netloc:
        return address.scheme not in ("https", "http", "mailto", "data")
    target = (page.parent / unquote(address.path)).resolve() if address.path else page
    if target.is_dir():
        target /= "index.html"
    if not target.is_file() or not target.is_relative_to(built):
        return True
    return (
        bool(address.fragment)
        and "=" not in address.fragment  # what a page is to show, not a place on it
        and target.suffix == ".html"
        and unquote(address.fragment) not in anchors(target)
    )


def test_every_link_on_the_site_leads_to_a_page_and_a_place_on_it(built: Path) -> None:
    seen, wrong = 0, []
    for page in pages(built):
        for link in {
            each[name] for each in tags(page) for name in ("href", "src", "data-address") if name in each
        }:
            seen += 1
            if broken(page, link, built):
                wrong.append(f"{page.relative_to(built)}: {link}")
    assert wrong == []
    assert seen > 5000


@pytest.mark.parametrize(
    "link", ["../nowhere.html", "#nowhere", "../index.html#nowhere", "../../outside.html", "javascript:void"]
)
def test_a_link_that_leads_nowhere_is_noticed(link: str, built: Path) -> None:
    assert broken(built / "games" / "index.html", link, built)
    assert not broken(built / "games" / "index.html", "../index.html#the-games", built)


def remote(path: Path) -> list[str]:
    """What a file of the site would load from elsewhere."""
    text = path.read_text("utf-8")
    if path.suffix in (".js", ".mjs"):
        return REMOTE_IN_SCRIPT.findall(text)
    found: list[str] = REMOTE_IN_STYLE.findall(text)
    if path.suffix == ".html":
        page = parsed(path)
        named = [each.get(LOADED[tag], "") for tag, each in page.tags if tag in LOADED]
        links = [each for tag, each in page.tags if tag == "link"]
        named += [each.get("href", "") for each in links if not ONLY_NAMED & {*each.get("rel", "").split()}]
        found += filter(REMOTE.match, named)
        found += REMOTE_IN_SCRIPT.findall("\n".join(page.texts["script"]))
    return found


def test_nothing_on_the_site_is_loaded_from_elsewhere(built: Path) -> None:
    suffixes = (".html", ".css", ".js", ".mjs", ".svg")
    files = [path for path in built.rglob("*") if path.suffix in suffixes]
    assert [(path.name, found) for path in files for found in remote(path)] == []
    assert {path.suffix for path in files} >= {".html", ".css", ".js", ".svg"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", '<script src="https://example.org/a.js"></script>'),
        ("b.html", '<link rel="stylesheet" href="//example.org/a.css">'),
        ("c.html", '<script type="module">import "https://example.org/a.js";</script>'),
        ("d.css", "@font-face { src: url('https://example.org/a.woff2'); }"),
        ("e.js", 'import { a } from "https://example.org/a.js";'),
        ("f.mjs", "await fetch('https://example.org/a.json')"),
    ],
)
def test_what_comes_from_elsewhere_is_noticed(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    assert remote(tmp_path / name) != []


def test_every_page_of_the_docs_is_on_the_site_with_its_title(built: Path) -> None:
    sources = list(ROOT.glob("docs/*.md"))
    for path in [*sources, *(ROOT / f"{name}.md" for name in ("CHANGELOG", "CONTRIBUTING", "SECURITY"))]:
        title = path.read_text("utf-8").partition("\n")[0].removeprefix("# ")
        page = built / path.relative_to(ROOT).with_suffix(".html")
        assert soup(page).h1.get_text().removesuffix("¶") == title
    assert len(sources) > 30


@pytest.mark.parametrize("name", pp.names())
def test_the_page_of_a_game_has_its_rules_its_picture_who_wins_and_a_board(name: str, built: Path) -> None:
    game = pp.load(name)
    path = built / "games" / f"{name}.html"
    page, text = soup(path), " ".join(words(path))
    assert page.h1.get_text() == f"{game.title}¶"
    assert " ".join(re.findall(r"\w+", pp.load(name).texts().rulebook().partition("\n")[2])) in text
    picture = (path.parent / page.select_one("article img")["src"]).read_text("utf-8")
    assert f"<title>{game.title}" in picture
    start = game.initial()
    value = pp.solve(game).value(start)
    if value.kind == "endless":
        assert "neither player can force a win" in text
    else:
        winner = game.side_to_move(start) if value.kind == "win" else pp.other(game.side_to_move(start))
        assert f"{game.side_names[winner]} wins in {value.plies} moves with best play" in text
    fonts = [path.parent / each["href"] for each in page.select('link[rel="preload"][as="font"]')]
    assert [font.is_file() for font in fonts] == [True, True]
    assert page.select_one(".play[data-address]")["data-address"] == f"../app/table.html?game={name}"
    findings = (ROOT / "docs" / "audits" / f"{name}.md").read_text("utf-8").partition("## Findings")[2]
    findings = findings.partition("\n## ")[0]
    for finding in re.findall(r"^- (.+)$", findings, re.MULTILINE):
        assert " ".join(re.findall(r"\w+", finding)) in text
    assert page.select_one(f'article a[href="../docs/audits/{name}.html"]')


def test_a_page_is_marked_in_its_own_sidebar(built: Path) -> None:
    """Pages of a folder share a sidebar; pages of a study are in none."""
    for name, own in {"docs/solving": 1, "docs/web": 1, "index": 0, "docs/studies/gg-bench/100": 0}.items():
        tree = soup(built / f"{name}.html").select_one(".sidebar-tree")
        marked = tree.select("a.current")
        assert [(each["href"], len(each.find_parents("li", class_="current"))) for each in marked] == [
            ("#", 2)
        ] * own
        assert len(tree.select("li.current")) == 2 * own
        assert len(tree.select("a")) > 50


def test_there_is_a_page_for_each_game_and_no_other(built: Path) -> None:
    found = {path.stem for path in (built / "games").glob("*.html")}
    assert found == {*pp.names(), "index"}
    listed = {each["href"] for each in soup(built / "games" / "index.html").select(".card a")}
    assert listed == {f"{name}.html" for name in pp.names()}


@pytest.mark.parametrize("name", pp.names())
def test_an_audit_on_the_site_says_what_the_command_says(name: str, built: Path) -> None:
    audits, folder = ROOT / "docs" / "audits", built / "docs" / "audits"
    expected = re.findall(r"\w+", (audits / f"{name}.md").read_text("utf-8"))
    said = words(folder / f"{name}.html")
    assert said[: len(expected)] == expected
    assert " ".join(said[len(expected) :]) == "The same audit with charts as one page"
    chart = (audits / f"{name}.html").read_text("utf-8")
    shown = add_preview(chart, f"docs/audits/charts/{name}.html", "")
    assert (folder / "charts" / f"{name}.html").read_text("utf-8") == shown


def test_the_reference_has_every_public_name(built: Path) -> None:
    seen = 0
    for module, names in public_names().items():
        there = set[str]().union(*map(anchors, built.glob(f"api/{module}*.html")))
        assert {f"{module}.{name}" for name in names_of(module, names)} <= there
        seen += len(there)
    assert seen > 800
    assert "perfectplay.core.timeline.Entry.kind" in anchors(built / "api" / "perfectplay-objects.html")
    tables = soup(built / "api" / "index.html").select("table.modules a")
    assert {each.get_text() for each in tables} >= public_names().keys()


def test_no_page_of_the_reference_is_long_or_begins_with_exceptions(built: Path) -> None:
    pages = sorted(built.glob("api/*.html"))
    assert {path.stem: count for path in pages if (count := len(words(path))) > 1500} == {}
    begun = {path.stem: soup(path).select_one("article dl.py") for path in pages}
    first = {name for name, entry in begun.items() if entry and "exception" in entry["class"]}
    assert {name for name in first if not name.endswith("-errors")} == set()
    assert len(first) == len([path for path in pages if path.stem.endswith("-errors")]) > 1


def test_addresses_are_named_only_if_it_is_known_where_the_site_will_be(built: Path, tmp_path: Path) -> None:
    assert not (built / "sitemap.xml").exists()
    assert not [page for page in pages(built) for each in tags(page) if each.get("rel") == "canonical"]
    (tmp_path / "pages" / "docs").mkdir(parents=True)
    (tmp_path / "pages" / "index.md").write_text("# Start\n\n```{toctree}\ndocs/more\n```\n")
    (tmp_path / "pages" / "docs" / "more.md").write_text("# More\n")
    subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-c", ROOT / "site", tmp_path / "pages", tmp_path / "out"],
        env={**os.environ, "SITE_URL": "https://example.org/games"},
        check=True,
        timeout=100,
    )
    [link] = soup(tmp_path / "out" / "docs" / "more.html").select("link[rel=canonical]")
    assert link["href"] == "https://example.org/games/docs/more.html"
    sitemap = (tmp_path / "out" / "sitemap.xml").read_text("utf-8")
    assert re.findall("<loc>(.+?)</loc>", sitemap) == [
        f"https://example.org/games/{name}"
        for name in (
            "app/index.html",
            "app/puzzles.html",
            "docs/more.html",
            "index.html",
            "workbench/index.html",
        )
    ]


PROFILES: dict[str, dict[str, Any]] = {"light": {}, "dark phone": {"viewport": PHONE, "color_scheme": "dark"}}
IN_BOTH = {"index.html", "search.html", "games/race-to-the-center.html", "docs/audits/charts/bit-flip.html"}
"""Pages that are looked at in both profiles: one of each kind."""
LOOKED_AT = re.findall(r'^    for_everyone\(\w+, "(.+)"\)$', inspect.getsource(test_play), re.MULTILINE)
"""The pages of the app that its tests look at."""
ELSEWHERE = {*(f"app/{page}" for page in LOOKED_AT), "app/puzzles.html", "workbench/index.html"}
"""Pages that the tests of the app, of the puzzles and of the workbench look at."""
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Waits until a page was drawn, and what watches sizes has heard of it."""
ONCE = """
seen => {
  const known = new Set(seen);
  const ground = (each) => {
    const { backgroundColor } = getComputedStyle(each);
    return backgroundColor === "rgba(0, 0, 0, 0)" && each.parentElement ? ground(each.parentElement) : backgroundColor;
  };
  const looks = [...document.querySelectorAll(":is(pre, .sig) span")].map((each) => {
    const { color, fontSize, fontWeight } = getComputedStyle(each);
    return [each, [color, ground(each), fontSize, fontWeight].join()];
  });
  for (const [each, look] of looks.reverse()) {
    if (each.childElementCount) continue;
    if (known.has(look)) each.replaceWith(each.textContent);
    known.add(look);
  }
  return [...known];
}
"""
"""Leaves one word of code in each look: axe takes a millisecond for each, and there are tens of thousands."""


def test_every_page_says_what_it_is_about(built: Path) -> None:
    for page in pages(built):
        named = {
            each.get("property", each.get("name")): each.get("content")
            for each in tags(page)
            if "content" in each
        }
        assert named["description"], page
        assert named["og:description"] == named["description"], page
        assert named["og:title"] == parsed(page).texts["title"][0], page
    rules = (built / "games" / "bit-flip.html").read_text()
    assert '<meta name="description" content="Flip' in rules
    assert not REMOTE.search((built / "404.html").read_text())


WRITTEN = {"api", "docs/audits", "docs/studies/gg-bench"}
"""The folders whose pages programs wrote."""


def as_few_as_show_all(names: Iterable[str], built: Path) -> set[str]:
    """Pages that have every kind of element between them."""
    kinds = {
        name: {(tag, each.get("class")) for tag, each in parsed(built / name).tags} for name in sorted(names)
    }
    found = set()
    while kinds:
        best = max(kinds, key=lambda name: len(kinds[name]))
        found.add(best)
        kinds = {name: rest for name, had in kinds.items() if (rest := had - kinds[best])}
    return found


def named(built: Path) -> set[str]:
    return {page.relative_to(built).as_posix() for page in pages(built)} - ELSEWHERE


def looked_at(built: Path) -> set[str]:
    """The pages that axe looks at: all that were written by hand, and some of those that programs wrote."""
    found = named(built)
    written = {name for name in found if str(PurePosixPath(name).parent) in WRITTEN}
    return found - written | as_few_as_show_all(written, built)


def test_axe_looks_at_every_page(built: Path) -> None:
    found = {page.relative_to(built).as_posix() for page in pages(built)}
    assert {page for page in found if page.startswith(("app/", "workbench/"))} == ELSEWHERE
    assert found > ELSEWHERE | IN_BOTH


def test_code_is_looked_at_on_every_background(visitors: People) -> None:
    ann = visitors("Ann")
    light, dark = ('<pre style="background: #fff">', '<pre style="background: #222"><b>')
    ann.page.set_content(
        f"{light}<span>a</span><span>b</span></pre>{dark}<span>c</span><span>d</span></b></pre>"
    )
    looks = ann.page.evaluate(ONCE, [])
    expect(ann.page.locator("span")).to_have_text(["b", "d"])
    ann.page.evaluate(ONCE, looks)
    expect(ann.page.locator("span")).to_have_count(0)


@pytest.mark.parametrize("profile", PROFILES)
def test_axe_finds_nothing_and_no_page_is_too_wide(profile: str, built: Path, visitors: People) -> None:
    ann = visitors("Ann", **PROFILES[profile])
    ann.pardoned.append("404")  # the pages with charts have no icon, and the browser asks the host for one
    found = looked_at(built)
    # What the eye sees of an element is the same on all pages, but not in the light and in the dark.
    in_both = IN_BOTH | as_few_as_show_all(found, built)
    # The pages of the study differ in nothing but moves and numbers.
    in_one = sorted(
        name for name in named(built) - in_both if name in found or not name.startswith("docs/studies/")
    )
    looks: list[str] = []
    wrong: dict[str, object] = {}
    for address in sorted(in_both.union(in_one[list(PROFILES).index(profile) :: len(PROFILES)])):
        ann.page.set_viewport_size(PROFILES[profile].get("viewport", WIDE))
        ann.page.goto(f"{address}?q=palindrome", wait_until="domcontentloaded")
        if address == "search.html":
            expect(ann.page.locator("#search-results a").first).to_be_visible()
        if address in found:
            looks = ann.page.evaluate(ONCE, looks)
            ann.page.evaluate(DRAWN)  # by then the page knows what has to be scrolled
            # The sidebar is the same everywhere.
            sidebar = "" if address in IN_BOTH else ".sidebar-drawer"
            if flaws := ann.flaws(without=sidebar, by_eye=address in in_both):
                wrong[address] = flaws
        for viewport in (WIDE, PHONE):
            ann.page.set_viewport_size(viewport)
            if ann.width() != viewport["width"]:
                wrong[f"{address} at {viewport['width']}"] = ann.width()
    assert wrong == {}


def test_the_search_finds_pages_under_a_path_and_asks_nobody_else(visitors: People, address: str) -> None:
    ann = visitors("Ann")
    asked: list[str] = []
    ann.context.on("request", lambda request: asked.append(request.url))
    ann.page.goto("docs/audits/bit-flip.html")
    ann.page.get_by_placeholder("Search").fill("palindrome")
    ann.page.keyboard.press("Enter")
    ann.page.locator("#search-results").get_by_role("link", name="Mirror Match", exact=True).click()
    expect(ann.page.get_by_role("heading", level=1)).to_contain_text("Mirror Match")
    assert f"/{UNDER}/games/mirror-match.html" in ann.page.url
    for words, title in {
        "gymnasium": "Training in Gymnasium",
        "stable baselines": "Training in Gymnasium",
        "tournament": "Run an arena",
        "iframe": "The site: nothing to install",
        "nim-sum": "Bit Flip",
    }.items():
        ann.page.goto(f"search.html?q={words}")
        expect(ann.page.locator("#search-results li a").first).to_have_text(title)
    doors = ann.page.locator(".sidebar-doors a")
    expect(doors).to_have_text(["Play", "Puzzles", "Workbench"])
    assert [url for url in asked if not url.startswith(address)] == []


def test_a_game_is_played_on_its_page_and_loaded_only_then(visitors: People) -> None:
    ann = visitors("Ann")
    asked: list[str] = []
    ann.context.on("request", lambda request: asked.append(request.url))
    ann.page.goto("games/bit-flip.html", wait_until="networkidle")
    heavy = [url for url in asked if "/app/" in url or "/engine/" in url]
    assert [url for url in heavy if not url.endswith(".woff2")] == []  # the headings share the app's font
    ann.page.get_by_role("link", name="Play Bit Flip now").click()
    board = ann.page.frame_locator("iframe[title='A game of Bit Flip']")
    expect(board.locator("#board [data-cell]")).to_have_count(10)
    expect(board.locator("#seat-top")).to_contain_text("Computer (level 5)")
