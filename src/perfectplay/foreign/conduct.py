"""Looks for findings: plays on beyond the table, and tries witnesses until a predicate shows something."""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from perfectplay.audit.findings import Severity
from perfectplay.foreign.environment import Environment
from perfectplay.foreign.explore import Explored
from perfectplay.foreign.face import Move, listed
from perfectplay.foreign.findings import CODES, ORDER, Code, NotShown, Stand
from perfectplay.foreign.findings.play import ENDLESS
from perfectplay.foreign.probe import Path, Probe, Suspect
from perfectplay.foreign.protocol import trouble

POSITIONS, ILLEGAL, ENDS, LATE = 12, 8, 8, 4
"""How many positions and ends are looked at, and how many illegal and late moves are tried in each."""
RANDOM_GAMES, SQUEEZES, SQUEEZED = 12, 8, 4_000
"""Random games beyond the table, squeezing games, and how many moves these may try in all."""


class Found(NamedTuple):
    """A finding about an environment; its witness has replayed."""

    code: str
    severity: Severity
    text: str
    seed: int = 0
    witness: Path = ()
    beside: Path | None = None

    def as_dict(self) -> dict[str, Any]:
        """The finding as data for JSON."""
        found = self._asdict()
        found["witness"] = [listed(move) for move in self.witness]
        found["beside"] = None if self.beside is None else [listed(move) for move in self.beside]
        return found


