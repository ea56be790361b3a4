"""Looks for findings: plays on beyond the table, and tries witnesses until a predicate shows something."""

from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import suppress
from random import Random

from perfectplay_foreign.adapter import Adapter, Move, Moves, StartError, Step
from perfectplay_foreign.copies import ChangedError, Copies
from perfectplay_foreign.environment import Environment, play_randomly, read
from perfectplay_foreign.explore import ALIKE, Exploration
from perfectplay_foreign.findings import CODES, Code, WitnessReplay
from perfectplay_foreign.findings.play import ENDLESS
from perfectplay_foreign.probe import Probe, Spot, Suspect
from perfectplay_foreign.protocol import trouble
from perfectplay_foreign.records import Found, rank
from perfectplay_foreign.sandbox.limits import PLAYED
from perfectplay_foreign.transitions import WINS

POSITIONS, ENDS, LATE = 12, 8, 4
"""How many positions and ends are looked at, and how many late moves are tried in each."""
RANDOM_GAMES, RANDOM_MOVES, SQUEEZES, SQUEEZED = 40, 12_000, 8, 4_000
"""Random games beyond the table, squeezing games, and how many moves these may try in all."""
ILLEGAL_AT, ILLEGAL_MET, ILLEGAL = 120, 40, 8
"""In how many positions of the table and of random games illegal moves are tried, and how many in each."""
LISTED, WIDEST = 1_000, 30
"""How many moves of the action space are looked at for illegal ones, and how many a squeezing game tries."""


