"""Rows of samples in files: Parquet of our own, and Inspect's logs."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from perfectplay.core.errors import MissingExtraError, ParseError
from perfectplay.core.wording import counted, listed
from perfectplay.evals.samples import Row, sample_row
from perfectplay.evals.setup import MODEL
from perfectplay.output import writing

TEXTS = ("task", "agent", "game", "opponent", "seat", "moves", "memory", "disguise", "start", "cluster")
NUMBERS = (
    "attempts",
    "seed",
    "plies_limit",
    "number",
    "decisions",
    "decisions_read",
    "kept",
    "wasted",
    "named",
    "errors",
    "plies",
    "max_tokens",
)
SHARES = ("guess", "guess_read", "luck", "points", "tokens", "cost", "temperature")
COUNTED = ("answers", "illegal", "drops", "decisions_at", "drops_at")
"""Counts by name, stored as JSON."""


class Samples(NamedTuple):
    """Rows, and how many samples should be there but are not."""

    rows: list[Row]
    missing: int = 0


def write_parquet(rows: Iterable[Row], file: BinaryIO) -> None:
    """Write rows. The same rows give the same bytes."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtraError("pyarrow", "parquet") from error
    schema = pa.schema(
        {
            **dict.fromkeys(TEXTS, pa.string()),
            **dict.fromkeys(("result", "stopped_at"), pa.string()),
            **dict.fromkeys(NUMBERS, pa.int64()),
            **dict.fromkeys(SHARES, pa.float64()),
            **dict.fromkeys(COUNTED, pa.string()),
            "texts": pa.list_(pa.string()),
        }
    )
    flat = [{**row, **{name: json.dumps(row[name]) for name in COUNTED}} for row in rows]
    parquet.write_table(pa.Table.from_pylist(flat, schema), file)


def save(rows: Iterable[Row], path: Path) -> None:
    """Write rows to a file, whole or not at all."""
    with writing(path) as file:
        write_parquet(rows, file)


def read_parquet(path: Path) -> list[Row]:
    """Read rows written by `write_parquet`."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtraError("pyarrow", "parquet") from error
    try:
        rows: list[Row] = parquet.read_table(path).to_pylist()
        return [{**row, **{name: json.loads(row[name]) for name in COUNTED}} for row in rows]
    except (pa.ArrowInvalid, KeyError, TypeError) as error:
        raise ParseError(f"{path} does not hold samples of perfectplay") from error


def read_samples(paths: Sequence[Path]) -> Samples:
    """The samples in files and folders, of the arena or of Inspect. Raises ParseError if there are none.

    A file that is named twice is read once.
    `inspect eval-retry` writes a new log beside the old one and repeats what was done: a sample in several
    logs of one run counts once, as the newest of them has it.
    """
    found: list[Row] = []
    logs: list[_Log] = []
    seen: set[Path] = set()
    for path in paths:
        if not path.exists():
            raise ParseError(f"there is no file or folder {path}")
        inside = sorted(each for each in path.iterdir() if each.is_file()) if path.is_dir() else [path]
        files = [each for each in inside if each.suffix in (".parquet", ".eval", ".json")]
        if not files:
            raise ParseError(f"{path} holds no logs of Inspect and no files of an arena")
        for file in files:
            if file.resolve() in seen:
                continue
            seen.add(file.resolve())
            if file.suffix == ".parquet":
                found += read_parquet(file)
            elif not (path.is_dir() and file.suffix == ".json"):  # Inspect keeps other JSON beside its logs
                logs.append(_read_log(file))
    rows: dict[_Key, Row] = {}
    wanted: dict[str, int] = {}
    for log in sorted(logs, key=lambda each: each.created):
        rows.update(log.rows)
        wanted[log.run] = log.wanted
    found += rows.values()
    missing = sum(max(0, number - sum(key[0] == run for key in rows)) for run, number in wanted.items())
    if not found:
        unfinished = f", and {counted(missing, 'was', 'were')} never finished" if missing else ""
        raise ParseError(f"there are no samples in {listed([str(path) for path in paths])}{unfinished}")
    return Samples(found, missing)


_Key = tuple[str, int | str, int]
"""A run, a sample and its epoch."""


class _Log(NamedTuple):
    run: str
    """The same for the logs of a run and of its retries."""
    created: str
    wanted: int
    """How many samples the run has in all."""
    rows: dict[_Key, Row]


def _read_log(path: Path) -> _Log:
    try:
        from inspect_ai.log import read_eval_log
    except ImportError as error:
        raise MissingExtraError("inspect-ai", "evals") from error
    try:
        log = read_eval_log(str(path))
    except (ValueError, KeyError, OSError, AttributeError, TypeError) as error:
        raise ParseError(f"{path} is not a log of Inspect") from error
    run = log.eval.task_id or log.eval.eval_id  # old logs and those made by hand may have no task id
    rows: dict[_Key, Row] = {}
    configs = (log.plan.config, log.eval.model_generate_config)
    asked = {
        name: next((found for each in configs if (found := getattr(each, name)) is not None), None)
        for name in ("temperature", "max_tokens")
    }
    for sample in log.samples or []:
        if "setup" not in (sample.metadata or {}):
            raise ParseError(f"{path} is not a log of a task of perfectplay")
        scores = [each.metadata or {} for each in (sample.scores or {}).values()]
        row: Row | None = next((each for each in scores if "decisions" in each), None)
        if row is None:  # the run ended before this sample was scored
            row = sample_row(sample.metadata, sample.store, log.eval.model)
        rows[run, sample.id, sample.epoch] = {**row, **_spent(sample, row), **asked}
    wanted = len(log.eval.dataset.sample_ids or []) or log.eval.dataset.samples or 0
    return _Log(run, str(log.eval.created), wanted * (log.eval.config.epochs or 1), rows)


def _spent(sample: Any, row: Row) -> Row:
    """The tokens and the cost of the agent. Where a model plays itself, its opponent's are not its own."""
    usage = (sample.model_usage or {}).get(row["agent"])
    other = (
        (sample.role_usage or {}).get("opponent") if row["opponent"] == f"{MODEL}:{row['agent']}" else None
    )
    spent = {}
    for name, field in (("tokens", "total_tokens"), ("cost", "total_cost")):
        total = usage and getattr(usage, field)
        spent[name] = total if total is None or other is None else total - (getattr(other, field) or 0)
    return spent
