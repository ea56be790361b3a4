"""Rows of samples in files: Parquet of our own, and Inspect's logs."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from perfectplay.core.errors import MissingExtraError, ParseError
from perfectplay.core.wording import join_words, pluralize
from perfectplay.evals.counts import ANSWERS, POINTS
from perfectplay.evals.samples import Row, raw, sample_row
from perfectplay.evals.setup import MODEL
from perfectplay.output import writing

TEXTS = ("task", "agent", "game", "opponent", "side", "moves", "memory", "disguise", "start", "cluster")
NUMBERS = (
    "attempts",
    "seed",
    "plies_limit",
    "number",
    "seat",
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
COUNTED = ("answers", "illegal", "drops", "decisions_at", "drops_at", "item")
"""Counts by name and the question of a single one, stored as JSON."""
MAYBE = ("result", "stopped_at", "problem")
LISTS = ("texts", "replies")
LARGE = 10**18
"""All numbers of a row are smaller; a file has no room for much larger ones."""
WANTED = "perfectplay:wanted"
"""Where a file says how many samples should be there in the end."""


class Verification(NamedTuple):
    """What came out when all samples were played again from their raw answers."""

    differences: list[str]
    """What differs from the stored counts, a line for each sample."""
    unknown: dict[str, int]
    """How many samples could not be played again, by the reason."""


class Samples(NamedTuple):
    """Rows, and how many samples should be there but are not."""

    rows: list[Row]
    missing: int = 0
    verification: Verification | None = None
    """None if the stored counts were believed."""


def write_parquet(rows: Iterable[Row], file: BinaryIO, wanted: int = 0) -> None:
    """Write rows, and how many there should be in the end. The same rows give the same bytes."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtraError("pyarrow", "parquet") from error
    schema = pa.schema(
        {
            **dict.fromkeys(TEXTS, pa.string()),
            **dict.fromkeys(MAYBE, pa.string()),
            **dict.fromkeys(NUMBERS, pa.int64()),
            **dict.fromkeys(SHARES, pa.float64()),
            **dict.fromkeys(COUNTED, pa.string()),
            **dict.fromkeys(LISTS, pa.list_(pa.string())),
        },
        {WANTED: str(wanted)},
    )
    flat = [{**row, **{name: json.dumps(row[name]) for name in COUNTED}} for row in rows]
    parquet.write_table(pa.Table.from_pylist(flat, schema), file)


def save(rows: Iterable[Row], path: Path, wanted: int = 0) -> None:
    """Write rows to a file, whole or not at all. `wanted` is how many there should be in the end."""
    with writing(path) as file:
        write_parquet(rows, file, wanted)


def read_parquet(path: Path) -> tuple[list[Row], int]:
    """Read what `write_parquet` has written: rows, and how many there should be in the end."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtraError("pyarrow", "parquet") from error
    try:
        table = parquet.read_table(path)
        wanted = int((table.schema.metadata or {}).get(WANTED.encode(), 0))
        rows: list[Row] = [
            {**row, **{name: json.loads(row[name]) for name in COUNTED}} for row in table.to_pylist()
        ]
    except (pa.ArrowInvalid, KeyError, TypeError, ValueError, RecursionError) as error:
        raise ParseError(f"{path} does not hold samples of perfectplay") from error
    if not all(is_row(row) for row in rows):
        raise ParseError(f"{path} does not hold samples of perfectplay")
    return rows, wanted


def is_row(row: Mapping[str, Any]) -> bool:
    """Whether data has the columns of a row, each of its type, and no number that cannot be.

    What a log of Inspect keeps elsewhere may be missing: `LISTS`, the item and what was asked and spent.
    """
    numbers = [row.get(name) for name in NUMBERS if name != "max_tokens"]
    shares = [row.get(name) for name in SHARES if not name.startswith("guess")]
    counts = [row.get(name) for name in COUNTED if name != "item"]
    return (
        all(isinstance(row.get(name), str) for name in TEXTS)
        and {*MAYBE, "luck", "points"} <= row.keys()
        and all(isinstance(row[name], str | None) for name in MAYBE)
        and all(_is_count(number) for number in numbers)
        and all(share is None or (isinstance(share, float | int) and abs(share) < LARGE) for share in shares)
        and isinstance(row.get("guess"), float | int)
        and isinstance(row.get("guess_read"), float | int)
        and isinstance(row.get("max_tokens"), int | None)
        and all(isinstance(each, dict) and all(map(_is_count, each.values())) for each in counts)
        and all(_is_ply(ply) for ply in row["decisions_at"])
        and all(lost <= row["decisions_at"].get(ply, 0) for ply, lost in row["drops_at"].items())
        and set(ANSWERS) <= set(row["answers"])
        and row["result"] in (None, *POINTS)
        and row["seat"] in (1, 2)
        and 0 <= row["kept"] <= row["decisions_read"] <= row["decisions"]
        and _can_be_guessed(row["guess"], row["decisions"])
        and _can_be_guessed(row["guess_read"], row["decisions_read"])
    )


def _is_count(number: object) -> bool:
    return type(number) is int and 0 <= number < LARGE


def _is_ply(text: str) -> bool:
    return text.isdecimal() and len(text) < len(str(LARGE))


def _can_be_guessed(guess: float, decisions: int) -> bool:
    return 0 <= guess < decisions or guess == decisions == 0


def read_samples(paths: Sequence[Path], files: Collection[str] = ()) -> Samples:
    """The samples in files and folders, of the arena or of Inspect. Raises ParseError if there are none.

    What they hold is data: nothing that they name is run but the game files in `files`. A file that is
    named twice is read once.

    `inspect eval-retry` writes a new log beside the old one and repeats what was done: a sample in several
    logs of one run counts once, as the newest of them has it.
    """
    found: list[Row] = []
    missing = 0
    logs: list[_Log] = []
    seen: set[Path] = set()
    for path in paths:
        if not path.exists():
            raise ParseError(f"there is no file or folder {path}")
        inside = sorted(each for each in path.iterdir() if each.is_file()) if path.is_dir() else [path]
        logged = [each for each in inside if each.suffix in (".parquet", ".eval", ".json")]
        if not logged:
            raise ParseError(f"{path} holds no logs of Inspect and no files of an arena")
        for file in logged:
            if file.resolve() in seen:
                continue
            seen.add(file.resolve())
            if file.suffix == ".parquet":
                kept, wanted_here = read_parquet(file)
                found += kept
                missing += max(0, wanted_here - len(kept))
            elif not (path.is_dir() and file.suffix == ".json"):  # Inspect keeps other JSON beside its logs
                logs.append(_read_log(file, files))
    rows: dict[_Key, Row] = {}
    wanted: dict[str, int] = {}
    for log in sorted(logs, key=lambda each: each.created):
        rows.update(log.rows)
        wanted[log.run] = log.wanted
    found += rows.values()
    missing += sum(max(0, number - sum(key[0] == run for key in rows)) for run, number in wanted.items())
    if not found:
        unfinished = f", and {pluralize(missing, 'was', 'were')} never finished" if missing else ""
        raise ParseError(f"there are no samples in {join_words([str(path) for path in paths])}{unfinished}")
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


def _read_log(path: Path, files: Collection[str]) -> _Log:
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
        row: Row | None = next((each for each in scores if is_row(each)), None)
        if row is None:  # the run ended before this sample was scored
            row = sample_row(sample.metadata, sample.store, log.eval.model, files)
        answers = raw(sample.metadata, sample.store)
        rows[run, sample.id, sample.epoch] = {**row, **answers, **_spent(sample, row), **asked}
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
