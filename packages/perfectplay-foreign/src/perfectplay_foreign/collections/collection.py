"""Audits a collection of environments: a record for each in results.jsonl, a page for each, and an index."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from glob import escape as glob_escape
from glob import glob, has_magic
from pathlib import Path

from perfectplay.core.errors import MissingExtraError, ParseError, needs
from perfectplay.core.formatting import pluralize, quote
from perfectplay.output import write_whole
from perfectplay_foreign.audit import ENDED, Report, audit_environment
from perfectplay_foreign.limits import LONGEST_SHOWN
from perfectplay_foreign.load import check_name
from perfectplay_foreign.records import AuditRecord, empty_record
from perfectplay_foreign.report import page_name, write_environment_page, write_index
from perfectplay_foreign.sandbox.client import ForkServer
from perfectplay_foreign.sandbox.job import MissingLibraryError
from perfectplay_foreign.sandbox.messages import UnfinishedError
from perfectplay_foreign.sandbox.request import AuditOptions, JobRequest

RESULTS, TIMES, INDEX, PAGES = "results.jsonl", "times.jsonl", "index.html", "games"
CHUNK = 50
"""How many environments a task of Ray audits, with a fork server of its own."""


def expand_names(names: Iterable[str]) -> list[str]:
    """The names of environments; patterns and folders stand for the files they match."""
    found: list[str] = []
    for name in names:
        if has_magic(name) and not os.path.exists(name):
            matches, none = sorted(glob(name)), "no file matches"
        elif os.path.isdir(name):
            matches = sorted(glob(os.path.join(glob_escape(name), "*.py")))
            none = "there is no .py file in the folder"
        else:
            matches, none = [name], ""
        if not matches:
            raise ParseError(f"{none} {quote(name, 200)}")
        found += matches
    return list(dict.fromkeys(found))


def audit_member(what: str, options: AuditOptions, server: ForkServer) -> Report:
    """Audit one environment of a collection: its record and page. An unknown name gives a record as well."""
    try:
        check_name(what)
        report = audit_environment(what, options, server)
    except (ParseError, MissingExtraError, MissingLibraryError) as error:
        report = Report({**empty_record(what, str(error)), "protocol": options.protocol})
    page = draw_page(report, options, server, f"../{INDEX}")
    return report._replace(page=page, judgement=None)  # which is large, and may come from another machine


def draw_page(report: Report, options: AuditOptions, server: ForkServer, index: str = "") -> str:
    """The page of an environment, with its witnesses replayed; `index` is where it leads back to."""
    record = report.record
    record["limits"] = describe_limits(options)
    steps = {}
    for number, finding in enumerate(record["findings"]):
        if finding["witness"] and len(finding["witness"]) <= LONGEST_SHOWN and finding["code"] not in ENDED:
            seeded = replace(options, seed=finding["seed"])
            try:
                job = server.run(JobRequest(record["env"], seeded, steps=finding["witness"]))
            except (UnfinishedError, ParseError):  # it is not as it was a moment ago
                continue
            if job.steps is not None:
                steps[number] = job.steps[: len(finding["witness"]) + 1]
            if job.ended == "time":  # and would with every other
                break
    return write_environment_page(report, steps, index)


def describe_limits(options: AuditOptions) -> dict[str, object]:
    """The options that decide what is found."""
    made = {"kwargs": dict(options.kwargs), **options.names._asdict()}
    named = {name: value for name, value in made.items() if value}
    return {"moves": options.moves, "deepen": options.deepen, "seed": options.seed, **named}


class ResultsFile:
    """The file of records, which is only ever appended to, in a folder with pages."""

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

    def __enter__(self) -> "ResultsFile":
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)

    def read(self, asked: dict[str, object]) -> dict[str, AuditRecord]:
        """The records, which must have these limits; a last line that was cut off is removed."""
        records: dict[str, AuditRecord] = {}
        good = 0
        with self.path.open("rb") as file:
            for line in file:
                try:
                    record: AuditRecord = json.loads(line)
                    if not line.endswith(b"\n") or not isinstance(record["env"], str):
                        break
                except (ValueError, KeyError, TypeError):
                    break
                good += len(line)
                records.setdefault(record["env"], record)
            if file.read(1):
                raise ParseError(f"{quote(str(self.path), 200)} is not a file of records")
        for record in records.values():
            made = {**record.get("limits", {}), **record.get("protocol", {})}
            if made != asked:
                raise ParseError(
                    f"{quote(str(self.path), 200)} has records with other limits: {made};"
                    " choose another folder"
                )
        os.ftruncate(self._file, good)
        return records

    def add(self, audited: Report) -> None:
        """Write a page, and then its record. If that fails, the file is as it was."""
        write_whole(self.folder / PAGES / page_name(audited.record["env"]), audited.page)
        if audited.times is not None:
            with (self.folder / TIMES).open("a", encoding="utf-8") as file:
                file.write(json.dumps(audited.times) + "\n")
        size = os.fstat(self._file).st_size
        line = json.dumps(audited.record).encode() + b"\n"
        try:
            written = os.write(self._file, line)
            if written < len(line):  # the disk is full: the next write says so
                os.write(self._file, line[written:])
            os.fsync(self._file)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._file, size)
            raise OSError(error.errno, error.strerror, str(self.path)) from error


Runner = Callable[[Sequence[str], AuditOptions], Iterator[Report]]
"""Audits environments in any order."""


def run_here(names: Sequence[str], options: AuditOptions) -> Iterator[Report]:
    """Audit one after another, in this process."""
    with ForkServer() as server:
        for what in names:
            yield audit_member(what, options, server)


def use_pool(workers: int) -> Runner:
    """Share environments among processes, each with a fork server of its own."""

    def run(names: Sequence[str], options: AuditOptions) -> Iterator[Report]:
        from concurrent.futures import ProcessPoolExecutor, as_completed
        from multiprocessing import get_context

        pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_worker_server)
        try:
            waiting = [pool.submit(_work, what, options) for what in names]
            for future in as_completed(waiting):
                waiting.remove(future)  # a page can be large, and is needed only once
                yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)

    return run


@cache
def _worker_server() -> ForkServer:
    """The fork server of a worker process."""
    from multiprocessing.util import Finalize

    from perfectplay_foreign.sandbox.layers import die_with_parent

    die_with_parent()
    server = ForkServer()
    Finalize(None, server.close, exitpriority=1)
    return server


def _work(what: str, options: AuditOptions) -> Report:
    return audit_member(what, options, _worker_server())


def use_ray(chunk: int = CHUNK) -> Runner:
    """Audit chunks of environments as tasks of Ray. Their files must be readable on every machine."""
    with needs("ray", "cluster"):
        import ray

    def run(names: Sequence[str], options: AuditOptions) -> Iterator[Report]:
        started = not ray.is_initialized()
        if started:
            ray.init(log_to_driver=False, include_dashboard=False, configure_logging=False)
        try:
            task = ray.remote(lambda names: list(run_here(names, options)))
            chunks = [list(names[at : at + chunk]) for at in range(0, len(names), chunk)]
            waiting = [task.remote(each) for each in chunks]
            while waiting:
                ready, waiting = ray.wait(waiting)
                yield from ray.get(ready[0])
        finally:
            if started:
                ray.shutdown()

    return run


def audit_collection(
    names: Sequence[str],
    folder: Path,
    options: AuditOptions,
    run: Runner = run_here,
    progress: Callable[[int], None] = lambda done: None,
) -> list[AuditRecord]:
    """Audit environments that have no record yet; write the index; return all records in order.

    `progress` is called with the number of records: at first, and after each new one.
    """
    with ResultsFile(folder) as results:
        records = results.read(describe_limits(options) | options.protocol)
        left = [what for what in names if what not in records]
        progress(len(names) - len(left))
        for audited in run(left, options) if left else ():
            results.add(audited)
            records[audited.record["env"]] = audited.record
            progress(sum(what in records for what in names))
        found = [records[what] for what in names]
        write_whole(folder / INDEX, write_index(found))
    return found


def summarize(records: Sequence[AuditRecord]) -> str:
    """A collection in two sentences."""
    problems = sum(any(each["severity"] == "problem" for each in record["findings"]) for record in records)
    known = sum(record["value"] is not None for record in records)
    failed = sum(record["error"] is not None for record in records)
    said = pluralize(len(records), "environment", "environments")
    said += f": {problems:,} with a problem, {known:,} with a known value."
    return said + (f" {pluralize(failed, 'audit', 'audits')} could not be finished." if failed else "")
