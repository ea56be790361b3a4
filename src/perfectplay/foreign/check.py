"""Checks an environment of your own, in a test."""

from collections.abc import Callable, Iterable
from typing import Any

from perfectplay.core.errors import PerfectplayError
from perfectplay.foreign.adapter import MethodNames
from perfectplay.foreign.audit import TableJudge
from perfectplay.foreign.conduct import Found
from perfectplay.foreign.environment import Environment
from perfectplay.foreign.examine import MOVES, Examination
from perfectplay.foreign.findings import ORDER


class FaultyEnvironmentError(PerfectplayError):
    """An environment with problems: `findings` has each of them, with a witness."""

    def __init__(self, findings: Iterable[Found]) -> None:
        self.findings = tuple(findings)
        lines = [f"- {each.code}: {each.text} Witness: {list(each.witness)}" for each in self.findings]
        super().__init__(f"the environment has {len(lines)} problem(s):\n" + "\n".join(lines))


def check_env(
    make: Callable[[], Any],
    ignore: Iterable[str] = (),
    *,
    moves: int = MOVES,
    legal: str = "",
    mover: str = "",
) -> tuple[Found, ...]:
    """Audit an environment that `make` makes, here and without a sandbox; return everything found.

    `legal` and `mover` name the methods that list the legal moves and say who moves, if they are unusual.
    Raises FaultyEnvironmentError if there are problems, apart from the codes in `ignore`.

    >>> class Nim:
    ...     def reset(self, seed=None):
    ...         self.left, self.current_player = 5, 0
    ...         return self.left, {}
    ...     def valid_moves(self):
    ...         return [take for take in (1, 2) if take <= self.left]
    ...     def step(self, take):
    ...         if take not in self.valid_moves():
    ...             raise ValueError("no such move")
    ...         self.left -= take
    ...         self.current_player = 1 - self.current_player
    ...         return self.left, float(not self.left), not self.left, False, {}
    >>> [each.code for each in check_env(Nim)]
    ['forced-win', 'render-none', 'skill']
    """
    done = Examination(Environment(make, names=MethodNames(legal, mover)), moves=moves)
    judge = TableJudge("the environment")
    asked = judge(None if done.done is None else done.done.table)
    from_table, _ = judge.findings(done.replay(asked), done.seed)
    known = {each.code for each in done.findings}
    found = [*done.findings]
    found += [
        Found(**{**each, "witness": tuple(each["witness"])})
        for each in from_table
        if each["code"] not in known
    ]
    found.sort(key=lambda each: ORDER.index(each.severity))
    problems = [each for each in found if each.severity == "problem" and each.code not in set(ignore)]
    if problems:
        raise FaultyEnvironmentError(problems)
    return tuple(found)
