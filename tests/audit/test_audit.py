"""The auditor: each finding on a small game that has it and one that does not, and on the five games."""

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from random import Random
from typing import Any, ClassVar, Literal

import pytest

import perfectplay as pp
from perfectplay.audit.case import Case, prepare
from perfectplay.audit.findings import FINDERS, MEANINGS, Finding, findings
from perfectplay.audit.findings.endless import Loop, first_loop
from perfectplay.audit.page import page
from perfectplay.audit.readings import outlook, plural, readings
from perfectplay.audit.report import as_dict, audit, text
from perfectplay.audit.sweep import sweep, sweep_text
from perfectplay.audit.visit import HARMLESS, Stopped, random_game
from perfectplay.core.laws.conformance import place
from perfectplay.core.walks import positions
from perfectplay.games.examples import examples
from perfectplay.players.base import ComputerPlayer
from perfectplay.players.registry import load_player
from perfectplay.strength.head_to_head import HeadToHead, Rates
from tests.audit.pages import Page
from tests.audit.tiny_games import Tiny, tiny
from tests.core.laws.broken_games import BROKEN, Broken
from tests.games.rulings import RULINGS


@dataclass(frozen=True)
class UnclearGame(Tiny):
    """The last move wins, or loses, by how the rule is read."""

    rule: Literal["kind", "harsh"] = pp.parameter("kind")
    table: ClassVar[dict[str, dict[str, str]]] = {"0": {"go": "1end"}}

    def outcome(self, state: str) -> pp.Outcome | None:
        return pp.Outcome(0 if self.rule == "kind" else 1, "end") if state == "1end" else None

    def readings(self) -> dict[str, tuple[str, ...]]:
        return {"rule": self.choices("rule")}


FAIR_CHOICE = tiny({"0": {"x": "1a", "y": "1w0"}, "1a": {"x": "0l1", "y": "0w0"}})
"""Side 0 wins at once, or lets side 1 win, which it may or may not."""
ALL_WIN = tiny({"0": {"x": "1v0", "y": "1w0"}})
TIED = tiny({"0": {"x": "1a="}})
GIVEN_AWAY = tiny({"0": {"x": "1l1", "y": "1w0"}})
LOOP = tiny({"0": {"x": "1b", "y": "1w0"}, "1b": {"x": "0"}})
PERFECT_LOOP = tiny({"0": {"x": "1b"}, "1b": {"x": "0", "y": "0w0"}})
STUCK = tiny({"0": {"x": "1stuck", "y": "1l1"}})
PASSES = {("0", "pass"): (pp.PASS,)}
GOES_ON = tiny({"0": {"x": "1a"}, "1a": {"x": "0b0"}, "0b0": {"x": "1c0"}, "1c0": {"x": "0d0"}})
"""Won after two plies, and still there are moves."""
TRAPPED = tiny({"0": {"x": "1b", "y": "1w0"}, "1b": {"x": "0c"}, "0c": {"x": "1b"}})
ALONE = tiny({"0": {"x": "0b"}, "0b": {"x": "0w0"}})
TWICE = tiny({"0": {"x": "1a", "y": "1a"}, "1a": {"x": "0b", "z": "0l1"}, "0b": {"x": "1w0", "y": "1w0"}})
"""Wherever y is legal, x is too and does the same; but z is needed, and so is x."""

CASES: dict[str, tuple[pp.Game[Any], pp.Game[Any]]] = {
    "broken-law": (GOES_ON, FAIR_CHOICE),
    "forced-win": (FAIR_CHOICE, TIED),
    "tie-perfect": (TIED, FAIR_CHOICE),
    "every-opening-wins": (ALL_WIN, FAIR_CHOICE),
    "no-decision": (ALL_WIN, FAIR_CHOICE),
    "endless-possible": (LOOP, FAIR_CHOICE),
    "endless-perfect": (PERFECT_LOOP, LOOP),
    "trap": (TRAPPED, LOOP),
    "over-at-start": (tiny({}, ends={"0": (1, "end")}), FAIR_CHOICE),
    "one-winner": (ALL_WIN, FAIR_CHOICE),
    "wins-only-by-blunder": (GIVEN_AWAY, FAIR_CHOICE),
    "forced-suicide": (tiny({"0": {"x": "1a"}, "1a": {"x": "0w0", "y": "0v0"}}), GIVEN_AWAY),
    "suicide-never-forced": (GIVEN_AWAY, tiny({"0": {"x": "1l1"}})),
    "dead-end": (STUCK, FAIR_CHOICE),
    "dead-event": (
        tiny({"0": {"x": "1w0"}}, event_names=("bang",)),
        tiny({"0": {"x": "1w0"}}, event_names=("bang",), happens={("0", "x"): ("bang",)}),
    ),
    "dead-reason": (tiny({"0": {"x": "1w0"}}, outcome_reasons=("end", "flood")), FAIR_CHOICE),
    "dead-refusal": (
        tiny({"0": {"x": "1w0"}}, refusal_names=("wet", "illegal")),
        tiny({"0": {"x": "1w0"}}, refusal_names=("wet",), forbids={("0", "spare"): "wet"}),
    ),
    "idle-side": (ALONE, FAIR_CHOICE),
    "dead-action": (FAIR_CHOICE, pp.load("bit-flip:bits=3")),
    "duplicate-action": (TWICE, FAIR_CHOICE),
    "dominated-action": (GIVEN_AWAY, FAIR_CHOICE),
    "forced-pass": (
        tiny({"0": {"pass": "1w0"}}, event_names=(pp.PASS,), happens=PASSES),
        tiny({"0": {"pass": "1w0", "x": "1l1"}}, event_names=(pp.PASS,), happens=PASSES),
    ),
    "example-fails": (pp.load("race-to-the-center:arrival=full-turn"), pp.load("race-to-the-center")),
    "reading-decides": (UnclearGame(), FAIR_CHOICE),
    "skill": (FAIR_CHOICE, ALL_WIN),
}


