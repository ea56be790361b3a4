"""What the workbench says about broken laws, above all in a game of the package whose rules were changed."""

import re

import pytest

from perfectplay.tables.encoding import JsonObject
from tab.workbench import judge, laws, position, steps
from tests.tab.test_workbench import EXAMPLE, SKELETON, rules

BIT_FLIP, MIRROR_MATCH = rules("bit-flip"), rules("mirror-match")
LAST_LOSES = BIT_FLIP.replace('Outcome(other(state.side), "last flip")', 'Outcome(state.side, "last flip")')
TO_THE_RIGHT = BIT_FLIP.replace("flipped | flipped << 1 | flipped >> 1", "flipped | flipped << 1")
ONE_LONGER = MIRROR_MATCH.replace("len(sequence) >= self.shortest", "len(sequence) > self.shortest")
RENAMED = BIT_FLIP.replace("def free(", "def open_bits(").replace("self.free(", "self.open_bits(")
WORDLESS = MIRROR_MATCH.replace("return number - 1 if place", "return number if place")


def line_of(text: str, source: str) -> int:
    (line,) = (number for number, each in enumerate(source.splitlines(), start=1) if text in each)
    return line


def broken(source: str, law: str) -> JsonObject:
    found: list[JsonObject] = [each for each in judge(source, {})["broken"] if law in each["laws"]]
    assert len(found) == 1
    return found[0]


def test_a_theory_that_a_changed_rule_made_wrong_is_held_against_the_solver() -> None:
    found = broken(LAST_LOSES, "theory")
    line = line_of("def theory", LAST_LOSES)
    assert found["problem"] == (
        "The theory of this file claims a loss for Player 2, and the solver finds a win in 4 moves."
    )
    assert found["advice"].startswith(f"If you changed a rule on purpose, delete def theory (line {line}).")
    assert (found["line"], found["where"], found["witness"]) == (line, 'position "1000000000 2"', ["0"])
    assert laws(LAST_LOSES, {})["broken"] == judge(LAST_LOSES, {})["broken"]

    advised = judge(LAST_LOSES[: LAST_LOSES.index("    def theory")], {})
    assert (advised["broken"], advised["trusted"], advised["result"]) == ([], True, "Player 1 wins")


def test_a_theory_of_a_game_too_large_to_solve_is_held_against_its_moves() -> None:
    found = broken(ONE_LONGER, "theory")
    assert found["problem"] == "the theory says win in 1, but the best move gives loss in 2"
    assert found["where"] == 'position "1-1 1"'
    assert f"delete def theory (line {line_of('def theory', ONE_LONGER)})" in found["advice"]


def test_an_error_in_what_comes_from_the_package_says_so() -> None:
    found = broken(RENAMED, "theory")
    assert "no attribute 'free'" in found["problem"]
    assert "(theory.py of the package, line " in found["problem"]
    assert found["line"] == line_of("def theory", RENAMED)


@pytest.mark.parametrize(
    ("source", "law", "member", "advice"),
    [
        (TO_THE_RIGHT, "canonical", "canonical", "delete def canonical (line "),
        (TO_THE_RIGHT, "state-text", "self.misread", "has to read every position that your rules allow"),
        (WORDLESS, "dialogue", "def dialogue", "delete def dialogue (line "),
    ],
    ids=["canonical", "state-text", "dialogue"],
)
def test_whatever_a_changed_rule_breaks_has_its_line_and_advice(
    source: str, law: str, member: str, advice: str
) -> None:
    found = broken(source, law)
    assert advice in found["advice"]
    assert member in source.splitlines()[found["line"] - 1]


def test_positions_and_outcomes_are_told_in_words() -> None:
    forgetful = EXAMPLE.replace("        if self.outcome(state) is not None:\n            return ()\n", "")
    (found,) = judge(forgetful, {})["broken"]
    assert found["problem"].startswith(
        'there is an outcome, "X wins: three in a row", and there are legal actions'
    )
    assert re.fullmatch(r'position "[XO.]{9} O"', found["where"])
    assert found["line"] == line_of("def outcome", forgetful)
    assert found["advice"] == ""
    assert len(steps(forgetful, {}, found["witness"])["positions"]) == len(found["witness"]) + 1


def test_what_still_speaks_of_the_old_rules_is_listed_until_it_is_gone() -> None:
    def listed(source: str) -> list[str]:
        found = judge(source, {})["leftovers"]
        assert all(each["name"] in source.splitlines()[each["line"] - 1] for each in found)
        return [each["name"] for each in found]

    assert listed(LAST_LOSES) == ["texts", "dialogue", "theory"]
    assert listed(LAST_LOSES[: LAST_LOSES.index("    def theory")])[-1] == "dialogue"
    assert listed(LAST_LOSES.replace('name = "bit-flip"', 'name = "last-loses"'))[0] == "texts"
    assert listed(BIT_FLIP) == listed(SKELETON) == []
    assert laws(LAST_LOSES, {})["leftovers"] == judge(LAST_LOSES, {})["leftovers"]


def test_moves_without_values_say_why() -> None:
    assert position(LAST_LOSES, {}, [], values=True)["unknown"] == "laws"
    large = (
        MIRROR_MATCH[: MIRROR_MATCH.index("    def theory")]
        + MIRROR_MATCH[MIRROR_MATCH.index("\n\ndef _rename(") :]
    )
    assert position(large, {}, [], values=True)["unknown"] == "size"
    assert position(LAST_LOSES, {}, [])["unknown"] is None
    found = position(SKELETON, {}, [], values=True)
    assert (found["unknown"], found["values"]["value"]) == (None, {"kind": "win", "plies": 5})


STUCK = EXAMPLE.replace('return None if "." in squares else Outcome(None, "board full")', "return None")


def test_values_that_hang_on_a_dead_end_are_undecided() -> None:
    assert STUCK != EXAMPLE
    found = judge(STUCK, {})
    assert (found["result"], found["kind"], found["plies"]) == ("undecided", None, None)
    assert (laws(STUCK, {})["broken"][0]["laws"], found["trusted"]) == (["dead-end"], True)
    shown = position(STUCK, {}, [], values=True)
    assert (shown["unknown"], shown["values"]) == ("dead-end", None)


def test_a_broken_law_says_whether_values_depend_on_it() -> None:
    assert broken(LAST_LOSES, "theory")["grave"]
    undeclared = EXAMPLE.replace('Outcome(None, "board full")', 'Outcome(None, "full up")')
    assert not broken(undeclared, "declared")["grave"]
    assert judge(undeclared, {})["kind"] == "tie"
