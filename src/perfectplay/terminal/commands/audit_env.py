"""Audits of environments that others wrote, printed; collections of them; witnesses step by step."""

import json
import shlex
import sys
import time
from ast import literal_eval
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import click

from perfectplay.core.errors import MissingExtraError, ParseError
from perfectplay.foreign.adapter import MethodNames, Move, move_from_json
from perfectplay.foreign.audit import audit_environment
from perfectplay.foreign.collections.collection import (
    INDEX,
    Runner,
    audit_collection,
    draw_page,
    expand_names,
    run_here,
    summarize,
    use_pool,
    use_ray,
)
from perfectplay.foreign.report import describe, step_text
from perfectplay.foreign.sandbox.client import ForkServer, require_sandbox
from perfectplay.foreign.sandbox.job import SandboxJob
from perfectplay.foreign.sandbox.request import AuditOptions, JobRequest
from perfectplay.output import is_standard_output, write_whole
from perfectplay.terminal.commands.fail_on import (
    DISK,
    FOUND,
    UNFINISHED,
    Baseline,
    Fatal,
    mark_known,
    parse_fail_on,
    read_baseline,
    translate_errors,
)
from perfectplay.terminal.console import Console
from perfectplay.terminal.markdown import show_markdown
from perfectplay.terminal.progress import can_redraw, waiting

GOES_ON = "perfectplay: run the same command again to continue"


def show_audits(
    console: Console,
    what: tuple[str, ...],
    *,
    out: Path | None,
    workers: int,
    on: str | None,
    as_json: bool,
    html: Path | None,
    fail_on: str | None,
    baseline: Path | None,
    **asked: Any,
) -> int:
    """Audit one environment or, with `out`, a collection; returns the exit code."""
    fails = None if fail_on is None else parse_fail_on(fail_on)
    options = read_options(**asked)
    known = read_baseline(baseline)
    with translate_errors():
        if out is not None:
            if html is not None:
                raise click.UsageError("--html is for one environment; a collection has a page for each")
            return show_collection(
                console, what, out, options, workers=workers, on=on, as_json=as_json, fails=fails, known=known
            )
        names = expand_names(what)
        if len(names) != 1:
            raise click.UsageError(
                f"these are {len(names)} environments; name one, or give --out FOLDER, where the results"
                " of a collection go"
            )
        if on is not None:
            raise click.UsageError("--on is for a collection: it needs --out FOLDER")
        fails = fails or parse_fail_on("problem")
        return show_environment(
            console, names[0], options, as_json=as_json, html=html, fails=fails, known=known
        )


def read_options(legal: str, mover: str, **asked: Any) -> AuditOptions:
    """Options of a command as those of an audit."""
    return AuditOptions(names=MethodNames(legal, mover), **asked)


def show_environment(
    console: Console,
    what: str,
    options: AuditOptions,
    *,
    as_json: bool,
    html: Path | None,
    fails: Fatal,
    known: Baseline,
) -> int:
    """Audit one environment and print what was found; returns the exit code."""
    require_sandbox(what, trust=options.trust)
    with waiting(f"Auditing {what}"), ForkServer() as server:
        found = audit_environment(what, options, server)
        report = found._replace(record=mark_known(found.record, known))
        page = "" if html is None else draw_page(report, options, server)
    record = report.record
    if html is not None:
        write_whole(html, page)
        click.echo(f"The audit is in {html}", err=as_json or is_standard_output(html))
    if as_json:
        console.say(json.dumps(record))
    elif html is None:
        show_markdown(console, describe(report))
    if any(map(fails.has, record["findings"])):
        return FOUND
    return UNFINISHED if record["error"] is not None else 0


