"""What holds for every game, match, record and text, whatever they are: found out by trying."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial
from importlib.metadata import entry_points
from random import Random
from typing import Any, NamedTuple, TypeVar

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import perfectplay as pp
from perfectplay.core.match import ABANDON_FROM, Entry
from perfectplay.core.walks import may_win
from tests.extras import tries

# The same examples in every run: a failure that comes and goes helps nobody. Explaining a failure
# takes minutes here and says no more than the shrunken example does.
PROFILE = settings(phases=(Phase.generate, Phase.shrink))

SIDES: tuple[pp.Side, pp.Side] = (0, 1)


@pytest.fixture(autouse=True, scope="module")
def packages_are_looked_through_once() -> Iterator[None]:
    """For an unknown name the metadata of everything installed is read: slow, and the same for each example."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("importlib.metadata.entry_points", cache(entry_points))
        yield


T = TypeVar("T")


def attempt(step: Callable[[], T]) -> T | pp.PerfectplayError:
    """What a step gives, or its refusal; any other exception is a failure of the test."""
    try:
        return step()
    except pp.PerfectplayError as error:
        return error


def one_line(error: Exception) -> bool:
    """Whether an error's text can be shown to a person as it is."""
    return len(str(error).splitlines()) == 1 and str(error).isprintable()


# Games: specs with any of their parameters, small enough to be played to the end


def numbers(least: int, most: int) -> st.SearchStrategy[str]:
    return st.integers(least, most).map(str)


def words(*choices: str) -> st.SearchStrategy[str]:
    return st.sampled_from(choices)


VALUES = {
    "bit-flip": {"bits": numbers(1, 12), "first": words("1", "2")},
    "dual-direction": {"positions": numbers(3, 20), "first": words("1", "2")},
    "inversion-race": {
        "cells": numbers(3, 20),
        "first": words("A", "B"),
        "passing": words("crossing", "letter", "leapfrog"),
    },
    "mirror-match": {
        "digits": numbers(1, 12),
        "shortest": numbers(1, 5),
        "forfeit": words("penalty", "move"),
        "disqualify_after": words("none", "1", "2", "3"),
        "first": words("1", "2"),
    },
    "race-to-the-center": {
        "positions": words("3", "5", "7", "11", "15"),
        "steps": words("1-1", "1-2", "1-3", "1-20"),
        "arrival": words("adjacent", "sudden-death", "full-turn"),
    },
}
STARTS = {"dual-direction": ("positions", 2), "inversion-race": ("cells", 1)}
"""Where the lowest start and the length are; the highest start is one below the length."""


@st.composite
def parameters(draw: st.DrawFn) -> tuple[str, dict[str, str]]:
    name = draw(st.sampled_from(sorted(VALUES)))
    given = draw(st.fixed_dictionaries({}, optional=VALUES[name]))
    if name in STARTS and draw(st.booleans()):
        length, lowest = STARTS[name]
        given["start"] = draw(numbers(lowest, int(given.get(length, "11")) - 1))
    return name, dict(draw(st.permutations(sorted(given.items()))))


def spelled(name: str, given: dict[str, str]) -> str:
    return name + ":" * bool(given) + ",".join(f"{key}={value}" for key, value in given.items())


# Forced passes, endless play, lost turns, swapped seats: rare otherwise, and worth trying often.
CORNERS = words(
    "race-to-the-center:positions=3",
    "inversion-race:cells=3,start=2",
    "dual-direction:positions=3",
    "dual-direction",
    "mirror-match:digits=2,forfeit=move,disqualify_after=2",
)
SPECS = st.one_of(parameters().map(lambda drawn: spelled(*drawn)), CORNERS)


def test_all_parameters_of_all_games_are_tried() -> None:
    assert set(VALUES) == set(pp.names())
    for name, values in VALUES.items():
        known = {each.name for each in pp.load(name).parameter_help()}
        assert known == {*values, *(("start",) if name in STARTS else ())}


# Matches


