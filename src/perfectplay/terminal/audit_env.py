"""Audits of environments that others wrote, printed; collections of them; witnesses step by step."""

import json
import shlex
import sys
from ast import literal_eval
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from perfectplay.audit.findings import MEANINGS
from perfectplay.core.errors import ParseError
from perfectplay.core.wording import quoted
from perfectplay.foreign.audit import audit_environment
from perfectplay.foreign.client import Server, Settings, require_sandbox
from perfectplay.foreign.codes import CODES
from perfectplay.foreign.collection import (
    INDEX,
    Runner,
    audit_collection,
    audited,
    expanded,
    plain,
    pooled,
    summary,
)
from perfectplay.foreign.pages import step_text
from perfectplay.foreign.report import text
from perfectplay.output import is_standard_output, write_whole
from perfectplay.terminal.console import Console
from perfectplay.terminal.markdown import show_markdown
from perfectplay.terminal.progress import can_redraw, waiting

FOUND, UNFINISHED = 1, 3
"""Exit codes: findings that fail the run, and an audit that could not be finished."""

Baseline = set[tuple[str, str]]
"""Known findings: the environment and the code."""


def fails(record: dict[str, Any], fail_on: str, known: Baseline) -> bool:
    """Whether a record has a finding that fails the run."""
    levels = {"problem": ("problem",), "warning": ("problem", "warning")}.get(fail_on)
    codes = {each.strip() for each in fail_on.split(",") if each.strip()}
    return any(
        (found["severity"] in levels if levels is not None else found["code"] in codes)
        and (record["env"], found["code"]) not in known
        for found in record["findings"]
    )


def check_fail_on(fail_on: str | None) -> None:
    """Raise ParseError unless all codes are known."""
    for code in (fail_on or "").split(",") if fail_on not in (None, "problem", "warning") else ():
        if code.strip() not in CODES and code.strip() not in MEANINGS:
            raise ParseError(f"--fail-on: {quoted(code)} is neither problem, warning nor a finding code")


def baseline(path: Path | None) -> Baseline:
    """The known findings in a file of records, as --json prints them."""
    if path is None:
        return set()
    try:
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
        return {(record["env"], found["code"]) for record in lines for found in record["findings"]}
    except (ValueError, KeyError, TypeError) as error:
        raise ParseError(f"{quoted(str(path), 200)} is not a file of records, one per line") from error


def show_environment(
    console: Console,
    what: str,
    settings: Settings,
    *,
    as_json: bool,
    html: Path | None,
    fail_on: str | None,
    known: Baseline,
) -> int:
    """Audit one environment and print what was found; returns the exit code."""
    require_sandbox(what, trust=settings.trust)
    with waiting(f"Auditing {what}"), Server() as server:
        if html is not None:
            outcome = audited(what, settings, server)
            record = outcome.record
        else:
            report = audit_environment(what, settings, server)
            record = report.record
    if html is not None:
        write_whole(html, outcome.page)
        click.echo(f"The audit is in {html}", err=as_json or is_standard_output(html))
    if as_json:
        console.say(json.dumps(record))
    elif html is None:
        show_markdown(console, text(report))
    if record["error"] is not None:
        return UNFINISHED
    return FOUND if fails(record, fail_on or "problem", known) else 0


def show_collection(
    console: Console,
    names: Iterable[str],
    folder: Path,
    settings: Settings,
    *,
    workers: int,
    on: str | None,
    as_json: bool,
    fail_on: str | None,
    known: Baseline,
) -> int:
    """Audit a collection; returns the exit code."""
    every = expanded(names)
    for what in every:
        require_sandbox(what, trust=settings.trust)
    run: Runner = plain if workers == 1 else pooled(workers)
    if on == "ray":
        from perfectplay.foreign.cluster import clustered

        run = clustered()
    try:
        with _bar(len(every)) as progress:
            records = audit_collection(every, folder, settings, run, progress)
    except OSError as error:
        click.echo(f"perfectplay: {error.filename or folder}: {error.strerror or error}", err=True)
        click.echo("perfectplay: the same command goes on where it stopped", err=True)
        return UNFINISHED
    if as_json:
        for record in records:
            console.say(json.dumps(record))
    else:
        console.say(summary(records), f"The index is {folder / INDEX}")
    if any(record["error"] is not None for record in records):
        return UNFINISHED
    return FOUND if fail_on and any(fails(record, fail_on, known) for record in records) else 0


@contextmanager
def _bar(total: int) -> Iterator[Callable[[int, dict[str, Any] | None], None]]:
    """A progress bar with rate and time left, on terminals only."""
    if not can_redraw(sys.stderr):
        yield lambda done, record: None
        return
    from rich.console import Console as RichConsole
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    rate = TextColumn("{task.fields[rate]}")
    with Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        rate,
        TimeRemainingColumn(),
        console=RichConsole(stderr=True),
        redirect_stdout=False,
        redirect_stderr=False,
    ) as shown:
        task = shown.add_task("Auditing", total=total, rate="")

        def update(done: int, record: dict[str, Any] | None) -> None:
            speed = shown.tasks[0].speed
            shown.update(task, completed=done, rate="" if speed is None else f"{60 * speed:.0f} a minute")

        yield update


def parsed_moves(given: str) -> list[Any]:
    """The moves of a witness as they are typed.

    >>> parsed_moves("0 2 (1,3) 'e4 e5'")
    [0, 2, [1, 3], 'e4 e5']
    """
    try:
        words = shlex.split(given)
    except ValueError as error:
        raise ParseError(f"--moves: {error}") from error
    moves: list[Any] = []
    for word in words:
        try:
            move = literal_eval(word)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            move = word
        moves.append(list(move) if isinstance(move, tuple) else move if isinstance(move, int) else word)
    return moves


def show_steps(console: Console, what: str, moves: str, seed: int, *, trust: bool) -> int:
    """Play the moves of a witness and print each step; returns the exit code."""
    asked = parsed_moves(moves)
    require_sandbox(what, trust=trust)
    settings = Settings(seed=seed, trust=trust)
    with waiting(f"Playing {what}"), Server() as server:
        answer = server.run(what, settings, steps=asked)
    if answer.ended:
        console.say(f"It ends with a finding: {answer.ended}.")
        return FOUND
    for step in answer.done:
        console.say(*step_text(step).splitlines(), "")
    return 0
