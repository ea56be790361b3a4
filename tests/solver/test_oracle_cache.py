"""Oracles that are kept: which go first, and what is remembered of games that are too large."""

from typing import Any

import pytest

import perfectplay as pp
from perfectplay.solver.errors import TooLargeError
from perfectplay.solver.graph import Graph, explore
from perfectplay.solver.oracle_cache import OracleCache, oracle_for
from tests.core.listed_games import ListedGame, table_game


def test_that_a_game_is_too_large_is_found_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game = table_game({"start": {"a": "b"}, "b": {"a": "c"}}, {"c": 0}, {})
    tried: list[int] = []

    def counting(game: ListedGame, *, limit: int, **settings: Any) -> Graph[str]:
        tried.append(limit)
        return explore(game, limit=limit)

    monkeypatch.setattr("perfectplay.solver.oracle.explore", counting)
    for _ in range(3):
        with pytest.raises(pp.TooLargeError, match="more than 2 positions"):
            oracle_for(game, 2)
    assert tried == [2]
    # Another limit is another question, and an answer is kept too.
    assert oracle_for(game, 3) is oracle_for(game, 3)
    assert tried == [2, 3]


def test_the_least_recently_used_oracles_go_first_and_standard_games_never() -> None:
    cache = OracleCache(most=15_000)
    standard = [pp.load(name) for name in pp.names()]
    oracles = [cache(game) for game in standard]
    custom = [pp.load(f"inversion-race:cells={cells},start=20") for cells in range(61, 55, -1)]
    sizes = [len(explore(game).states) for game in custom]
    assert sizes == sorted(sizes, reverse=True)
    assert sum(sizes[:2]) <= 15_000 < sum(sizes[3:])  # two of them fit, three do not
    used = cache(custom[0])
    for index, game in enumerate(custom):
        cache(game)
        assert cache(custom[0]) is used  # all the time, so that it stays
        assert [each in cache for each in custom[: index + 1]] == [
            each in (0, index) for each in range(index + 1)
        ]
    assert all(cache(game) is oracle for game, oracle in zip(standard, oracles, strict=True))
    cache.clear()
    assert [game in cache for game in (*standard, *custom)] == [True] * 5 + [False] * 6


def test_an_oracle_that_is_larger_than_the_cache_is_kept_until_the_next() -> None:
    cache = OracleCache(most=10)
    large, other = pp.load("inversion-race:cells=20"), pp.load("inversion-race:cells=21")
    assert cache(large) is cache(large)
    cache(other)
    assert large not in cache


def test_the_cache_solves_up_to_the_limit_it_is_told() -> None:
    with pytest.raises(TooLargeError):
        OracleCache()(pp.load("inversion-race:cells=20"), limit=100)
