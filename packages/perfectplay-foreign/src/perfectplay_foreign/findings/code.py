"""What a finding code is: its severity, its meaning, and a predicate that replays its witness."""

from collections.abc import Callable, Hashable
from typing import Literal, NamedTuple

from perfectplay.audit.findings import Severity
from perfectplay.core.formatting import pluralize, quote
from perfectplay_foreign.adapter import Adapter, Move, Moves, Step
from perfectplay_foreign.environment import Environment, attributes
from perfectplay_foreign.probe import Probe, Suspect
from perfectplay_foreign.state import canonical_or_none

Tried = Literal["seen", "start", "positions", "ends"]
"""Which witnesses a code is tried with: those noticed while playing, the start, some positions, or ends
with one more move."""


class NotShown(Exception):
    """A witness that shows nothing: a move is not legal, say, or the game is over too early."""


class WitnessReplay:
    """A witness to be replayed from a fresh start, without copies.

    `most` is the largest reward that was seen at an end.
    """

    def __init__(self, env: Environment, suspect: Suspect, probe: Probe, most: float = 0.0) -> None:
        self.env, self.probe, self.most = env, probe, most
        self.seed, self.moves, self.claim = suspect.seed, suspect.moves, suspect.claim
        self.other = suspect.beside or ()
        """The moves to the second position."""
        self.move = format_move(self.moves[-1]) if self.moves else ""
        """The last move as it is shown."""
        self.where, self.there = when(len(self.moves) - 1), when(len(self.moves))
        """The positions before and after it, as the beginning of a sentence."""

    def fresh(self) -> Adapter:
        """The game at its start."""
        return self.env.fresh(self.seed)

    def after(self, moves: Moves) -> Adapter:
        """The game after some moves, each of them legal and none of them the end."""
        adapter = self.env.fresh(self.seed, strict=True)
        for move in moves:
            if move not in adapter.moves() or adapter.step(move).over:
                raise NotShown
        return adapter

    def play_all(self) -> Adapter:
        """The game after all moves, which are not checked."""
        return self.env.play(self.seed, self.moves)

    def before_legal(self) -> Adapter:
        """The game before the last move, which has to be legal."""
        adapter = self.after(self.moves[:-1])
        if self.moves[-1] not in adapter.moves():
            raise NotShown
        return adapter

    def legal_step(self) -> tuple[Adapter, Step]:
        """Make the last move, which has to be legal."""
        adapter = self.before_legal()
        return adapter, adapter.step(self.moves[-1])

    def state(self, adapter: Adapter) -> Hashable:
        """The position, in a form that can be compared."""
        if adapter.opaque:
            return adapter.key()
        found = attributes(adapter)
        names = sorted(self.probe.varying | found.keys())
        return tuple((name, canonical_or_none(found.get(name))) for name in names)


Predicate = Callable[[WitnessReplay], str | None]


class Code(NamedTuple):
    """A finding code."""

    name: str
    severity: Severity
    meaning: str
    tried: Tried
    never: bool
    """Whether it says that something never happens, which needs the whole graph; otherwise it is a note."""
    shows: Predicate
    """Replays a witness; returns what it shows as a sentence, or None if it shows nothing."""


CODES: dict[str, Code] = {}
"""All codes, by name."""


def code(
    name: str, severity: Severity, meaning: str, *, tried: Tried = "seen", never: bool = False
) -> Callable[[Predicate], Predicate]:
    """Register a predicate as the definition of a code."""

    def add(shows: Predicate) -> Predicate:
        CODES[name] = Code(name, severity, meaning, tried, never, shows)
        return shows

    return add


def when(plies: int) -> str:
    """A point in a game, as the beginning of a sentence."""
    return f"After {pluralize(plies, 'move', 'moves')}" if plies > 0 else "At the start"


def format_move(move: Move) -> str:
    """A move as it is shown."""
    return quote(move) if isinstance(move, str) else str(move).replace(" ", "")
