"""The row that every host writes about one sample: what was asked of whom, and its counts."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from perfectplay.core.game import Game
from perfectplay.core.outcome import Side
from perfectplay.evals.play import Play, replayed
from perfectplay.evals.questions import Item, answered
from perfectplay.evals.setup import MODEL, Setup, load_game

Row = dict[str, Any]
"""Everything about one sample, ready to be written as JSON or as a row of a table."""


def seated(game: Game[Any], seat: Side) -> dict[str, Any]:
    """The columns of a row that tell a seat: its number, 1 or 2, and the name of its side to show.

    >>> seated(load_game("inversion-race"), 1)
    {'seat': 2, 'side': 'Player B'}
    """
    return {"seat": seat + 1, "side": game.side_names[seat]}


def seat_text(row: Mapping[str, Any]) -> str:
    """The seat of a row, with the name of its side unless that says no more.

    >>> seat_text({"seat": 2, "side": "Player 2"}), seat_text({"seat": 2, "side": "Player B"})
    ('2', '2 (Player B)')
    """
    said, side = str(row["seat"]), row.get("side")
    return f"{said} ({side})" if side and not side.endswith(f" {said}") else said


def play_row(play: Play, number: int, agent: str, opponent: str | None = None) -> Row:
    """The row of a whole game. `opponent` names the opponent if it is a model.

    >>> row = play_row(replayed(Setup("bit-flip:bits=3", "perfect"), 0, 0, ["Move: 1"]), 0, "me")
    >>> row["agent"], row["game"], row["seat"], row["points"]
    ('me', 'bit-flip:bits=3', 1, 1.0)
    """
    setup = play.setup
    against = f"{MODEL}:{opponent}" if setup.opponent == MODEL and opponent else setup.opponent
    return {
        "task": "play",
        "agent": agent,
        **asdict(setup),
        "game": play.game.spec,
        "opponent": against,
        **seated(play.game, play.seat),
        "cluster": f"{play.game.spec} {play.match.seed}",
        "number": number,
        **play.counts.as_dict(),
    }


def item_row(item: Item, setup: Setup, text: str | None, agent: str) -> Row:
    """The row of a single question; None is an answer that never came."""
    return {
        "task": item.kind,
        "agent": agent,
        **asdict(setup),
        "game": item.game,
        "opponent": "",
        **seated(load_game(item.game), item.seat),
        "cluster": item.cluster,
        "number": 0,
        **answered(item, setup, text).as_dict(),
    }


ANSWERS, SETUP, OPPONENT = "perfectplay:answers", "perfectplay:setup", "perfectplay:opponent"
"""Where a host stores the raw answers of a sample, its setup and the name of a second model."""


def sample_row(metadata: Mapping[str, Any], store: Mapping[str, Any], agent: str) -> Row:
    """The row of a sample from its raw answers, which are played again."""
    answers = store.get(ANSWERS, [])
    setup = Setup.from_dict(store.get(SETUP, metadata["setup"]))
    if "item" in metadata:
        return item_row(Item(*metadata["item"]), setup, answers[0] if answers else None, agent)
    seat, number = metadata["seat"], metadata["number"]
    return play_row(replayed(setup, seat, number, answers), number, agent, store.get(OPPONENT))