class Conduct:
    """Collects what may be findings, then keeps what replays."""

    def __init__(self, env: Environment, probe: Probe | None, seed: int) -> None:
        self.env, self.probe, self.seed = env, probe, seed
        self.suspects: list[Suspect] = [] if probe is None else list(probe.suspects)
        self.positions: list[Path] = [()]
        self.ends: list[Path] = [] if probe is None else list(probe.ended)
        self.dropped: list[str] = []
        self.rng = Random(1)

    def suspect(self, code: str, moves: Path = (), **more: Any) -> None:
        """Note a possible finding."""
        self.suspects.append(Suspect(code, moves, seed=self.seed, **more))

    def explored(self, done: Explored) -> None:
        """Take over what exploring has shown."""
        self.suspects += done.suspects
        numbers = range(1, done.table.visited)
        sample = self.rng.sample(numbers, min(POSITIONS - 1, len(numbers)))
        self.positions += [path for number in sample if done.legal[number] for path in [done.path(number)]]
        self.ends += done.ends
        if done.cuts and not done.natural:
            self.suspect("cut-only", done.ends[0])
        if done.kept and not done.passed and done.ends:
            self.suspect("turn-stuck", max(done.ends, key=len))
        self._same_looks(done)

    def _same_looks(self, done: Explored) -> None:
        first: dict[int, int] = {}
        for number in range(done.table.visited):
            like = first.setdefault(done.table.looks[number], number)
            if set(done.legal[like]) != set(done.legal[number]):
                self.suspect("observation-hides", done.path(number), beside=done.path(like))
                return

    def play_on(self, games: int = RANDOM_GAMES) -> None:
        """Play random games to their ends, as far as they have one."""
        for game in range(games):
            if self.env.net.late():
                return
            self._random_game(Random(f"{self.seed}/{game}"))

    def _random_game(self, rng: Random) -> None:
        face = self.env.fresh(self.seed)
        path: list[Move] = []
        while len(path) < ENDLESS:
            try:
                moves = face.moves()
                if not moves:
                    return self.suspect("dead-end", tuple(path))
                path.append(rng.choice(moves))
                if face.step(path[-1]).over:
                    self.ends.append(tuple(path))
                    return
            except Exception as error:  # noqa: BLE001 - the predicate looks at it again
                return self.suspect(trouble(error, face), tuple(path))
        self.suspect("endless-sampled", tuple(path))

    def squeeze(self, done: Explored) -> None:
        """Play games in which each move leaves the opponent as few replies as possible."""
        left, made = SQUEEZED, done.copies
        for game in range(SQUEEZES):
            rng = Random(f"squeeze/{game}")
            path: list[Move] = []
            made.load(done.saved[0])
            moves = done.legal[0]
            while moves and left > 0 and len(path) < ENDLESS:
                here = made.save(tuple(path))
                best: list[tuple[int, int, Move, tuple[Move, ...]]] = []
                for move in rng.sample(moves, min(len(moves), 30)):
                    left -= 1
                    made.load(here)
                    try:
                        if not made.face.step(move).over:
                            replies = made.face.moves()
                            best.append((len(replies), len(best), move, replies))
                    except Exception as error:  # noqa: BLE001 - the predicate looks at it again
                        return self.suspect(trouble(error, made.face), (*path, move))
                if not best:
                    break
                _, _, move, moves = min(best, key=lambda each: each[:2])
                path.append(move)
                made.load(here)
                made.face.step(move)
                if not moves:
                    self.suspect("dead-end", tuple(path))

    def findings(self, whole: bool) -> Iterator[Found]:
        """What replays, problems first."""
        found = [each for code in CODES.values() for each in self.first(code, whole)]
        return iter(sorted(found, key=lambda each: ORDER.index(each.severity)))

    def first(self, code: Code, whole: bool) -> Iterator[Found]:
        """The finding of a code, with the first witness that replays; nothing if none does."""
        tried = [] if self.env.net.late() else list(self._witnesses(code))
        for suspect in tried:
            if self.env.net.late():
                return
            text = self.shown(code, suspect)
            if text is not None:
                unsure = (code.never and not whole) or (code.name == "dead-end" and self._tries)
                severity = "note" if unsure else code.severity
                yield Found(code.name, severity, text, suspect.seed, suspect.moves, suspect.beside)
                return
        if code.tried == "seen" and any(each.sure for each in tried):
            self.dropped.append(code.name)

    @property
    def _tries(self) -> bool:
        """Whether the moves are only tried: that none is taken does not prove that there is none."""
        return self.env.face is not None and self.env.face.tries

    def shown(self, code: Code, suspect: Suspect) -> str | None:
        """What a witness shows when it is replayed; None if nothing."""
        varying = frozenset(self.probe.varying) if self.probe is not None else frozenset[str]()
        stand = Stand(self.env, suspect, varying, self.probe is not None and self.probe.alternates)
        try:
            return code.shows(stand)
        except NotShown:
            return None
        except Exception:  # noqa: BLE001 - somebody's code fails in another way, which has a code of its own
            return None

    def _witnesses(self, code: Code) -> Iterator[Suspect]:
        seen = [each for each in self.suspects if each.code == code.name]
        if code.tried == "seen":
            yield from (
                sorted(seen, key=lambda each: len(each.moves)) if code.name != "legal-refused" else seen
            )
        elif code.tried == "start":
            yield Suspect(code.name, seed=self.seed)
        elif self.probe is not None:
            paths = {"positions": self._at, "illegal": self._illegal, "ends": self._late}[code.tried]
            for moves in paths():
                yield Suspect(code.name, moves, seed=self.seed)

    def _at(self) -> Iterator[Path]:
        yield from self.positions

    def _illegal(self) -> Iterator[Path]:
        for path in self.positions:
            try:
                face = self.env.played(self.seed, path)
                legal = set(face.moves())
            except Exception:  # noqa: BLE001 - somebody's code
                continue
            every = [move for move in face.all_moves() or () if move not in legal]
            for move in self.rng.sample(every, min(ILLEGAL, len(every))):
                yield (*path, move)

    def _late(self) -> Iterator[Path]:
        for path in sorted(self.ends, key=len)[:ENDS]:
            try:
                moves = list(self.env.played(self.seed, path[:-1]).moves())
            except Exception:  # noqa: BLE001 - somebody's code
                continue
            for move in moves[:LATE]:
                yield (*path, move)