def found(game: pp.Game[Any], code: str) -> list[Finding]:
    return list(FINDERS[code](prepare(game)))


def test_every_code_has_a_case_and_a_meaning() -> None:
    assert list(CASES) == list(FINDERS) == list(MEANINGS)


@pytest.mark.parametrize("code", CASES)
def test_a_finding_is_made_where_it_is_true_and_not_where_it_is_not(code: str) -> None:
    has, has_not = CASES[code]
    assert {finding.code for finding in found(has, code)} == {code}
    assert found(has_not, code) == []
    for finding in found(has, code):
        check_witness(has, finding)


def test_what_the_small_games_say() -> None:
    [win] = found(FAIR_CHOICE, "forced-win")
    assert (win.text, win.witness) == ("Player 1, who moves first, wins by force in 1 ply.", ("y",))
    [none] = found(ALL_WIN, "no-decision")
    assert "none of the 3 positions" in none.text
    [end] = found(STUCK, "dead-end")
    assert end.witness == ("x",)
    [loop] = found(PERFECT_LOOP, "endless-perfect")
    assert loop.witness == ("x", "x")
    [loser] = found(ALL_WIN, "one-winner")
    assert loser.text.startswith("Player 2 can never win: none of the 2 moves")
    [decides] = found(UnclearGame(), "reading-decides")
    assert "kind: Player 1 wins in 1 ply; harsh: Player 2 wins in 1 ply" in decides.text


def test_what_is_said_of_a_single_move_is_grammatical() -> None:
    single = tiny({"0": {"x": "1w0"}}, event_names=("bang",), outcome_reasons=("end", "flood"))
    [loser] = found(single, "one-winner")
    assert loser.text == "Player 2 can never win: no move that ends the game wins for them."
    [event] = found(single, "dead-event")
    assert event.text == ('The event "bang" never happens: no move in the 2 positions brings it about.')
    over = tiny({}, ends={"0": (0, "end")}, event_names=("bang",), outcome_reasons=("end", "flood"))
    assert [finding.text for code in ("dead-event", "dead-reason") for finding in found(over, code)] == [
        'The event "bang" never happens: no move in the 1 position brings it about.',
        'The ending "flood" never happens: no position is ended by it.',
    ]
    refuses = tiny({}, ends={"0": (0, "end")}, refusal_names=("wet",))
    assert [finding.text for finding in found(refuses, "dead-refusal")] == [
        'The prohibition "wet" never applies: in no position does it forbid the one action.'
    ]


def test_actions_that_are_never_legal_are_named_up_to_ten() -> None:
    [pass_] = found(pp.load("inversion-race:passing=leapfrog"), "dead-action")
    assert pass_.text == (
        '1 of the 3 actions is never legal in the 298 positions: "pass"'
        " (legal under passing=crossing and passing=letter)."
    )
    [steps] = found(pp.load("race-to-the-center:steps=1-20"), "dead-action")
    assert steps.text.startswith("15 of the 20 actions are never legal in the 43 positions: ")
    assert steps.text.endswith('"14", "15" and 5 more.')


def test_what_is_called_a_duplicate() -> None:
    [same] = found(TWICE, "duplicate-action")
    assert same.text.startswith('1 action is superfluous in the 5 positions: "y" beside "x".')
    assert same.witness == ("y",)
    # Each is needed where the other is not legal.
    needed = {"0": {"x": "1a", "y": "1a", "z": "1b"}, "1a": {"x": "0v0"}, "1b": {"y": "0w0"}}
    assert found(tiny(needed), "duplicate-action") == []
    # The same at first, and not later on.
    at_first = {"0": {"x": "1a", "y": "1a"}, "1a": {"x": "0v0", "y": "0l1"}}
    assert found(tiny(at_first), "duplicate-action") == []
    [one_digit] = found(pp.load("mirror-match:digits=1"), "duplicate-action")
    assert '"1 E" beside "1 B"' in one_digit.text


