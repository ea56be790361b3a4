"""The published cross-table holds what the command gives now."""

import re

import pytest

from tests.conftest import ROOT, Run

PLAYERS = ("random", "level:1", "level:7", "perfect", "search:depth=4")


def cells(page: str, title: str) -> dict[tuple[str, str], str]:
    """The table of one game: row and column to what stands there."""
    table = re.search(rf"## {title}\n[^|]*((?:\|[^\n]*\n)+)", page)
    assert table
    header, _, *rows = ([cell.strip() for cell in line.split("|")[1:-1]] for line in table[1].splitlines())
    return {(row[0], column): cell for row in rows for column, cell in zip(header, row, strict=True)}


@pytest.mark.parametrize("title", ["Bit Flip", "Dual Direction", "Inversion Race", "Race to the Center"])
def test_exact_numbers_are_still_what_the_docs_say(title: str, run: Run) -> None:
    name = title.lower().replace(" ", "-")
    said = run("crosstable", *PLAYERS, "--game", name).stdout
    published = cells((ROOT / "docs" / "crosstable.md").read_text("utf-8"), title)
    for pair, cell in cells(f"{said}\n", title).items():
        if pair[1] in PLAYERS:
            assert published[pair] == cell
