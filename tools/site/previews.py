"""What a search engine or a chat shows of a page: its title, a description and a picture."""

import os
import re
from html import escape, unescape
from pathlib import Path

DESCRIPTION = re.compile(r'<meta name="description" content="([^"]*)">')
TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
TEXT = re.compile(r"<(?:article|main)\b.*?<p\b[^>]*>(.*?)</p>", re.DOTALL)
LONGEST = 200
USUAL = "Five small games of pure strategy, solved exactly: play, study and change them in your browser."
PICTURE = "app/icon-512.png"


def build(out: Path) -> None:
    """Add to every page of a site what links to it show."""
    for path in out.rglob("*.html"):
        page = path.read_text("utf-8")
        described = add_preview(page, path.relative_to(out).as_posix(), os.environ.get("SITE_URL", ""))
        path.write_text(described, "utf-8")


def add_preview(page: str, path: str, address: str) -> str:
    """A page with tags for previews, and a description: its own, or else its first paragraph.

    Addresses in such tags have to be whole: without the site's, they are left out.

    >>> print(add_preview("<title>A</title><main><p>Some <b>text</b>.</p></main>", "a.html", ""))
    <title>A</title>
    <meta name="description" content="Some text.">
    <meta property="og:type" content="website">
    <meta property="og:site_name" content="perfectplay">
    <meta property="og:title" content="A">
    <meta property="og:description" content="Some text.">
    <meta name="twitter:card" content="summary"><main><p>Some <b>text</b>.</p></main>
    """
    title = TITLE.search(page)
    if title is None:
        return page
    known = DESCRIPTION.search(page)
    text = known[1] if known else escape(_first(page))
    site = f"{address.rstrip('/')}/" if address else ""
    tags = {
        "og:type": "website",
        "og:site_name": "perfectplay",
        "og:title": " ".join(title[1].split()),
        "og:description": text,
        **({"og:url": escape(site + path), "og:image": escape(site + PICTURE)} if site else {}),
    }
    lines = [] if known else [f'<meta name="description" content="{text}">']
    lines += [f'<meta property="{name}" content="{value}">' for name, value in tags.items()]
    lines.append('<meta name="twitter:card" content="summary">')
    return page.replace(title[0], "\n".join([title[0], *lines]), 1)


def _first(page: str) -> str:
    """The first paragraph of a page as plain text, as much of it as is shown."""
    found = TEXT.search(page)
    text = " ".join(unescape(re.sub(r"<[^>]+>", "", found[1])).split()) if found else ""
    if len(text) > LONGEST:
        text = f"{text[:LONGEST].rpartition(' ')[0]}…"
    return text or USUAL