class Moment(NamedTuple):
    """All that can be seen of a match at one moment."""

    history: tuple[Entry, ...]
    positions: tuple[Any, ...]
    result: pp.Result | None
    record: str


TOKENS = words(
    *("left", "Right", "l", "pass", "PASS", "forfeit", "resign", "abandon", "B", "e", "END", "beginning"),
    *("0", "1", "2", "3", "9", "10", "12", "03", "+1", "-1", "1.0", "²", "٣", "\t", "\u2028", "\x1b[2J"),
)
TYPED = st.one_of(numbers(-1, 15), TOKENS, st.lists(TOKENS, max_size=3).map(" ".join), st.text(max_size=6))

CHOICES = st.lists(st.integers(0, 99), min_size=1, max_size=8)
"""Legal moves, each by its number among them."""

DRAWN: dict[tuple[int, int], float] = {}
"""What the generators gave first, by seed and ply, in all matches of all games."""


def costs_the_turn(game: Any, text: str) -> bool:
    """Whether the rules answer a text with a lost turn: only an invalid number in Mirror Match does."""
    if game.name != "mirror-match":
        return False
    typed = text.split()
    if game.forfeit == "move" and [each.lower() for each in typed] == ["pass"]:
        return False
    return not typed or typed[0] not in map(str, range(1, game.digits + 1))


