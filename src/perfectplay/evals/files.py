"""Samples in files: Parquet of our own, logs of Inspect, and folders of both. They can be verified."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import fields
from math import isclose
from pathlib import Path
from typing import Any, NamedTuple

from perfectplay.core.errors import ParseError
from perfectplay.core.formatting import join_words, pluralize
from perfectplay.core.parquet import import_pyarrow
from perfectplay.evals.counts import SampleCounts
from perfectplay.evals.inspect_logs import RunLog, read_log
from perfectplay.evals.questions import SingleQuestion
from perfectplay.evals.samples import VERSION, Sample, replay_sample, sample_columns
from perfectplay.output import writing
from perfectplay.validation import NOTHING, Trusted

WANTED, FORMAT = "perfectplay:wanted", "perfectplay:version"
"""Where a file says how many samples there should be in the end, and which version of samples it holds."""


class Verification(NamedTuple):
    """What came out when all samples were played again from their raw answers."""

    differences: list[str]
    """What differs from the stored counts, a line for each sample."""
    unknown: dict[str, int]
    """How many samples could not be played again, by the reason."""


class SuiteRun(NamedTuple):
    """A run of the suite among other samples."""

    about: dict[str, Any]
    """Where its answers come from, as its log says."""
    asked: dict[int, tuple[str, str]]
    """For the place of each of its samples among all, the id of the question and what was asked."""


class Samples(NamedTuple):
    """Samples, and how many should be there but are not."""

    samples: list[Sample]
    missing: int = 0
    verification: Verification | None = None
    """None if the stored counts were believed."""
    suites: tuple[SuiteRun, ...] = ()
    trusted: Trusted = NOTHING
    """What the samples may name besides games that are built in or installed."""


def save(samples: Iterable[Sample], path: Path, wanted: int = 0) -> None:
    """Write samples to a file, whole or not at all. The same samples give the same bytes.

    `wanted` is how many there should be in the end.
    """
    pa = import_pyarrow()
    types = {str: pa.string(), int: pa.int64(), float: pa.float64(), tuple: pa.list_(pa.string())}
    columns = {name: types.get(column.kind, pa.string()) for name, column in sample_columns().items()}
    about = {WANTED: str(wanted), FORMAT: str(VERSION)}
    rows = [
        {**row, **{name: json.dumps(row[name]) for name in _in_json()}}
        for row in (sample.columns() for sample in samples)
    ]
    schema = pa.schema({**columns, "points": pa.float64()}, about)
    with writing(path) as file:
        pa.parquet.write_table(pa.Table.from_pylist(rows, schema), file)


def _in_json() -> list[str]:
    """The columns that are stored as JSON."""
    return [name for name, column in sample_columns().items() if column.kind in (dict, SingleQuestion)]


def read_parquet(path: Path) -> tuple[list[Sample], int]:
    """Read what `save` has written: samples, and how many there should be in the end."""
    with path.open("rb") as file:
        if file.read(4) != b"PAR1":
            raise ParseError(f"{path} is damaged: it is not a Parquet file")
    pa = import_pyarrow()
    try:
        table = pa.parquet.read_table(path)
        about = table.schema.metadata or {}
        version, wanted = about.get(FORMAT.encode()), int(about.get(WANTED.encode(), 0))
        rows = table.to_pylist()
    except Exception as error:  # a damaged file may raise anything
        raise ParseError(f"{path} is damaged: it is not a whole Parquet file") from error
    if version != str(VERSION).encode():
        other = "" if version is None else f" of version {VERSION}: it needs another perfectplay"
        raise ParseError(f"{path} does not hold samples of perfectplay{other}")
    try:
        return [
            Sample.from_columns({**row, **{name: json.loads(row[name]) for name in _in_json()}})
            for row in rows
        ], wanted
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise ParseError(f"{path} does not hold samples of perfectplay: a column is damaged") from error


def read_samples(paths: Sequence[Path], trusted: Trusted = NOTHING) -> Samples:
    """The samples in files and folders, of the arena or of Inspect. Raises ParseError if there are none.

    What they hold is data: nothing that they name is run but trusted game files. A file that is named twice
    is read once.

    `inspect eval-retry` writes a new log beside the old one and repeats what was done: a sample in several
    logs of one run counts once, as the newest of them has it.
    """
    found: list[Sample] = []
    missing = 0
    logs: list[RunLog] = []
    for file in _sample_files(paths):
        if file.suffix == ".parquet":
            kept, wanted = read_parquet(file)
            found += kept
            missing += max(0, wanted - len(kept))
        else:
            logs.append(read_log(file, trusted))
    runs: dict[str, RunLog] = {}
    for log in sorted(logs, key=lambda each: each.created):
        runs[log.run] = runs[log.run].continue_with(log) if log.run in runs else log
    suites = []
    for run in runs.values():
        if run.suite is not None:
            places = enumerate(run.samples, start=len(found))
            asked = {place: (str(key[0]), run.prompts[key]) for place, key in places if key in run.prompts}
            suites.append(SuiteRun(run.suite, asked))
        found += run.samples.values()
        missing += max(0, run.wanted - len(run.samples))
    if not found:
        unfinished = f", and {pluralize(missing, 'was', 'were')} never finished" if missing else ""
        raise ParseError(f"there are no samples in {join_words([str(path) for path in paths])}{unfinished}")
    return Samples(found, missing, suites=tuple(suites), trusted=trusted)


def _sample_files(paths: Sequence[Path]) -> list[Path]:
    """The files that may hold samples, each once. Inspect keeps other JSON beside its logs in a folder."""
    found: dict[Path, Path] = {}
    for path in paths:
        if not path.exists():
            raise ParseError(f"there is no file or folder {path}")
        inside = sorted(each for each in path.iterdir() if each.is_file()) if path.is_dir() else [path]
        logged = [each for each in inside if each.suffix in (".parquet", ".eval", ".json")]
        if not logged:
            raise ParseError(f"{path} holds no logs of Inspect and no files of an arena")
        for file in logged:
            if not path.is_dir() or file.suffix != ".json":
                found.setdefault(file.resolve(), file)
    return list(found.values())


COMPARED = ("game", "cluster", *(each.name for each in fields(SampleCounts)), "points")


def verify_samples(samples: Samples) -> Samples:
    """The samples as their raw answers have it, and what differs from their stored counts.

    A sample that cannot be played again keeps its counts and is named. Like every sample it is data: it runs
    nothing but trusted game files.
    """
    kept: list[Sample] = []
    differences: list[str] = []
    unknown: Counter[str] = Counter()
    for sample in samples.samples:
        found = replay_sample(sample, samples.trusted)
        if found.problem is not None and found.problem != sample.problem:
            unknown[found.problem] += 1
            found = sample
        stored, answered = sample.columns(), found.columns()
        said = [
            f"{name} is stored as {stored[name]}, the answers give {answered[name]}"
            for name in COMPARED
            if not _same(stored[name], answered[name])
        ]
        if said:
            game = f"{sample.setup.game}, seat {sample.seat}, game {sample.number}"
            which = sample.cluster if sample.item else game
            differences.append(f"{sample.agent}, {which}: {'; '.join(said)}")
        kept.append(found)
    return samples._replace(samples=kept, verification=Verification(differences, dict(unknown)))


def _same(stored: object, found: object) -> bool:
    if isinstance(stored, float) and isinstance(found, float | int):
        return isclose(stored, found, abs_tol=1e-9)  # arithmetic may differ between machines
    return stored == found
