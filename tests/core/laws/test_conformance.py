"""The laws of `Game`: every game here keeps them, and a game that breaks one is caught."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

import perfectplay as pp
from perfectplay.core import walks
from perfectplay.core.laws.conformance import LAWS, find_broken_laws, place
from perfectplay.core.laws.state_laws import STATE_LAWS
from perfectplay.games.bit_flip.rules import BitFlip, State
from tests.core.laws.broken_games import (
    BROKEN,
    AgainUnderstood,
    Broken,
    LoserUnderstood,
    MovesChangeTheirMeaning,
    PeaceUnderstood,
    Pile,
    SecretInTheGame,
    SecretInThePosition,
    TakeAway,
    Understood,
)
from tests.core.listed_games import PICK, table_game

# The games of the package


def variants(name: str) -> Iterator[str]:
    """A game as it is, with the other side starting, and under each reading of its unclear rules."""
    yield name
    game = pp.load(name)
    other_start = game.starting(pp.other(game.side_to_move(game.initial())))
    if other_start is not None:
        yield other_start.spec
    for parameter, values in game.readings().items():
        yield from (f"{name}:{parameter}={value}" for value in values[1:])


ODD_SIZES = (
    "bit-flip:bits=1",
    "bit-flip:bits=2",
    "bit-flip:bits=16",
    "bit-flip:bits=2,first=2",
    "dual-direction:positions=3",
    "dual-direction:positions=4,start=2",
    "dual-direction:positions=4,start=3,first=2",
    "inversion-race:cells=3",
    "inversion-race:cells=3,start=2",
    "inversion-race:cells=3,start=2,passing=leapfrog",
    "inversion-race:cells=4,start=1,passing=letter",
    "inversion-race:cells=4,start=3,first=B",
    "inversion-race:cells=5,start=4,passing=leapfrog,first=B",
    "mirror-match:digits=1",
    "mirror-match:digits=1,shortest=1,forfeit=move",
    "mirror-match:digits=2,shortest=2",
    "mirror-match:digits=2,shortest=4,forfeit=move,first=2",
    "mirror-match:digits=3,disqualify_after=2",
    "mirror-match:digits=3,disqualify_after=1,forfeit=move",
    "race-to-the-center:positions=3",
    "race-to-the-center:positions=3,steps=1-1,arrival=sudden-death",
    "race-to-the-center:positions=5,steps=1-3,arrival=full-turn",
    "race-to-the-center:steps=1-1",
    "race-to-the-center:steps=1-3",
    "race-to-the-center:steps=1-20,arrival=full-turn",
)


@pytest.mark.parametrize("spec", [*(each for name in pp.names() for each in variants(name)), *ODD_SIZES])
def test_every_game_keeps_the_laws(spec: str) -> None:
    pp.check_game(pp.load(spec), states=300, walks=5)


@pytest.mark.parametrize("game", [TakeAway(), TakeAway(pile=1), TakeAway(pile=9, last="loses")])
def test_the_small_game_keeps_every_law(game: TakeAway) -> None:
    pp.check_game(game)


@pytest.mark.parametrize(
    "game",
    [Understood(pile=11), LoserUnderstood(pile=11, last="loses"), PeaceUnderstood(), AgainUnderstood()],
    ids=str,
)
def test_a_theory_that_is_right_is_not_blamed(game: TakeAway) -> None:
    pp.check_game(game)


# What is found, and how it is told

OF_THE_GAME = ("names", "initial", "spec", "readings", "first")


@pytest.mark.parametrize("broken", [pytest.param(each, id=type(each.game).__name__) for each in BROKEN])
def test_a_broken_law_is_caught_and_no_other_is_blamed(broken: Broken) -> None:
    broken.forget()
    with pytest.raises(pp.ConformanceError) as caught:
        pp.check_game(broken.game)
    found = caught.value.violations
    assert set(found) == {broken.law} | broken.also
    assert broken.witness in found[broken.law]
    where = "(the game itself)" if broken.law in OF_THE_GAME else "(position "
    assert where in found[broken.law]
    assert "(position None)" not in found[broken.law]
    assert f"\n- {broken.law}: {found[broken.law]}" in str(caught.value)
    assert str(caught.value).startswith(f"{broken.game.name} fails {len(found)} check")


def test_every_law_has_a_game_that_breaks_it() -> None:
    assert {each.law for each in BROKEN} == set(LAWS)


class BrokenAtTheEnd(TakeAway):
    """Breaks a law only where one is left, which is far from the start in a large pile."""

    def state_text(self, state: Pile) -> str:
        return "one" if state.left == 1 else super().state_text(state)


def test_random_games_reach_what_the_first_positions_do_not() -> None:
    game = BrokenAtTheEnd(pile=40)
    pp.check_game(game, states=10, walks=0)
    with pytest.raises(pp.ConformanceError) as caught:
        pp.check_game(game, states=10, walks=20)
    assert set(caught.value.violations) == {"state-text"}
    assert "Pile(left=1, " in caught.value.violations["state-text"]
    [broken] = find_broken_laws(game, states=10, walks=20)
    assert sum(action + 1 for action in broken.path if action is not None) == 39


class StuckAtTheEnd(TakeAway):
    """Nobody may take the last one, which is deep in a large pile; every second ply may be taken again."""

    def legal_actions(self, state: Pile) -> tuple[pp.Action, ...]:
        return super().legal_actions(state)[: 0 if state.left < 2 else 2]

    def outcome(self, state: Pile) -> pp.Outcome | None:
        return super().outcome(state)


def test_a_dead_end_deep_in_a_large_game_is_found_with_the_moves_to_it() -> None:
    game = StuckAtTheEnd(pile=9000)
    [broken] = find_broken_laws(game)
    assert broken.law == "dead-end"
    assert len(broken.path) > 4500
    state = game.initial()
    for action in broken.path:
        assert action is not None
        state = game.play(state, action)
    assert broken.where == f'position "{game.state_text(state)}"'
    assert game.legal_actions(state) == ()


def test_a_position_that_was_seen_before_is_shown_by_the_moves_that_led_there_now() -> None:
    [broken] = find_broken_laws(SecretInThePosition())
    *_, state = walks.positions(SecretInThePosition(), broken.path)
    assert broken.where == 'position "2 0"'
    assert (state, len(broken.path)) == ((2, 0), 2)


def test_the_moves_to_a_broken_law_may_hold_a_lost_turn() -> None:
    class OddEnd(TakeAway):
        def state_text(self, state: Pile) -> str:
            return "odd" if state == Pile(5, 1) else super().state_text(state)

    [broken] = find_broken_laws(OddEnd())
    assert (broken.law, broken.path) == ("state-text", (None,))
    assert walks.move_texts(OddEnd(), broken.path) == ("forfeit",)


def test_a_game_that_stops_deep_down_is_told_with_the_moves_to_there() -> None:
    class Snaps(TakeAway):
        def apply(self, state: Pile, action: pp.Action) -> Pile:
            if state.left == 100:
                raise RuntimeError("snap")
            return super().apply(state, action)

    [broken] = find_broken_laws(Snaps(pile=5000), states=50)
    assert broken.law == "apply"
    assert str(broken) == "play stopped with RuntimeError: snap (while playing)"
    assert sum(action + 1 for action in broken.path if action is not None) == 4900


class NeverEnds(TakeAway):
    """A pile that grows."""

    begun: ClassVar[list[bool]] = []
    taken: ClassVar[list[Pile]] = []

    def initial(self) -> Pile:
        self.begun.append(True)
        return super().initial()

    def apply(self, state: Pile, action: pp.Action) -> Pile:
        self.taken.append(state)
        return Pile(state.left + action + 1, pp.other(state.side))


def test_games_without_end_are_left_after_so_many_plies_in_all() -> None:
    NeverEnds.begun.clear()
    NeverEnds.taken.clear()
    pp.check_game(NeverEnds(), states=20)
    deepest = max(state.left for state in NeverEnds.taken)
    assert 10_000 < deepest < 20_200
    assert 20_000 < len(NeverEnds.taken) < 30_000
    assert len(NeverEnds.begun) > 20


def test_a_game_that_was_seen_as_a_whole_is_not_played_at_random(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_walk(*_: Any) -> Iterator[tuple[Any, int]]:
        raise AssertionError

    monkeypatch.setattr("perfectplay.core.laws.conformance.deep_walk", no_walk)
    pp.check_game(TakeAway())
    with pytest.raises(pp.ConformanceError, match="play stopped with AssertionError"):
        pp.check_game(TakeAway(), states=5)


def test_a_board_may_be_empty_at_the_start() -> None:
    pp.check_game(pp.load("mirror-match"), states=1, walks=0)


@pytest.mark.parametrize("plies", [0, 20_000])
def test_a_secret_is_found_in_random_games_and_when_asked_again(
    plies: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("perfectplay.core.laws.conformance.PLIES", plies)
    SecretInTheGame.emptied.clear()
    [again] = find_broken_laws(SecretInTheGame())
    assert (again.law, again.where, again.path) == ("repeatable", 'position "5 0"', ())
    SecretInTheGame.emptied.clear()
    [walked] = find_broken_laws(SecretInTheGame(pile=7), states=4)
    assert (walked.law, walked.path) == ("repeatable", (1,))
    assert walked.where == 'position "5 1"'


def test_moves_are_named_as_in_the_position_where_they_are_made() -> None:
    class Told(TakeAway):
        def action_text(self, state: Pile, action: pp.Action) -> str:
            return f"{action + 1} of {state.left}"

    assert walks.move_texts(Told(), (0, None, 1)) == ("1 of 5", "forfeit", "2 of 4")


def test_the_moves_that_changed_their_meaning_are_told() -> None:
    MovesChangeTheirMeaning.emptied.clear()
    [broken] = find_broken_laws(MovesChangeTheirMeaning(pile=9))
    assert sum(action + 1 for action in broken.path if action is not None) == 9


def test_a_long_position_is_cut_short() -> None:
    whole, long = "7" * 300, "7" * 301
    assert place(PICK, whole) == f'position "{whole}"'
    assert place(PICK, long) == f'position "{whole}..." (301 characters)'


def test_a_position_without_a_text_is_shown_as_python_writes_it() -> None:
    sideless: Any = (1, 2)
    assert place(TakeAway(), sideless) == "position (1, 2)"
    lines, more = "7\n" * 99, "7\n" * 100  # a text is one line
    assert place(PICK, lines) == f"position {lines!r}"
    assert place(PICK, more) == f"position {more!r}"[:309] + "..."


def test_very_broad_games_are_looked_at_in_few_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perfectplay.core.laws.conformance.WORK", 40_000)
    asked: set[Any] = set()

    @dataclass(frozen=True)
    class Watched(BitFlip):
        def state_text(self, state: Any) -> str:
            asked.add(state)
            return super().state_text(state)

    pp.check_game(Watched(bits=40), walks=0)
    assert len(asked) == 40_000 // (40**2 + 4 * 40) == 22
    asked.clear()
    pp.check_game(Watched(bits=60), walks=0)
    assert len(asked) == 20


def test_of_very_many_actions_a_law_tries_some_from_all_over() -> None:
    asked: list[pp.Action] = []

    @dataclass(frozen=True)
    class Watched(BitFlip):
        def refusal(self, state: Any, action: pp.Action) -> pp.Refusal | None:
            asked.append(action)
            return super().refusal(state, action)

    game = Watched(bits=1000)
    assert list(STATE_LAWS["declared"](game, game.initial())) == []
    assert len(asked) == 200
    assert {action % 10 for action in asked} == {0, 5}
    assert min(asked) == 0
    assert max(asked) == 995


def test_the_first_position_that_breaks_a_law_is_its_witness_and_every_broken_law_is_told() -> None:
    class Twice(BrokenAtTheEnd):
        event_names = ()

    with pytest.raises(pp.ConformanceError) as caught:
        pp.check_game(Twice())
    assert list(caught.value.violations) == ["declared", "state-text"]
    assert '(position "2 0")' in caught.value.violations["declared"]


def test_the_same_seed_finds_the_same() -> None:
    def report(seed: int) -> str:
        with pytest.raises(pp.ConformanceError) as caught:
            pp.check_game(BrokenAtTheEnd(pile=40), states=1, walks=20, seed=seed)
        return str(caught.value)

    assert report(3) == report(3)
    # Side 0 or side 1 is left with the last one, as the games of a seed have it.
    assert len({report(seed) for seed in range(8)}) == 2


def test_the_laws_hold_for_a_game_whose_moves_depend_on_the_position() -> None:
    pp.check_game(PICK)


def test_as_many_positions_are_looked_at_as_asked() -> None:
    stuck = table_game({"start": {"go": "stuck"}}, ends={}, movers={})
    pp.check_game(stuck, states=1, walks=0)
    with pytest.raises(pp.ConformanceError) as caught:
        pp.check_game(stuck, states=2, walks=0)
    assert caught.value.violations["dead-end"] == (
        'no legal action and no outcome; a forced pass must be an action of its own (position "stuck")'
    )


def test_positions_after_a_lost_turn_are_looked_at_too() -> None:
    def handing(handed: dict[str, str]) -> pp.Game[str]:
        table = {"start": {"go": "end"}, "turn": {"go": "end"}}
        return table_game(
            table, ends={"end": 0}, movers={"turn": 1}, after_forfeit=lambda _, state: handed[state]
        )

    pp.check_game(handing({"start": "turn", "turn": "start"}))
    with pytest.raises(pp.ConformanceError) as caught:
        pp.check_game(handing({"start": "nowhere"}))
    assert '(position "nowhere")' in caught.value.violations["dead-end"]


def test_the_seed_of_a_check_is_obeyed() -> None:
    seen: list[str] = []

    @dataclass(frozen=True)
    class Watched(BitFlip):
        def state_text(self, state: State) -> str:
            seen.append(super().state_text(state))
            return seen[-1]

    def visited(seed: int) -> list[str]:
        seen.clear()
        pp.check_game(Watched(bits=12), states=1, walks=3, seed=seed)
        return list(seen)

    assert visited(1) == visited(1)
    assert visited(1) != visited(2)


def test_an_error_in_a_game_names_the_line_of_the_game() -> None:
    def view(self: Any, state: str) -> pp.View:
        raise ZeroDivisionError("drawn")

    line = view.__code__.co_firstlineno + 1
    game = table_game({"start": {"up": "high"}}, ends={"high": 0}, movers={"high": 1}, view=view)
    problems = {each.law: each.problem for each in find_broken_laws(game)}
    assert problems["view"] == f"ZeroDivisionError: drawn (test_conformance.py, line {line})"


def test_an_error_that_no_file_of_a_game_raised_names_no_line() -> None:
    # Written in C, and called by the checker itself.
    game = table_game({"start": {"up": "high"}}, ends={"high": 0}, movers={"high": 1}, view=int)
    problems = {each.law: each.problem for each in find_broken_laws(game)}
    assert problems["view"] == "ValueError: invalid literal for int() with base 10: 'start'"