class Matches(RuleBasedStateMachine):
    """Everything that can be done with a match, in any order."""

    match: pp.Match[Any]
    past: list[Moment]
    """The moment before each entry of the history."""
    offers: list[pp.Side | None]
    """The side whose offer to abandon stood before each entry, and now."""
    undone: list[tuple[Moment, list[Moment], list[pp.Side | None]]]
    """For each undo that can be redone: the moment before it, and what it cut off the two lists above."""

    @initialize(
        spec=SPECS,
        seed=words("0", "1", "999999999999999999"),
        max_plies=st.none() | st.integers(0, 20),
        forgiving=st.booleans(),
    )
    def start(self, spec: str, seed: str, max_plies: int | None, forgiving: bool) -> None:
        game = pp.load(spec)
        self.match = pp.Match(game, seed=int(seed), max_plies=max_plies, forgiving=forgiving)
        self.past, self.offers, self.undone = [], [None], []
        self.take_back(-1, None)

    @precondition(lambda self: self.match.result is not None)
    @rule(spec=SPECS, max_plies=st.none() | st.integers(5, 20))
    def start_again(self, spec: str, max_plies: int | None) -> None:
        self.start(spec, "1", max_plies, forgiving=False)

    def now(self) -> Moment:
        match = self.match
        return Moment(match.history, match.positions, match.result, str(match.record()))

    def added(self, before: Moment, entry: Entry) -> None:
        """Exactly `entry` has been added to the match."""
        assert self.match.history == (*before.history, entry)
        self.past.append(before)
        self.undone = []
        offer = self.offers[-1]
        if entry.kind == "abandon":
            offer = entry.side
        elif offer != entry.side:
            offer = None
        self.offers.append(offer)

    # Plies

    @precondition(lambda self: self.match.result is None)
    @rule(choices=CHOICES, as_text=st.booleans())
    def play(self, choices: list[int], as_text: bool) -> None:
        match = self.match
        for choice in choices:
            if match.result is None:
                before, legal = self.now(), match.game.legal_actions(match.state)
                index = choice % len(legal)
                entry = Entry(match.side, "move", match.plies, legal[index])
                match.play(match.legal()[index] if as_text else legal[index])
                self.added(before, entry)

    @precondition(lambda self: self.match.result is None)
    @rule(text=TYPED)
    def play_what_is_typed(self, text: str) -> None:
        match, before = self.match, self.now()
        side, plies = match.side, match.plies
        legal = match.game.legal_actions(match.state)
        costs = costs_the_turn(match.game, text)
        refused = attempt(lambda: match.play(text))
        if refused:
            assert isinstance(refused, pp.ForfeitError) == costs
            assert match.forgiving or not costs
            assert one_line(refused)
            assert self.now() == before
        else:
            assert not (costs and match.forgiving)
            action = None if costs else match.last.action
            assert costs or action in legal
            self.added(before, Entry(side, "forfeit" if costs else "move", plies, action))

    @precondition(lambda self: self.match.result is None)
    @rule(action=st.integers(-3, 30))
    def play_any_number(self, action: int) -> None:
        match, before = self.match, self.now()
        if action in match.game.legal_actions(match.state):
            return
        with pytest.raises(pp.IllegalActionError) as refused:
            match.play(action)
        assert one_line(refused.value)
        assert self.now() == before

    # Where no turn can be forfeited, asking at the start is enough.
    @precondition(lambda self: self.match.result is None)
    @precondition(lambda self: self.match.game.name == "mirror-match" or self.match.plies == 0)
    @rule()
    def forfeit(self) -> None:
        match, before = self.match, self.now()
        if match.game.name == "mirror-match":
            entry = Entry(match.side, "forfeit", match.plies)
            match.forfeit()
            self.added(before, entry)
            assert match.state.sequence == before.positions[-1].sequence
        else:
            with pytest.raises(pp.MatchStateError):
                match.forfeit()
            assert self.now() == before

    @precondition(lambda self: "pass" in self.match.legal())
    @rule()
    def play_pass(self) -> None:
        self.play([-1], as_text=True)

    # What is not a ply

    @precondition(lambda self: self.match.result is None)
    @rule(side=st.sampled_from((None, *SIDES)))
    def resign(self, side: pp.Side | None) -> None:
        match, before = self.match, self.now()
        loser = match.side if side is None else side
        match.resign(side)
        self.added(before, Entry(loser, "resign", match.plies))
        assert match.result == pp.Result(pp.other(loser), "resignation")

    @precondition(lambda self: self.match.result is None)
    @rule(side=st.sampled_from((None, *SIDES)))
    def time_out(self, side: pp.Side | None) -> None:
        match, before = self.match, self.now()
        loser = match.side if side is None else side
        match.time_out(side)
        self.added(before, Entry(loser, "time", match.plies))
        winner = pp.other(loser)
        wins = may_win(match.game, match.state, winner)
        assert match.result == pp.Result(winner if wins else None, "time", finished=wins)

    @precondition(lambda self: self.match.result is None)
    @rule(side=st.sampled_from(SIDES))
    def claim(self, side: pp.Side) -> None:
        match, before = self.match, self.now()
        match.claim(side)
        self.added(before, Entry(side, "claim", match.plies))
        assert match.result == pp.Result(None, "claimed", finished=False)

    def repeats(self) -> int:
        return max(Counter(self.match.positions).values())

    @precondition(lambda self: self.match.result is None and self.repeats() >= ABANDON_FROM - 1)
    @rule(side=st.sampled_from(SIDES), then=st.integers(0, 3))
    def abandon(self, side: pp.Side, then: int) -> None:
        match, before = self.match, self.now()
        offer = self.offers[-1]
        if self.repeats() < ABANDON_FROM or offer == side:
            with pytest.raises(pp.MatchStateError):
                match.abandon(side)
            assert self.now() == before
            return
        match.abandon(side)
        self.added(before, Entry(side, "abandon", match.plies))
        agreed = pp.Result(None, "abandoned", finished=False)
        assert match.result == (None if offer is None else agreed)
        self.play([0] * then, as_text=False)  # which may let the offer lapse

    @precondition(lambda self: self.match.result is None and self.match.game.name == "dual-direction")
    @rule(side=st.sampled_from(SIDES), then=st.integers(0, 3))
    def abandon_in_time(self, side: pp.Side, then: int) -> None:
        # Left to chance, a position would hardly ever come up often enough for an offer.
        back = 1 if self.match.state.position == 2 else 0
        self.play([back, 1 - back] * 2, as_text=False)
        if self.match.result is None:
            self.abandon(side, then)

    # Taking back

    @precondition(lambda self: self.past)
    @rule()
    def undo(self) -> None:
        self.take_back(len(self.past) - 1, None)

    @precondition(lambda self: self.past)
    @rule(side=st.sampled_from(SIDES))
    def undo_for(self, side: pp.Side) -> None:
        choices = [i for i, entry in enumerate(self.match.history) if self.is_choice_of(side, entry)]
        self.take_back(choices[-1] if choices else -1, side)

    def is_choice_of(self, side: pp.Side, entry: Entry) -> bool:
        if entry.side != side or entry.kind in ("abandon", "time"):
            return False
        if entry.kind != "move":
            return True
        game, state = self.match.game, self.match.positions[entry.ply]
        return [game.action_text(state, action) for action in game.legal_actions(state)] != ["pass"]

    def take_back(self, keep: int, side: pp.Side | None) -> None:
        before = self.now()
        if keep < 0:
            with pytest.raises(pp.MatchStateError):
                self.match.undo(side)
            assert self.now() == before
        else:
            self.match.undo(side)
            assert self.now() == self.past[keep]
            self.undone.append((before, self.past[keep:], self.offers[keep + 1 :]))
            del self.past[keep:], self.offers[keep + 1 :]

    @rule()
    def redo(self) -> None:
        if not self.undone:
            before = self.now()
            with pytest.raises(pp.MatchStateError):
                self.match.redo()
            assert self.now() == before
            return
        moment, past, offers = self.undone.pop()
        self.match.redo()
        assert self.now() == moment
        self.past += past
        self.offers += offers

    # What always holds: one invariant, for a failure is told with a line for each at every step

    @invariant()
    def all_is_well(self) -> None:
        self.the_history_leads_to_the_positions()
        self.the_record_replays()
        self.there_is_a_result_once_the_match_cannot_go_on()
        self.invalid_turns_in_a_row_lose()
        self.it_can_be_printed()
        self.the_generator_knows_seed_and_ply_alone()

    def the_history_leads_to_the_positions(self) -> None:
        match, game = self.match, self.match.game
        positions = [game.initial()]
        for entry in match.history:
            state = positions[-1]
            assert entry.ply == len(positions) - 1
            if entry.kind == "move":
                assert entry.action in game.legal_actions(state)
                positions.append(game.apply(state, entry.action))
            elif entry.kind == "forfeit":
                positions.append(game.after_forfeit(state))
            if entry.is_ply:
                assert entry.side == game.side_to_move(state)
        assert match.positions == tuple(positions)
        assert match.state == positions[-1]
        assert match.plies == len(positions) - 1
        assert match.side == game.side_to_move(match.state)
        assert match.abandon_offer == self.offers[-1]

    def the_record_replays(self) -> None:
        text = str(self.match.record())
        (record,) = pp.read_records(text)
        match = pp.Match.replay(record, pp.load(record.spec))
        assert str(record) == text
        assert str(match.record()) == text
        assert match.history == self.match.history
        assert match.positions == self.match.positions
        assert match.result == self.match.result
        if match.result is None:
            # This one can be tried out: a side that resigns by mistake may take just that back.
            for side in SIDES:
                match.resign(side)
                match.undo(side)
                assert str(match.record()) == text

    def there_is_a_result_once_the_match_cannot_go_on(self) -> None:
        match, state = self.match, self.match.state
        if match.result is None:
            assert match.game.outcome(state) is None
            assert match.max_plies is None or match.plies < match.max_plies
            texts = [match.game.action_text(state, action) for action in match.game.legal_actions(state)]
            assert texts
            assert match.legal() == tuple(texts)
            return
        assert match.legal() == ()
        before = self.now()
        steps: list[Callable[[], None]] = [lambda: match.play("1"), lambda: match.play(0)]
        steps += [match.forfeit, match.resign, lambda: match.abandon(0), lambda: match.abandon(1)]
        steps += [match.time_out, lambda: match.claim(0), lambda: match.assist(0)]
        assert all(isinstance(attempt(step), pp.MatchStateError) for step in steps)
        assert self.now() == before
        outcome = match.game.outcome(state)
        assert (outcome is None) == (
            match.result.reason
            in ("resignation", "abandoned", "disqualification", "ply limit", "time", "claimed")
        )
        assert outcome is None or (outcome.winner, outcome.reason) == match.result[:2]
        cut_short = match.result.reason in ("abandoned", "ply limit", "claimed")
        unwinnable = match.result.reason == "time" and match.result.winner is None
        assert match.result.finished == (not cut_short and not unwinnable)
        assert match.result.reason != "ply limit" or match.plies == match.max_plies

    def invalid_turns_in_a_row_lose(self) -> None:
        """A number placed ends the row; a chosen pass is not part of it and does not end it."""
        match, rows = self.match, [0, 0]
        for entry in match.history:
            if entry.kind == "forfeit":
                rows[entry.side] += 1
            elif entry.kind == "move" and match.line(entry).text != "pass":
                rows[entry.side] = 0
        assert [match.forfeits_in_a_row(side) for side in SIDES] == rows
        limit = match.game.forfeit_limit or 1000
        lost = next((side for side in SIDES if rows[side] >= limit), None)
        expected = None if lost is None else pp.Result(pp.other(lost), "disqualification")
        found = match.result if match.result and match.result.reason == "disqualification" else None
        assert found == expected

    def it_can_be_printed(self) -> None:
        match = self.match
        lines = str(match).splitlines()
        assert lines[0] == f"{match.game.title}: {match.game.spec}"
        mover = f"{match.game.side_names[match.side]} to move, ply {match.plies + 1}"
        assert lines[-1] == (match.result.text(match.game.side_names) if match.result else mover)
        assert match.game.spec in repr(match)

    def the_generator_knows_seed_and_ply_alone(self) -> None:
        key = (self.match.seed, self.match.plies)
        number = self.match.generator().random()
        assert DRAWN.setdefault(key, number) == number
        assert len(set(DRAWN.values())) == len(DRAWN)


