"""External programs as players, through standard input and output. docs/bots.md has the protocol."""

from perfectplay.players.program.check import check_program
from perfectplay.players.program.player import ProgramPlayer
from perfectplay.players.program.process import ProgramError

__all__ = ["ProgramError", "ProgramPlayer", "check_program"]
