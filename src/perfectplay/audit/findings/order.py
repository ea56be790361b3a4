"""All findings of an audit: problems first, otherwise in the order of the imports here."""

# ruff: noqa: I001 - the order of the imports is that of the findings
from collections.abc import Collection

from perfectplay.audit.case import Case
from perfectplay.audit.findings import laws, value, endless, endings, actions, rulebook, skill
from perfectplay.audit.findings.finding import FINDERS, SEVERITIES, Finding

SUBJECTS = (laws, value, endless, endings, actions, rulebook, skill)
"""The modules with the finders."""

ON_LAWS = ("broken-law", "dead-end")
"""The findings that can be trusted even if a game breaks a law that all others depend on."""


def findings(case: Case, without: Collection[str] = ()) -> tuple[Finding, ...]:
    """Return all findings but those with the codes in `without`, problems first."""
    codes = [code for code in FINDERS if code not in without and (case.trusted or code in ON_LAWS)]
    found = [finding for code in codes for finding in FINDERS[code](case)]
    return tuple(sorted(found, key=lambda finding: SEVERITIES.index(finding.severity)))
