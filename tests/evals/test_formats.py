"""Samples of version 1 stay readable: a file that was written by the first of its kind, and never again."""

from pathlib import Path

import pytest
from pyarrow import parquet

from perfectplay.core.errors import ParseError
from perfectplay.evals.files import read_samples, save, verify_samples
from perfectplay.evals.samples import Usage
from perfectplay.evals.setup import Setup

FILE = Path(__file__).with_name("version_1") / "samples.parquet"
ASKED = {"attempts": 2, "moves": "listed", "seed": 7}


def test_a_file_of_version_1_is_read_and_played_again() -> None:
    found = read_samples([FILE])
    game, question, left = found.samples
    assert found.missing == 1
    assert game.setup == Setup("bit-flip:bits=6", "level:3", **ASKED)  # type: ignore[arg-type]
    assert (game.task, game.agent, game.seat, game.side, game.number) == ("play", "agent", 1, "Player 1", 0)
    assert (game.texts[0], game.counts.result, game.counts.kept) == ("I pass.", "win", 1)
    assert game.counts.answers == {"silent": 1, "unreadable": 0, "illegal": 0, "invalid": 0, "legal": 2}
    assert question.item is not None
    assert (question.task, question.item.kind, question.counts.kept) == ("winner", "winner", 0)
    assert question.usage == Usage(tokens=12, cost=0.5, temperature=0.25, max_tokens=99)
    assert (left.setup.opponent, left.seat, left.counts.result) == ("model:other", 2, "error")
    assert verify_samples(found).verification == ([], {})


def test_todays_files_have_the_columns_of_version_1(tmp_path: Path) -> None:
    """Another column needs another version, and a reader for this one."""
    save(read_samples([FILE]).samples, tmp_path / "again.parquet", wanted=4)
    schema, first = parquet.read_schema(tmp_path / "again.parquet"), parquet.read_schema(FILE)
    assert schema.equals(first, check_metadata=True)


def test_a_file_of_another_version_is_refused(tmp_path: Path) -> None:
    table = parquet.read_table(FILE)
    for version in (b"2", None):
        about = {**table.schema.metadata, b"perfectplay:version": version}
        other = table.replace_schema_metadata(
            {name: each for name, each in about.items() if each is not None}
        )
        parquet.write_table(other, tmp_path / "other.parquet")
        with pytest.raises(ParseError, match="does not hold samples of perfectplay") as caught:
            read_samples([tmp_path / "other.parquet"])
        assert str(caught.value).endswith(" of version 1: it needs another perfectplay") is (version == b"2")
