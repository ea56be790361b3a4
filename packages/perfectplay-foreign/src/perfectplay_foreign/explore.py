"""Visits the positions of an environment, nearest to the start first, and writes them down as numbers."""

from collections import Counter
from collections.abc import Hashable
from random import Random

from perfectplay_foreign.adapter import Adapter, Move, Moves, Step
from perfectplay_foreign.copies import ChangedError, Copies, DrawnError, choose_copies, trace
from perfectplay_foreign.environment import Environment, luck
from perfectplay_foreign.limits import MOST_LISTED
from perfectplay_foreign.probe import CONTRADICTIONS, Probe, Suspect
from perfectplay_foreign.protocol import trouble
from perfectplay_foreign.sandbox.limits import PLAYED
from perfectplay_foreign.state import canonical
from perfectplay_foreign.transitions import OPEN, WINS, TransitionTable

WATCH = 1_000
"""Attributes taken for constant are looked at again after this many moves."""
CHECKED = 24
"""How many positions are compared with a replay, and how many merged ones are played on."""
RESTARTS = 20
"""How often exploring is started again."""
ALIKE = 4
"""How many ends with the same negative reward are looked at."""

Way = tuple[int, Move]
"""A position, and a move made there."""


class Exploration:
    """A pass over the positions: the table, and what was seen on the way."""

    def __init__(self, env: Environment, probe: Probe, made: Copies, limit: int) -> None:
        self.env, self.probe, self.copies, self.limit = env, probe, made, limit
        listed = made.adapter.all_moves() or ()
        known = listed if len(listed) <= MOST_LISTED else ()
        self.numbers: dict[Move, int] = {move: number for number, move in enumerate(known)}
        self.ways: list[Way] = []
        """For each position, how it was first reached."""
        self.saved: list[object] = []
        self.legal: list[Moves] = []
        self.index: dict[Hashable, int] = {}
        self.quick: dict[tuple[bytes, int], int] = {}
        """The numbers of positions by their pickles and turns, which saves most canonical forms."""
        self.movers: list[Hashable] = []
        """For each position, who moves there, if the environment may say otherwise than its host."""
        self.looks: dict[Hashable, int] = {}
        self.sides: dict[Hashable, int] = {}
        self.table = env.table = TransitionTable()
        self.table.tried = made.adapter.tries
        self.suspects: list[Suspect] = []
        self.merged: list[tuple[int, Move, int]] = []
        """Moves that led to a position already known: where from, the move, and the position."""
        self.ends: list[Moves] = []
        self.won: dict[tuple[int, int], Moves] = {}
        """The first game that each side won, by who made the last move."""
        self.losses: Counter[float] = Counter()
        """How often each negative reward at an end was noted."""
        self.natural = False
        """Whether a game ended by its rules."""
        self.most = 0.0
        """The largest reward at an end."""
        self._luck = luck(made.adapter)
        self._rng = Random(0)

    def run(self) -> None:
        """Visit positions until all are known, or as many moves were tried as the limit allows."""
        self._add(self.copies.adapter, None, 0, self.copies.save(()))
        here, limits = 0, self.env.limits
        while here < len(self.legal) and len(self.table.actions) < self.limit and not limits.is_spent():
            self._expand(here)
            self.table.offsets.append(len(self.table.actions))
            here += 1
        self._watch()
        self.table.names = tuple(self.numbers)

    def _watch(self) -> None:
        """Start again if a random number was drawn, or something changed that was taken for constant."""
        if luck(self.copies.adapter) != self._luck:
            self.probe.watchful = True
            raise ChangedError
        self.copies.watch()

    def path(self, number: int) -> Moves:
        """The moves that first led to a position."""
        moves: list[Move] = []
        while number:
            number, move = self.ways[number]
            moves.append(move)
        return tuple(reversed(moves))

    def suspect(self, code: str, here: int, *moves: Move, sure: bool = True) -> None:
        """Note the first sign of a finding."""
        if all(each.code != code for each in self.suspects):
            path = (*self.path(here), *moves)
            self.suspects.append(Suspect(code, path, seed=self.probe.seed, sure=sure))

    def _expand(self, here: int) -> None:
        made, table = self.copies, self.table
        found = []
        for move in self.legal[here]:
            made.load(self.saved[here])
            adapter = made.adapter
            if self.env.at is not None:
                adapter.path[:] = self.path(here)
            number = self.numbers.setdefault(move, len(self.numbers))
            try:
                step = adapter.step(move)
            except Exception as error:  # noqa: BLE001 - somebody's code; the predicate looks at it again
                self.suspect(trouble(error, adapter, (move,)), here, move)
                found.append((number, OPEN))
                continue
            for code in adapter.violations:
                self.suspect(code, here, move)
            found.append((number, self._target(adapter, here, move, step)))
            if (self.probe.watchful or made.replays) and luck(adapter) != self._luck:
                raise DrawnError((*self.path(here), move))
            if not (len(table.actions) + len(found)) % WATCH:
                self._watch()
        found.sort()
        table.actions.extend([number for number, _ in found])
        table.targets.extend([target for _, target in found])

    def _target(self, adapter: Adapter, here: int, move: Move, step: Step) -> int:
        """The position or the end that a move has led to."""
        side = self.table.sides[here]
        if not step.over:
            if step.reward:
                self.suspect("legal-punished" if step.reward < 0 else "reward-before-end", here, move)
            saved = self.copies.save((*self.path(here), move) if self.copies.replays else ())
            return self._add(adapter, (here, move), side ^ 1, saved)
        self.copies.check()
        end, path = self.env.end(side, step), (*self.path(here), move)
        self.natural |= not step.cut
        self.most = max(self.most, step.reward)
        if step.reward < 0 and self.losses[step.reward] < ALIKE and len(self.losses) < CHECKED:
            self.losses[step.reward] += 1
            self.suspects.append(Suspect("legal-refused", path, seed=self.probe.seed, sure=False))
        if len(self.ends) < CHECKED:
            self.ends.append(path)
        if end in WINS:
            self.won.setdefault((end, side), path)
        return end

    def _add(self, adapter: Adapter, way: Way | None, turn: int, saved: object) -> int:
        """The number of the position that the adapter is in; a new one is written down."""
        alternates = self.probe.alternates
        pickled = (saved, turn if alternates else 0) if isinstance(saved, bytes) else None
        number = None if pickled is None else self.quick.get(pickled)
        if number is None:
            key = self.copies.key()
            side = turn if alternates else self._side(adapter)
            if alternates:
                key = (key, side)
                if self.probe.stuck:
                    self.probe.movers.add(adapter.mover())
                    if not self.probe.stuck:  # the side to move does change, though seldom
                        raise ChangedError
            number = self.index.setdefault(key, len(self.saved))
            if pickled is not None:
                self.quick[pickled] = number
        if number < len(self.saved):
            self._merge(way, number)
            return number
        self.saved.append(saved)
        self.ways.append(way or (0, 0))
        self.table.sides.append(side)
        look = canonical(adapter.look())
        self.table.looks.append(self.looks.setdefault(look, len(self.looks)))
        try:
            self.legal.append(adapter.moves())
        except Exception:  # noqa: BLE001 - somebody's code; the predicate looks at it again
            self.legal.append(())
            self.suspect("crash" if way else "moves-fail", number)
            self.table.open_positions.add(number)
        if not self.legal[-1] and number not in self.table.open_positions:
            self.suspect("dead-end", number)
        if way is not None and self.table.sides[way[0]] == side:
            self.suspect("turn-kept", *way)
        if self.env.alternating:
            self.movers.append(adapter.mover())
            self.probe.movers.add(self.movers[-1])
            if way is not None and self.movers[number] == self.movers[way[0]] is not None:
                for code in CONTRADICTIONS:
                    self.suspect(code, *way, sure=False)
        return number

    def _merge(self, way: Way | None, number: int) -> None:
        """Keep a sample of all merges, each as likely to be in it."""
        if way is None or self.ways[number] == way:
            return
        self.table.merges += 1
        place = self._rng.randrange(self.table.merges)
        if len(self.merged) < CHECKED:
            self.merged.append((*way, number))
        elif place < CHECKED:
            self.merged[place] = (*way, number)

    def _side(self, adapter: Adapter) -> int:
        mover = adapter.mover()
        side = self.sides.setdefault(mover, len(self.sides))
        if side > 1:
            self.probe.movers.add(mover)
            raise ChangedError
        return side

    def compare(self) -> None:
        """Compare copies with replays, and merged positions with each other."""
        seed, numbers = self.probe.seed, range(1, len(self.saved))
        for number in self._rng.sample(numbers, min(CHECKED, len(numbers))):
            if self.env.limits.late(PLAYED):
                return
            path = self.path(number)
            self.copies.load(self.saved[number])
            copied = self.copies.key(), trace(self.copies.adapter, Random(number), 4)
            straight = type(self.copies)(self.env, seed, self.copies.varying)
            for move in path:
                straight.adapter.step(move)
            if copied != (straight.key(), trace(straight.adapter, Random(number), 4)):
                self.suspects.append(Suspect("copy-differs", path, seed=seed))
                break
        for here, move, number in self.merged:
            if self.env.limits.late(PLAYED):
                return
            paths = (*self.path(here), move), self.path(number)
            # One after the other: they may share something.
            one, other = [trace(self.env.play(seed, path), Random(number), 6) for path in paths]
            if one != other:
                self.suspects.append(Suspect("merge-differs", *paths, seed))
                break


def explore(env: Environment, probe: Probe, limit: int) -> Exploration:
    """Visit the positions; start again whenever something changes that was taken for constant."""
    for _ in range(RESTARTS):
        try:
            copies = choose_copies(env, probe.seed, frozenset(probe.varying))
            done = Exploration(env, probe, copies, limit)
            done.run()
            try:
                if env.limits.ran_out != "memory":  # a comparison takes more of it
                    done.compare()
            except ChangedError:
                raise
            except Exception as error:  # moves were made that cannot be made again
                raise DrawnError from error
            return done
        except ChangedError as error:
            probe.varying |= error.names
    raise ChangedError