def test_actions_are_called_by_their_names_where_they_come_up() -> None:
    def action_text(self: Tiny, state: str, action: int) -> str:
        return f"{self.words[action]}{state[1:]}"

    table = {"0": {"z": "1a"}, "1a": {"x": "0w0", "y": "0w0", "z": "0l1"}}
    [same] = found(tiny(table, action_text=action_text), "duplicate-action")
    assert '"ya" beside "xa".' in same.text
    assert same.witness == ("z", "ya")


def test_what_is_called_dominated() -> None:
    [worse] = found(GIVEN_AWAY, "dominated-action")
    assert worse.text.startswith('1 action is dominated in the 3 positions: "x" beside "y".')
    # A slower win is not a worse result, and a faster one is a reason to play it.
    slower = {"0": {"x": "1a", "y": "1w0"}, "1a": {"z": "0b"}, "0b": {"z": "1v0"}}
    assert found(tiny(slower), "dominated-action") == []
    faster = {**slower, "0b": {"x": "1v0", "y": "1c"}, "1c": {"z": "0d"}, "0d": {"x": "1l1", "y": "1u0"}}
    assert found(tiny(faster), "dominated-action") == []
    # Legal where the other is not: without it there would be no move.
    needed = {
        "0": {"x": "1a", "y": "1w0", "z": "1b"},
        "1a": {"z": "0l1"},
        "1b": {"z": "0c"},
        "0c": {"x": "1v0"},
    }
    assert found(tiny(needed), "dominated-action") == []


def test_a_side_that_can_only_pass_never_moves() -> None:
    passing = {"0": {"x": "1a", "y": "1b"}, "1a": {"pass": "0c"}, "1b": {"pass": "0c"}, "0c": {"x": "1w0"}}
    passes = {(state, "pass"): (pp.PASS,) for state in ("1a", "1b")}
    [idle] = found(tiny(passing, event_names=(pp.PASS,), happens=passes), "idle-side")
    assert idle.text == "Player 2 never has a move to make in any of the 5 positions."
    assert found(tiny({}, ends={"0": (1, "end")}), "idle-side") == []


def test_a_trap_holds_what_leads_to_dead_ends_alone() -> None:
    [held] = found(tiny({"0": {"x": "1a", "y": "1w0"}, "1a": {"x": "0stuck"}}), "trap")
    assert held.witness == ("x",)
    assert "from 2 of the 4 positions, no end" in held.text
    [start] = found(tiny({"0": {"x": "1b"}, "1b": {"x": "0"}}), "trap")
    assert (start.witness, "caught from the start on" in start.text) == ((), True)
    assert found(STUCK, "trap") == []


def test_a_loop_is_shown_where_it_can_be_entered_soonest() -> None:
    ways = {0: [(0, 1)], 1: [(1, 8)], 8: [(2, 1)]}  # a set of 1 and 8 begins with 8
    assert first_loop(ways.__getitem__) == Loop((0,), (1, 2))


def test_the_start_that_is_over_says_how() -> None:
    [over] = found(CASES["over-at-start"][0], "over-at-start")
    assert over.text == "The game is over before the first move: Player 2 wins: end."
    assert {each.code for each in audit(CASES["over-at-start"][0]).findings} == {"over-at-start"}


def test_a_loop_that_only_a_dead_end_makes_endless_is_not_called_perfect_play_without_end() -> None:
    stuck = tiny({"0": {"x": "1stuck"}})
    assert found(stuck, "endless-perfect") == []
    assert len(found(stuck, "dead-end")) == 1
    assert outlook(prepare(stuck)) == ("undecided", "undecided (a dead end has no result)")


def test_beside_a_dead_end_neither_a_tie_nor_a_loop_is_perfect_play() -> None:
    tie = tiny({"0": {"x": "1stuck", "y": "1t"}}, ends={"1t": (None, "end")})
    loop = tiny({"0": {"x": "1stuck", "y": "1b"}, "1b": {"x": "0"}})
    for game, code in ((tie, "tie-perfect"), (loop, "endless-perfect")):
        assert found(game, code) == []
        assert outlook(prepare(game))[0] == "undecided"
    won = tiny({"0": {"x": "1stuck", "y": "1w0"}})
    assert outlook(prepare(won))[0] == "Player 1 wins"


def test_an_example_that_states_a_wrong_position_fails() -> None:
    game = pp.load("race-to-the-center")
    example = examples(game.name)[0]
    wrong = replace(example, positions=("1 10 2", *example.positions[1:]))
    case = replace(prepare(game), examples=(wrong,))
    [finding] = FINDERS["example-fails"](case)
    assert finding.text.endswith("ply 1: the position is 2 10 2, not 1 10 2.")
    assert finding.witness == tuple(example.moves)


