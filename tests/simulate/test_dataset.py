"""The positions of a game as a file, read back and compared with the rules and the oracle."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import perfectplay as pp
from perfectplay.simulate import dataset, observer_for
from perfectplay.simulate.positions import TableSizeError
from tests.conftest import Run
from tests.games.rulings import FINITE


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def hold(game: pp.Game[Any], row: dict[str, Any], horizon: int | None = None) -> Any:
    """Hold a row against the rules and the oracle; the position it is about."""
    oracle = pp.solve(game)
    state = game.parse_state(row["state"])
    moves, value, outcome = oracle.moves(state), oracle.value(state), game.outcome(state)
    assert row["side"] == game.side_to_move(state)
    assert np.array_equal(row["observation"], observer_for(game, horizon).observe(state))
    assert row["legal"] == list(game.legal_actions(state))
    assert row["moves"] == [move.text for move in moves]
    assert row["move_values"] == [move.value.kind for move in moves]
    assert row["move_plies"] == [move.value.plies for move in moves]
    assert row["best"] == list(oracle.best(state))
    assert (row["value"], row["plies"]) == value
    assert (row["winner"], row["reason"]) == (outcome or (None, None))
    return state


@pytest.mark.parametrize("spec", [spec for spec in FINITE if "first" not in spec])
def test_a_dataset_has_every_position(spec: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "positions.jsonl"
    done = run("dataset", spec, "--out", str(path))
    game = pp.load(spec)
    graph = pp.solve(game).graph
    assert graph is not None
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{len(graph.states)} positions of {spec} are in {path}\n"
    assert [hold(game, row) for row in read(path)] == graph.states
    assert list(tmp_path.glob(".*")) == []


def test_a_dataset_of_an_endless_game_goes_so_many_plies_far(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "positions.jsonl"
    done = run("dataset", "mirror-match:digits=2", "--plies", "3", "--out", str(path))
    assert done.returncode == 0, done.stderr
    game = pp.load("mirror-match:digits=2")
    states = [hold(game, row) for row in read(path)]
    assert len(set(states)) == len(states) == 1 + 2 + 4 + 8
    assert max(len(state.sequence) for state in states) == 3


def test_a_file_holds_every_position_and_its_writer_says_how_many(tmp_path: Path) -> None:
    path = tmp_path / "positions.jsonl"
    game = pp.load("inversion-race:cells=5")
    graph = pp.solve(game).graph
    assert graph is not None
    assert dataset.write(game, path) == len(graph.states)
    assert [hold(game, row) for row in read(path)] == graph.states
    endless = pp.load("mirror-match:digits=2")
    assert dataset.write(endless, path, plies=3) == 1 + 2 + 4 + 8
    assert len({hold(endless, row) for row in read(path)}) == 15


@pytest.mark.parametrize(
    ("name", "allowed"),
    [
        ("a.csv", "a file name that ends in .jsonl or .parquet"),
        ("none/a.jsonl", "a file in a folder that exists"),
        (".", "a file in a folder that exists"),
    ],
)
def test_a_bad_name_for_a_file_is_refused(name: str, allowed: str, tmp_path: Path) -> None:
    path = tmp_path / name
    with pytest.raises(pp.BadParameterError) as error:
        dataset.write(pp.load("bit-flip"), path)
    assert str(error.value) == str(pp.BadParameterError("out", path, allowed))
    assert [each.name for each in tmp_path.iterdir()] == ["home"]


def test_distances_are_counted_where_theory_knows_none() -> None:
    rows = list(dataset.examples(pp.load("bit-flip:bits=19")))
    assert len(rows) == 10946
    assert all(row.plies is not None for row in rows)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("mirror-match", "--out", "a.jsonl"), "mirror-match has infinitely many positions; set how many plies deep to go with --plies (plies= in Python)"),
        (("bit-flip", "--out", "a.csv"), "out=a.csv: must be a file name that ends in .jsonl or .parquet"),
        (("bit-flip", "--out", "none/a.jsonl"), "out=none/a.jsonl: must be a file in a folder that exists"),
        (("bit-flip", "--out", "folder.jsonl"), "out=folder.jsonl: must be a file in a folder that exists"),
        (("bit-flip",), "Missing option '--out'."),
        (("bit-flip", "--plies", "0", "--out", "a.jsonl"), "Invalid value for '--plies': 0 is not in the range 1<=x<=1000000."),
        (("chess", "--out", "a.jsonl"), 'unknown game "chess"; choose from: bit-flip, dual-direction, inversion-race, mirror-match, race-to-the-center'),
    ],
)  # fmt: skip
def test_a_bad_request_for_a_dataset_gets_one_line(
    arguments: tuple[str, ...], message: str, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "folder.jsonl").mkdir()
    done = run("dataset", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"perfectplay: {message}\n")
    (tmp_path / "folder.jsonl").rmdir()
    assert list(tmp_path.glob("*.jsonl*")) == list(tmp_path.glob(".*.part")) == []


def test_a_game_too_large_for_a_dataset_is_not_told_to_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perfectplay.simulate.positions.MOST_SOLVED", 5)
    with pytest.raises(
        TableSizeError, match=r"^bit-flip has more than 5 positions, too many for a table; limit them with"
    ):
        next(dataset.examples(pp.load("bit-flip")))
    with pytest.raises(TableSizeError, match=r"^dual-direction has more than 5 .* for a table$"):
        next(dataset.examples(pp.load("dual-direction")))


def test_an_old_dataset_stays_until_the_new_one_is_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "positions.jsonl"
    path.write_text("old\n")
    monkeypatch.setattr(dataset, "MOST_SOLVED", 5)
    with pytest.raises(pp.PerfectplayError, match=r"^bit-flip has more than 5 positions within plies=3$"):
        dataset.write(pp.load("bit-flip"), path, plies=3)
    assert path.read_text() == "old\n"
    assert [each.name for each in tmp_path.iterdir() if each.is_file()] == ["positions.jsonl"]
