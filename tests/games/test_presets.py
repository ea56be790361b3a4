"""Every claim of a preset or a puzzle, proved by the solver and the audit."""

from typing import Any

import pytest

import perfectplay as pp
from perfectplay.audit.sweep import Setting, sweep

PRESETS = [(name, preset) for name in pp.names() for preset in pp.load(name).texts().presets]
SWEPT = {"bit-flip": "bits", "inversion-race": "cells", "race-to-the-center": "positions"}


def judged(spec: str, name: str) -> Setting:
    """The setting as a sweep judges it."""
    game: pp.Game[Any] = pp.load(spec)
    value = getattr(game, SWEPT[name])
    [setting] = sweep(game, f"{SWEPT[name]}={value}..{value}")
    return setting


@pytest.mark.parametrize(("name", "preset"), PRESETS, ids=[preset.spec for _, preset in PRESETS])
def test_a_preset_is_longer_and_fairer_than_the_default_and_ends(name: str, preset: pp.Preset) -> None:
    assert pp.load(preset.spec).spec == preset.spec
    default, found = judged(name, name), judged(preset.spec, name)
    assert found.trivial is None
    assert found.plies is not None
    assert default.plies is not None
    assert found.plies > default.plies
    assert found.equals is not None
    assert default.equals is not None
    assert max(found.equals.wins) < max(default.equals.wins)
    assert preset.why == (
        f"Best play lasts {found.plies} moves, and between equal players the one who starts wins"
        f" {found.equals.wins[0]:.0%} of games."
    )


@pytest.mark.parametrize("name", SWEPT)
def test_the_default_says_as_much_and_is_proposed_first_unless_it_is_decided(name: str) -> None:
    found, texts = judged(name, name), pp.load(name).texts()
    assert found.equals is not None
    share = found.equals.wins[0]
    assert texts.decided == (max(share, 1 - share) > 0.95)
    assert texts.default_why == (
        f"Decided from the start: between equal players the one who starts wins {share:.1%} of games."
        if texts.decided
        else f"Best play lasts {found.plies} moves, and between equal players the one who starts wins"
        f" {share:.0%} of games."
    )
    assert [each.spec for each in texts.settings()].index(name) == (
        len(texts.presets) if texts.decided else 0
    )


def test_the_games_that_have_presets() -> None:
    assert {name for name, _ in PRESETS} == set(SWEPT)
    assert pp.load("mirror-match").texts().settings() == ()


def test_puzzles_say_what_is_known() -> None:
    values = {name: pp.solve(game).value(game.initial()) for name in pp.names() for game in [pp.load(name)]}
    puzzles = {name: pp.load(name).texts().puzzle for name in pp.names() if pp.load(name).texts().puzzle}
    assert set(puzzles) == {"dual-direction", "mirror-match"}
    assert values["mirror-match"] == pp.Value("win", 3)
    assert puzzles["mirror-match"].startswith("The first player can always win with the third move")
    assert values["dual-direction"] == pp.Value("endless")
    assert puzzles["dual-direction"].startswith("Nobody can force a win: with best play the game never ends")
    assert all(pp.load(name).texts().puzzle_solved for name in puzzles)
