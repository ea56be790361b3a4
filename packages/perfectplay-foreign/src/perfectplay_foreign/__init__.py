"""Audits games and environments that others wrote. See docs/foreign.md.

Foreign code runs in a sandbox, and a table of numbers comes out. Everything after that works on the table.
"""

__version__ = "0.1.0"
