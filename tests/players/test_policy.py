"""Trained policies: the same in plain Python as in JAX, and files of them are data."""

import itertools
import json
from base64 import b64encode
from math import prod
from pathlib import Path
from struct import pack
from typing import Any

import numpy as np
import pytest

import perfectplay as pp
from perfectplay.core.errors import ParseError
from perfectplay.players.learned.policy import Inputs, Policy, load_policy
from perfectplay.simulate import Observer, observer_for
from perfectplay.simulate.positions import positions_of as all_positions

SPECS = ("bit-flip", "dual-direction", "inversion-race", "race-to-the-center:positions=7")


def made(spec: str, seed: int = 0) -> Policy:
    """A policy with random numbers."""
    observer: Observer[Any] = observer_for(spec)
    rng = np.random.default_rng(seed)
    inputs = Inputs(observer.board, observer.pieces, observer.captions, observer.bits, observer.shows_side)
    sizes = [(prod(inputs.shape), 5), (5, observer.game.num_actions)]
    layers = [(rng.normal(size=size).tolist(), rng.normal(size=size[1]).tolist()) for size in sizes]
    return Policy(observer.game.spec, inputs, layers, {"learner": "none"})


@pytest.mark.parametrize("spec", SPECS)
def test_inputs_are_the_bits_of_the_observation(spec: str) -> None:
    game: pp.Game[Any] = pp.load(spec)
    observer = observer_for(game)
    inputs = made(spec).inputs
    assert inputs.shape == observer.shape
    for state in all_positions(game):
        bits = observer.observe(state).reshape(-1).nonzero()[0].tolist()
        assert inputs.list_ones(game.view(state), game.side_to_move(state)) == bits


def test_what_is_beyond_the_board_is_not_seen() -> None:
    game = pp.load("mirror-match")
    state = game.parse_state("-".join("123456789" * 3) + " 2")
    assert sum(made("mirror-match").chances(game, state).values()) == pytest.approx(1)


@pytest.mark.parametrize(("kind", "error"), [("float16", 1e-2), ("float32", 1e-6)])
def test_a_file_keeps_the_policy(kind: str, error: float, tmp_path: Path) -> None:
    game, policy = pp.load("bit-flip"), made("bit-flip")
    path = tmp_path / "policy.json"
    path.write_text(policy.text(kind))
    found = load_policy(path)
    assert found.about == {"learner": "none"}
    assert found.chances(game, game.initial()) == pytest.approx(
        policy.chances(game, game.initial()), abs=error
    )


def changed(**parts: Any) -> str:
    return json.dumps(json.loads(made("bit-flip").text()) | parts)


def of_numbers(number: float, count: int = 165) -> str:
    return changed(type="float32", numbers=b64encode(pack(f"<{count}f", *[number] * count)).decode())


INPUTS = json.loads(made("bit-flip").text())["inputs"]
BAD = {
    "nothing": "",
    "not JSON": "{",
    "deep": "[" * 100_000,
    "a list": "[]",
    "another format": changed(format="other"),
    "no game": changed(game=None),
    "a game of two lines": changed(game="bit\nflip"),
    "about a list": changed(about=[]),
    "no inputs": changed(inputs={}),
    "a board of no cells": changed(inputs=INPUTS | {"board": [0]}),
    "a huge board": changed(inputs=INPUTS | {"board": [1000, 10**9]}),
    "pieces that are no text": changed(inputs=INPUTS | {"pieces": [1]}),
    "a digit of no place": changed(inputs=INPUTS | {"bits": [["n", -1]]}),
    "a side that is no flag": changed(inputs=INPUTS | {"shows_side": 1}),
    "other inputs": changed(inputs=INPUTS | {"board": [9]}),
    "no layers": changed(sizes=[20]),
    "too many layers": changed(sizes=[20] * 20),
    "huge layers": changed(sizes=[20, 4_000_000, 4_000_000, 10]),
    "a size that is no number": changed(sizes=[20, 5.0, 10]),
    "another type": changed(type="float8"),
    "a list as a type": changed(type=[]),
    "no numbers": changed(numbers=None),
    "numbers that are no base64": changed(numbers="?"),
    "truncated numbers": changed(numbers=json.loads(made("bit-flip").text())["numbers"][:-8]),
    "truncated": made("bit-flip").text()[:-20],
    "NaN": of_numbers(float("nan")),
    "infinity": of_numbers(float("inf")),
    "too long": " " * 5_000_000,
}


@pytest.mark.parametrize("text", BAD.values(), ids=BAD.keys())
def test_a_bad_file_gives_one_clear_line(text: str, tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    path.write_text(text)
    with pytest.raises(ParseError) as error:
        load_policy(path)
    assert str(error.value).startswith(f"{path} is not a policy: ")
    assert "\n" not in str(error.value)


def test_a_path_that_no_file_can_have() -> None:
    with pytest.raises(ParseError, match="there is no policy file"):
        load_policy("a\0b")


def test_numbers_too_large_to_calculate_with(tmp_path: Path) -> None:
    game, path = pp.load("bit-flip"), tmp_path / "policy.json"
    sizes = [20, 10, 10, 10, 10, 10, 10, 10, 10]
    count = sum((one + 1) * two for one, two in itertools.pairwise(sizes))
    path.write_text(json.dumps(json.loads(of_numbers(3e38, count)) | {"sizes": sizes}))
    with pytest.raises(ParseError, match="too large"):
        load_policy(path).chances(game, game.initial())
