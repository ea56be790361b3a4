"""Every finding about an environment: each code is defined once, beside the predicate that replays it."""

# ruff: noqa: I001 - the order of the imports is that of the codes
from perfectplay_foreign.findings import play, protocol, chance
from perfectplay_foreign.findings.code import CODES, Code, NotShown, WitnessReplay

__all__ = ["CODES", "Code", "NotShown", "WitnessReplay", "chance", "play", "protocol"]