TestMatches = Matches.TestCase
TestMatches.settings = settings(PROFILE, max_examples=tries(250), stateful_step_count=40)


# Specs


@settings(PROFILE, max_examples=tries(200))
@given(parameters())
def test_a_spec_loads_to_its_parameters_and_back(drawn: tuple[str, dict[str, str]]) -> None:
    name, given = drawn
    game = pp.load(spelled(name, given))
    assert game.name == name
    for key, value in given.items():
        assert str(getattr(game, key)) == value.replace("none", "None")
    again = pp.load(game.spec)
    assert again == game
    assert hash(again) == hash(game)
    assert again.spec == game.spec
    # It says nothing that goes without saying.
    said = dict(part.split("=") for part in game.spec.partition(":")[2].split(",") if part)
    for key in said:
        rest = {other: value for other, value in said.items() if other != key}
        with suppress(pp.BadParameterError):
            assert pp.load(spelled(name, rest)) != game


NAMES = st.one_of(st.sampled_from([*pp.names(), "", "Bit-Flip", "bitflip", "registry", "x.py"]), st.text())
KEYS = st.one_of(
    st.sampled_from(sorted({"start", "name", "Bits", *(key for each in VALUES.values() for key in each)})),
    st.text(max_size=3),
)
GIVEN = st.one_of(
    words("1", "0", "-1", "01", "none", "A", "1-2", "2-1", "1-0", "x.py", "9" * 400),
    st.just("9" * 5000),  # more than Python turns into a number
    st.integers().map(str),
    st.text(max_size=5),
)


