"""Entries of a match that are not plies (time, claims, assistance), and start positions."""

from pathlib import Path
from typing import Any

import pytest

import perfectplay as pp
from perfectplay.coach.coach import Coach
from perfectplay.core.limits import LONGEST_START, MOST_SEARCHED
from perfectplay.core.timeline import Entry
from perfectplay.core.walks import may_win
from perfectplay.terminal.messages import ending
from tests.conftest import Run
from tests.core.matches import error_of, played


def again(match: pp.Match[Any]) -> pp.Match[Any]:
    """The match as its record replays, which must give the same text."""
    text = str(match.record())
    [record] = pp.read_records(text)
    found = pp.Match.replay(record, match.game)
    assert str(found.record()) == str(record) == text
    return found


def told(match: pp.Match[Any]) -> str:
    [line] = ending(match.game.dialogue(), match, ("Ann", "Bob"))
    return line


# Time


def test_running_out_of_time_loses() -> None:
    match = played("inversion-race", "right")
    match.time_out()
    assert match.result == pp.Result(0, "time")
    assert str(match.record()) == (
        "perfectplay record 1\n"
        "game: inversion-race\n"
        "p1: human\n"
        "p2: human\n"
        "seed: 0\n"
        "\n"
        "1. Player A: right -> 6 5 0 B\n"
        "Player B: time\n"
        "result: Player A wins: time"
    )
    assert again(match).result == match.result
    assert told(match) == "Ann won. Bob ran out of time."
    match.undo()
    assert match.result is None
    match.time_out(0)
    assert match.result == pp.Result(1, "time")


def test_time_leaves_a_game_unfinished_that_the_other_side_can_no_longer_win() -> None:
    game: pp.Game[Any] = pp.load("race-to-the-center")
    match = pp.Match(game, start=game.parse_state("4 6 1"))
    match.play("1")
    assert match.legal() == ("1",)  # the answer, which wins for Player 2
    match.time_out()
    assert match.result == pp.Result(None, "time", finished=False)
    assert again(match).record().result == "unfinished: time"
    assert told(match) == "Unfinished. Bob ran out of time, but Ann could no longer win."
    match.undo()
    match.time_out(0)
    assert match.result == pp.Result(1, "time")
    # A marker to the left of the other keeps it from the goal for good.
    match = played("inversion-race", "left")
    match.time_out(0)
    assert match.result == pp.Result(None, "time", finished=False)


def test_a_search_that_is_too_long_counts_as_a_possible_win() -> None:
    game = pp.load("bit-flip:bits=60")
    assert may_win(game, game.initial(), 0)
    # One move more than the limit allows, and none of them wins for the side.
    wide: pp.Game[Any] = pp.load(f"bit-flip:bits={MOST_SEARCHED + 1}")
    full = pp.load("bit-flip:bits=1")
    assert not may_win(full, full.initial(), 1)
    assert may_win(wide, wide.initial(), 1)


