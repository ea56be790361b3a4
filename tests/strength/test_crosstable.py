"""The published cross-table matches the command's output, and no terminal cuts off a number in a table."""

import io
import json
import re
from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest

import perfectplay as pp
from perfectplay.strength.crosstable import OPPONENTS, cross_tables, tables_text
from perfectplay.terminal.commands.arena import show_arena
from perfectplay.terminal.commands.audit import show_audit
from perfectplay.terminal.commands.show import show_games
from perfectplay.terminal.commands.solve import show_solution
from perfectplay.terminal.console import Console
from tests.conftest import ROOT, Run
from tests.terminal.terminals import Terminal

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
    said = run("arena", "--table", *PLAYERS, "--game", name).stdout
    published = cells((ROOT / "docs" / "crosstable.md").read_text("utf-8"), title)
    for pair, cell in cells(f"{said}\n", title).items():
        if pair[1] in PLAYERS:
            assert published[pair] == cell


# Tables on narrow terminals


class Screen(io.StringIO):
    """A terminal that keeps what is written to it."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


class NarrowConsole(Console):
    """A console with the given number of columns."""

    def __init__(self, columns: int | None) -> None:
        self.columns = columns
        super().__init__(None, Screen() if columns else io.StringIO())

    @property
    def width(self) -> int | None:
        return self.columns


def shown(show: Callable[[Console], None], columns: int | None) -> list[str]:
    """The lines that are printed, without styles."""
    console = NarrowConsole(columns)
    show(console)
    assert isinstance(console.stdout, io.StringIO)
    return re.sub(r"\x1b\[[0-9;]*m", "", console.stdout.getvalue()).splitlines()


def numbers(lines: list[str]) -> Counter[str]:
    return Counter(re.findall(r"[0-9]+(?:[.,][0-9]+)*", "\n".join(lines)))


show_crosstable: Callable[..., None] = partial(
    show_arena, opponents=(), table=True, best_response=False, plies=None, out=None, on="here", workers=1
)
SHOWS: dict[str, Callable[[Console], None]] = {
    "crosstable": lambda console: show_crosstable(
        console, OPPONENTS[:-1], ("bit-flip",), count=1, seed=0, as_json=False
    ),
    "crosstable, sampled": lambda console: show_crosstable(
        console, ("random", "search:depth=1"), ("mirror-match",), count=100, seed=0, as_json=False
    ),
    "audit": lambda console: show_audit(console, "race-to-the-center", limit=1000),
    "sweep": lambda console: show_audit(console, "bit-flip", sweep="bits=9..11"),
    "solve": lambda console: show_solution(
        console, "bit-flip:bits=30", exact_distance=False, limit=1000, as_json=False
    ),
    "games": show_games,
}


@pytest.mark.parametrize("terminal", ["xterm", "dumb"])
@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize("what", SHOWS)
def test_no_table_cuts_a_number(
    what: str, columns: int, terminal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", terminal)
    whole, narrow = shown(SHOWS[what], None), shown(SHOWS[what], columns)
    assert max(map(len, narrow)) <= columns
    assert "\N{HORIZONTAL ELLIPSIS}" not in "".join(narrow)
    # The first column and the heads of others come again; nothing is lost, and nothing is new.
    assert not numbers(whole) - numbers(narrow)
    assert set(numbers(narrow)) == set(numbers(whole))


@pytest.mark.parametrize("columns", [80, 40])
def test_cells_of_a_table_stay_in_one_line(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    pair = re.compile(r"[0-9]+\.[0-9] : [0-9]+\.[0-9]")
    whole, narrow = (
        Counter(pair.findall("\n".join(shown(SHOWS["crosstable"], each)))) for each in (None, columns)
    )
    assert whole == narrow


def test_a_table_is_folded_on_a_real_terminal() -> None:
    with Terminal("arena", *OPPONENTS[:-1], "--game", "bit-flip", "--games", "1", "--table") as terminal:
        screen = terminal.until_end()
    assert "100.0 : 0.0" in screen
    assert "\N{HORIZONTAL ELLIPSIS}" not in screen


# As data


def test_the_tables_as_data(run: Run) -> None:
    done = run(
        "arena", "--table", "random", "perfect", "--game", "bit-flip", "--game", "dual-direction", "--json"
    )
    one, two = json.loads(done.stdout)
    assert (one["game"], two["game"]) == ("bit-flip", "dual-direction")
    assert one["players"] == ["random", "perfect"]
    assert one["scores"] == pytest.approx([259 / 900, 641 / 900], abs=1e-12)  # not rounded
    assert one["rates"][1][0] == {
        "wins": [1.0, 0.0], "tie": 0.0, "endless": 0.0, "stuck": 0.0, "games": None, "intervals": [None, None]
    }  # fmt: skip
    assert two["rates"][1][1]["endless"] == 1
    sampled = json.loads(
        run("arena", "--table", "random", "--game", "mirror-match", "--games", "4", "--json").stdout
    )
    assert sampled[0]["rates"][0][0]["games"] == 4


def test_the_page_of_opponents() -> None:
    def page(players: list[str], *games: str, samples: int, plies: int, seed: int = 0) -> str:
        return tables_text(cross_tables(players, games, samples=samples, plies=plies, seed=seed))

    written = page(["random", "level:5"], samples=5, plies=200)
    assert written.count("## ") == len(pp.names())
    assert written.count("All exact") == len(pp.names()) - 1
    assert "sampled, 5 games per pair" in written
    assert written == page(["random", "level:5"], samples=5, plies=200)
    small = page(["random", "perfect"], "race-to-the-center", samples=1, plies=100)
    assert "\n| perfect | 75.0 : 25.0 | 0.0 : 100.0 | 0.688 |\n" in small
    seeded = [page(["random"], "mirror-match", samples=50, plies=8, seed=seed) for seed in (1, 2)]
    assert seeded[0] != seeded[1]


def test_a_person_is_not_put_into_a_table(run: Run) -> None:
    done = run("arena", "--table", "human")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