@st.composite
def spec_like(draw: st.DrawFn) -> str:
    name = draw(NAMES)
    keys = st.one_of(st.sampled_from(sorted(VALUES.get(name, {"start"}))), KEYS)
    parts = draw(st.lists(st.tuples(keys, GIVEN).map("=".join), min_size=1, max_size=3))
    return name + ":" + ",".join(parts * draw(st.sampled_from((1, 1, 2))))


@settings(PROFILE, max_examples=tries(800))
@given(st.one_of(spec_like(), spec_like(), st.text()))
def test_any_text_is_a_spec_or_is_refused_in_one_line(text: str) -> None:
    game = attempt(lambda: pp.load(text, allow_paths=False))
    if isinstance(game, pp.Game):
        assert pp.load(game.spec, allow_paths=False) == game
    else:
        assert one_line(game)


# Records


def scuffle(match: pp.Match[Any], rng: Random, steps: int) -> None:
    """Do this and that in a match, mostly playing, until it is over or `steps` are done."""
    for _ in range(steps):
        if match.result is not None:
            break
        what = rng.random()
        # Most of these are possible now and then only; what is refused has not happened.
        with suppress(pp.MatchStateError):
            if what < 0.8:
                match.play(rng.choice(match.legal()))
            elif what < 0.88:
                match.forfeit()
            elif what < 0.96:
                match.abandon(rng.choice(SIDES))
            elif what < 0.97:
                match.undo()
            elif what < 0.98:
                match.assist(rng.choice(SIDES))
            else:
                rng.choice((match.resign, match.time_out, lambda: match.claim(0)))()


