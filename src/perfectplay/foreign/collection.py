"""Audits a collection of environments: a record for each in results.jsonl, a page for each, and an index."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from glob import escape as glob_escape
from glob import glob, has_magic
from pathlib import Path
from typing import Any, NamedTuple

from perfectplay.core.errors import MissingExtraError, ParseError
from perfectplay.core.wording import pluralize, quote
from perfectplay.foreign.audit import ENDED, Report, audit_environment, empty_record
from perfectplay.foreign.load import check_name
from perfectplay.foreign.pages import index, page, page_name
from perfectplay.foreign.sandbox.client import AuditOptions, Server
from perfectplay.foreign.sandbox.job import MissingLibraryError
from perfectplay.foreign.sandbox.messages import UnfinishedError
from perfectplay.output import write_whole

RESULTS, INDEX, PAGES = "results.jsonl", "index.html", "games"
LONGEST = 60
"""Longer witnesses are not shown move by move on the pages."""


class Outcome(NamedTuple):
    """What a worker makes of an environment."""

    record: dict[str, Any]
    page: str


def expand_names(names: Iterable[str]) -> list[str]:
    """The names of environments; patterns and folders stand for the files they match."""
    found: list[str] = []
    for name in names:
        if has_magic(name) and not os.path.exists(name):
            matches = sorted(glob(name))
            if not matches:
                raise ParseError(f"no file matches {quote(name, 200)}")
            found += matches
        elif os.path.isdir(name):
            files = sorted(glob(os.path.join(glob_escape(name), "*.py")))
            if not files:
                raise ParseError(f"there is no .py file in the folder {quote(name, 200)}")
            found += files
        else:
            found.append(name)
    return list(dict.fromkeys(found))


def audited(what: str, options: AuditOptions, server: Server) -> Outcome:
    """Audit one environment of a collection. An unknown name gives a record as well."""
    try:
        check_name(what)
        report = audit_environment(what, options, server)
    except (ParseError, MissingExtraError, MissingLibraryError) as error:
        report = Report({**empty_record(what), "error": str(error), "seconds": 0.0})
    return with_page(what, report, options, server, f"../{INDEX}")


def with_page(what: str, report: Report, options: AuditOptions, server: Server, index: str = "") -> Outcome:
    """Replay the witnesses of an environment for its page; `index` is where that leads back to."""
    report.record["limits"] = limits(options)
    steps = {}
    for number, finding in enumerate(report.record["findings"]):
        if finding["witness"] and len(finding["witness"]) <= LONGEST and finding["code"] not in ENDED:
            try:
                answer = server.run(what, options, seed=finding["seed"], steps=finding["witness"])
            except (UnfinishedError, ParseError):  # it is not as it was a moment ago
                continue
            if answer.done is not None:
                steps[number] = answer.done[: len(finding["witness"]) + 1]
            if answer.ended == "time":  # and would with every other
                break
    return Outcome(report.record, page(report, steps, index))


def limits(options: AuditOptions) -> dict[str, Any]:
    """The options that decide what is found."""
    found = {"moves": options.moves, "deepen": options.deepen, "seed": options.seed}
    made = {"kwargs": dict(options.kwargs), **options.names._asdict()}
    return found | {name: value for name, value in made.items() if value}


class Results:
    """The file of records, which is only ever appended to."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / PAGES).mkdir(exist_ok=True)
        self.folder, self.path = folder, folder / RESULTS
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            import fcntl  # Windows has none, and no fork to run a collection with

            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._file)
            raise ParseError(f"another run is writing to {quote(str(self.path), 200)}") from error
        self.records: dict[str, dict[str, Any]] = {}
        self._read()

    def close(self) -> None:
        """Close the file, and let others write to it."""
        os.close(self._file)

    def _read(self) -> None:
        """Read the records; a last line that was cut off is removed."""
        good = 0
        with self.path.open("rb") as file:
            for line in file:
                try:
                    record = json.loads(line)
                    if not line.endswith(b"\n") or not isinstance(record["env"], str):
                        break
                except (ValueError, KeyError, TypeError):
                    break
                good += len(line)
                self.records.setdefault(record["env"], record)
            if file.read(1):
                raise ParseError(f"{quote(str(self.path), 200)} is not a file of records")
        os.ftruncate(self._file, good)

    def check(self, asked: dict[str, Any]) -> None:
        """Raise unless all records were made with the same limits."""
        for record in self.records.values():
            if record.get("limits") != asked:
                raise ParseError(
                    f"{quote(str(self.path), 200)} has records with other limits: {record.get('limits')};"
                    " choose another folder"
                )

    def add(self, outcome: Outcome) -> None:
        """Write a page, and then its record. If that fails, the file is as it was."""
        record = outcome.record
        write_whole(self.folder / PAGES / page_name(record["env"]), outcome.page)
        size = os.fstat(self._file).st_size
        line = json.dumps(record).encode() + b"\n"
        try:
            written = os.write(self._file, line)
            if written < len(line):  # the disk is full: the next write says so
                os.write(self._file, line[written:])
            os.fsync(self._file)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._file, size)
            raise OSError(error.errno, error.strerror, str(self.path)) from error
        self.records[record["env"]] = record


