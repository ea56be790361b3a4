"""What an audit can find: one function per finding, in modules by subject."""

from perfectplay.audit.findings.finding import FINDERS, MEANINGS, SEVERITIES, Finder, Finding, Severity
from perfectplay.audit.findings.order import SUBJECTS, findings

__all__ = ["FINDERS", "MEANINGS", "SEVERITIES", "SUBJECTS", "Finder", "Finding", "Severity", "findings"]
