"""How a match ended, in words."""

import pytest

import perfectplay as pp
from perfectplay.core.outcome import describe_ending, explain, verdict

NAMES = ("Ann", "Bob")


@pytest.mark.parametrize(
    ("result", "says"),
    [
        (pp.Result(0, "last flip"), "Ann won. Ann made the last flip, and no bit was left for Bob."),
        (pp.Result(0, "resignation"), "Ann won. Bob resigned."),
        (pp.Result(1, "time"), "Bob won. Ann ran out of time."),
        (pp.Result(1, "disqualification"), "Bob won. Ann was disqualified after too many invalid turns."),
        (pp.Result(1, "applause"), "Bob won. Bob won: applause."),
        (pp.Result(None, "board full"), "A tie. Board full."),
        (
            pp.Result(None, "time", finished=False),
            "Unfinished. Time ran out, but the opponent could no longer win.",
        ),
        (pp.Result(None, "claimed", finished=False), "Unfinished. A player was away or stopped playing."),
        (pp.Result(None, "ply limit", finished=False), "Unfinished. The move limit was reached."),
        (pp.Result(None, "server closed", finished=False), "Unfinished. Server closed."),
    ],
)
def test_every_end_has_a_verdict_and_a_reason(result: pp.Result, says: str) -> None:
    assert describe_ending(pp.load("bit-flip"), result, NAMES) == says


def test_whoever_played_reads_you() -> None:
    result = pp.Result(1, "resignation")
    assert [verdict(result, NAMES, viewer) for viewer in (None, 0, 1)] == ["Bob won", "You lost", "You won"]
    assert explain(pp.load("bit-flip"), result, ("you", "the computer")) == "You resigned."


def test_names_are_data() -> None:
    said = explain(pp.load("bit-flip"), pp.Result(0, "last flip"), ("{loser}", "{winner}"))
    assert said == "{loser} made the last flip, and no bit was left for {winner}."