class Conduct:
    """Collects what may be findings, then keeps what replays."""

    def __init__(self, env: Environment, probe: Probe) -> None:
        self.env, self.probe, self.seed = env, probe, probe.seed
        self.suspects = list(probe.suspects)
        self.positions = [Spot(self.seed, ())]
        self.ends = [Spot(self.seed, moves) for moves in probe.ended]
        self.met: list[Spot] = []
        """Positions of random games that have an illegal move."""
        self.noted: Counter[Hashable] = Counter()
        """How often something was noted that need not be a finding."""
        self.most = 0.0
        """The largest reward at an end."""
        self.dropped: list[str] = []
        self.unlisted = False
        """Whether illegal moves would be tried, but nothing lists all moves."""
        self.rng = Random(1)
        if probe.stuck:
            self.suspects.append(Suspect("turn-stuck", probe.longest, seed=self.seed))

    def add_explored(self, done: Exploration) -> None:
        """Take over what exploring has shown."""
        self.suspects += done.suspects
        numbers = range(1, done.table.visited)
        sample = self.rng.sample(numbers, min(POSITIONS - 1, len(numbers)))
        self.positions += [Spot(self.seed, done.path(number)) for number in sample if done.legal[number]]
        self.ends += [Spot(self.seed, moves) for moves in done.ends]
        self.most = done.most
        if done.ends and not done.natural:
            self.suspects.append(Suspect("cut-only", done.ends[0], seed=self.seed))
        if done.table.whole and done.won.keys() == {(WINS[0], 0), (WINS[0], 1)}:
            one, other = done.won[WINS[0], 1], done.won[WINS[0], 0]
            self.suspects.append(Suspect("reward-contradicted", one, other, self.seed, sure=False))
        first: dict[int, int] = {}
        for number in range(done.table.visited):
            like = first.setdefault(done.table.looks[number], number)
            if set(done.legal[like]) != set(done.legal[number]):
                one, other = done.path(number), done.path(like)
                self.suspects.append(Suspect("observation-hides", one, other, self.seed))
                return

    def play_on(self, games: int = RANDOM_GAMES) -> None:
        """Play random games to their ends, as far as they have one, each from a seed of its own."""
        left = RANDOM_MOVES
        for game in range(games):
            left -= self._random_game(self.seed + game, Random(f"{self.seed}/{game}"))
            if left <= 0 or self.env.limits.late(PLAYED):
                break

    def _random_game(self, seed: int, rng: Random) -> int:
        """Play a random game; returns how many moves it took."""
        try:
            adapter = self.env.fresh(seed)
        except StartError as error:  # not at every start
            self.suspects.append(Suspect(error.code, seed=seed))
            return 0
        path: Moves = ()
        for path, seen in play_randomly(adapter, rng, ENDLESS):
            spot = Spot(seed, path)
            if self.env.limits.late(PLAYED):
                return len(path)
            if isinstance(seen, Exception):
                self.suspects.append(Suspect(trouble(seen, adapter, path), path, seed=seed))
                return len(path)
            if isinstance(seen, Step):
                for code in adapter.violations:
                    self._note(code, spot, None)
                self._note_reward(seen, spot)
                if seen.over:
                    return len(path)
                continue
            every = adapter.all_moves()
            self.unlisted |= every is None and self._refuses
            if len(seen) < len(every or ()):
                self.met.append(spot)
            if not seen:
                self.suspects.append(Suspect("dead-end", path, seed=seed))
                return len(path)
        self.suspects.append(Suspect("endless-sampled", path, seed=seed))
        return len(path)

    def _note(self, code: str, spot: Spot, like: Hashable) -> None:
        """Note a possible finding, unless there are several like it."""
        self.noted[code, like] += 1
        if self.noted[code, like] <= ALIKE:
            self.suspects.append(Suspect(code, spot.moves, seed=spot.seed, sure=False))

    def _note_reward(self, step: Step, spot: Spot) -> None:
        if step.over:
            self.ends.append(spot)
            self.most = max(self.most, step.reward)
        if step.reward < 0:
            self._note("legal-refused" if step.over else "legal-punished", spot, step.reward)
        elif step.reward and not step.over:
            self._note("reward-before-end", spot, step.reward)

    def squeeze(self, done: Exploration | None) -> None:
        """Play games in which each move leaves the opponent as few replies as possible."""
        varying, left = frozenset(self.probe.varying), SQUEEZED
        way = Copies if done is None else type(done.copies)  # copies do not keep what chance does
        for game in range(SQUEEZES):
            if self.env.limits.late(PLAYED):
                return
            try:
                made = way(self.env, self.seed + game, varying)
                share = left // (SQUEEZES - game) if made.replays else left
                left -= self._play_squeezing_game(made, Random(f"squeeze/{game}"), share)
            except ChangedError:
                raise
            except Exception:  # noqa: BLE001 - it fails at this start, or is another game each time
                continue

    def _play_squeezing_game(self, made: Copies, rng: Random, most: int) -> int:
        """Play a squeezing game; returns how many moves were tried."""
        path: list[Move] = []
        tried, moves = 0, made.adapter.moves()
        while moves and tried < most and len(path) < ENDLESS and not self.env.limits.late(PLAYED):
            here = made.save(tuple(path))
            best: tuple[int, Move, Moves] | None = None
            for move in rng.sample(moves, min(len(moves), WIDEST)):
                tried += 1 + made.replays * len(path)
                made.load(here)
                made.adapter.path[:] = path
                try:
                    step = made.adapter.step(move)
                    self._note_reward(step, Spot(made.seed, (*path, move)))
                    replies = () if step.over else made.adapter.moves()
                except Exception as error:  # noqa: BLE001 - the predicate looks at it again
                    code = trouble(error, made.adapter, (move,))
                    self.suspects.append(Suspect(code, (*path, move), seed=made.seed))
                    return tried
                if not step.over and (best is None or len(replies) < best[0]):
                    best = len(replies), move, replies
            if best is None:
                break
            _, move, moves = best
            made.load(here)
            made.adapter.path[:] = path
            made.adapter.step(move)
            path.append(move)
            if not moves:
                self.suspects.append(Suspect("dead-end", tuple(path), seed=made.seed))
        return tried

    def try_illegal(self, done: Exploration | None) -> None:
        """Try moves that are not in the list, where the library promises that they are refused."""
        if not self._refuses:
            return
        most = ILLEGAL_AT if done is None else ILLEGAL_MET
        spots = self.rng.sample(self.met, min(len(self.met), most))
        if done is not None:
            every = len(done.copies.adapter.all_moves() or ())
            numbers = [number for number in range(done.table.visited) if len(done.legal[number]) < every]
            sample = self.rng.sample(numbers, min(ILLEGAL_AT, len(numbers)))
            spots += [Spot(self.seed, done.path(number)) for number in sample]
        for spot in spots:
            if self.env.limits.late(PLAYED):
                return
            with suppress(Exception):  # its moves cannot be listed, or it is another game this time
                self._try_at(spot)

    def _try_at(self, spot: Spot) -> None:
        for move in self._illegal(self.env.play(*spot)):
            if self.env.limits.late(PLAYED):
                return
            adapter = self.env.play(*spot)
            before, after = read(adapter), Spot(spot.seed, (*spot.moves, move))
            step = None
            try:
                step = adapter.step(move)
            except Exception as error:  # noqa: BLE001 - one way to refuse
                self._note("illegal-crashes", after, type(error).__name__)
            changed = read(adapter) != before
            if step is None or step.reward < 0:
                if changed and (step is None or not step.over):
                    self._note("illegal-changes", after, step and step.reward)
            elif changed or step.reward or step.over:
                self._note("illegal-accepted", after, step.reward)

    def _illegal(self, adapter: Adapter) -> list[Move]:
        """Some illegal moves: the first and the last, those beside legal ones, and others."""
        every, legal = adapter.all_moves() or (), set(adapter.moves())
        places, known = range(len(every)), sorted(every.index(move) for move in legal if move in every)
        beside = [edge + by for edge in {*known[:1], *known[-1:]} for by in (-1, 1)]
        others = self.rng.sample(places, min(len(every), LISTED))
        picked = (every[place] for place in (0, len(every) - 1, *beside, *others) if place in places)
        return [move for move in dict.fromkeys(picked) if move not in legal][:ILLEGAL]

    def findings(self, whole: bool) -> list[Found]:
        """What replays, problems first."""
        found = [each for code in CODES.values() for each in self.first(code, whole)]
        return sorted(found, key=rank)

    def first(self, code: Code, whole: bool) -> Iterator[Found]:
        """The finding of a code, with the first witness that replays; nothing if none does."""
        tried = [] if self.env.limits.late() else list(self._witnesses(code))
        for suspect in tried:
            if self.env.limits.late():
                return
            if (found := self.replay(code, suspect)) is not None:
                if code.never and not whole:
                    found = found.weaken()
                # Where moves are only tried, that none is taken does not prove that there is none.
                if code.name == "dead-end" and self.env.adapter is not None and self.env.adapter.tries:
                    found = found._replace(severity="note")
                yield found
                return
        if code.tried == "seen" and any(each.sure for each in tried):
            self.dropped.append(code.name)

    @property
    def _refuses(self) -> bool:
        """Whether the library promises to refuse moves that are not legal."""
        return self.env.adapter is not None and self.env.adapter.refuses

    def replay(self, code: Code, suspect: Suspect) -> Found | None:
        """The finding that a witness shows when it is replayed; None if it shows nothing."""
        try:
            text = code.shows(WitnessReplay(self.env, suspect, self.probe, self.most))
        except Exception:  # noqa: BLE001 - it cannot be played, or fails in a way that has a code of its own
            return None
        if text is None:
            return None
        return Found(code.name, code.severity, text, suspect.seed, suspect.moves, suspect.beside)

    def _witnesses(self, code: Code) -> Iterator[Suspect]:
        if code.tried == "seen":
            seen = [each for each in self.suspects if each.code == code.name]
            if code.name != "legal-refused":
                seen.sort(key=lambda each: len(each.moves))
            yield from seen
        elif code.tried == "start":
            yield Suspect(code.name, seed=self.seed)
        else:
            for spot in self.positions if code.tried == "positions" else self._after_ends():
                yield Suspect(code.name, spot.moves, seed=spot.seed)

    def _after_ends(self) -> Iterator[Spot]:
        """Ends of games with one more move."""
        for seed, path in sorted(self.ends, key=lambda end: len(end.moves))[: ENDS if self._refuses else 0]:
            try:
                moves = self.env.play(seed, path[:-1]).moves()
            except Exception:  # noqa: BLE001 - somebody's code
                continue
            for move in moves[:LATE]:
                yield Spot(seed, (*path, move))
