"""Every finding about an environment: each code is defined once, beside the predicate that replays it."""

# ruff: noqa: I001 - the order of the imports is that of the codes
from perfectplay.foreign.findings import play, protocol, chance, soundness
from perfectplay.foreign.findings.code import CODES, Code, NotShown, WitnessReplay

__all__ = ["CODES", "SUBJECTS", "Code", "NotShown", "WitnessReplay"]

SUBJECTS = (play, protocol, chance, soundness)
"""The modules with the codes."""
