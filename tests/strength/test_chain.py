"""The exact chain, compared with hand-solved chains, plain elimination with fractions, and played games."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import sqrt
from random import Random

import pytest

import perfectplay as pp
from perfectplay.audit import measures
from perfectplay.audit.case import prepare
from perfectplay.audit.findings.endless import first_loop
from perfectplay.audit.measures import random_lengths
from perfectplay.players.base import ComputerPlayer
from perfectplay.players.registry import load_player
from perfectplay.solver.graph import explore
from perfectplay.strength import chain
from perfectplay.strength.best_response import best_expectations
from perfectplay.strength.chain import Scalar, endings, expectations, propagate
from perfectplay.strength.crosstable import by_difference, cross_table
from perfectplay.strength.head_to_head import HeadToHead, Rates
from perfectplay.strength.statistics import wilson

HALF = Fraction(1, 2)


def rates(spec: str, one: str, two: str, *, games: int | None = None, plies: int = 0) -> Rates:
    game = pp.load(spec)
    players = [load_player(each) for each in (one, two)]
    assert isinstance(players[0], ComputerPlayer)
    assert isinstance(players[1], ComputerPlayer)
    if games is None:
        pair = HeadToHead(game, explore(game))
    else:
        pair = HeadToHead(game, None, games=games, plies=plies)
    return pair.rates(players[0], players[1])


@pytest.mark.parametrize("start", range(2, 11))
def test_random_play_in_dual_direction_is_gamblers_ruin(start: int) -> None:
    found = rates(f"dual-direction:start={start}", "random", "random")
    assert found.wins[0] == pytest.approx((11 - start) / 10, abs=1e-12)
    assert found.wins[1] == pytest.approx((start - 1) / 10, abs=1e-12)
    assert found.tie == 0
    assert found.endless == pytest.approx(0, abs=1e-12)


def test_gamblers_ruin_with_a_loaded_coin_in_fractions() -> None:
    up, down = Fraction(2, 5), Fraction(3, 5)
    # State 0 holds three of six; the others are numbered by what they hold.
    number = {3: 0, 1: 1, 2: 2, 4: 3, 5: 4, 0: 5, 6: 6}
    steps: list[dict[int, Scalar]] = [{} for _ in number]
    for holds in range(1, 6):
        steps[number[holds]] = {number[holds + 1]: up, number[holds - 1]: down}
    ratio = down / up
    wins = (1 - ratio**3) / (1 - ratio**6)
    assert endings(steps, [None] * 5 + [0, 1], 2) == [1 - wins, wins, 0]


def test_a_dense_chain_is_followed_to_its_end_or_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def dense(first: float, second: float) -> list[Scalar]:
        rest = (1 - first - second) / 150
        row: dict[int, Scalar] = {**dict.fromkeys(range(150), rest), 150: first, 151: second}
        return endings([*[row] * 150, {}, {}], [None] * 150 + [0, 1], 2)

    assert dense(0.1, 0.3) == pytest.approx([0.25, 0.75, 0], abs=1e-11)
    monkeypatch.setattr(chain, "MOST_STEPS", 10_000_000)
    with pytest.raises(chain.TooDenseError):
        dense(1e-4, 1e-4)


def test_perfect_play_that_never_ends_has_no_winner() -> None:
    assert rates("dual-direction", "perfect", "perfect") == Rates((0, 0), 0, 1)
    assert rates("dual-direction", "perfect", "level:1").endless == pytest.approx(0.4)


def test_a_state_that_stays_put_and_one_that_is_stuck() -> None:
    loop: list[dict[int, Scalar]] = [{0: HALF, 1: HALF}, {}]
    assert endings(loop, [None, 0], 1) == [1, 0]
    assert endings(loop, [None, None], 1) == [0, 1]
    stuck: list[dict[int, Scalar]] = [{1: HALF, 2: HALF}, {}, {}]
    assert endings(stuck, [None, 0, None], 1) == [HALF, HALF]


def by_powers(steps: list[dict[int, Scalar]], kinds: list[int | None]) -> list[float]:
    """Where the chain is after very many steps, when hardly anything is left that will still end."""
    here = [1.0] + [0.0] * (len(steps) - 1)
    for _ in range(2000):
        following = [share if kinds[number] is not None else 0.0 for number, share in enumerate(here)]
        for number, share in enumerate(here):
            for target, chance in steps[number].items():
                following[target] += share * float(chance)
        here = following
    return [
        sum(share for share, kind in zip(here, kinds, strict=True) if kind == wanted) for wanted in (0, 1)
    ]


@pytest.mark.parametrize("seed", range(12))
def test_random_chains_agree_with_their_own_powers(seed: int) -> None:
    rng = Random(seed)
    steps: list[dict[int, Scalar]] = []
    kinds: list[int | None] = [None] * 6 + [0, 1]
    for _ in range(6):
        targets = rng.sample(range(8), rng.randint(1, 3))
        steps.append(dict.fromkeys(targets, Fraction(1, len(targets))))
    steps += [{}, {}]
    found = endings(steps, kinds, 2)
    assert sum(found) == 1
    assert all(isinstance(each, int | Fraction) for each in found)
    assert [float(each) for each in found[:2]] == pytest.approx(by_powers(steps, kinds), abs=1e-9)


@pytest.mark.parametrize(
    ("spec", "one", "two"),
    [
        ("bit-flip", "level:3", "level:7"),
        ("race-to-the-center", "random", "level:5"),
        ("inversion-race", "level:2", "random"),
        ("inversion-race:passing=leapfrog", "level:4", "level:4"),
        ("dual-direction", "random", "level:5"),
    ],
)
def test_exact_rates_are_those_of_played_games(spec: str, one: str, two: str) -> None:
    # Leaps take long to come to an end: with a low limit, many games would be left unfinished.
    exact, played = rates(spec, one, two), rates(spec, one, two, games=1500, plies=20_000)
    assert played.endless == 0
    assert sum(exact.wins) + exact.tie + exact.endless == pytest.approx(1)
    for side in (0, 1):
        assert abs(exact.wins[side] - played.wins[side]) < 4.5 * sqrt(0.25 / 1500)


def test_sampling_depends_on_the_seed_and_the_players_alone() -> None:
    first, again = (rates("mirror-match", "random", "level:9", games=5, plies=6) for _ in range(2))
    assert first == again
    assert first.games == 5


def test_wilson_intervals_hold_the_share() -> None:
    for wins in range(0, 51, 5):
        low, high = wilson(wins, 50)
        assert 0 <= low <= wins / 50 <= high <= 1


def test_a_table_has_both_seats_and_a_person_cannot_enter_it() -> None:
    game = pp.load("race-to-the-center")
    compare = HeadToHead(game, explore(game))
    table = cross_table(compare, ["level:1", "level:9"])
    assert table.rates[1][0] == rates("race-to-the-center", "level:9", "level:1")
    [difference] = by_difference(table)
    assert difference.levels == 8
    assert difference.stronger == pytest.approx((table.rates[1][0].wins[0] + table.rates[0][1].wins[1]) / 2)
    assert sum(table.score(place) or 0 for place in (0, 1)) == pytest.approx(1)
    with pytest.raises(ValueError, match="human is not a computer player"):
        cross_table(compare, ["human"])


def test_lengths_of_random_games_add_up() -> None:
    bit_flip = random_lengths(prepare(pp.load("bit-flip")))
    assert sum(bit_flip.shares.values()) == pytest.approx(1)
    assert (min(bit_flip.shares), max(bit_flip.shares)) == (4, 5)
    endless = random_lengths(prepare(pp.load("dual-direction")))
    assert endless.shares[5] == pytest.approx(2 / 2**5)
    assert 0.1 < endless.longer < 0.3


def test_lengths_of_sampled_games_are_shares_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    case = prepare(pp.load("bit-flip:bits=40"))
    assert not case.whole
    seen = Counter(map(len, case.walks))  # every one of them is over: a flip is possible until then
    lengths = random_lengths(case)
    assert lengths.games == len(case.walks)
    assert lengths.shares == {plies: count / len(case.walks) for plies, count in sorted(seen.items())}
    assert lengths.longer == pytest.approx(0)
    monkeypatch.setattr(measures, "LONGEST", min(seen))
    assert random_lengths(case).longer == pytest.approx(1 - seen[min(seen)] / len(case.walks))


def test_loops_that_are_found_and_none_where_there_are_none() -> None:
    chain = {0: [(0, 1)], 1: [(0, 2)], 2: []}
    assert first_loop(lambda number: chain[number]) is None
    to_itself = {0: [(0, 1)], 1: [(5, 1)]}
    found = first_loop(lambda number: to_itself[number])
    assert found is not None
    assert (found.into, found.around) == ((0,), (5,))
    # Position 1 lies between two loops and on none; the nearest on one is 2.
    between = {0: [(0, 1), (1, 2)], 1: [(0, 3)], 2: [(0, 2), (1, 1)], 3: [(0, 4)], 4: [(0, 3)]}
    found = first_loop(lambda number: between[number])
    assert found is not None
    assert (found.into, found.around) == ((1,), (0,))


def by_every_policy(
    steps: list[dict[int, Scalar]], choices: list[list[int]], kinds: list[int | None], pays: list[Scalar]
) -> Scalar:
    """What the best of all fixed policies brings; no other way to choose brings more."""
    places = [number for number, targets in enumerate(choices) if targets]
    found = []
    for picks in product(*(choices[number] for number in places)):
        chosen = dict(zip(places, picks, strict=True))
        rows = [{chosen[n]: Fraction(1)} if n in chosen else row for n, row in enumerate(steps)]
        ends = endings(rows, kinds, 2)
        found.append(sum(share * pay for share, pay in zip(ends, pays, strict=True)))
    return max(found)


@pytest.mark.parametrize("seed", range(40))
def test_the_best_choices_bring_as_much_as_the_best_of_all_policies(seed: int) -> None:
    rng = Random(seed)
    kinds: list[int | None] = [None] * 7 + [0, 1]
    steps: list[dict[int, Scalar]] = [{} for _ in kinds]
    choices: list[list[int]] = [[] for _ in kinds]
    for number in range(7):
        targets = rng.sample(range(9), rng.randint(1, 3))
        if number % 2:
            steps[number] = dict.fromkeys(targets, Fraction(1, len(targets)))
        else:
            choices[number] = targets
    best = by_every_policy(steps, choices, kinds, [1, 0, HALF])
    assert best_expectations(steps, choices, kinds, [1, 0], HALF)[0] == best

    def within(number: int, plies: int) -> Scalar:
        if kinds[number] is not None or not plies:
            return HALF if kinds[number] is None else 1 - (kinds[number] or 0)
        if choices[number]:
            return max(within(target, plies - 1) for target in choices[number])
        return sum(chance * within(target, plies - 1) for target, chance in steps[number].items())

    for plies in range(6):
        assert best_expectations(steps, choices, kinds, [1, 0], HALF, plies)[0] == within(0, plies)
        one = [
            {targets[0]: Fraction(1)} if targets else row for row, targets in zip(steps, choices, strict=True)
        ]
        assert sum(endings(one, kinds, 2, plies)) == 1


def test_chances_and_payoffs_are_passed_from_state_to_state() -> None:
    steps: list[dict[int, Scalar]] = [{1: 0.5, 2: 0.5}, {2: 1.0}, {}]
    assert list(propagate(steps.__getitem__)) == [{0: 1}, {1: 0.5, 2: 0.5}, {2: 0.5}]
    assert expectations([{1: 0.5, 2: 0.5}, {1: 1.0}, {}], [None, None, 0], [1.0], 0.5) == [0.75, 0.5, 1.0]
