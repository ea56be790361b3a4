"""A page for each game: its picture, who wins, a board to play on, the rules, and what its audit found."""

import inspect
from html import escape
from pathlib import Path
from typing import Any

from perfectplay.audit.case import prepare
from perfectplay.audit.readings import Reading, outlook, readings
from perfectplay.core.game import Game
from perfectplay.core.texts import summary
from perfectplay.games.registry import load, names
from perfectplay.render.notebook import match_svg
from perfectplay.tables.illustration import find_telling_match
from tools import ROOT

TABLE = "app/table.html"
"""Where a game is played, as seen from the root of the site."""

ENDLESS = "Perfect play never ends: neither player can force a win."


def pages() -> dict[str, str]:
    """The files of all games by their names: pages as Markdown for MyST, and pictures."""
    games = [load(name) for name in names()]
    return {
        **{f"games/{game.name}.svg": match_svg(find_telling_match(game)) for game in games},
        **{f"games/{game.name}.md": page(game) for game in games},
        "games/cards.txt": "\n".join(map(_card, games)),
        "docs/audits/index.md": _audits(games),
    }


def page(game: Game[Any]) -> str:
    """The page of a game, as Markdown for MyST."""
    name = game.name
    _, _, rules = game.texts().rulebook().partition("\n")
    return "\n\n".join(
        [
            f"# {game.title}",
            summary(type(game)),
            f"![A game of {game.title} after a few moves]({name}.svg)",
            f"**{worth(game)}**",
            _play(game),
            rules.strip(),
            "## Who wins",
            "These are proofs and not estimates.",
            _readings(readings(prepare(game))),
            *_presets(game),
            *_mathematics(game),
            "## Audit",
            "What the [auditor](../docs/auditing.md) found in these rules:",
            _findings(name),
            f"[The whole audit](../docs/audits/{name}.md) proves each finding with moves, and says how well"
            f' players of each strength do. <a href="../docs/audits/charts/{name}.html">With charts</a>',
        ]
    )


def _mathematics(game: Game[Any]) -> list[str]:
    """Why the game is worth what it is: the file beside its rules."""
    file = Path(inspect.getfile(type(game))).with_name("mathematics.md")
    return ["## The mathematics", file.read_text("utf-8").strip()] if file.is_file() else []


def worth(game: Game[Any]) -> str:
    """Who wins with best play, in a sentence.

    >>> worth(load("bit-flip"))
    'Player 1 wins in 5 moves with best play.'
    """
    _, text = outlook(prepare(game))
    return ENDLESS if text == "endless" else f"{text.replace(' plies', ' moves')} with best play."


def _size(game: Game[Any]) -> str:
    case = prepare(game)
    return f"{case.visited:,}" if case.whole else "too many"


def _play(game: Game[Any]) -> str:
    address = escape(f"../{TABLE}?game={game.spec}")
    return (
        f'<div class="play" data-title="A game of {escape(game.title)}" data-address="{address}">\n'
        f'<p><a class="button" href="{address}">Play {escape(game.title)} now</a></p>\n</div>'
    )


def _readings(rows: tuple[Reading, ...]) -> str:
    lines = ["| reading | positions | perfect play |", "|---|---:|---|"]
    for row in rows:
        size = "too many to visit" if row.positions is None else f"{row.positions:,}"
        lines.append(f"| `{row.name}` | {size} | {row.outlook} |")
    return "\n".join(lines)


def _presets(game: Game[Any]) -> list[str]:
    if not game.texts().presets:
        return []
    lines = [f"- **{each.title}**, `{each.spec}`: {each.why}" for each in game.texts().presets]
    return ["Other settings that are worth playing:", "\n".join(lines)]


def _findings(name: str) -> str:
    """The findings of a game's audit, without the moves that show them."""
    text = (ROOT / "docs" / "audits" / f"{name}.md").read_text("utf-8")
    section = text.partition("\n## Findings\n")[2].partition("\n## ")[0]
    return "\n".join(line for line in section.splitlines() if line.startswith("- "))


def _card(game: Game[Any]) -> str:
    name = game.name
    return (
        f"::::{{container}} card\n[![A game of {game.title}](/games/{name}.svg)](/games/{name}.md)\n\n"
        f"[**{game.title}**](/games/{name}.md)\n\n{summary(type(game))}\n\n{worth(game)}\n::::\n"
    )


def _audits(games: list[Game[Any]]) -> str:
    rows = [f"| [{game.title}]({game.name}.md) | {_size(game)} | {worth(game)} |" for game in games]
    inside = "\n".join(game.name for game in games)
    return "\n\n".join(
        [
            "# Audits of the games",
            "What the [auditor](../auditing.md) says about each set of rules, with proof.",
            "\n".join(["| game | positions | perfect play |", "|---|---:|---|", *rows]),
            f"```{{toctree}}\n:hidden:\n\n{inside}\n```\n",
        ]
    )
