"""The graphs of scored games that were visited whole: as data, as pictures, and as game files for a tab."""

import base64
import json
import zlib
from collections.abc import Iterator, Sequence
from html import escape
from itertools import chain, pairwise
from pathlib import Path

import perfectplay as pp
from perfectplay_foreign.collections.gg_bench import load_game
from perfectplay_foreign.environment_game import EnvironmentGame
from studies.gg_bench.rows import JsonRow, read_lines

LARGEST, DRAWN = 20_000, 60
"""Graphs with at most so many moves are kept as data, and those with at most so many positions are drawn."""
GAME_FILE = Path(__file__).parent / "graph_game.py"
WORKBENCH = "../../../workbench/index.html"
"""Where the workbench is, as seen from the page of a game on the site."""
TOP, LEFT, HIGH, WIDE, RADIUS = 24, 30, 46, 34, 9
FILLS = {"1": "#fff", "2": "#333", "0": "#bbb", "~": "#e8c8a0", "?": "#e8a0a0"}
"""How a position is filled: won by the side that moves first or by the other, tied, endless, or undecided."""
LETTERS = {"tie": "0", "endless": "~", "undecided": "?"}
"""The values that are not a side."""


def graph_row(number: int, game: EnvironmentGame) -> JsonRow:
    """A game as data: its digest and, if it is small, its graph.

    Each position has its side to move, its value (the side that wins, 0 for a tie, ~ for no end, ? where play
    can get stuck), and its moves: in turn the place of a name, and a target. Targets below 0 are ends: won by
    the first side (-1) or by the second (-2), or tied (-3).
    """
    row: JsonRow = {"game": number, "digest": game.what.partition("@")[2]}
    table = game.table
    if len(table.actions) > LARGEST:
        return row
    oracle, values = pp.solve(game), ""
    for state, side in enumerate(table.sides):
        kind = oracle.value(state).kind
        values += LETTERS.get(kind) or str(2 - side if kind == "loss" else 1 + side)
    ways = list(zip(table.actions, table.targets, strict=True))
    moves = [list(chain(*ways[low:high])) for low, high in pairwise(table.offsets)]
    sides = "".join(str(1 + side) for side in table.sides)
    return row | {"sides": sides, "values": values, "names": list(table.names), "moves": moves}


def graph_rows(folder: Path, numbers: Sequence[int], kept: Path) -> list[JsonRow]:
    """The rows of games of a copy; those in the file `kept` are not made again."""
    found = {row["game"]: row for row in read_lines(kept)}
    with kept.open("a", encoding="utf-8") as file:
        for number in numbers:
            if number not in found:
                found[number] = graph_row(number, load_game(folder, number))
                file.write(json.dumps(found[number]) + "\n")
                file.flush()
    return [found[number] for number in numbers]


def plies_of(row: JsonRow) -> list[int]:
    """How many moves each position is from the start, at least. Positions are numbered nearest first."""
    plies = [0] * len(row["moves"])
    for here, moves in enumerate(row["moves"]):
        for target in moves[1::2]:
            if target > 0 and not plies[target]:
                plies[target] = plies[here] + 1
    return plies


def draw_map(row: JsonRow) -> str:
    """The graph as SVG: a line of positions for each ply, and lines for the moves between them."""
    plies = plies_of(row)
    lines = [[here for here, ply in enumerate(plies) if ply == each] for each in range(max(plies) + 1)]
    widest = max(map(len, lines))
    place = {
        here: (LEFT + WIDE * (nth + (widest - len(line)) / 2), TOP + HIGH * ply)
        for ply, line in enumerate(lines)
        for nth, here in enumerate(line)
    }
    width, height = 2 * LEFT + WIDE * (widest - 1), 2 * TOP + HIGH * (len(lines) - 1)
    title = f"Map of the {len(plies)} positions of game {row['game']}, the start at the top"
    shapes = [
        f'<line x1="{place[here][0]:g}" y1="{place[here][1]:g}" x2="{place[to][0]:g}" y2="{place[to][1]:g}"/>'
        for here, moves in enumerate(row["moves"])
        for to in sorted(set(moves[1::2]))
        if to >= 0
    ]
    shapes += [
        f'<circle cx="{x:g}" cy="{y:g}" r="{RADIUS}" fill="{FILLS[row["values"][here]]}"/>'
        for here, (x, y) in place.items()
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}"'
        f' height="{height:g}" role="img" aria-label="{escape(title)}" stroke="#777">{"".join(shapes)}</svg>'
    )


def game_file(row: JsonRow) -> str:
    """A game file of a graph: what the workbench opens, and what `perfectplay play FILE` plays."""
    graph = json.dumps({name: row[name] for name in ("sides", "names", "moves")}, separators=(",", ":"))
    graph = graph.replace("],[", "],\n[")
    text = GAME_FILE.read_text("utf-8").replace("gg-bench 0", f"gg-bench {row['game']}")
    before, _, rest = text.partition('GRAPH = """')
    return f'{before}GRAPH = """\n{graph}\n{rest[rest.index(chr(34) * 3) :]}'


def pack(text: str) -> str:
    """A text as the workbench takes it behind `#file=`."""
    squeezed = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.urlsafe_b64encode(squeezed.compress(text.encode()) + squeezed.flush()).decode().rstrip("=")


def show_graph(row: JsonRow) -> Iterator[str]:
    """What the page of a game says about its graph, as Markdown."""
    yield "## Its map"
    counts = {each: row["values"].count(each) for each in FILLS}
    said = f"Of {len(row['values']):,} positions, the first side wins {counts['1']:,}"
    said += f" and the second {counts['2']:,}"
    said += f"; {counts['0']:,} are ties" if counts["0"] else ""
    said += f"; {counts['~']:,} never end" if counts["~"] else ""
    said += f"; {counts['?']:,} are undecided, because play can get stuck" if counts["?"] else ""
    yield f"{said}. That is so if both play perfectly."
    if len(row["values"]) <= DRAWN:
        yield f'<p class="wide">{draw_map(row)}</p>'
        yield "White: won by the side that moves first; dark: by the other; gray: a tie."
    address = f"{WORKBENCH}#file={pack(game_file(row))}"
    yield f'<p><a class="button" href="{address}">Play it in the workbench</a></p>'


def find_graph(rows: Sequence[JsonRow], number: int) -> JsonRow | None:
    """The graph of a game, if it was kept."""
    return next((row for row in rows if row["game"] == number and "moves" in row), None)
