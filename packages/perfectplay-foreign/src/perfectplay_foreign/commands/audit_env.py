"""Audits of environments that others wrote, printed; collections of them; witnesses step by step."""

import json
import shlex
from ast import literal_eval
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from perfectplay.core.errors import MissingExtraError, ParseError
from perfectplay.output import is_standard_output, write_whole
from perfectplay.terminal.console import Console
from perfectplay.terminal.markdown import show_markdown
from perfectplay.terminal.progress import waiting
from perfectplay_foreign.adapter import MethodNames, Move, move_from_json
from perfectplay_foreign.audit import audit_environment
from perfectplay_foreign.collections.collection import (
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
from perfectplay_foreign.commands.fail_on import (
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
from perfectplay_foreign.report import describe, step_text
from perfectplay_foreign.sandbox.client import ForkServer, require_sandbox
from perfectplay_foreign.sandbox.job import SandboxJob
from perfectplay_foreign.sandbox.request import AuditOptions, JobRequest

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
        with waiting("Auditing") as progress:
            records = audit_collection(every, folder, options, run, lambda done: progress(done, len(every)))
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
