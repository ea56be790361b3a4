"""What a finding code is: its severity, its meaning, and a predicate that replays its witness."""

from collections.abc import Callable, Hashable
from typing import Literal, NamedTuple

from perfectplay.audit.findings import Severity
from perfectplay.core.wording import pluralize, quote
from perfectplay.foreign.adapter import Adapter, Move, Step
from perfectplay.foreign.environment import Environment, attributes
from perfectplay.foreign.probe import Moves, Probe, Suspect
from perfectplay.foreign.state import UnreadableError, canonical

Tried = Literal["seen", "start", "positions", "ends"]
"""Which witnesses a code is tried with: those noticed while playing, the start, some positions, or ends
with one more move."""


class NotShown(Exception):
    """A witness that cannot be played: a move is not legal, or the game is over before the last one."""


class WitnessReplay:
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
    def move(self) -> str:
        """The last move as it is shown."""
        return format_move(self.last)

    @property
    def where(self) -> str:
        """When the last move is made, as the beginning of a sentence."""
        return when(len(self.moves) - 1)

    def before(self) -> Adapter:
        """The game before the last move."""
        return self.after(self.moves[:-1])

    def after(self, moves: Moves) -> Adapter:
        """The game after some moves, each of them legal and none of them the end."""
        adapter = self.env.fresh(self.seed, strict=True)
        for move in moves:
            if move not in adapter.moves() or adapter.step(move).over:
                raise NotShown
        return adapter

    def legal_step(self) -> tuple[Adapter, Step]:
        """Make the last move, which has to be legal."""
        adapter = self.before()
        if self.last not in adapter.moves():
            raise NotShown
        return adapter, adapter.step(self.last)

    def state(self, adapter: Adapter) -> Hashable:
        """The position, in a form that can be compared."""
        found = attributes(adapter)
        if adapter.holder is None:
            return adapter.key()
        return tuple((name, _canonical(found.get(name))) for name in sorted(self.varying | found.keys()))


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
    return f"After {pluralize(plies, 'move', 'moves')}" if plies else "At the start"


def format_move(move: Move) -> str:
    """A move as it is shown."""
    return quote(move) if isinstance(move, str) else str(move).replace(" ", "")


def _canonical(value: object) -> Hashable:
    try:
        return canonical(value)
    except (UnreadableError, RecursionError):
        return None
