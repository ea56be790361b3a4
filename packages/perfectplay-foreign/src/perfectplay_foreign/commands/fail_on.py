"""What fails an audit of environments: --fail-on, --baseline, and the exit codes."""

import errno
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import click

from perfectplay.audit.findings import MEANINGS
from perfectplay.core.errors import MissingExtraError, ParseError, PerfectplayError, nearest
from perfectplay.core.formatting import quote
from perfectplay_foreign.findings import CODES
from perfectplay_foreign.load import split_name
from perfectplay_foreign.records import AuditRecord, FindingRecord
from perfectplay_foreign.sandbox.job import NoSandboxError
from perfectplay_foreign.sandbox.messages import UnfinishedError

FOUND, UNFINISHED = 1, 3
"""Exit codes: findings that fail the run, and an audit that could not be finished."""
DISK = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
"""Errors of a disk that is full or broken. All others are about a name that was given."""
SEVERITIES = {"problem": {"problem"}, "warning": {"problem", "warning"}}
"""What --fail-on takes besides codes, and the severities that each stands for."""

Baseline = set[tuple[str, str]]
"""Known findings: the environment and the code."""


class Unfinished(click.ClickException):
    """Something that is neither bad input nor a finding: a missing library, a full disk, an error of ours."""

    exit_code = UNFINISHED


@contextmanager
def translate_errors() -> Iterator[None]:
    """Exit with a code of its own where nobody is at fault: 1 stands for findings, 2 for bad input."""
    try:
        yield
    except (MissingExtraError, UnfinishedError) as error:
        raise Unfinished(str(error)) from error
    except OSError as error:
        if error.errno not in DISK:
            raise
        name = f"{error.filename}: " if error.filename else ""
        raise Unfinished(f"{name}{error.strerror}") from error
    except NoSandboxError as error:
        raise PerfectplayError(f"{error}; --trust runs the environment anyway") from error
    except (PerfectplayError, click.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except Exception as error:
        if "--debug" in sys.argv:
            raise
        said = f"internal error ({type(error).__name__}: {error}); --debug shows more"
        raise Unfinished(said) from error


class Fatal(NamedTuple):
    """The findings that fail a run."""

    severities: frozenset[str]
    codes: frozenset[str]

    def has(self, finding: FindingRecord) -> bool:
        """Whether a finding is one of them; a known one never is."""
        return not finding.get("known") and (
            finding["severity"] in self.severities or finding["code"] in self.codes
        )


def parse_fail_on(given: str) -> Fatal:
    """What --fail-on names: severities, codes, or both. Raises ParseError for anything else."""
    severities, codes = set[str](), set[str]()
    for word in (each.strip() for each in given.split(",")):
        if word in SEVERITIES:
            severities |= SEVERITIES[word]
        elif word in CODES or word in MEANINGS:
            codes.add(word)
        else:
            hint = nearest(word, [*SEVERITIES, *CODES, *MEANINGS])
            raise ParseError(f"--fail-on: {quote(word)} is neither problem, warning nor a finding code{hint}")
    return Fatal(frozenset(severities), frozenset(codes))


def read_baseline(path: Path | None) -> Baseline:
    """The known findings in a file of records, as --json prints them."""
    if path is None:
        return set()
    try:
        records = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
        named = [(same_name(record["env"]), record["findings"]) for record in records]
        known = {(name, found["code"]) for name, findings in named for found in findings}
        if not records or not all(isinstance(code, str) for _, code in known):
            raise ValueError("no records")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        said = f"--baseline: {quote(str(path), 200)} is not a file of records, one per line"
        raise ParseError(said) from error
    return known


def same_name(what: str) -> str:
    """The name of an environment in a form that is the same however its file is named.

    >>> same_name("./env.py:Env") == same_name("sub/../env.py:Env"), same_name("gym:Env-v0")
    (True, 'gym:Env-v0')
    """
    path, chosen = split_name(what)
    return what if path is None else ":".join([str(path.resolve()), *([chosen] if chosen else [])])


def mark_known(record: AuditRecord, known: Baseline) -> AuditRecord:
    """A record whose known findings say so; they are marked only where they are shown."""
    if not known:
        return record
    name = same_name(record["env"])
    findings: list[FindingRecord] = [
        {**each, "known": (name, each["code"]) in known} for each in record["findings"]
    ]
    return {**record, "findings": findings}