@pytest.mark.parametrize(
    "spec",
    [
        *pp.names(),
        "bit-flip:bits=200",
        "dual-direction:positions=200",
        "inversion-race:cells=200",
        "mirror-match:digits=200,shortest=200",
        "race-to-the-center:positions=199",
    ],
)
def test_the_search_is_short_in_every_game(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game: pp.Game[Any] = pp.load(spec)
    tried = 0
    apply = type(game).apply

    def counting(self: pp.Game[Any], state: Any, action: int) -> Any:
        nonlocal tried
        tried += 1
        return apply(self, state, action)

    monkeypatch.setattr(type(game), "apply", counting)
    for side in (0, 1):
        assert may_win(game, game.initial(), side)
    assert tried <= 2 * MOST_SEARCHED


# Claims


def test_a_claim_leaves_the_game_unfinished() -> None:
    match = played("bit-flip", "4")
    match.claim(0)
    assert match.result == pp.Result(None, "claimed", finished=False)
    assert str(match.record()).endswith("\nPlayer 1: claim\nresult: unfinished: claimed")
    assert again(match).result == match.result
    assert told(match) == "Unfinished. Bob left or stopped playing, and Ann stopped waiting."
    assert match.is_choice(match.last)


# Assistance


def test_assistance_is_noted_once_and_outlasts_undo() -> None:
    match = played("bit-flip", "4", "1")
    match.assist(0)
    match.assist(0)
    match.play("7")
    assert [move.text for move in again(match).record().moves] == ["4", "1", "assisted", "7"]
    match.undo(1)
    assert match.history == (Entry(0, "move", 0, 4), Entry(0, "assisted", 1))
    assert match.plies == 1
    match.assist(1)  # does not keep the rest from being put back
    match.redo()
    assert [move.text for move in again(match).record().moves] == ["4", "assisted", "1", "assisted", "7"]
    assert match.assisted == (1, 0)
    assert not match.is_choice(match.history[1])
    while match.plies:
        match.undo()
    assert error_of(match.undo) == "There is nothing to take back."
    assert match.assisted == (1, 0)


def test_assistance_does_not_end_an_offer_to_abandon() -> None:
    match = played("dual-direction", "left", "right", "left", "right")
    match.abandon(0)
    match.assist(1)
    assert match.abandon_offer == 0
    match.abandon(1)
    assert again(match).result == pp.Result(None, "abandoned", finished=False)


def test_the_review_names_the_side_with_help_and_the_side_out_of_time() -> None:
    match = played("bit-flip", "2")
    match.assist(1)
    match.play("4")
    match.time_out(0)
    review = Coach(pp.solve(match.game)).review(match.record())
    assert "Player 2 used hints from move 2." in review
    lost = pp.solve(match.game).value(match.state).kind == "loss"
    assert ("Player 1 ran out of time in a won game." in review) == (not lost)
    assert not lost


# Start positions


def test_a_match_from_a_position_says_so_in_its_record() -> None:
    game: pp.Game[Any] = pp.load("dual-direction")
    match = pp.Match(game, start=game.parse_state("3 2"), seed=4)
    assert (match.plies, match.side) == (0, 1)
    match.play("right")
    text = str(match.record())
    assert text.startswith("perfectplay record 1\ngame: dual-direction\n")
    assert "\nseed: 4\nstart: 3 2\n\n1. Player 2: right -> 4 1\n" in text
    assert again(match).positions == match.positions
    match.undo()
    assert error_of(match.undo) == "There is nothing to take back."
    assert match.state == game.parse_state("3 2")


def test_the_start_of_a_game_needs_no_line() -> None:
    game: pp.Game[Any] = pp.load("bit-flip")
    assert pp.Match(game, start=game.initial()).record() == pp.Match(game).record()
    series = pp.Series(game, 2, start=game.initial())
    assert [series.match(number).game.spec for number in (1, 2)] == ["bit-flip", "bit-flip:first=2"]


def test_a_long_start_position_is_kept_and_one_too_long_for_a_line_is_refused() -> None:
    game: pp.Game[Any] = pp.load("bit-flip:bits=300")
    match = pp.Match(game, start=game.parse_state("1" + "0" * 299 + " 2"))
    assert again(match).state == match.state
    large: pp.Game[Any] = pp.load(f"bit-flip:bits={LONGEST_START}")
    start = large.parse_state("1" + "0" * (LONGEST_START - 1) + " 2")
    assert "must be a position of at most 9,000 bytes as text" in error_of(
        lambda: pp.Match(large, start=start)
    )


def test_a_match_cannot_start_where_it_is_over_or_what_cannot_be_read() -> None:
    game: pp.Game[Any] = pp.load("dual-direction")
    over = game.parse_state("1 2")
    assert error_of(lambda: pp.Match(game, start=over)) == (
        "start=1 2: must be a position in which the game is not over"
    )
    race: pp.Game[Any] = pp.load("inversion-race")
    odd = race.initial()._replace(inverted=0)
    assert pp.Match(race, start=odd).plies == 0
    elsewhere = race.initial()._replace(a=99)
    assert "is not a valid position" in error_of(lambda: pp.Match(race, start=elsewhere))


@pytest.mark.parametrize("alternate", [True, False])
def test_in_a_series_from_a_position_the_contestants_change_seats(alternate: bool) -> None:
    game: pp.Game[Any] = pp.load("dual-direction")
    start = game.parse_state("3 2")
    series = pp.Series(game, 2, players=("human", "random"), start=start, alternate=alternate)
    for _ in range(2):
        match = series.begin()
        assert (match.state, match.game.spec) == (start, "dual-direction")
        match.resign()  # Player 2, who moves first
    players = [match.players for match in series.matches]
    assert players == [("human", "random"), ("random", "human") if alternate else ("human", "random")]
    assert series.score == ((1, 1) if alternate else (2, 0))
    text = "\n\n".join(map(str, series.records()))
    restored = pp.Series.from_records(pp.read_records(text), pp.load)
    assert restored.records() == series.records()
    changed = text[::-1].replace("start: 3 2"[::-1], "start: 4 2"[::-1], 1)[::-1]
    with pytest.raises(pp.RecordError, match="not game 2 of the series"):
        pp.Series.from_records(pp.read_records(changed), pp.load)


# Records that are wrong

GOOD = """\
perfectplay record 1
game: dual-direction
p1: human
p2: human
seed: 0
start: 3 2

Player 1: assisted
1. Player 2: right -> 4 1
Player 1: time
result: Player 2 wins: time
"""


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("start: 3 2", "start: 3  2", 'line 6: "3  2" is not a valid position: expected the marker'),
        ("start: 3 2", "start: 1 2", "line 6: start=1 2: must be a position in which the game is not over"),
        ("start: 3 2", "start: 3 1", "line 9: it is Player 1's turn"),
        ("1. Player 2: right -> 4 1", "Player 1: assisted", "line 9: Player 1 is assisted already"),
        (
            "Player 1: time",
            "2. Player 1: time",
            "line 10: time is not a ply and must not have a number",
        ),
        (
            "result: Player 2 wins: time",
            "result: unfinished: time",
            'line 11: the result is given as "unfinished: time", the rules give "Player 2 wins: time"',
        ),
    ],
)
def test_a_wrong_line_is_named(old: str, new: str, says: str) -> None:
    def replay(text: str) -> pp.Match[Any]:
        return pp.Match.replay(pp.read_records(text)[0], pp.load("dual-direction"))

    assert str(replay(GOOD).record()) == GOOD.rstrip()
    assert error_of(lambda: replay(GOOD.replace(old, new, 1))).startswith(says)


