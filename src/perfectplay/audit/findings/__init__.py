"""What an audit can find: one function per finding, in modules by subject.

Findings are listed in the order in which their modules are imported here.
"""

# ruff: noqa: I001 - the order of the imports is that of the findings
from perfectplay.audit.case import Case
from perfectplay.audit.findings import laws
from perfectplay.audit.findings import value
from perfectplay.audit.findings import endless
from perfectplay.audit.findings import endings
from perfectplay.audit.findings import declared
from perfectplay.audit.findings import actions
from perfectplay.audit.findings import rulebook
from perfectplay.audit.findings import skill
from perfectplay.audit.findings.finding import FINDERS, MEANINGS, Finder, Finding, Severity

__all__ = ["FINDERS", "MEANINGS", "SUBJECTS", "Finder", "Finding", "Severity", "findings"]

SUBJECTS = (laws, value, endless, endings, declared, actions, rulebook, skill)
"""The modules with the finders."""

ON_LAWS = ("broken-law", "dead-end")
"""The findings that can be trusted even if a game breaks a law that all others depend on."""


def findings(case: Case) -> tuple[Finding, ...]:
    """Return all findings, problems first."""
    order = ("problem", "warning", "note")
    finders = [finder for code, finder in FINDERS.items() if case.trusted or code in ON_LAWS]
    found = [finding for finder in finders for finding in finder(case)]
    return tuple(sorted(found, key=lambda finding: order.index(finding.severity)))