@st.composite
def matches(draw: st.DrawFn) -> pp.Match[Any]:
    game: pp.Game[Any] = pp.load(draw(SPECS))
    rng = Random(draw(st.integers(0, 999)))
    elsewhere = pp.Match(game)
    scuffle(elsewhere, rng, draw(st.integers(0, 5)))
    start = elsewhere.state if game.outcome(elsewhere.state) is None else None
    match = pp.Match(
        game,
        players=draw(st.sampled_from((("human", "human"), ("random", "my player:level=3")))),
        # A short seed: damage may carry its digits over to a parameter that sets the size of a board.
        seed=draw(st.integers(0, 999)),
        max_plies=draw(st.none() | st.integers(0, 30)),
        forgiving=draw(st.booleans()),
        start=start if draw(st.booleans()) else None,
    )
    scuffle(match, rng, draw(st.integers(0, 25)))
    return match


@settings(PROFILE, max_examples=tries(150))
@given(matches())
def test_a_record_is_read_as_it_was_written_by_any_editor(match: pp.Match[Any]) -> None:
    text = str(match.record())
    records = pp.read_records(text)
    assert [str(record) for record in records] == [text]
    assert pp.read_records(text.split("\n")) == records
    assert pp.read_records(text.replace("\n", "\r\n") + "\r\n") == records
    twice = pp.read_records(f"\n{text}\n\n{text}\n")
    assert [str(record) for record in twice] == [text, text]
    assert str(pp.Match.replay(records[0], match.game).record()) == text


@settings(PROFILE, max_examples=tries(150))
@given(SPECS, st.lists(words("play", "play", "play", "assist 0", "assist 1", "undo", "undo 0", "redo")))
def test_that_a_player_was_assisted_is_never_forgotten(spec: str, steps: list[str]) -> None:
    plain: pp.Match[Any] = pp.Match(pp.load(spec))
    match: pp.Match[Any] = pp.Match(plain.game)
    seen: set[int] = set()
    for step in steps:
        word, _, number = step.partition(" ")
        if word == "assist":
            side: pp.Side = 0 if number == "0" else 1
            if match.result is None:
                match.assist(side)
                seen.add(side)
            continue
        for each in (plain, match):
            with suppress(pp.MatchStateError):
                if word == "play":
                    each.play(each.game.legal_actions(each.state)[0] if each.result is None else 0)
                elif word == "redo":
                    each.redo()
                else:
                    each.undo(0 if number else None)
        # Apart from its own entries, assistance changes nothing.
        assert [entry for entry in match.history if entry.kind != "assisted"] == list(plain.history)
        assert (match.positions, match.result) == (plain.positions, plain.result)
        assert set(match.assisted) == seen
        assert len(match.assisted) == len(seen)
        text = str(match.record())
        again = pp.Match.replay(pp.read_records(text)[0], match.game)
        assert (str(again.record()), again.history) == (text, match.history)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """The text of a record after a few accidents."""
    text = str(draw(matches()).record())
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        accident = draw(words("delete", "insert", "digit", "cut", "swap", "repeat", "value"))
        lines = text.split("\n")
        one, two = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
        if accident == "delete":
            text = text[:at] + text[at + draw(st.integers(1, 4)) :]
        elif accident == "insert":
            text = text[:at] + draw(words(*" 0:{}\r\n\x1b\u2028\udc80", " -> ", ". ")) + text[at:]
        elif accident == "digit":
            digits = [i for i, character in enumerate(text) if character.isdigit()] or [0]
            place = draw(st.sampled_from(digits))
            text = text[:place] + draw(words(*"0123456789")) + text[place + 1 :]
        elif accident == "cut":
            text = text[:at]
        elif accident == "swap":
            lines[one], lines[two] = lines[two], lines[one]
            text = "\n".join(lines)
        elif accident == "value":
            wrong = draw(words("x", "-1", "", "9" * 30, "game 1 of x", "game 2 of 1", "bit-flip", "left"))
            lines[one] = lines[one].partition(": ")[0] + ": " + wrong
            text = "\n".join(lines)
        else:
            text = "\n".join([*lines[:one], lines[two], *lines[one:]])
    return text