def test_every_command_reads_them(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "game.txt"
    file.write_text(GOOD)
    assert run("replay", str(file), "--verify").stdout == f"{file}: 1 game, 1 ply, every line is correct.\n"
    shown = run("replay", str(file)).stdout
    assert "Player 1: assisted\n" in shown
    assert "Player 1: time\nResult: Player 2 wins: time\n" in shown
    assert shown.index("3 ") < shown.index("assisted")
    analysis = run("analyze", "dual-direction", "--record", str(file))
    assert (analysis.returncode, analysis.stderr) == (0, "")
    assert "1. Player 2: right" in analysis.stdout


def test_a_saved_game_from_a_position_is_resumed_there(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "game.txt"
    body = GOOD.partition("Player 1: time")[0]
    file.write_text(f"{body}result: in progress\n")
    done = run("resume", str(file), typed="history\nundo\nhistory\nredo\nleft\nleft\n")
    assert done.returncode == 0
    assert "Player 1: assisted\n1. Player 2: right\n" in done.stdout
    assert "Taken back: Player 2's right." in done.stdout
    assert "Redone: Player 2's right." in done.stdout
    assert file.read_text() == (
        f"{body}2. Player 1: left -> 3 2\n3. Player 2: left -> 2 1\nresult: in progress\n"
    )
