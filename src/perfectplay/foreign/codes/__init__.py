"""Every finding about an environment: each code is defined once, beside the predicate that replays it."""

# ruff: noqa: I001 - the order of the imports is that of the codes
from perfectplay.foreign.codes import start
from perfectplay.foreign.codes import play
from perfectplay.foreign.codes import illegal
from perfectplay.foreign.codes import protocol
from perfectplay.foreign.codes import chance
from perfectplay.foreign.codes import soundness
from perfectplay.foreign.codes.code import CODES, ORDER, Code, NotShown, Stand

__all__ = ["CODES", "ORDER", "SUBJECTS", "Code", "NotShown", "Stand"]

SUBJECTS = (start, play, illegal, protocol, chance, soundness)
"""The modules with the codes."""
