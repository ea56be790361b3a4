"""A series of games: the starter, the seats, the score, and how records restore it."""

import pytest

import perfectplay as pp
from tests.core.matches import error_of
from tests.core.test_record import GOOD


def test_series_alternate_the_starter_or_swap_seats_where_the_rules_fix_it() -> None:
    flips = pp.Series(pp.load("bit-flip:bits=1"), games=3, first=1)
    race = pp.Series(
        pp.load("race-to-the-center:positions=3,arrival=sudden-death"), games=3, players=("human", "random")
    )
    for _ in range(3):
        flips.begin().play("0")
        race.begin().play("1")
    assert [match.game.spec for match in flips.matches] == [
        "bit-flip:bits=1,first=2",
        "bit-flip:bits=1",
        "bit-flip:bits=1,first=2",
    ]
    assert flips.score == (1, 2)
    assert flips.champion == 1
    assert [match.players for match in race.matches] == [
        ("human", "random"),
        ("random", "human"),
        ("human", "random"),
    ]
    assert race.score == (2, 1)


def test_series_may_keep_the_starter_and_games_do_not_share_random_choices() -> None:
    series = pp.Series(pp.load("bit-flip:bits=1"), games=3, alternate=False, seed=7)
    for _ in range(3):
        series.begin().play("0")
    assert series.score == (3, 0)
    assert len({match.seed for match in series.matches}) == 3
    assert series.matches[0].seed == 7


def test_ties_and_unfinished_games_count_for_nobody() -> None:
    series = pp.Series(pp.load("dual-direction"), games=2, max_plies=1)
    series.begin().play("left")
    series.begin().play("left")
    with pytest.raises(pp.MatchStateError, match="games are left"):
        series.begin()
    assert series.score == (0, 0)
    assert series.champion is None


def test_everything_about_a_match_and_its_series_is_read_back() -> None:
    series = pp.Series(
        pp.load("mirror-match"),
        games=2,
        players=("human", "random"),
        alternate=False,
        seed=9,
        max_plies=4,
        forgiving=True,
    )
    series.begin().play("1 B")
    [record] = series.records()
    assert str(record) == (
        "perfectplay record 1\n"
        "game: mirror-match\n"
        "p1: human\n"
        "p2: random\n"
        "seed: 9\n"
        "series: game 1 of 2\n"
        "starts: same\n"
        "max-plies: 4\n"
        "forgiving: yes\n"
        "\n"
        "1. Player 1: 1 B -> 1 2\n"
        "result: in progress"
    )
    again = pp.Series.from_records(pp.read_records(str(record)), pp.load)
    assert [str(each) for each in again.records()] == [str(record)]
    assert (again.alternate, again.seed, again.max_plies, again.forgiving) == (False, 9, 4, True)
    assert again.current is not None
    assert (again.current.max_plies, again.current.forgiving) == (4, True)


def test_a_series_is_one_game_of_two_people_by_default() -> None:
    series = pp.Series(pp.load("bit-flip"))
    assert (series.games, series.seed, series.forgiving) == (1, 0, False)
    assert series.begin().forgiving is False
    assert error_of(series.begin) == "the next game starts once the current one is over, while games are left"


def test_a_series_hands_its_settings_to_every_game() -> None:
    series = pp.Series(pp.load("mirror-match"), games=2, forgiving=True, max_plies=1, seed=1)
    for _ in range(2):
        match = series.begin()
        assert (match.forgiving, match.max_plies) == (True, 1)
        match.play("1 B")
    assert series.matches[1].seed < 2**32


def test_the_contestants_of_swapped_seats() -> None:
    series = pp.Series(pp.load("race-to-the-center"), games=2, first=1)
    assert [series.swaps_seats(number) for number in (1, 2)] == [True, False]
    assert [series.contestant(side, 1) for side in (0, 1)] == [1, 0]
    assert [series.contestant(side, 2) for side in (0, 1)] == [0, 1]


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("spec", ["bit-flip:bits=1", "race-to-the-center:positions=3,arrival=sudden-death"])
def test_records_restore_a_series_with_either_starter(spec: str, first: pp.Side) -> None:
    series = pp.Series(pp.load(spec), games=3, first=first, max_plies=5)
    for _ in range(2):
        match = series.begin()
        match.play(match.legal()[0])
    text = "\n\n".join(str(record) for record in series.records())
    again = pp.Series.from_records(pp.read_records(text), pp.load)
    assert again.first == first
    assert again.max_plies == 5
    assert again.begin().record() == series.begin().record()


NOT_NEXT = "this game follows one still in progress, or the last of a series"


NOT_SECOND = "this is not game 2 of the series that began in line 1"


@pytest.mark.parametrize(
    ("game", "old", "new", "says"),
    [
        (0, "of 2", "of 1", f"line 12: {NOT_NEXT}"),
        (
            0,
            "1. Player 1: 0 -> 1 2\nresult: Player 1 wins: last flip",
            "result: in progress",
            f"line 11: {NOT_NEXT}",
        ),
        (1, "game 2 of 2", "game 3 of 2", f"line 12: {NOT_SECOND}"),
        (1, "game 2 of 2", "game 2 of 2\nstarts: same", f"line 12: {NOT_SECOND}"),
        (1, "p2: human", "p2: random", f"line 12: {NOT_SECOND}"),
    ],
)
def test_records_that_make_no_series_are_refused(game: int, old: str, new: str, says: str) -> None:
    series = pp.Series(pp.load("bit-flip:bits=1"), games=2)
    for _ in range(2):
        series.begin().play("0")
    texts = [str(record) for record in series.records()]
    texts[game] = texts[game].replace(old, new)
    records = pp.read_records("\n\n".join(texts))
    assert error_of(lambda: pp.Series.from_records(records, pp.load)) == says


def test_no_records_make_no_series() -> None:
    with pytest.raises(pp.RecordError) as caught:
        pp.Series.from_records((), pp.load)
    assert str(caught.value) == "line 1: this is not a record"


def test_a_game_that_cannot_be_loaded_is_named_by_its_line() -> None:
    [record] = pp.read_records(GOOD.replace("game: bit-flip", "game: bit-flip:bits=0"))
    assert error_of(lambda: pp.Series.from_records([record], pp.load)) == (
        "line 2: bits=0: must be a whole number, at least 1"
    )
