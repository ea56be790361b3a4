"""The rules of one game in words, with its own numbers; the words a game calls its own; its family."""

import re

import pytest

import perfectplay as pp
from perfectplay.core.errors import PerfectplayError
from perfectplay.solver.graph import explore
from tests.conftest import ROOT

SPECS = {
    "bit-flip:bits=13,first=2": ("13 bits, numbered from 0 to 12", "Player 2 flips first", "`6`"),
    "bit-flip:bits=1": ("1 bit, number 0",),
    "dual-direction:positions=8,start=3,first=2": ("1 to 8", "starts on position 3", "Player 2 moves first"),
    "inversion-race:cells=9,start=2,first=B": ("9 cells", "0 to 8", "start on cell 2", "two empty cells"),
    "inversion-race:passing=letter": ("from one side of the other marker",),
    "inversion-race:passing=leapfrog": ("leaps over it",),
    "mirror-match:digits=6,shortest=5,first=2": ("from 1 to 6", "at least 5", "Player 2 goes first", "`6 B`"),
    "mirror-match:forfeit=move,disqualify_after=2": ("`pass`", "2 times in a row"),
    "race-to-the-center:positions=15,steps=1-3": ("0 to 14", "center is 7", "1, 2 or 3", "exactly one"),
    "race-to-the-center:arrival=sudden-death,steps=1-1": ("wins at once", "marker 1 position towards"),
    "race-to-the-center:arrival=full-turn,steps=1-50": ("some step of Player 2", "from 1 to 50"),
}


@pytest.mark.parametrize("spec", SPECS)
def test_instructions_have_the_numbers_of_the_game_and_no_notes_on_the_rulebook(spec: str) -> None:
    game = pp.load(spec)
    text = game.texts().instructions()
    assert text.startswith(f"# {game.title}\n")
    for words in SPECS[spec]:
        assert words in " ".join(text.split())
    assert not re.search(r"\b[A-Z]{2}-[0-9]|parameter|reading|rulebook|default|standard", text)


def test_a_game_without_instructions_of_its_own_gives_its_docstring_and_its_numbers() -> None:
    game = pp.load(str(ROOT / "examples" / "tic_tac_toe.py"))
    win = "Three of your own in a row, a column or a diagonal win."
    assert game.texts().instructions() == f"# Tic-Tac-Toe\n\n{win}"


@pytest.mark.parametrize("name", pp.names())
def test_every_word_of_a_glossary_is_used_and_the_title_is_in_it(name: str) -> None:
    game = pp.load(name)
    texts = game.texts()
    said = [
        pp.load(spec).texts().instructions() for spec in (name, *(f"{name}:{each}" for each in texts.family))
    ]
    board = game.dialogue().board(game.initial())
    known = set(re.findall(r"[a-z]+", " ".join([*said, *board, *game.event_names]).casefold()))
    forms = [form for entry in texts.glossary for form in entry.split()]
    assert len(forms) == len(set(forms))
    for entry in texts.glossary:
        assert all(form.startswith(entry.split()[0]) for form in entry.split())
        assert known & set(entry.split()), entry
    assert set(game.title.casefold().split()) - {"to", "the"} <= set(forms)


@pytest.mark.parametrize("name", pp.names())
def test_a_family_has_many_games_that_can_all_be_solved(name: str) -> None:
    games = {pp.load(f"{name}:{each}") for each in pp.load(name).texts().family}
    assert len(games) > 5
    if name != "mirror-match":  # has no end, but a theory
        assert max(len(explore(game, limit=10_000).states) for game in games) > 15


@pytest.mark.parametrize(
    ("spec", "bad"),
    [
        ("bit-flip", ("x", "10", "4")),
        ("dual-direction", ("up",)),
        ("inversion-race", ("pass", "x")),
        ("mirror-match", ("10 E", "3 X")),
        ("race-to-the-center", ("3", "x")),
    ],
)
def test_the_reason_of_a_refusal_does_not_list_the_legal_moves(spec: str, bad: tuple[str, ...]) -> None:
    match = pp.Match(pp.load(spec), forgiving=True)
    if spec == "bit-flip":
        match.play("4")
    for text in bad:
        with pytest.raises(PerfectplayError) as caught:
            match.play(text)
        error = caught.value
        assert isinstance(error, PerfectplayError)
        assert "Allowed" not in error.reason
        assert str(error).startswith(error.reason)
        assert text in error.reason
