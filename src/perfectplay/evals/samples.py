"""The row that every host writes about one sample: what was asked of whom, and its counts."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, fields
from typing import Any

from perfectplay.core.errors import ParseError, PerfectplayError
from perfectplay.evals.counts import Counts
from perfectplay.evals.play import Play, replay_answers
from perfectplay.evals.questions import SingleQuestion, count_answer
from perfectplay.evals.setup import MODEL, Setup, load_game
from perfectplay.players.base import KnownPlayer
from perfectplay.strength.points import LARGEST
from perfectplay.strength.reference import seated
from perfectplay.validation import validate_game, validate_player

Row = dict[str, Any]
"""Everything about one sample, ready to be written as JSON or as a row of a table."""


def play_row(play: Play, number: int, agent: str, opponent: str | None = None) -> Row:
    """The row of a whole game. `opponent` names the opponent if it is a model.

    >>> row = play_row(replay_answers(Setup("bit-flip:bits=3", "perfect"), 0, 0, ["Move: 1"]), 0, "me")
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
        "texts": [turn.text for turn in play.answers],
        "replies": play.replies,
        "item": None,
        "problem": play.problem,
    }


def item_row(item: SingleQuestion, setup: Setup, text: str | None, agent: str) -> Row:
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
        **count_answer(item, setup, text).as_dict(),
        "texts": [] if text is None else [text],
        "replies": None,
        "item": list(item),
        "problem": None,
    }


ANSWERS, REPLIES = "perfectplay:answers", "perfectplay:replies"
SETUP, OPPONENT = "perfectplay:setup", "perfectplay:opponent"
"""Where a host stores the raw answers of a sample, the moves of an unknown opponent, its setup and the name
of a second model."""


def known_opponent(spec: str) -> KnownPlayer | None:
    """The opponent that data names, if its move probabilities are known."""
    try:
        player = validate_player(spec)
    except PerfectplayError:
        return None
    return player if isinstance(player, KnownPlayer) else None


def raw(metadata: Mapping[str, Any], store: Mapping[str, Any]) -> Row:
    """The columns of a row that hold what was asked and answered, as a host stores it."""
    item = metadata.get("item")
    if not isinstance(item, list) or [type(each) for each in item[:4]] != [str] * 4:
        item = None
    return {
        "texts": _texts(store.get(ANSWERS)) or [],
        "replies": _texts(store.get(REPLIES)),
        "item": item,
    }


def _texts(stored: object) -> list[str] | None:
    return [each for each in stored if isinstance(each, str)] if isinstance(stored, list) else None


def sample_row(
    metadata: Mapping[str, Any],
    store: Mapping[str, Any],
    agent: str,
    files: Collection[str] = (),
    *,
    resigned: bool = False,
) -> Row:
    """The row of a sample from its raw answers, which are played again.

    A sample is data: it starts no program, and runs no game file but those in `files`. One that cannot be
    played again is an error that names its problem.
    """
    answers, replies, question = raw(metadata, store).values()
    told = store.get(SETUP, metadata["setup"])
    try:
        setup = Setup.from_dict(told)
        if setup.opponent == MODEL or known_opponent(setup.opponent):
            replies = None  # it plays as it did, whatever a log says
        setup.admit(files, runs=replies is None)
        if question:
            item = SingleQuestion(*question)
            validate_game(item.game, LARGEST, files)
            return item_row(item, setup, answers[0] if answers else None, agent)
        seat, number = metadata["seat"], metadata["number"]
        if seat not in (0, 1) or type(number) is not int or not 0 <= number < 10**18:
            raise ParseError("a sample needs a seat, 0 or 1, and the number of its game")
        play = replay_answers(setup, seat, number, answers, replies, resigned=resigned)
        return play_row(play, number, agent, store.get(OPPONENT))
    except Exception as error:  # noqa: BLE001 whatever a log holds, the sample stays in the denominator
        return failed_row(metadata, told, agent, question, error)


def failed_row(
    metadata: Mapping[str, Any], told: object, agent: str, item: list[Any] | None, error: Exception
) -> Row:
    """The row of a sample that cannot be played again: an error that names its problem."""
    setup = told if isinstance(told, Mapping) else {}
    usual = {each.name: each.default for each in fields(Setup) if each.name != "game"}
    found = {name: setup.get(name) for name in usual}
    for name, value in found.items():
        if type(value) is int and not 0 <= value < 10**18:
            found[name] = None
    said = str(error) if isinstance(error, PerfectplayError) else f"{type(error).__name__}: {error}"
    return {
        **{name: found[name] if type(found[name]) is type(value) else value for name, value in usual.items()},
        "task": str(item[0]) if item else "play",
        "agent": agent,
        "game": str(item[1] if item else setup.get("game")),
        "opponent": "" if item else str(setup.get("opponent")),
        "seat": 2 if metadata.get("seat") == 1 else 1,
        "side": "",
        "cluster": f"{setup.get('game')} {metadata.get('number')} {item}",
        "number": 0,
        **Counts(errors=1, result=None if item else "error").as_dict(),
        "texts": [],
        "replies": None,
        "item": None,
        "problem": " ".join(said.split())[:300],
    }


def again(row: Mapping[str, Any], files: Collection[str] = ()) -> Row:
    """The row of a sample that is played again from the raw answers in its row.

    >>> row = play_row(replay_answers(Setup("bit-flip:bits=3", "perfect"), 0, 0, ["Move: 1"]), 0, "me")
    >>> again({**row, "kept": 99}) == row
    True
    """
    kind, _, rival = row["opponent"].partition(":")
    setup = {each.name: row[each.name] for each in fields(Setup)}
    setup["opponent"] = kind if kind == MODEL else row["opponent"] or "random"
    metadata = {"setup": setup, "item": row["item"], "seat": row["seat"] - 1, "number": row["number"]}
    store = {ANSWERS: row["texts"] or [], REPLIES: row["replies"]}
    if kind == MODEL and rival:
        store[OPPONENT] = rival
    return sample_row(metadata, store, row["agent"], files, resigned=row["result"] == "forfeit")