Runner = Callable[[Sequence[str], AuditOptions], Iterator[Outcome]]
"""Audits environments in any order."""


def plain(names: Sequence[str], options: AuditOptions) -> Iterator[Outcome]:
    """One after another, in this process."""
    with Server() as server:
        for what in names:
            yield audited(what, options, server)


def pooled(workers: int) -> Runner:
    """Shared among processes, each with a fork server of its own."""

    def run(names: Sequence[str], options: AuditOptions) -> Iterator[Outcome]:
        from concurrent.futures import ProcessPoolExecutor, as_completed
        from multiprocessing import get_context

        pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_start_worker)
        try:
            waiting = [pool.submit(_work, what, options) for what in names]
            for future in as_completed(waiting):
                waiting.remove(future)  # a page can be large, and is needed only once
                yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)

    return run


_SERVER: list[Server] = []


def _start_worker() -> None:
    from multiprocessing.util import Finalize

    from perfectplay.foreign.sandbox.layers import die_with_parent

    die_with_parent()
    _SERVER.append(Server())
    Finalize(None, _SERVER[0].close, exitpriority=1)


def _work(what: str, options: AuditOptions) -> Outcome:
    return audited(what, options, _SERVER[0])


@contextmanager
def opened(folder: Path) -> Iterator[Results]:
    """The results in a folder, closed at the end."""
    results = Results(folder)
    try:
        yield results
    finally:
        results.close()


def audit_collection(
    names: Sequence[str],
    folder: Path,
    options: AuditOptions,
    run: Runner = plain,
    progress: Callable[[int, dict[str, Any] | None], None] = lambda done, record: None,
) -> list[dict[str, Any]]:
    """Audit environments that have no record yet; write the index; return all records in order.

    `progress` is called with the number of records, and with each new record.
    """
    with opened(folder) as results:
        results.check(limits(options))
        left = [what for what in names if what not in results.records]
        progress(len(names) - len(left), None)
        if left:
            for outcome in run(left, options):
                results.add(outcome)
                progress(sum(what in results.records for what in names), outcome.record)
        records = [results.records[what] for what in names]
        write_whole(folder / INDEX, index(records))
    return records


def summary(records: Sequence[dict[str, Any]]) -> str:
    """A collection in two sentences."""
    problems = sum(any(each["severity"] == "problem" for each in record["findings"]) for record in records)
    known = sum(record["value"] is not None for record in records)
    failed = sum(record["error"] is not None for record in records)
    said = pluralize(len(records), "environment", "environments")
    said += f": {problems:,} with a problem, {known:,} with a known value."
    return said + (f" {pluralize(failed, 'audit', 'audits')} could not be finished." if failed else "")
