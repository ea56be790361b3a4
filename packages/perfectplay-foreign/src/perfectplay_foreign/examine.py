"""The work in the sandbox: explore one environment, and replay every finding."""

from collections.abc import Hashable, Iterable, Iterator

from perfectplay_foreign.adapter import Adapter, StartError, UnavailableError
from perfectplay_foreign.conduct import RANDOM_GAMES, Conduct
from perfectplay_foreign.copies import ChangedError, DrawnError
from perfectplay_foreign.drawing import draw_all, find_rules
from perfectplay_foreign.environment import Environment
from perfectplay_foreign.explore import Exploration, explore
from perfectplay_foreign.findings import CODES
from perfectplay_foreign.limits import MOVES
from perfectplay_foreign.probe import Probe, Suspect
from perfectplay_foreign.records import Found
from perfectplay_foreign.transitions import OPEN

UNSOUND = ("not-repeatable", "random-step", "clock", "copy-differs", "merge-differs")
"""With these findings, what was explored is not the game: a table of it would say nothing."""

PASSES, FEW_GAMES = 3, 3
"""How often exploring is started again, and how many random games are played beside a whole table."""


class Examination:
    """An environment under examination: what was found, and the table in `done`."""

    def __init__(self, env: Environment, *, seed: int = 0, moves: int = MOVES, draw: bool = False) -> None:
        self.env, self.seed = env, seed
        self.done: Exploration | None = None
        self.conduct = nothing = Conduct(env, Probe(env, seed, games=0))
        try:
            if env.fresh(seed).is_over_at_start():
                raise StartError("over-at-start", "")
            self.conduct = Conduct(env, Probe(env, seed))
            self._explore(moves)
            if self.conduct.probe.unreadable:
                self.conduct.suspects.append(Suspect("unreadable", seed=seed))
        except UnavailableError:
            raise
        except StartError as error:  # at once, or at one of many starts
            self.conduct.suspects.append(Suspect(error.code, seed=seed))
            if self.conduct is nothing:
                self.findings = list(nothing.first(CODES[error.code], True))
                return
        self.findings = self.conduct.findings(self.done is not None and self.done.table.whole)
        if any(each.code in UNSOUND for each in self.findings):
            self.done = None
            self.findings = [each.weaken() if CODES[each.code].never else each for each in self.findings]
        if draw and self.done is not None:
            self.done.table.pictures, self.done.table.drawn = draw_all(_positions(self.done))
            self.done.table.rules = find_rules(self.done.copies.adapter)

    def _explore(self, moves: int) -> None:
        probe = self.conduct.probe
        if any(each.code == "moves-fail" for each in probe.suspects):
            return
        unsure = probe.chance or self._shows("not-repeatable")
        for _ in range(0 if unsure else PASSES):
            try:
                self.done = explore(self.env, probe, moves)
                self.conduct = Conduct(self.env, probe)
                self.conduct.add_explored(self.done)
                if not self.env.limits.ran_out:
                    self._play(self.done)
                return
            except ChangedError as error:  # the findings of this pass are dropped
                probe.varying |= error.names
            except DrawnError as error:
                self.conduct.suspects.append(Suspect("random-step", error.moves, seed=self.seed, sure=False))
                break
        self.done = None
        self._play(None)

    def _play(self, done: Exploration | None) -> None:
        """Play games beside the table: more of them if it is not whole, or if there are other starts."""
        few = done is not None and done.table.whole
        few = few and not self._shows("random-setup") and not self._shows("seed-ignored")
        self.conduct.play_on(FEW_GAMES if few else RANDOM_GAMES)
        if not few:
            self.conduct.squeeze(done)
        self.conduct.try_illegal(done)

    def _shows(self, code: str) -> bool:
        """Whether the start shows a finding."""
        return self.conduct.replay(CODES[code], Suspect(code, seed=self.seed)) is not None

    def as_dict(self) -> dict[str, object]:
        """Everything that leaves the sandbox, as data for JSON."""
        return {
            "findings": [each.record() for each in self.findings],
            "dropped": self.conduct.dropped,
            "table": None if self.done is None else self.done.table.as_dict(),
            "cut_short": self.env.limits.ran_out,
            "unlisted": self.conduct.unlisted,
        }

    def replay(self, suspects: Iterable[Suspect]) -> list[Found | bool]:
        """Replay witnesses that were found in the table: for each, a finding, or whether it holds."""
        return [
            self.leads(each) if not each.code else self.conduct.replay(CODES[each.code], each) or False
            for each in suspects
        ]

    def leads(self, suspect: Suspect) -> bool:
        """Whether moves are legal in turn, and lead to an end, or to a position that is not over."""
        moves, end, alternates = suspect.moves, suspect.end, self.conduct.probe.alternates
        adapter = self.env.fresh(self.seed)
        sides: dict[Hashable, int] = {}
        target = 0
        for ply, move in enumerate(moves):
            try:
                if target < 0 or move not in adapter.moves():
                    return False
                side = ply % 2 if alternates else sides.setdefault(adapter.mover(), len(sides))
                step = adapter.step(move)
            except Exception:  # noqa: BLE001 - somebody's code
                return end == OPEN and ply == len(moves) - 1
            target = self.env.end(side, step) if step.over else 0
        return target == end if end < 0 else target == 0


def _positions(done: Exploration) -> Iterator[Adapter]:
    for saved in done.saved:
        done.copies.load(saved)
        yield done.copies.adapter