def show_collection(
    console: Console,
    names: Iterable[str],
    folder: Path,
    options: AuditOptions,
    *,
    workers: int,
    on: str | None,
    as_json: bool,
    fails: Fatal | None,
    known: Baseline,
) -> int:
    """Audit a collection; returns the exit code."""
    every = expand_names(names)
    for what in every:
        with suppress(MissingExtraError):  # the others can be audited; its record says what is missing
            require_sandbox(what, trust=options.trust)
    run: Runner = use_ray() if on == "ray" else run_here if workers == 1 else use_pool(workers)
    try:
        with progress_bar(len(every)) as progress:
            records = audit_collection(every, folder, options, run, progress)
        records = [mark_known(record, known) for record in records]
    except OSError as error:
        if error.errno not in DISK:
            raise
        click.echo(f"perfectplay: {error.filename or folder}: {error.strerror or error}", err=True)
        click.echo(GOES_ON, err=True)
        return UNFINISHED
    except KeyboardInterrupt:
        click.echo(GOES_ON, err=True)
        raise
    if as_json:
        for record in records:
            console.say(json.dumps(record))
    else:
        console.say(summarize(records), f"The index is {folder / INDEX}")
    if any(record["error"] is not None for record in records):
        return UNFINISHED
    found = (each for record in records for each in record["findings"])
    return FOUND if fails is not None and any(map(fails.has, found)) else 0


@contextmanager
def progress_bar(total: int, clock: Callable[[], float] = time.monotonic) -> Iterator[Callable[[int], None]]:
    """A progress bar with rate and time left, on terminals only."""
    if not can_redraw(sys.stderr):
        yield lambda done: None
        return
    from rich.console import Console as RichConsole
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    with Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[pace]}", markup=False),
        console=RichConsole(stderr=True),
        redirect_stdout=False,
        redirect_stderr=False,
    ) as shown:
        task = shown.add_task("Auditing", total=total, pace="")
        begun, before = clock(), None

        def update(done: int) -> None:
            nonlocal before
            if before is None:  # those of an earlier run say nothing about the pace of this one
                before = done
            shown.update(task, completed=done, pace=_pace(done - before, total - done, clock() - begun))

        yield update


def _pace(done: int, left: int, seconds: float) -> str:
    """How fast it goes, and the time left at that pace.

    >>> _pace(6, 30, 12)
    '30 a minute, 0:01:00 left'
    """
    if not done or not seconds:
        return ""
    return f"{60 * done / seconds:.0f} a minute, {timedelta(seconds=round(left * seconds / done))} left"


def parse_moves(given: str) -> list[Move]:
    """The moves of a witness as they are typed: words, or a list in JSON as in a record."""
    try:
        found = json.loads(given)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list):
        return parse_words(given)
    try:
        return list(map(move_from_json, found))
    except (TypeError, RecursionError) as error:
        raise ParseError(f"--moves: {error}") from error


def parse_words(given: str) -> list[Move]:
    """The moves of a witness as words, each a number, a tuple or text."""
    try:
        return [_parse_move(word) for word in shlex.split(given)]
    except ValueError as error:
        raise ParseError(f"--moves: {error}") from error


def _parse_move(word: str) -> Move:
    try:
        move = literal_eval(word)
        if isinstance(move, (int, float, tuple)):
            return move_from_json(json.loads(json.dumps(move)))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        pass
    return word


def _refusal(job: SandboxJob) -> str:
    """Why one of the moves cannot be a move; empty if all can."""
    return next((step["unknown"] for step in job.steps or () if "unknown" in step), "")


def show_steps(console: Console, what: str, *, moves: str, **asked: Any) -> int:
    """Play the moves of a witness and print each step; returns the exit code."""
    options = read_options(**asked)
    with translate_errors():
        steps = parse_moves(moves)
        require_sandbox(what, trust=options.trust)
        with waiting(f"Playing {what}"), ForkServer() as server:
            job = server.run(JobRequest(what, options, steps=steps))
            if len(steps) == 1 and moves.startswith("[") and _refusal(job):
                # What looks like a list of one move may be a move in text.
                job = server.run(JobRequest(what, options, steps=parse_words(moves)))
        if job.ended:
            console.say(f"It ends with a finding: {job.ended}.")
            return FOUND
        refusal = _refusal(job)
        if refusal:
            raise ParseError(f"--moves: {refusal}")
        for step in job.steps or ():
            console.say(*step_text(step).splitlines(), "")
        return FOUND if any("error" in step for step in job.steps or ()) else 0
