"""Players that look ahead: what they see is true, and what they cannot see they do not claim."""

from random import Random
from typing import Any

import pytest

import perfectplay as pp
from perfectplay.core.errors import BadParameterError
from perfectplay.players.base import ComputerPlayer
from perfectplay.players.mcts import LONGEST_ROLL_OUT, MctsPlayer, roll_out
from perfectplay.players.registry import load_player
from perfectplay.players.search import SearchPlayer
from perfectplay.solver.oracle import Oracle
from tests.conftest import ROOT
from tests.core.listed_games import ListedGame, table_game

TIC_TAC_TOE = str(ROOT / "examples" / "tic_tac_toe.py")

SMALL = (
    "bit-flip:bits=7",
    "bit-flip:bits=8,first=2",
    "dual-direction:positions=7",
    "inversion-race:cells=5",
    "inversion-race:cells=6,passing=letter,first=B",
    "inversion-race:cells=5,passing=leapfrog",
    "race-to-the-center",
    "race-to-the-center:arrival=full-turn",
    "race-to-the-center:arrival=sudden-death,steps=1-3",
)


def seen_from(oracle: Oracle[Any], state: Any, depth: int) -> set[int]:
    """The moves that are best to someone who knows exactly the wins and losses within `depth` plies."""
    values = {move.action: move.value for move in oracle.moves(state)}
    near = {action: value.plies for action, value in values.items() if (value.plies or 99) <= depth}
    wins = {action: near[action] or 0 for action in near if values[action].kind == "win"}
    losses = {action: near[action] or 0 for action in near if values[action].kind == "loss"}
    if wins:
        return {action for action, plies in wins.items() if plies == min(wins.values())}
    if len(losses) < len(values):
        return set(values) - set(losses)
    return {action for action, plies in losses.items() if plies == max(losses.values())}


def going_on(game: pp.Game[Any], oracle: Oracle[Any]) -> list[Any]:
    assert oracle.graph is not None
    return [state for state in oracle.graph.states if game.outcome(state) is None]


@pytest.mark.parametrize("spec", SMALL)
def test_search_sees_every_win_and_loss_within_its_depth_and_nothing_else(spec: str) -> None:
    game = pp.load(spec)
    oracle = pp.solve(game)
    for state in going_on(game, oracle):
        for depth in (1, 2, 3, 4, 5, 8):
            chances = SearchPlayer(depth=depth).chances(game, state)
            assert set(chances) == seen_from(oracle, state, depth), (game.state_text(state), depth)
            assert sum(chances.values()) == pytest.approx(1)


def random_table(rng: Random) -> ListedGame:
    """A game with loops and ties in which a side may have several moves in a row."""
    names = ["start", *"abcdefgh"]
    ends: dict[str, pp.Side | None] = {"won": 0, "lost": 1, "tied": None}
    table = {
        name: {f"to{i}": rng.choice([*names, *ends]) for i in range(rng.randint(1, 3))} for name in names
    }
    movers: dict[str, pp.Side] = {name: rng.choice((0, 1)) for name in names}
    return table_game(table, ends, movers)


def test_search_is_right_where_a_side_moves_twice() -> None:
    twice = 0
    for seed in range(150):
        game = random_table(Random(seed))
        oracle = pp.solve(game)
        for state in going_on(game, oracle):
            side = game.side_to_move(state)
            twice += any(game.side_to_move(game.apply(state, a)) == side for a in game.legal_actions(state))
            for depth in (1, 3, 6):
                found = set(SearchPlayer(depth=depth).chances(game, state))
                assert found == seen_from(oracle, state, depth), (seed, state, depth)
    assert twice > 100


@pytest.mark.parametrize(
    "spec", ["mirror-match", "mirror-match:shortest=5", "mirror-match:digits=3,shortest=4,forfeit=move"]
)
def test_search_plays_a_game_that_has_no_end(spec: str) -> None:
    game = pp.load(spec)
    oracle = pp.solve(game)
    for seed in range(5):
        match = pp.Match(game, seed=seed, max_plies=7)
        while match.result is None:
            found = set(SearchPlayer(depth=4).chances(game, match.state))
            assert found == seen_from(oracle, match.state, 4), match.state
            match.play(match.generator().choice(match.legal()))


def test_search_wins_what_it_sees_and_never_loses_what_is_not_lost() -> None:
    game = pp.load(TIC_TAC_TOE)
    oracle = pp.solve(game)
    searcher, chooser = SearchPlayer(depth=9), load_player("random")
    assert isinstance(chooser, ComputerPlayer)
    for seed in range(20):
        match = pp.Match(game, seed=seed)
        while match.result is None:
            player = searcher if match.side == seed % 2 else chooser
            if player is searcher:
                value = oracle.value(match.state)  # which only a mistake of the other can raise
            match.play(player.choose(game, match.state, match.generator()))
        assert match.result.winner == (seed % 2 if value.kind == "win" else None)


def test_the_players_have_their_specs() -> None:
    assert load_player("search").spec == "search"
    assert load_player("search:depth=6") == SearchPlayer(depth=6)
    assert load_player("mcts:simulations=50").spec == "mcts:simulations=50"
    for spec in ("search:depth=0", "search:depth=31", "mcts:simulations=0", "mcts:simulations=1000001"):
        with pytest.raises(BadParameterError):
            load_player(spec)


# Monte Carlo tree search


def tried(position: str, simulations: int = 500, seed: int = 1) -> str:
    game = pp.load(TIC_TAC_TOE)
    state = game.parse_state(position)
    return game.action_text(state, MctsPlayer(simulations).choose(game, state, Random(seed)))


@pytest.mark.parametrize("seed", range(5))
def test_mcts_takes_a_win_and_blocks_one(seed: int) -> None:
    assert tried("XX.OO.... X", seed=seed) == "3"
    assert tried("XX.OO...X O", seed=seed) == "6"
    assert tried("XX..O.... O", simulations=1000, seed=seed) == "3"
    assert tried("OO..X...X X", simulations=1000, seed=seed) == "3"


def test_mcts_depends_on_its_generator_alone() -> None:
    game = pp.load("dual-direction:positions=41")
    player = MctsPlayer(simulations=20)
    found = [player.choose(game, game.initial(), Random(seed)) for seed in range(40)]
    assert found == [player.choose(game, game.initial(), Random(seed)) for seed in range(40)]
    assert len(set(found)) > 1


def test_mcts_plays_every_game_with_a_single_simulation() -> None:
    for name in pp.names():
        match = pp.Match(pp.load(name), max_plies=40)
        while match.result is None:
            action = MctsPlayer(simulations=1).choose(match.game, match.state, match.generator())
            assert action in match.game.legal_actions(match.state)
            match.play(action)
        assert match.plies > 1


def test_a_roll_out_that_does_not_end_counts_as_a_tie() -> None:
    loop = table_game({"start": {"on": "start"}}, {}, {})
    assert roll_out(loop, "start", Random(1)) == 0.5
    chain = {str(i): {"on": str(i + 1)} for i in range(LONGEST_ROLL_OUT)}
    reached = table_game(chain, {str(LONGEST_ROLL_OUT): 0}, {}, start="0")
    assert roll_out(reached, "0", Random(1)) == 1.0
    missed = table_game({**chain, "first": {"on": "0"}}, reached.ends, {}, start="first")
    assert roll_out(missed, "first", Random(1)) == 0.5
