"""What a finding code is: its severity, its meaning, and a predicate that replays its witness."""

from collections.abc import Callable, Hashable
from typing import Literal, NamedTuple

from perfectplay.audit.findings import Severity
from perfectplay.core.wording import counted, quoted
from perfectplay.foreign.adapter import Face, Move, Step
from perfectplay.foreign.environment import Environment, attributes
from perfectplay.foreign.probe import Path, Probe, Suspect
from perfectplay.foreign.state import UnreadableError, canonical

Tried = Literal["seen", "start", "positions", "ends"]
"""Which witnesses a code is tried with: those noticed while playing, the start, some positions, or ends
with one more move."""


class NotShown(Exception):
    """A witness that cannot be played: a move is not legal, or the game is over before the last one."""


class Stand:
    """A witness to be replayed from a fresh start, without copies."""

    def __init__(self, env: Environment, suspect: Suspect, probe: Probe | None, most: float = 0.0) -> None:
        self.env, self.seed = env, suspect.seed
        self.moves, self.beside, self.claim = suspect.moves, suspect.beside, suspect.claim
        self.varying = frozenset[str]() if probe is None else frozenset(probe.varying)
        self.silent = probe is not None and probe.silent
        self.alternates = probe is not None and probe.alternates
        self.most = most
        """The largest reward that was seen at an end."""

    @property
    def last(self) -> Move:
        """The last move of the witness."""
        if not self.moves:
            raise NotShown
        return self.moves[-1]

    @property
    def where(self) -> str:
        """When the last move is made, as the beginning of a sentence."""
        return when(len(self.moves) - 1)

    def before(self) -> Face:
        """The game before the last move."""
        return self.after(self.moves[:-1])

    def after(self, moves: Path) -> Face:
        """The game after some moves, each of them legal and none of them the end."""
        face = self.env.fresh(self.seed, strict=True)
        for move in moves:
            if move not in face.moves() or face.step(move).over:
                raise NotShown
        return face

    def legal_step(self) -> tuple[Face, Step]:
        """Make the last move, which has to be legal."""
        face = self.before()
        if self.last not in face.moves():
            raise NotShown
        return face, face.step(self.last)

    def state(self, face: Face) -> Hashable:
        """The position, in a form that can be compared."""
        found = attributes(face)
        if face.holder is None:
            return face.key()
        return tuple((name, _canonical(found.get(name))) for name in sorted(self.varying | found.keys()))


Predicate = Callable[[Stand], str | None]


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


ORDER: tuple[Severity, ...] = ("problem", "warning", "note")
"""Severities, the worst first."""

CODES: dict[str, Code] = {}
"""All codes, by name."""


def code(
    name: str, severity: Severity, meaning: str, *, tried: Tried = "seen", never: bool = False
) -> Callable[[Predicate], Predicate]:
    """Register a predicate as the definition of a code."""

    def added(shows: Predicate) -> Predicate:
        CODES[name] = Code(name, severity, meaning, tried, never, shows)
        return shows

    return added


def when(plies: int) -> str:
    """A point in a game, as the beginning of a sentence.

    >>> when(0), when(2)
    ('At the start', 'After 2 moves')
    """
    return f"After {counted(plies, 'move', 'moves')}" if plies else "At the start"


def told(move: Move) -> str:
    """A move as it is shown."""
    return quoted(move) if isinstance(move, str) else str(move).replace(" ", "")


def _canonical(value: object) -> Hashable:
    try:
        return canonical(value)
    except (UnreadableError, RecursionError):
        return None
