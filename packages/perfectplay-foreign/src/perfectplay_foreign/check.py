"""Checks an environment of your own, in a test."""

from collections.abc import Callable, Iterable

from perfectplay.core.errors import PerfectplayError
from perfectplay_foreign.adapter import MethodNames
from perfectplay_foreign.environment import Environment
from perfectplay_foreign.examine import Examination
from perfectplay_foreign.judge import Judgement
from perfectplay_foreign.limits import MOVES
from perfectplay_foreign.records import Found, rank


class FaultyEnvironmentError(PerfectplayError):
    """An environment with problems: `findings` has each of them, with a witness."""

    def __init__(self, findings: Iterable[Found]) -> None:
        self.findings = tuple(findings)
        lines = [f"- {each.code}: {each.text} Witness: {list(each.witness)}" for each in self.findings]
        super().__init__(f"the environment has {len(lines)} problem(s):\n" + "\n".join(lines))


def check_env(
    make: Callable[[], object],
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
    found = list(done.findings)
    if done.done is not None:
        judgement = Judgement("the environment", done.done.table)
        found += judgement.keep(done.replay(judgement.suspects), found)[0]
    found.sort(key=rank)
    problems = [each for each in found if each.severity == "problem" and each.code not in set(ignore)]
    if problems:
        raise FaultyEnvironmentError(problems)
    return tuple(found)
