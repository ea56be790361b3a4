"""The pictures of notebooks in docs/, made again by `python -m tools.notebook_pictures`."""

import perfectplay as pp
from perfectplay.audit.sweep import sweep
from perfectplay.render.notebook import match_svg
from perfectplay_notebook import Board
from tests.notebook.notebooks import Notebook
from tests.web.browsers import started
from tools import ROOT

DOCS = ROOT / "docs"


def main() -> None:
    """Draw a match, and take pictures of a board and of a sweep."""
    match = pp.Match(pp.load("bit-flip"))
    for move in ("4", "1", "7"):
        match.play(move)
    (DOCS / "notebook-match.svg").write_text(f"{match_svg(match)}\n", encoding="utf-8")
    with started() as browser:
        page = browser.new_page(viewport={"width": 720, "height": 500}, device_scale_factor=1)
        notebook = Notebook(page, Board("bit-flip", opponent="perfect", seed=1))
        notebook.click("4")
        notebook.settled(2)
        page.locator("#el").screenshot(path=DOCS / "notebook-board.png", animations="disabled")
        page = browser.new_page(viewport={"width": 720, "height": 500})
        page.set_content(sweep(pp.load("race-to-the-center"), "positions=5..23")._repr_html_())
        page.locator("svg").screenshot(path=DOCS / "notebook-sweep.png")


if __name__ == "__main__":
    main()
