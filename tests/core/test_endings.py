"""How a match ended, in words."""

from collections.abc import Callable
from typing import Any

import pytest

import perfectplay as pp
from perfectplay.core.endings import describe_ending, explain, reason, verdict

NAMES = ("Ann", "Bob")
PLAYED = pp.Match(pp.load("bit-flip"))


@pytest.mark.parametrize(
    ("result", "says"),
    [
        (pp.Result(0, "last flip"), "Ann won. Ann made the last flip, and no bit was left for Bob."),
        (pp.Result(0, "resignation"), "Ann won. Bob resigned."),
        (pp.Result(1, "time"), "Bob won. Ann ran out of time."),
        (pp.Result(1, "applause"), "Bob won. Bob won: applause."),
        (pp.Result(None, "board full"), "A tie. Board full."),
        (pp.Result(None, "abandoned", finished=False), "Unfinished. The game was abandoned."),
        (pp.Result(None, "ply limit", finished=False), "Unfinished. The move limit was reached."),
        (pp.Result(None, "server closed", finished=False), "Unfinished. Server closed."),
    ],
)
def test_every_end_has_a_verdict_and_a_reason(result: pp.Result, says: str) -> None:
    assert describe_ending(PLAYED, result, NAMES) == says


def disqualified(turns: int) -> pp.Match[Any]:
    match = pp.Match(pp.load(f"mirror-match:disqualify_after={turns}"))
    while match.result is None:
        match.play("0" if match.side == 0 else "4 E")
    return match


def limited() -> pp.Match[Any]:
    match = pp.Match(pp.load("bit-flip"), max_plies=1)
    match.play("4")
    return match


def late() -> pp.Match[Any]:
    match = pp.Match(pp.load("inversion-race"))
    match.play("left")  # from there Player B cannot get past Player A
    match.time_out(0)
    return match


def claimed() -> pp.Match[Any]:
    match = pp.Match(pp.load("bit-flip"))
    match.claim(1)
    return match


@pytest.mark.parametrize(
    ("play", "named", "nameless"),
    [
        (
            lambda: disqualified(1),
            "Ann lost by disqualification after an invalid turn.",
            "{loser} lost by disqualification after an invalid turn.",
        ),
        (
            lambda: disqualified(3),
            "Ann lost by disqualification after 3 invalid turns in a row.",
            "{loser} lost by disqualification after 3 invalid turns in a row.",
        ),
        (limited, "The move limit of 1 was reached.", "The move limit was reached."),
        (
            late,
            "Ann ran out of time, but Bob could no longer win.",
            "A player ran out of time, but the opponent could no longer win.",
        ),
        (
            claimed,
            "Ann left or stopped playing, and Bob stopped waiting.",
            "A player left or stopped playing, and the opponent stopped waiting.",
        ),
    ],
)
def test_who_and_how_many_are_named_where_the_match_is_known(
    play: Callable[[], pp.Match[Any]], named: str, nameless: str
) -> None:
    match = play()
    assert match.result is not None
    assert explain(match, match.result, NAMES) == named
    assert reason(match.game, match.result) == nameless


def test_whoever_played_reads_you() -> None:
    result = pp.Result(1, "resignation")
    assert [verdict(result, NAMES, viewer) for viewer in (None, 0, 1)] == ["Bob won", "You lost", "You won"]
    assert explain(PLAYED, result, ("you", "the computer")) == "You resigned."


def test_names_are_data() -> None:
    said = explain(PLAYED, pp.Result(0, "last flip"), ("{loser}", "{winner}"))
    assert said == "{loser} made the last flip, and no bit was left for {winner}."