def test_examples_of_another_size_are_not_held_against_a_game() -> None:
    assert found(pp.load("race-to-the-center:positions=13,arrival=full-turn"), "example-fails") == []


# Witnesses

SPECS = [
    *(f"inversion-race:passing={p},first={f}" for p, f in product(("crossing", "letter", "leapfrog"), "AB")),
    *(f"race-to-the-center:arrival={a}" for a in ("adjacent", "sudden-death", "full-turn")),
    "race-to-the-center:steps=1-3",
    "bit-flip",
    "bit-flip:first=2",
    "dual-direction",
    "dual-direction:first=2",
    "mirror-match:forfeit=penalty",
    "mirror-match:forfeit=move",
    "mirror-match:digits=2,shortest=4",
]

NEVER = {
    "no-decision",
    "one-winner",
    "suicide-never-forced",
    "dead-event",
    "dead-reason",
    "dead-refusal",
    "dead-action",
    "idle-side",
    "over-at-start",
    "reading-decides",
}


def reachable(game: pp.Game[Any], start: Any) -> list[Any]:
    states = [start]
    for state in states:  # grows while it is walked
        states += {game.apply(state, action) for action in game.legal_actions(state)}.difference(states)
    return states


def named_actions(game: pp.Game[Any], state: Any, said: str) -> list[int]:
    """The first two actions that a text quotes."""
    return [game.parse_action(state, text) for text in re.findall(r'"(.*?)"', said)[:2]]


def check_witness(game: pp.Game[Any], finding: Finding) -> None:
    """Replay a witness and see that it shows what the finding says."""
    match = pp.Match(game)
    for move in finding.witness:
        match.play(move)
    assert all(entry.kind == "move" for entry in match.history)
    assert pp.Match(game).result is None or finding.code == "over-at-start"
    code, result = finding.code, match.result
    if code in NEVER:
        assert finding.witness == ()
        assert re.search(r"[0-9]|: ", finding.text)
        return
    assert finding.witness
    mover = match.last.side
    if code == "forced-win":
        assert result is not None
        assert result.winner is not None
        assert finding.text.startswith(game.side_names[result.winner])
        by_theory = "the theory of the game does not say how soon" in finding.text
        how_soon = f"takes {match.plies} plies." if by_theory else f" in {plural(match.plies)}."
        assert how_soon in finding.text
    elif code == "tie-perfect":
        assert result is not None
        assert result.winner is None
        assert f" in {plural(match.plies)}:" in finding.text
    elif code == "broken-law":
        assert f"({place(match.game, match.state)})" in finding.text
    elif code == "trap":
        assert result is None
        assert all(game.outcome(state) is None for state in reachable(game, match.state))
    elif code == "duplicate-action":
        before, actions = match.positions[-2], named_actions(game, match.positions[-2], finding.text)
        assert match.last.action == actions[0]
        assert len({game.play(before, action) for action in actions}) == 1
    elif code == "dominated-action":
        before, actions = match.positions[-2], named_actions(game, match.positions[-2], finding.text)
        assert match.last.action == actions[0]
        values = dict(prepare(game).moves_at(before))
        assert values[actions[0]].rank < values[actions[1]].rank
        assert values[actions[0]].kind != values[actions[1]].kind
    elif code == "every-opening-wins":
        assert result is None or result.winner == mover
    elif code.startswith("endless"):
        assert result is None
        repeated = match.positions.count(match.state) == 2
        assert repeated != ("without repeating a position" in finding.text)
    elif code == "wins-only-by-blunder":
        assert result is not None
        assert result.winner == 1 - mover
    elif code == "forced-suicide":
        assert result is not None
        assert result.winner == 1 - mover
        before = match.positions[-2]
        ends = [game.outcome(game.apply(before, action)) for action in game.legal_actions(before)]
        assert all(end is not None and end.winner == 1 - mover for end in ends)
    elif code == "dead-end":
        assert result is None
        assert match.legal() == ()
    elif code == "forced-pass":
        assert game.is_forced_pass(match.positions[-2])
        assert match.line(match.last).events == (pp.PASS,)
    elif code == "skill":
        last = pp.solve(game).regret(match.record()).plies[-1]
        assert last.best.kind != last.played.kind
    else:
        assert code == "example-fails"


@pytest.mark.parametrize("spec", SPECS)
def test_every_witness_shows_what_is_said(spec: str) -> None:
    game = pp.load(spec)
    case = prepare(game)
    made = [
        finding
        for code, finder in FINDERS.items()
        if code != "skill" or case.whole
        for finding in finder(case)
    ]
    assert made
    for finding in made:
        check_witness(game, finding)