LINES = st.one_of(
    words("perfectplay record 1", "perfectplay record 2", "game: dual-direction", "game: x", "p1: human"),
    words("p2: human", "seed: 0", "seed: x", "max-plies: 3", "max-plies: -", "forgiving: yes", "", " "),
    words(
        "series: game 1 of 2", "series: game 0 of 0", "starts: same", "seats: swapped", "1. Player 1: left"
    ),
    words("1. Player 1: left {x}", "1. Player 1: left {\x1b}", "1. Player 1: forfeit", "Player 1: resign"),
    words("Player 1: time", "Player 2: claim", "Player 1: assisted", "start: 5 2", "start: 1 1", "start: x"),
    words("Player 2: abandon", "result: in progress", "result: Player 2 wins: resignation", "result: "),
    st.text(max_size=10),
)
HEADER = ["perfectplay record 1", "game: dual-direction", "p1: human", "p2: human", "seed: 0", ""]


@st.composite
def pieced_together(draw: st.DrawFn) -> str:
    """Lines of a record, some of them out of place."""
    lines = [*HEADER, *draw(st.lists(LINES, max_size=4)), "result: in progress"]
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(1, len(lines)))
        lines[at : at + draw(st.integers(0, 1))] = [draw(LINES)]
    return "\n".join(lines)


@settings(PROFILE, max_examples=tries(1200))
@given(st.one_of(damaged(), pieced_together(), st.lists(LINES).map("\n".join), st.text()))
def test_any_text_is_a_record_or_the_line_that_is_wrong_is_named(text: str) -> None:
    def names_a_line(error: pp.PerfectplayError) -> bool:
        return isinstance(error, pp.RecordError) and 1 <= error.line <= text.count("\n") + 2

    def load(spec: str) -> pp.Game[Any]:
        return pp.load(spec, allow_paths=False)

    records = attempt(lambda: pp.read_records(text))
    if isinstance(records, pp.PerfectplayError):
        assert names_a_line(records)
        assert one_line(records)
        return
    for record in records:
        game = attempt(partial(load, record.spec))
        if isinstance(game, pp.PerfectplayError):
            continue  # an unknown game is not the record's fault
        match = attempt(partial(pp.Match.replay, record, game))
        if isinstance(match, pp.PerfectplayError):
            assert names_a_line(match)
            assert one_line(match)
        else:
            again = str(match.record())
            assert str(pp.Match.replay(pp.read_records(again)[0], game).record()) == again
    series = attempt(lambda: pp.Series.from_records(records, load))
    assert isinstance(series, pp.Series) or one_line(series)


# Texts of moves and positions


class Situation(NamedTuple):
    game: pp.Game[Any]
    state: Any


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    match = pp.Match(pp.load(draw(SPECS)))
    rng = Random(draw(st.integers(0, 999)))
    for _ in range(draw(st.integers(0, 15))):
        if match.result is None:
            match.play(rng.choice(match.legal()))
    return Situation(match.game, match.state)


