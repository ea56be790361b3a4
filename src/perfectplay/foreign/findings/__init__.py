"""Every finding about an environment: each code is defined once, beside the predicate that replays it."""

# ruff: noqa: I001 - the order of the imports is that of the codes
from perfectplay.foreign.findings import start
from perfectplay.foreign.findings import play
from perfectplay.foreign.findings import illegal
from perfectplay.foreign.findings import protocol
from perfectplay.foreign.findings import chance
from perfectplay.foreign.findings import soundness
from perfectplay.foreign.findings.code import CODES, ORDER, Code, NotShown, WitnessReplay

__all__ = ["CODES", "ORDER", "SUBJECTS", "Code", "NotShown", "WitnessReplay"]

SUBJECTS = (start, play, illegal, protocol, chance, soundness)
"""The modules with the codes."""
