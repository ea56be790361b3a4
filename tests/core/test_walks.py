"""Ways through a game."""

from itertools import islice

import perfectplay as pp
from perfectplay.core.walks import BreadthFirst, move_texts, steps
from perfectplay.solver.graph import explore
from tests.core.listed_games import PICK


def test_each_move_is_called_as_it_is_in_its_position() -> None:
    assert move_texts(PICK, (1, 0)) == ("down", "jump")


def double_or_add(number: int) -> list[tuple[str, int]]:
    return [("+1", number + 1), ("*2", number * 2)]


def test_a_walk_visits_the_nearest_first_and_knows_a_shortest_way() -> None:
    walk = BreadthFirst([1], double_or_add)
    assert list(islice(walk, 7)) == [1, 2, 3, 4, 6, 5, 8]
    assert walk.path(8) == ("+1", "*2", "*2")
    assert walk.whole


def test_a_walk_ends_before_the_first_node_beyond_its_limit() -> None:
    walk = BreadthFirst([1], double_or_add, limit=5)
    assert list(walk) == [1, 2, 3, 4]
    assert (list(walk.parents), walk.whole) == ([1, 2, 3, 4, 6], False)
    exact = BreadthFirst([0], {0: [("a", 1)], 1: []}.__getitem__, limit=2)
    assert (list(exact), exact.whole) == ([0, 1], True)


def test_a_walk_may_have_several_starts() -> None:
    walk = BreadthFirst([1, 5], double_or_add)
    assert list(islice(walk, 4)) == [1, 5, 2, 6]
    assert (walk.path(5), walk.path(6)) == ((), ("+1",))


def test_a_lost_turn_is_a_step_only_if_asked_for_and_while_the_game_goes_on() -> None:
    game = pp.load("mirror-match:digits=1,shortest=1")
    start = game.initial()
    assert [action for action, _ in steps(game)(start)] == [0, 1]
    assert [action for action, _ in steps(game, forfeits=True)(start)] == [0, 1, None]
    assert list(steps(game, forfeits=True)(game.apply(start, 0))) == []


def test_a_graph_that_is_cut_off_has_all_moves_of_its_first_positions() -> None:
    whole, game = explore(pp.load("bit-flip")), pp.load("bit-flip")
    cut = explore(game, first=20)
    assert (cut.visited, cut.states) == (20, whole.states[: len(cut.states)])
    assert [cut.moves(number) for number in range(20)] == [whole.moves(number) for number in range(20)]
    assert explore(game, first=144, limit=30).visited < 20
    assert all(whole.path(number) == cut.path(number) for number in range(len(cut.states)))
