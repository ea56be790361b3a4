"""Errors: what they show of a bad value, and what they suggest."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import perfectplay as pp
from perfectplay.audit.report import audit
from perfectplay.coach.coach import Coach
from perfectplay.core import errors
from perfectplay.core.errors import MissingExtraError, install_command, needs
from tests.core.matches import error_of


def test_a_bad_value_is_shown_up_to_40_characters() -> None:
    assert error_of(lambda: pp.load(f"bit-flip:bits={'x' * 40}")) == (
        f"bits={'x' * 40}: must be a whole number, at least 1"
    )
    assert error_of(lambda: pp.load(f"bit-flip:bits={'x' * 41}")) == (
        f'bits="{"x" * 40}..." (41 characters): must be a whole number, at least 1'
    )


def test_an_unknown_parameter_is_named_with_those_there_are() -> None:
    assert error_of(lambda: pp.load("bit-flip:bit=3")) == (
        "bit=3: no such parameter; bit-flip takes bits, first (did you mean bits?)"
    )
    assert error_of(lambda: pp.load(f"bit-flip:zzz={'9' * 99}")) == (
        f"zzz={'9' * 56}: no such parameter; bit-flip takes bits, first"
    )
    assert str(pp.UnknownParameterError("random", "a", "1", [])) == (
        "a=1: no such parameter; random takes no parameters"
    )


def test_an_unknown_name_is_answered_with_the_nearest_or_with_all() -> None:
    known = ["bit-flip", "dual-direction"]
    assert str(pp.UnknownGameError("Bitflip", known)) == 'unknown game "Bitflip" (did you mean bit-flip?)'
    assert (
        str(pp.UnknownPlayerError("zz", known))
        == 'unknown player "zz"; choose from: bit-flip, dual-direction'
    )


def test_broken_laws_stand_on_a_line_each() -> None:
    error = pp.ConformanceError("some-game", {"outcome": "none", "view": "empty"})
    assert str(error) == "some-game fails 2 checks:\n- outcome: none\n- view: empty"


GAME = "a game, as load(\"bit-flip\") returns, not 'bit-flip'"
RECORD = "a record, as match.record() or read_records returns, not 'garbage'"
POSITION = "a position, as parse_state returns, not 'garbage'"


@pytest.mark.parametrize("call", [pp.solve, pp.Match, pp.Series, pp.check_game, audit])
def test_a_spec_is_not_a_game(call: Callable[[Any], Any]) -> None:
    assert error_of(lambda: call("bit-flip")) == f"expected {GAME}"


@pytest.mark.parametrize("spec", ["bit-flip", "mirror-match", "dual-direction", "bit-flip:bits=100"])
def test_a_text_is_not_a_position_or_a_record(spec: str) -> None:
    game = pp.load(spec)
    oracle: Any = pp.solve(game)
    coach: Any = Coach(oracle)
    questions = [oracle.value, oracle.moves, oracle.best, oracle.tempting, oracle.line, oracle.reachable]
    for ask in (*questions, oracle.count_best, coach.hint, coach.why, lambda state: coach.why_move(state, 0)):
        assert error_of(partial(ask, "garbage")) == f"expected {POSITION}"
    assert error_of(lambda: oracle.value([0])) == "expected a position, as parse_state returns, not [0]"
    for judge in (oracle.regret, coach.review, lambda record: pp.Match.replay(record, game)):
        assert error_of(partial(judge, "garbage")) == f"expected {RECORD}"
    with pytest.raises(TypeError):
        oracle.value("garbage")


def test_a_game_is_not_an_oracle() -> None:
    said = error_of(lambda: Coach(pp.load("bit-flip")))  # type: ignore[arg-type]
    assert said.startswith("expected an oracle, as solve(game) returns, not BitFlip(")


def test_a_wrong_argument_is_shown_in_full_up_to_forty_characters() -> None:
    assert str(pp.WrongTypeError("a game", "x" * 38)) == f"expected a game, not '{'x' * 38}'"
    assert str(pp.WrongTypeError("a game", "x" * 39)) == f"expected a game, not '{'x' * 39}..."


@pytest.mark.parametrize("spec", [Path("examples/tic_tac_toe.py"), None, 3])
def test_a_spec_is_a_text(spec: Any) -> None:
    assert error_of(lambda: pp.load(spec)) == f'expected a spec, such as "bit-flip:bits=12", not {spec!r}'


@pytest.mark.parametrize("number", [0, -3, True, 1.0, "x"])
def test_a_series_has_at_least_one_game(number: Any) -> None:
    said = error_of(lambda: pp.Series(pp.load("bit-flip"), number))
    assert said == f"games={number!r}: must be a whole number, at least 1"


@pytest.mark.parametrize(
    ("prefix", "package", "command"),
    [
        ("clone/.venv", "clone/src/perfectplay", ".venv/bin/pip install -e '.[mcp]'"),
        ("elsewhere", "clone/src/perfectplay", "pip install -e '.[mcp]'"),
        ("clone/.venv", "clone/.venv/lib/site-packages/perfectplay", "pip install 'perfectplay[mcp]'"),
    ],
)
def test_a_missing_extra_names_the_command_that_works_where_it_runs(
    prefix: str, package: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "clone").mkdir()
    (tmp_path / "clone" / "pyproject.toml").touch()
    monkeypatch.setattr("sys.prefix", str(tmp_path / prefix))
    monkeypatch.setattr(errors, "__file__", str(tmp_path / package / "core" / "errors.py"))
    assert str(MissingExtraError("mcp", "mcp")) == f"mcp is not installed; add it with: {command}"
    package = command.replace("'.[mcp]'", "packages/perfectplay-mcp").replace(
        "'perfectplay[mcp]'", "perfectplay-mcp"
    )
    assert install_command("perfectplay-mcp") == package


@pytest.mark.parametrize(
    ("missing", "reported"), [("PIL", True), ("PIL.Image", True), ("perfectplay", False), (None, False)]
)
def test_only_what_an_extra_installs_is_reported_as_missing(missing: str | None, reported: bool) -> None:
    with pytest.raises(ImportError) as caught, needs("pillow", "web", "PIL"):
        raise ImportError("no such thing", name=missing)
    assert isinstance(caught.value, MissingExtraError) is reported


def test_a_failed_import_of_our_own_is_not_a_missing_extra() -> None:
    with pytest.raises(ModuleNotFoundError, match="No module named"), needs("mcp", "mcp"):
        import_module("perfectplay.nothing")
