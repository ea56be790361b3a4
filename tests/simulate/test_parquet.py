"""The positions of a game as a Parquet file."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from pyarrow import parquet

import perfectplay as pp
from perfectplay.core.errors import install_command
from perfectplay.simulate import dataset
from tests.conftest import Run


@pytest.mark.parametrize("spec", ["bit-flip", "dual-direction", "inversion-race"])
def test_a_parquet_file_holds_the_same_as_lines_of_json(
    spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dataset, "ROWS", 50)  # written in several pieces
    game = pp.load(spec)
    for ending in ("jsonl", "parquet"):
        dataset.write(game, tmp_path / f"positions.{ending}")
    rows = [json.loads(line) for line in (tmp_path / "positions.jsonl").read_text("utf-8").splitlines()]
    table = parquet.read_table(tmp_path / "positions.parquet")
    about = json.loads(table.schema.metadata[b"perfectplay"])
    assert (about["game"], about["perfectplay"]) == (spec, pp.__version__)
    assert about["actions"] == game.num_actions
    assert table.num_rows == len(rows) > 10
    for one, two in zip(table.to_pylist(), rows, strict=True):
        shaped = np.reshape(one["observation"], about["observation_shape"])
        assert {**one, "observation": shaped.astype(int).tolist()} == two


def test_the_command_writes_parquet(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "positions.parquet"
    done = run("dataset", "bit-flip", "--out", str(path))
    assert (done.returncode, done.stdout) == (0, f"144 positions of bit-flip are in {path}\n")
    assert parquet.read_table(path).num_rows == 144


def test_pyarrow_is_asked_for_by_the_command_that_installs_it(tmp_path: Path) -> None:
    script = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "sys.argv = ['perfectplay', 'dataset', 'bit-flip', '--out', 'a.parquet']\n"
        "from perfectplay.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert (done.returncode, done.stderr) == (
        2,
        f"perfectplay: pyarrow is not installed; add it with: {install_command('parquet')}\n",
    )
    assert not (tmp_path / "a.parquet").exists()
