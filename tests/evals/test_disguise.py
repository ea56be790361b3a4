"""Disguises hide the names and keep the game: there and back."""

import re
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import perfectplay as pp
from perfectplay.core.errors import ParseError
from perfectplay.core.walks import random_walk
from perfectplay.evals.disguise import Arrows, Words
from perfectplay.evals.play import Play
from perfectplay.evals.setup import DisguiseName, Setup
from tests.conftest import ROOT
from tests.evals.agents import AGENTS, played


@pytest.mark.parametrize("name", pp.names())
@pytest.mark.parametrize("seed", [0, 1])
def test_no_word_of_the_game_is_left_over_and_lengths_are_kept(name: str, seed: int) -> None:
    game = pp.load(name)
    disguise = Words(game, seed)
    forbidden = {form for entry in game.texts().glossary for form in entry.split()}
    texts = [(game.texts().instructions(), disguise.rules())]
    for state in (game.initial(), *islice(random_walk(game, Random(seed), []), 30)):
        texts.append(("\n".join(game.dialogue().board(state)), disguise.board(state)))
        for action in range(game.num_actions):
            refusal = game.refusal(state, action)
            if refusal is not None:
                texts.append((refusal.text, disguise.translate(refusal.text)))
            elif game.outcome(state) is None:
                assert disguise.read(state, disguise.move(state, action)) == action
    for old, new in texts:
        assert disguise.restore(new) == old
        assert list(map(len, old.split("\n"))) == list(map(len, new.split("\n")))
        assert not set(re.findall("[a-z]+", new.casefold())) & forbidden
        assert "left" not in old or "left" in new


def test_names_differ_by_seed_and_are_the_same_for_the_same_seed() -> None:
    game = pp.load("bit-flip")
    assert (
        Words(game, 1).translate("bit") == Words(game, 1).translate("bit") != Words(game, 2).translate("bit")
    )
    assert Words(game, 1).translate("BIT Bit") == " ".join(
        [Words(game, 1).translate("bit").upper(), Words(game, 1).translate("bit").capitalize()]
    )


@given(st.text())
def test_any_text_goes_there_and_back(text: str) -> None:
    disguise = Words(pp.load("bit-flip"), 0)
    if disguise.restore(text) == text:  # no invented name was in it
        assert disguise.restore(disguise.translate(text)) == text


@pytest.mark.parametrize("disguise", ["words", "arrows"])
@pytest.mark.parametrize(
    "spec", ["bit-flip", "dual-direction", "inversion-race:passing=leapfrog", "race-to-the-center"]
)
def test_a_disguised_game_is_the_same_game(spec: str, disguise: DisguiseName) -> None:
    for number in range(5):
        plain = played(AGENTS["level:3"], Setup(spec, "level:5"), 0, number)
        hidden = played(AGENTS["level:3"], Setup(spec, "level:5", disguise=disguise), 0, number)
        assert [entry.action for entry in hidden.match.history] == [
            entry.action for entry in plain.match.history
        ]
        assert hidden.counts == plain.counts


def test_arrows_show_the_graph_and_nothing_else() -> None:
    game = pp.load("dual-direction:positions=5")
    disguise = Arrows(game, game.initial(), 0)
    text = disguise.rules()
    assert not re.search("Player|marker|line|left|right|goal|Dual", text)
    lines = text.splitlines()[3:]
    assert len(lines) == 5
    assert sum(line.endswith("wins") for line in lines) == 2
    start = game.initial()
    moves = [disguise.move(start, action) for action in (0, 1)]
    assert [disguise.read(start, label) for label in moves] == [0, 1]
    for label in "12345":
        verdict = disguise.judge(start, label)
        wanted = ("legal", None) if label in moves else ("illegal", "no arrow")
        assert (verdict.outcome, verdict.rule) == wanted
    assert disguise.judge(start, "6").outcome == disguise.judge(start, "left").outcome == "unreadable"


def test_what_cannot_be_disguised_is_refused() -> None:
    with pytest.raises(ParseError, match="more than 400 positions"):
        Play(Setup("mirror-match", disguise="arrows"), seat=0)
    with pytest.raises(ParseError, match="no glossary"):
        Play(Setup(str(ROOT / "examples" / "tic_tac_toe.py"), disguise="words"), seat=0)


def test_an_answer_that_names_the_disguised_game_is_counted() -> None:
    cases: list[tuple[DisguiseName, int]] = [("words", 1), ("none", 0)]
    for disguise, named in cases:
        play = Play(Setup("bit-flip", disguise=disguise), seat=0)
        play.answer("This is bit-flip!\nMove: 4")
        assert play.counts.named == named
