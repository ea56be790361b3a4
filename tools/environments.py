"""The table of observations, actions and rewards in docs/environments.md. `make golden` rewrites it."""

from collections.abc import Iterator
from random import Random
from typing import Any

import perfectplay as pp
from perfectplay.simulate import Row, horizon_for, observer_for, single_game
from tools import ROOT
from tools.golden import specs

PAGE = ROOT / "docs" / "environments.md"
START, END = "<!-- written by make golden -->\n", "<!-- end -->\n"
FEW = 5
"""The most actions that are listed; of more, only some at either end."""


def table() -> str:
    """One row for each game and reading."""
    head = (
        "game",
        "observation",
        "planes, in this order",
        "actions",
        "what they do",
        "rewards",
        "cut short after",
    )
    rows = [head, ("---",) * len(head), *(_row(spec) for spec in specs())]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _row(spec: str) -> tuple[str, ...]:
    game: pp.Game[Any] = pp.load(spec)
    observer, horizon = observer_for(game), horizon_for(game)
    shape = " x ".join(map(str, observer.shape))
    planes = ", ".join(f"`{plane}`" for plane in observer.planes)
    actions = f"{game.num_actions}", _actions(game)
    return f"`{spec}`", shape, planes, *actions, _rewards(game), f"{horizon or 'never'}"


def _actions(game: pp.Game[Any]) -> str:
    texts = [f"{a}: `{game.action_text(game.initial(), a)}`" for a in range(game.num_actions)]
    if len(texts) > FEW:
        texts = [*texts[:2], "...", *texts[-2:]]
    return ", ".join(texts)


def _rewards(game: pp.Game[Any]) -> str:
    """The rewards of the two sides that occur in random play."""
    seen = {row.rewards for row in _ends(game)}
    return ", ".join(f"{one:+.0f} / {two:+.0f}" for one, two in sorted(seen, reverse=True))


def _ends(game: pp.Game[Any]) -> Iterator[Row]:
    random, single = Random(0), single_game(game)
    for _ in range(500):
        row = single.reset()
        while row.moves and not single.truncated:
            row = single.step(random.choice(list(row.moves)))
        if row.terminated:
            yield row


def page() -> str:
    """The page with its table as it should be."""
    before, _, rest = PAGE.read_text("utf-8").partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n{table()}\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
