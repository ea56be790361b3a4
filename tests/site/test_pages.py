"""The pages to play and study on, as they are made from those of the server."""

import pytest
from bs4 import BeautifulSoup

from tools.site.pages import PAGES, frame


@pytest.mark.parametrize("name", PAGES)
def test_only_the_menu_leads_to_the_rest_of_the_site(name: str) -> None:
    path = "/" if name == "index.html" else f"/{name.removesuffix('.html')}"
    page = BeautifulSoup(frame(PAGES[name].read_text("utf-8"), path), "html.parser")
    lists = [nav.get("id") for nav in page.find_all("nav") if nav.find(href="../workbench/index.html")]
    assert lists == ["menu"]
    # What only one browser has cannot be embedded: every other one would show an empty page.
    embedded = page.find("script", src="embed.js") is not None
    assert embedded == (name in ("puzzles.html", "study.html", "table.html"))
