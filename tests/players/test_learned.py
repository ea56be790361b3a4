"""Learned players: with a policy from a file, and with those that come with the package."""

from pathlib import Path

import pytest

import perfectplay as pp
from perfectplay.core.errors import ParseError
from perfectplay.players.learned.player import SHIPPED, LearnedPlayer, find_shipped_file
from perfectplay.players.registry import load_computer
from tests.players.test_policy import changed, made


def test_a_policy_of_another_game_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    made("bit-flip").save(path)
    with pytest.raises(ParseError, match='trained for "bit-flip", not for dual-direction'):
        load_computer(f"learned:{path}").prepare(pp.load("dual-direction"))
    path.write_text(changed(game="dual-direction"))
    with pytest.raises(ParseError, match="10 actions, not 2"):
        load_computer(f"learned:{path}").prepare(pp.load("dual-direction"))


def test_specs_of_learned_players() -> None:
    assert [load_computer(spec).spec for spec in ("learned", "learned:a b,c=1.json")] == [
        "learned",
        "learned:a b,c=1.json",
    ]
    others = "one comes with bit-flip or bit-flip:bits=16"
    with pytest.raises(ParseError, match=f"no trained policy comes with .*; {others}"):
        load_computer("learned").prepare(pp.load("bit-flip:bits=5"))
    for path in ("nowhere.json", "docs"):
        with pytest.raises(ParseError, match=f'there is no policy file "{path}"'):
            load_computer(f"learned:{path}").prepare(pp.load("bit-flip"))


def recommended() -> list[str]:
    games = [pp.load(name) for name in pp.names()]
    return [game.spec for game in games] + [each.spec for game in games for each in game.texts().presets]


@pytest.mark.parametrize("spec", recommended())
def test_a_policy_comes_with_each_game_at_default_and_recommended_settings(spec: str) -> None:
    found = pp.measure_policy(spec, LearnedPlayer())
    assert found.corrected >= 0.98
    assert len(find_shipped_file(spec).read_bytes()) < 80_000


def test_nothing_else_is_shipped() -> None:
    assert {path.name for path in SHIPPED.iterdir()} == {
        find_shipped_file(spec).name for spec in recommended()
    }
