"""Two rule sets side by side, as the workbench asks about them."""

from typing import Any

import pytest

import perfectplay as pp
from tab.comparison import changed_findings, changes, difference
from tests.conftest import ROOT
from tests.tab.test_workbench import EXAMPLE

BIT_FLIP = (ROOT / "src/perfectplay/games/bit_flip/rules.py").read_text("utf-8")
LAST_LOSES = BIT_FLIP.replace('Outcome(other(state.side), "last flip")', 'Outcome(state.side, "last flip")')


def rules(source: str = BIT_FLIP, **settings: str) -> Any:
    return {"source": source, "settings": settings}


def test_a_file_and_itself_are_the_same_game_and_nothing_changed() -> None:
    one, other = rules(EXAMPLE), rules(EXAMPLE + "\n# the same\n")
    assert difference(one, other, 10_000)["same"] is True
    found = changes(one, other)
    assert (found["paired"], found["changed"], found["shown"]) == (5478, 0, [])
    assert changed_findings(one, other) == {"findings": []}


def test_an_edited_rule_shows_the_shortest_moves_to_it() -> None:
    found = difference(rules(bits="3"), rules(LAST_LOSES, bits="3"), 100)
    assert (found["same"], found["plies"], found["lines"]) == (False, 1, (("1",), ("1",)))
    assert found["found"] == ("Player 1 has won", "Player 2 has won")


def test_values_that_a_parameter_changes_are_those_of_the_solver() -> None:
    found = changes(rules(bits="7"), rules(bits="8"))
    oracles = [pp.solve(pp.load(f"bit-flip:bits={bits}")) for bits in (7, 8)]
    assert found["rows"][2] == ["Perfect play", "Player 1 wins in 3 plies", "Player 2 wins in 4 plies"]
    for each in found["openings"]:
        for oracle, words in zip(oracles, each["words"], strict=True):
            match = pp.Match(oracle.game)
            if words is None:
                assert each["move"] not in match.legal()
                continue
            match.play(each["move"])
            value = oracle.value(match.state)
            winner = "Player 2" if value.kind == "win" else "Player 1"
            assert words.startswith(winner)
    assert [each["move"] for each in found["openings"] if each["words"][0] is None] == ["7"]
    assert all(len(each["moves"]) != 1 and each["words"][0] != each["words"][1] for each in found["shown"])


def test_all_pairs_up_to_the_limit_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tab.comparison.MOST_PAIRED", 5)
    found = changes(rules(bits="7"), rules(bits="8"))
    assert (found["paired"], found["all"]) == (5, False)


def test_findings_that_one_game_lacks_come_with_the_moves_that_show_them() -> None:
    found = changed_findings(rules(bits="3"), rules(LAST_LOSES, bits="3"))["findings"]
    [forced] = [each for each in found if each["code"] == "forced-win"]
    assert forced["texts"][0] != forced["texts"][1]
    assert forced["moves"]


@pytest.mark.parametrize("settings", [{}, {"digits": "3"}])
def test_a_game_that_is_too_large_is_compared_as_far_as_it_goes(settings: dict[str, str]) -> None:
    source = (ROOT / "src/perfectplay/games/mirror_match/rules.py").read_text("utf-8")
    one, other = rules(source, digits="3"), rules(source, **settings)
    found = difference(one, other, 50)
    assert found["same"] is (None if settings else False)
    assert changes(one, other)["rows"][0][1].startswith("more than ")
