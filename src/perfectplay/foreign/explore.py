"""Visits the positions of an environment, nearest to the start first, and writes them down as numbers."""

from collections import Counter
from collections.abc import Hashable, Iterator
from random import Random
from typing import Any

from perfectplay.foreign.adapter import Adapter, Move
from perfectplay.foreign.copies import ChangedError, Copies, DrawnError, copies, trace
from perfectplay.foreign.environment import Environment, global_luck, own_luck
from perfectplay.foreign.probe import Moves, Probe, Suspect
from perfectplay.foreign.protocol import trouble
from perfectplay.foreign.sandbox.limits import PLAYED
from perfectplay.foreign.state import canonical
from perfectplay.foreign.transitions import OPEN, TransitionTable, end_target

MOST_MOVES = 100_000
"""A larger action space is not listed: its moves are numbered as they are met."""
WATCH = 1_000
"""Attributes taken for constant are looked at again after this many moves."""
CHECKED = 24
"""How many positions are compared with a replay, and how many merged ones are played on."""
RESTARTS = 20
"""How often exploring is started again."""
ALIKE = 4
"""How many ends with the same negative reward are looked at."""


class Explored:
    """A pass over the positions: the table, and what was seen on the way."""

    def __init__(self, env: Environment, probe: Probe, made: Copies, limit: int) -> None:
        self.env, self.probe, self.copies, self.limit = env, probe, made, limit
        listed = made.adapter.all_moves()
        known = listed if listed is not None and len(listed) <= MOST_MOVES else ()
        self.numbers: dict[Move, int] = {move: number for number, move in enumerate(known)}
        self.ways: list[tuple[int, Move]] = []
        """For each position, the one it was first reached from, and the move."""
        self.saved: list[Any] = []
        self.legal: list[tuple[Move, ...]] = []
        self.index: dict[Hashable, int] = {}
        self.quick: dict[bytes, int] = {}
        self.looks: dict[Hashable, int] = {}
        self.sides: dict[Hashable, int] = {}
        self.table = env.table = TransitionTable()
        self.table.tried = made.adapter.tries
        self.suspects: list[Suspect] = []
        self.merged: list[tuple[int, Move, int]] = []
        """Moves that led to a position already known: where from, the move, and the position."""
        self.ends: list[Moves] = []
        self.losses: Counter[float] = Counter()
        """How often each negative reward at an end was noted."""
        self.cuts = self.natural = self.kept = self.passed = 0
        self.most = 0.0
        """The largest reward at an end."""
        self._luck = self._luck_now()
        self._rng = Random(0)

    def run(self) -> None:
        """Visit positions until all are known, or as many moves were tried as the limit allows."""
        self._add(self.copies.adapter, None, 0)
        for here in _growing(self.legal):
            if len(self.table.actions) >= self.limit:
                break
            if self.env.limits.spent():
                break
            self._expand(here)
            self.table.offsets.append(len(self.table.actions))
        self._watch()
        self.table.names = tuple(self.numbers)

    def _luck_now(self) -> Hashable:
        return global_luck(), tuple(own_luck(self.copies.adapter).items())

    def _watch(self) -> None:
        """Start again if a random number was drawn, or something changed that was taken for constant."""
        if self._luck_now() != self._luck:
            self.probe.watchful = True
            raise ChangedError(())
        self.copies.watch()

    def path(self, number: int) -> Moves:
        """The moves that first led to a position."""
        moves: list[Move] = []
        while number:
            number, move = self.ways[number]
            moves.append(move)
        return tuple(reversed(moves))

    def suspect(self, code: str, here: int, *moves: Move) -> None:
        """Note the first sign of a finding."""
        if all(each.code != code for each in self.suspects):
            self.suspects.append(Suspect(code, (*self.path(here), *moves), None, self.probe.seed))

    def _expand(self, here: int) -> None:
        made, table, saved = self.copies, self.table, self.saved[here]
        side = table.sides[here]
        targets = []
        for move in self.legal[here]:
            made.load(saved)
            adapter = made.adapter
            if self.env.at is not None:
                adapter.path[:] = self.path(here)
            try:
                step = adapter.step(move)
            except Exception as error:  # noqa: BLE001 - somebody's code; the predicate looks at it again
                self.suspect(trouble(error, adapter), here, move)
                targets.append((self._number(move), OPEN))
                continue
            if adapter.violations:
                for name in adapter.violations:
                    self.suspect(name, here, move)
            if step.over:
                made.check()
                target = end_target(side, step.reward)
                self._ended(here, move, step.cut, step.reward)
            else:
                if step.reward:
                    self.suspect("legal-punished" if step.reward < 0 else "reward-before-end", here, move)
                target = self._reached(adapter, here, move)
            targets.append((self._number(move), target))
            if (self.probe.watchful or made.replays) and self._luck_now() != self._luck:
                raise DrawnError((*self.path(here), move))
            if not (len(table.actions) + len(targets)) % WATCH:
                self._watch()
        targets.sort()
        table.actions.extend([action for action, _ in targets])
        table.targets.extend([target for _, target in targets])

    def _number(self, move: Move) -> int:
        number = self.numbers.get(move)
        if number is None:
            number = self.numbers[move] = len(self.numbers)
        return number

    def _ended(self, here: int, move: Move, cut: bool, reward: float) -> None:
        if cut:
            self.cuts += 1
        else:
            self.natural += 1
        self.most = max(self.most, reward)
        if reward < 0 and self.losses[reward] < ALIKE and len(self.losses) < CHECKED:
            self.losses[reward] += 1
            path = (*self.path(here), move)
            self.suspects.append(Suspect("legal-refused", path, None, self.probe.seed, sure=False))
        if len(self.ends) < CHECKED:
            self.ends.append((*self.path(here), move))

    def _reached(self, adapter: Adapter, here: int, move: Move) -> int:
        saved = self.copies.save((*self.path(here), move) if self.copies.replays else ())
        return self._add(adapter, (here, move), self.table.sides[here] ^ 1, saved)

    def _add(self, adapter: Adapter, way: tuple[int, Move] | None, turn: int, saved: Any = None) -> int:
        if way is None:
            saved = self.copies.save(())
        quick = type(saved) is bytes
        if quick and not self.probe.alternates:
            number = self.quick.get(saved)
            if number is not None:
                self._again(way, number)
                return number
        key = self.copies.key()
        side = turn if self.probe.alternates else self._side(adapter)
        if self.probe.alternates:
            key = (key, side)
            if self.probe.stuck:
                self.probe.movers.add(adapter.mover())
                if not self.probe.stuck:  # it does change, though seldom
                    raise ChangedError(())
        number = self.index.get(key, len(self.saved))
        if quick and not self.probe.alternates:
            self.quick[saved] = number
        if number < len(self.saved):
            self._again(way, number)
            return number
        self.index[key] = number
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
            self.suspect("turn-kept", way[0], way[1])
        return number

    def _again(self, way: tuple[int, Move] | None, number: int) -> None:
        if way is not None and self.ways[number] != way:
            # A sample of all merges, each as likely to be in it.
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
            raise ChangedError(())
        return side

    def compare(self) -> None:
        """Compare copies with replays, and merged positions with each other."""
        numbers = range(1, len(self.saved))
        for number in self._rng.sample(numbers, min(CHECKED, len(numbers))):
            if self.env.limits.late(PLAYED):
                return
            path = self.path(number)
            self.copies.load(self.saved[number])
            copied = self.copies.key(), trace(self.copies.adapter, Random(number), 4)
            straight = copies(self.env, self.probe.seed, self.copies.varying, type(self.copies))
            for move in path:
                straight.adapter.step(move)
            if copied != (straight.key(), trace(straight.adapter, Random(number), 4)):
                self.suspects.append(Suspect("copy-differs", path, None, self.probe.seed))
                break
        for here, move, number in self.merged:
            if self.env.limits.late(PLAYED):
                return
            one, other = (*self.path(here), move), self.path(number)
            # One after the other: they may share something.
            seen = [trace(self.env.play(self.probe.seed, path), Random(number), 6) for path in (one, other)]
            if seen[0] != seen[1]:
                self.suspects.append(Suspect("merge-differs", one, other, self.probe.seed))
                break


def _growing(items: list[Any]) -> Iterator[int]:
    here = 0
    while here < len(items):
        yield here
        here += 1


def _compare(done: Explored) -> None:
    try:
        done.compare()
    except ChangedError:
        raise
    except Exception as error:  # moves were made that cannot be made again
        raise DrawnError(()) from error


def explore(env: Environment, probe: Probe, limit: int) -> Explored:
    """Visit the positions; start again whenever something changes that was taken for constant."""
    for _ in range(RESTARTS):
        try:
            done = Explored(env, probe, copies(env, probe.seed, frozenset(probe.varying)), limit)
            done.run()
            _compare(done)
            return done
        except ChangedError as error:
            probe.varying |= error.names
    raise ChangedError(())