# The rulings


@pytest.mark.parametrize("spec", [spec for spec, ruled in RULINGS.items() if ruled.winner is not None])
def test_forced_wins_are_those_of_the_rulings(spec: str) -> None:
    states, winner, plies = RULINGS[spec]
    assert winner is not None
    game = pp.load(spec)
    [finding] = found(game, "forced-win")
    assert finding.text.startswith(f"{game.side_names[winner]}, who moves")
    assert finding.text.endswith(f"wins by force in {plies} plies.")
    assert states is None or prepare(game).visited == states


def codes(spec: str) -> set[tuple[str, str]]:
    """What is found dead in a game, and other findings with the name that they begin with."""
    names = {}
    case = prepare(pp.load(spec))
    for code, finder in FINDERS.items():
        for finding in finder(case) if code != "skill" else ():
            quoted = re.search(r'"(.*?)"', finding.text) if code.startswith("dead") else None
            names[code, quoted[1] if quoted else ""] = finding
    return set(names)


def test_dual_direction() -> None:
    assert codes("dual-direction") == {
        ("endless-possible", ""),
        ("endless-perfect", ""),
        ("wins-only-by-blunder", ""),
        ("suicide-never-forced", ""),
        ("dead-refusal", "beyond-line"),
    }
    [forced] = found(pp.load("dual-direction"), "suicide-never-forced")
    assert "in 1 of the 11 positions, a move loses at once" in forced.text
    [blunder] = found(pp.load("dual-direction"), "wins-only-by-blunder")
    assert blunder.text.startswith("Player 2 can win only by a move of Player 1")
    assert blunder.witness == ("right",) * 5
    [mirrored] = found(pp.load("dual-direction:first=2"), "wins-only-by-blunder")
    assert mirrored.text.startswith("Player 1 can win only by a move of Player 2")


def test_a_forced_move_is_not_a_blunder() -> None:
    # Whoever takes the last stone loses: both sides win only by a move of the other, and can force it.
    misere = tiny(
        {"0": {"x": "1b", "y": "1c"}, "1b": {"x": "0c", "y": "0l0"}, "1c": {"x": "0m0"}, "0c": {"x": "1n1"}}
    )
    assert set(prepare(misere).wins) == {(0, 1), (1, 0)}
    assert list(found(misere, "wins-only-by-blunder")) == []


def test_inversion_race() -> None:
    assert ("dead-event", "inversion") in codes("inversion-race:passing=letter")
    assert ("dead-reason", "last cell") in codes("inversion-race:passing=letter")
    assert ("dead-event", "inversion") not in codes("inversion-race")
    assert ("dead-event", "inversion") not in codes("inversion-race:passing=leapfrog")
    texts = [each.text for each in found(pp.load("inversion-race:passing=letter"), "dead-event")]
    assert "the 148 positions" in texts[0]
    assert "under passing=crossing and passing=leapfrog" in texts[0]


def test_race_to_the_center() -> None:
    for arrival in ("adjacent", "sudden-death", "full-turn"):
        assert ("dead-refusal", "occupied") in codes(f"race-to-the-center:arrival={arrival}")
        assert ("dead-refusal", "past-center") not in codes(f"race-to-the-center:arrival={arrival}")
    assert ("dead-event", "same-turn arrival") in codes("race-to-the-center:arrival=sudden-death")


@pytest.mark.parametrize(
    ("spec", "rows"),
    [
        (
            "inversion-race:first=B",
            [("crossing", 178, "Player A wins in 16 plies"), ("letter", 148, "Player B wins in 9 plies"),
             ("leapfrog", 298, "Player B wins in 13 plies")],
        ),
        (
            "race-to-the-center",
            [("adjacent", 31, "Player 2 wins in 6 plies"), ("sudden-death", 30, "Player 1 wins in 5 plies"),
             ("full-turn", 32, "Player 2 wins in 6 plies")],
        ),
        ("mirror-match", [("penalty", None, "Player 1 wins in 3 plies"), ("move", None, "endless")]),
    ],
)  # fmt: skip
def test_reading_tables(spec: str, rows: list[tuple[str, int | None, str]]) -> None:
    case = prepare(pp.load(spec))
    assert [(row.reading, row.positions, row.outlook) for row in readings(case)] == rows
    [finding] = FINDERS["reading-decides"](case)
    assert finding.severity == "warning"
    assert all(f"{reading}: {outlook}" in finding.text for reading, _, outlook in rows)