@settings(PROFILE, max_examples=tries(800))
@given(situations(), TYPED)
def test_any_text_is_a_move_or_is_refused(at: Situation, text: str) -> None:
    action = attempt(lambda: at.game.parse_action(at.state, text))
    assert isinstance(action, pp.ForfeitError) == costs_the_turn(at.game, text)
    if isinstance(action, pp.PerfectplayError):
        assert isinstance(action, pp.ParseError)
        assert one_line(action)
    else:
        assert action in range(at.game.num_actions)
        # What a text means does not depend on blanks around it.
        assert at.game.parse_action(at.state, f" {text}\t") == action


@st.composite
def altered(draw: st.DrawFn, text: str) -> str:
    at = draw(st.integers(0, len(text)))
    return text[:at] + draw(words("", *"0123456789 -ABx²٣\n")) + text[at + draw(st.integers(0, 2)) :]


def pieces(view: pp.View) -> int:
    return sum(len(cell.pieces) for row in view.rows for cell in row)


@settings(PROFILE, max_examples=tries(600))
@given(st.data(), situations())
def test_any_text_is_a_position_or_is_refused(data: st.DataObject, at: Situation) -> None:
    game = at.game
    written = game.state_text(at.state)
    assert game.parse_state(written) == at.state
    text = data.draw(st.one_of(altered(written), altered(written), st.text(max_size=10)))
    state = attempt(lambda: game.parse_state(text))
    if isinstance(state, pp.PerfectplayError):
        assert type(state) is pp.ParseError
        assert one_line(state)
        return
    assert game.state_text(state) == text
    # It need not be a position that play can lead to, but everything must be able to deal with it.
    assert (game.outcome(state) is None) == bool(game.legal_actions(state))
    assert game.dialogue().board(state)
    if game.name != "mirror-match":  # where pieces are added
        assert pieces(game.view(state)) == pieces(game.view(game.initial()))
    for action in range(game.num_actions):
        assert (game.refusal(state, action) is None) == (action in game.legal_actions(state))
    for action in game.legal_actions(state):
        after = game.play(state, action)
        assert game.parse_state(game.state_text(after)) == after


# Series


@settings(PROFILE, max_examples=tries(300))
@given(
    SPECS,
    st.integers(1, 4),
    st.sampled_from((None, *SIDES)),
    st.booleans(),
    st.none() | st.integers(1, 12),
    st.integers(0, 999),
)
def test_a_series_is_taken_up_from_its_records_at_any_point(
    spec: str, games: int, first: pp.Side | None, alternate: bool, max_plies: int | None, seed: int
) -> None:
    rng = Random(seed)
    elsewhere: pp.Match[Any] = pp.Match(pp.load(spec))
    scuffle(elsewhere, rng, rng.choice((0, 4)))
    start = elsewhere.state if elsewhere.game.outcome(elsewhere.state) is None else None
    series: pp.Series[Any] = pp.Series(
        pp.load(spec),
        games,
        players=("human", "random"),
        first=first,
        alternate=alternate,
        seed=seed,
        max_plies=max_plies,
        forgiving=rng.random() < 0.3,
        start=start,
    )
    series.begin()
    for _ in range(rng.randrange(8)):
        if series.current is not None:
            scuffle(series.current, rng, 10)
        elif not series.over:
            series.begin()
    results = [(match.players, match.result) for match in series.matches]
    winners = [players[end.winner] for players, end in results if end and end.winner is not None]
    assert series.score == (winners.count("human"), winners.count("random"))
    records = series.records()
    read = pp.read_records("\n\n".join(map(str, records)))
    assert [str(record) for record in read] == [str(record) for record in records]
    again = pp.Series.from_records(read, pp.load)
    assert again.records() == records
    assert (again.score, again.over, again.champion) == (series.score, series.over, series.champion)
    assert len(again.matches) == len(series.matches)
    assert (again.current is None) == (series.current is None)
    # What comes next is the same too, including the side that starts.
    for each in (again, series):
        while not each.over:
            match = each.current or each.begin()
            match.resign()
    assert again.records() == series.records()
    assert again.score == series.score