def test_an_audit_judges_each_reading_once(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = []

    def counted_outlook(case: Case) -> tuple[str, str]:
        judged.append(case.game.spec)
        return outlook(case)

    monkeypatch.setattr("perfectplay.audit.readings.outlook", counted_outlook)
    found = audit(pp.load("race-to-the-center:positions=13"))  # of a size that nothing else has asked for
    assert judged == [row.spec for row in found.readings]
    assert len(judged) == 3


def test_examples_hold_under_the_readings_that_they_name() -> None:
    for name in pp.names():
        case = prepare(pp.load(name))
        for row in readings(case):
            for example in case.examples:
                expected = not row.parameter or row.reading in example.readings[row.parameter]
                assert (row.examples[example.name] is None) == expected, (name, row.reading, example.name)


# Games that are too large


def test_a_large_game_is_judged_by_theory_and_says_what_was_left_out() -> None:
    done = audit(pp.load("bit-flip:bits=300"))
    assert not done.case.whole
    by_code = {finding.code: finding for finding in done.findings}
    assert "the theory of the game does not say how soon" in by_code["forced-win"].text
    check_witness(done.case.game, by_code["forced-win"])
    assert done.measures is not None
    assert done.measures.cross_table is None
    assert any("too many positions" in sentence for sentence in done.measures.left_out)
    assert not {"dead-reason", "dead-refusal", "one-winner"} & set(by_code)


def test_what_a_large_game_proves_elsewhere_is_not_called_unseen() -> None:
    case = prepare(pp.load("mirror-match:digits=200"))
    assert list(FINDERS["dead-reason"](case)) == []
    [endless] = FINDERS["endless-possible"](case)
    check_witness(case.game, endless)


def test_a_large_game_without_a_theory_is_looked_at_as_far_as_allowed() -> None:
    case = prepare(pp.load("inversion-race:cells=61"), 500)
    assert not case.judged
    made = {finding.code: finding for finding in findings(case)}
    assert {"forced-win", "endless-perfect", "skill", "no-decision"}.isdisjoint(made)
    check_witness(case.game, made["endless-possible"])
    assert made["dead-event"].severity == "note"
    assert made["dead-event"].text.startswith('The event "leap" was not seen in the first 2,000 positions')
    assert text(audit(case.game, 500)).count("Nothing is known about perfect play") == 1


def test_what_was_only_not_seen_is_not_called_impossible() -> None:
    case = prepare(CASES["dead-reason"][0], 1)
    [finding] = FINDERS["dead-reason"](case)
    assert finding.severity == "note"
    assert finding.text.endswith("; nothing beyond them is proved.")
    codes = ("one-winner", "wins-only-by-blunder", "idle-side", "dead-action", "duplicate-action")
    for code in codes:
        [finding] = FINDERS[code](prepare(CASES[code][0], 1))
        assert finding.severity == "note"
        assert "never" not in finding.text
    # Without a theory, values are known only for whole games, but a trap is always a trap.
    assert list(FINDERS["dominated-action"](prepare(GIVEN_AWAY, 1))) == []
    assert list(FINDERS["no-decision"](prepare(ALL_WIN, 1))) == []
    [trap] = FINDERS["trap"](prepare(TRAPPED, 1))
    assert trap.severity == "problem"


# Games that break the laws


class Dice(Tiny):
    """Where a move leads is drawn."""

    table: ClassVar[dict[str, dict[str, str]]] = {"0": {"x": "1a"}, "1a": {"x": "0b"}, "0b": {"x": "1w0"}}
    ends: ClassVar[dict[str, tuple[Literal[0, 1] | None, str]]] = {"1w0": (0, "end"), "0l1": (1, "end")}
    rng: ClassVar[Random] = Random(1)

    def apply(self, state: str, action: int) -> str:
        return "0l1" if state == "1a" and self.rng.random() < 0.5 else super().apply(state, action)


class Secret(Tiny):
    """What is legal depends on what was played before, which the position does not tell."""

    table: ClassVar[dict[str, dict[str, str]]] = {
        "0": {"x": "1a", "y": "1b"},
        "1a": {"x": "0c"},
        "1b": {"x": "0c"},
        "0c": {"x": "1w0", "y": "1l1"},
    }
    ends: ClassVar[dict[str, tuple[Literal[0, 1] | None, str]]] = {"1w0": (0, "end"), "1l1": (1, "end")}
    played: ClassVar[list[int]] = [0]

    def apply(self, state: str, action: int) -> str:
        if state == "0":
            self.played.append(action)
        return super().apply(state, action)

    def legal_actions(self, state: str) -> tuple[int, ...]:
        legal = super().legal_actions(state)
        return legal[self.played[-1] % 2 :] if state == "0c" else legal


@pytest.mark.parametrize(
    ("game", "law"), [(GOES_ON, "outcome"), (Dice(), "apply"), (Secret(), "repeatable")], ids=str
)
def test_of_a_game_that_breaks_a_law_nothing_is_said_but_that(game: pp.Game[Any], law: str) -> None:
    done = audit(game)
    assert {finding.code for finding in done.findings} == {"broken-law"}
    assert any(f'breaks the law "{law}"' in finding.text for finding in done.findings)
    assert (done.readings, done.measures) == ((), None)
    written = text(done)
    assert "Nothing else is reported about this game" in written
    assert "win" not in written.replace("Player 1 wins: end", "").replace("1w0", "")
    assert Page(page(done)).open == []
    assert as_dict(done)["measures"] is None


def test_a_dead_end_leaves_the_rest_trusted() -> None:
    made = {finding.code for finding in audit(STUCK).findings}
    assert "dead-end" in made
    assert "one-winner" in made
    assert "broken-law" not in made


@pytest.mark.parametrize("broken", [pytest.param(each, id=type(each.game).__name__) for each in BROKEN])
def test_a_game_that_breaks_any_law_is_audited_without_an_error(broken: Broken) -> None:
    broken.forget()
    done = audit(broken.game)
    told = [finding for finding in done.findings if finding.code in ("broken-law", "dead-end")]
    assert (
        any("breaks the law" in finding.text and f'"{broken.law}"' in finding.text for finding in told)
        or broken.law == "dead-end"
    )
    assert (done.measures is None) == (not {broken.law, *broken.also} <= HARMLESS)
    json.dumps(as_dict(done))
    for finding in told:
        if finding.witness:
            match = pp.Match(broken.game)
            for move in finding.witness:
                match.forfeit() if move == "forfeit" else match.play(move)
            assert place(broken.game, match.state) in finding.text or finding.code == "dead-end"
    assert all(finding.text in text(done) for finding in told)
    assert Page(page(done)).open == []


def test_the_witness_of_a_broken_law_leads_there() -> None:
    [finding] = audit(GOES_ON).findings
    assert finding.witness == ("x", "x")
    assert finding.text == (
        'The game breaks the law "outcome": there is an outcome, "Player 1 wins: end",'
        ' and there are legal actions, (1,) (position "0b0").'
    )


def test_a_law_on_which_nothing_rests_is_told_beside_the_rest() -> None:
    blank = tiny(FAIR_CHOICE.table, view=lambda *_: pp.View(()))
    done = audit(blank)
    assert {"broken-law", "forced-win", "skill"} <= {finding.code for finding in done.findings}
    assert done.measures is not None


@dataclass(frozen=True)
class Ladder(pp.Game[tuple[int, int]]):
    """Two counters that go up, far too many positions to visit; at the top the game is over or stuck."""

    name = "ladder"
    title = "Ladder"
    outcome_reasons = ("top",)
    top: int = pp.parameter(3000)
    stuck: int = pp.parameter(1)
    num_actions = 2

    def initial(self) -> tuple[int, int]:
        return 0, 0

    def side_to_move(self, state: tuple[int, int]) -> pp.Side:
        return 1 if sum(state) % 2 else 0

    def legal_actions(self, state: tuple[int, int]) -> tuple[int, ...]:
        return (0, 1) if sum(state) < self.top else ()

    def apply(self, state: tuple[int, int], action: int) -> tuple[int, int]:
        return (state[0] + 1, state[1]) if action else (state[0], state[1] + 1)

    def outcome(self, state: tuple[int, int]) -> pp.Outcome | None:
        return pp.Outcome(0, "top") if sum(state) == self.top and not self.stuck else None

    def action_text(self, state: tuple[int, int], action: int) -> str:
        return ("up", "right")[action]

    def state_text(self, state: tuple[int, int]) -> str:
        return f"{state[0]} {state[1]}"

    def parse_state(self, text: str) -> tuple[int, int]:
        one, two = map(int, text.split())
        return one, two

    def view(self, state: tuple[int, int]) -> pp.View:
        controls = (
            pp.Control(self.action_text(state, action), action) for action in self.legal_actions(state)
        )
        return pp.View(((pp.Cell(self.state_text(state)),),), tuple(controls))


def test_a_dead_end_deep_in_a_large_game_is_found() -> None:
    case = prepare(Ladder(), 1000)
    [finding] = FINDERS["dead-end"](case)
    check_witness(case.game, finding)
    assert len(finding.witness) == 3000
    assert "after 3,000 plies there is no legal move" in finding.text
    sound = prepare(Ladder(stuck=0), 1000)
    assert list(FINDERS["dead-end"](sound)) == []
    # No end was visited, but there may be one beyond what was.
    assert list(FINDERS["trap"](sound)) == []


def test_a_dead_end_that_only_the_laws_or_only_the_deep_game_came_upon_is_found() -> None:
    found_twice = prepare(Ladder(), 1000)
    for case in (replace(found_twice, deep=()), replace(found_twice, broken=())):
        [finding] = FINDERS["dead-end"](case)
        check_witness(case.game, finding)


class Snaps(Ladder):
    """Raises an error where few games come by."""

    def apply(self, state: tuple[int, int], action: int) -> tuple[int, int]:
        if state == (17, 17):
            raise ZeroDivisionError("snap")
        return super().apply(state, action)


@pytest.mark.parametrize("limit", [1000, 50_000])
def test_a_game_that_stops_beyond_the_first_positions_is_told_with_the_moves(
    limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("perfectplay.audit.case.find_broken_laws", lambda *_, **__: ())
    game = Snaps(top=60, stuck=0)
    [finding] = audit(game, limit).findings
    assert finding.text == (
        'The game breaks the law "apply": play stopped with ZeroDivisionError: snap (while playing).'
    )
    assert sorted(finding.witness) == ["right"] * 17 + ["up"] * 17


class Short(Ladder):
    """Raises an error after three plies, whichever way."""

    def apply(self, state: tuple[int, int], action: int) -> tuple[int, int]:
        if sum(state) == 3:
            raise ZeroDivisionError("snap")
        return super().apply(state, action)


@pytest.mark.parametrize(
    "play",
    [lambda game: random_game(game, Random(1), 9), lambda game: random_game(game, Random(1), 99, set())],
    ids=["random", "deep"],
)
def test_a_game_that_stops_while_it_is_played_tells_the_moves(play: Callable[[Ladder], object]) -> None:
    game = Short()
    with pytest.raises(Stopped) as caught:
        play(game)
    law, problem, where, path = caught.value.violation
    assert (law, problem, where) == ("apply", "play stopped with ZeroDivisionError: snap", "while playing")
    *_, last = positions(game, path)
    assert sum(last) == len(path) == 3


class Lawless(Ladder):
    """Breaks a law of play in one position that the first look did not come upon."""

    def outcome(self, state: tuple[int, int]) -> pp.Outcome | None:
        return pp.Outcome(1, "top") if state == (9, 9) else super().outcome(state)


class Otherwise(Ladder):
    """Leads elsewhere from one position when asked for the second time."""

    asked: ClassVar[list[int]] = []

    def apply(self, state: tuple[int, int], action: int) -> tuple[int, int]:
        if state == (9, 9):
            self.asked.append(action)
        return super().apply(state, 0 if len(self.asked) > 2 else action)


@pytest.mark.parametrize(("made", "law"), [(Lawless, "outcome"), (Otherwise, "repeatable")])
def test_the_laws_of_play_are_checked_on_every_position_that_is_visited(
    made: type[Ladder], law: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("perfectplay.audit.case.find_broken_laws", lambda *_, **__: ())
    Otherwise.asked.clear()
    case = prepare(made(top=20, stuck=0))
    assert [each.law for each in case.broken] == [law]
    assert case.broken[0].where == 'position "9 9"'
    assert Counter(case.broken[0].path) == {0: 9, 1: 9}


class Believed(pp.Theory[str]):
    """Everybody wins, and always will: at odds with the loop, but not with itself."""

    def value(self, state: str) -> pp.Value:
        return pp.Value("loss" if state[0] == "1" else "win")


def test_a_theory_is_held_against_all_positions() -> None:
    # Nobody ever wins, so that no position by itself shows that the theory is wrong.
    loop = tiny({"0": {"x": "1b"}, "1b": {"x": "0"}}, theory=lambda game: Believed(game))
    pp.check_game(loop)
    [finding] = audit(loop).findings
    assert 'breaks the law "theory": the theory says win; by all positions it is endless' in finding.text


def test_a_reading_and_a_setting_that_break_a_law_are_not_judged() -> None:
    @dataclass(frozen=True)
    class Careless(UnclearGame):
        turns: int = pp.parameter(1, least=1, most=3)
        table: ClassVar[dict[str, dict[str, str]]] = {"0": {"go": "1end"}, "1end": {"go": "0"}}

        def legal_actions(self, state: str) -> tuple[int, ...]:
            over = state == "1end" and self.rule == "kind" and self.turns != 2
            return () if over else super().legal_actions(state)

    kind, harsh = readings(prepare(Careless()))
    assert kind.result == "Player 1 wins"
    assert (harsh.result, harsh.outlook) == ("breaks a law", "breaks the law of outcome")
    one, two, three = sweep(Careless(), "turns=1..3")
    assert (one.result, two.result, three.result) == ("Player 1 wins", "breaks a law", "Player 1 wins")
    assert (two.positions, two.plies, two.fair) == (None, None, None)
    assert "| 2     | -         | breaks a law  | -     | -       | -    | -" in sweep_text((one, two, three))


def test_sampled_games_stop_at_a_dead_end() -> None:
    player = load_player("random")
    assert isinstance(player, ComputerPlayer)
    rates = HeadToHead(tiny({"0": {"x": "1stuck"}}), None, games=3).rates(player, player)
    assert rates == Rates((0, 0), 0, 0, stuck=1, games=3)
