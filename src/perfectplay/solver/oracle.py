"""Exact answers about any position of a game, from its graph or its theory."""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal

from perfectplay.core.errors import BadParameterError, WrongTypeError
from perfectplay.core.game import Action, Game, S, expect_game, whole_number
from perfectplay.core.limits import MOST_EXPLORED
from perfectplay.core.match import Match
from perfectplay.core.outcome import SIDES
from perfectplay.core.record import Record
from perfectplay.core.theory import Theory
from perfectplay.core.value import Value, best_of
from perfectplay.core.walks import BreadthFirst, steps
from perfectplay.render.html import write_table, write_value
from perfectplay.solver.errors import TooDeepError, TooLargeError
from perfectplay.solver.graph import PACKED_FROM, Graph, explore
from perfectplay.solver.judgement import Judged, Regret, Scored, Scores, accuracy, mark_of
from perfectplay.solver.memory import BYTES_PER_POSITION, default_memory
from perfectplay.solver.retrograde import Solution, retrograde

if TYPE_CHECKING:
    from perfectplay.solver.tablebase.oracle import TableOracle

MOST_SHOWN_MOVES = 40
"""First moves that a notebook shows."""

TABLES = "PERFECTPLAY_TABLES"
"""The environment variable that names table bases: folders, or folders of them, as PATH does."""

Progress = Callable[..., None]
"""It is called with the number of positions found; while none are being found, `doing` says what is done."""


@dataclass(eq=False, repr=False)
class Oracle(Generic[S]):
    """Knows the exact value of every position of a game. `solve` makes one.

    >>> import perfectplay as pp
    >>> game = pp.load("bit-flip")
    >>> oracle = pp.solve(game)
    >>> oracle.value(game.initial())
    Value(kind='win', plies=5)
    >>> oracle.best(game.initial())
    (0, 2, 7, 9)
    """

    game: Game[S]
    theory: Theory[S] | None
    solution: Solution[S] | None
    _limit: int
    counts: dict[str, int] = field(default_factory=dict)
    """Of a game solved by rules on arrays: its positions, those stored and, on disk, bytes."""
    folder: Path | None = None
    """Of a table base on disk."""
    _elsewhere: dict[S, Solution[S]] = field(default_factory=dict)

    def _repr_html_(self) -> str:
        """What the game is worth and its first moves, for notebooks."""
        start = self.game.initial()
        moves = self.moves(start)[:MOST_SHOWN_MOVES]
        rows = [["to " + self.game.side_names[self.game.side_to_move(start)], write_value(self.value(start))]]
        rows += [[f"after {move.text}", write_value(move.value)] for move in moves]
        return write_table(f"What {self.game.spec} is worth", ["position", "value"], rows)

    @property
    def source(self) -> Literal["graph", "theory", "table"]:
        """Whether values come from the game's theory, the graph of its positions or a table base."""
        return "graph" if self.theory is None else "theory"

    @property
    def graph(self) -> Graph[S] | None:
        """The explored positions; None if only the theory answers."""
        return None if self.solution is None else self.solution.graph

    def value(self, state: S) -> Value:
        """The value of a position for its side to move."""
        found = self._locate(state)
        if found is not None:
            solution, number = found
            return solution.value(number)
        assert self.theory is not None  # without a theory, every position is explored
        return self.theory.value(state)

    def value_at(self, match: Match[S], ply: int) -> Value:
        """The value after `ply` plies of a match, for the side to move.

        This is the value of the position, unless the match ended there by disqualification.
        """
        if ply == match.plies and match.disqualified is not None:
            return Value("loss" if match.disqualified == match.side else "win", 0)
        return self.value(match.positions[ply])

    def moves(self, state: S) -> Scores:
        """Every legal move with its value, in order of actions."""
        text = self.game.action_text
        return Scores(Scored(action, text(state, action), value) for action, value in self._pairs(state))

    def dead_ends(self, state: S) -> int:
        """How many dead ends the positions have that were explored to judge this one.

        A dead end has no legal move and no outcome. A game without a broken law has none. No rule says
        what one is worth, so where play can reach it and nobody forces a win, the value is undecided.
        """
        found = self._locate(state)
        return 0 if found is None else found[0].dead_ends

    def best(self, state: S) -> tuple[Action, ...]:
        """The moves with the best value and distance; empty in a finished position."""
        if self.theory is not None and self._locate(state) is None:
            return self.theory.best(state)
        return best_of(self._pairs(state))

    def count_best(self, state: S) -> int:
        """The number of moves with the best value and distance."""
        if self.theory is not None and self._locate(state) is None:
            return self.theory.count_best(state)
        return len(self.best(state))

    def tempting(self, state: S, best: tuple[Action, ...] | None = None) -> tuple[Action, ...]:
        """The best moves that give the opponent the most ways to go wrong.

        Pass `best` if you already have the best moves.
        """
        best = self.best(state) if best is None else best
        if len(best) < 2:
            return best
        wrong = [self._ways_to_go_wrong(state, action) for action in best]
        most = max(wrong)
        return tuple(action for action, ways in zip(best, wrong, strict=True) if ways == most)

    def _ways_to_go_wrong(self, state: S, action: Action) -> int:
        """How many replies to a move are not best; 0 if the opponent cannot reply."""
        game = self.game
        after = game.apply(state, action)
        replies = game.legal_actions(after)
        if not replies or game.side_to_move(after) == game.side_to_move(state):
            return 0
        return len(replies) - self.count_best(after)

    def line(self, state: S) -> tuple[Action, ...]:
        """One line of perfect play to the end; empty if it has none or its length is unknown."""
        line: list[Action] = []
        for _ in range(self.value(state).plies or 0):
            line.append(self.best(state)[0])
            state = self.game.apply(state, line[-1])
        return tuple(line)

    def reachable(self, state: S) -> bool | None:
        """Whether a position can be reached from the start, forfeits included; None if unknown.

        In a game that was not explored, the first 10,000 positions are searched.

        >>> import perfectplay as pp
        >>> game = pp.load("inversion-race")
        >>> oracle = pp.solve(game)
        >>> oracle.reachable(game.parse_state("4 5 0 B")), oracle.reachable(game.parse_state("9 1 0 A"))
        (True, False)
        """
        self._expect_position(state)
        game = self.game
        if state == game.initial() or (self.graph is not None and self.graph.find(state) is not None):
            return True
        if self.graph is not None and game.after_forfeit(game.initial()) is None:
            return False
        if game.num_actions >= MOST_EXPLORED:
            return None
        walk = BreadthFirst([game.initial()], steps(game, forfeits=True), limit=MOST_EXPLORED)
        if state in walk or state in walk.parents:  # found, though the limit stopped the walk before it
            return True
        return False if walk.whole else None

    def regret(self, record: Record) -> Regret:
        """Judge every ply of a played game.

        >>> import perfectplay as pp
        >>> match = pp.Match(pp.load("bit-flip"))
        >>> match.play("4")
        >>> regret = pp.solve(match.game).regret(match.record())
        >>> regret.plies[0].mark, regret.accuracy
        ('threw away the win', (0.0, None))
        """
        match = Match.replay(record, self.game)
        judged: list[Judged] = []
        for entry in match.history:
            if not entry.is_ply:
                continue
            before, after = match.positions[entry.ply], match.positions[entry.ply + 1]
            moves = self.moves(before)
            best = self.value(before)
            same_side = self.game.side_to_move(after) == entry.side
            played = self.value_at(match, entry.ply + 1).before(same_side)
            could_err = any(value.rank[0] < best.rank[0] for value in (played, *(m.value for m in moves)))
            text = match.line(entry).text
            mark = "forfeit" if entry.action is None else mark_of(best, played, moves)
            judged.append(Judged(entry.ply + 1, entry.side, text, mark, best, played, could_err))
        value = self.value_given_up(match)
        resigned = None if value is None or match.last.kind != "resign" else (match.last.side, value)
        one, two = (
            accuracy(judged, side, resigned=resigned is not None and resigned[0] == side) for side in SIDES
        )
        return Regret(tuple(judged), (one, two), resigned)

    def value_given_up(self, match: Match[S]) -> Value | None:
        """What a player gave up who resigned or ran out of time; None if the game was lost, or went on."""
        if not match.history or match.last.kind not in ("resign", "time"):
            return None
        value = self.value(match.state)
        kept = value if match.side == match.last.side else value.before(same_side=False)
        return None if kept.kind == "loss" else kept

    def _expect_position(self, given: S) -> None:
        """Raise WrongTypeError for anything that is not a position of the game, such as its text."""
        if isinstance(given, self._position_types):
            return
        wrong = WrongTypeError("a position, as parse_state returns", given)
        if isinstance(given, str | Record | Match):
            raise wrong
        try:  # a game may have positions of more types than are known
            hash(given)
            self.game.legal_actions(given)
        except Exception as error:
            raise wrong from error

    @cached_property
    def _position_types(self) -> tuple[type, ...]:
        known = () if self.graph is None else self.graph.states
        return tuple({type(self.game.initial()), *map(type, known)})

    def _pairs(self, state: S) -> tuple[tuple[Action, Value], ...]:
        found = self._locate(state)
        if found is not None:
            solution, number = found
            return solution.moves(number)
        assert self.theory is not None
        return self.theory.moves(state)

    def _locate(self, state: S) -> tuple[Solution[S], int] | None:
        """The solved graph that contains a position, and its number there; None if the theory answers."""
        if self.theory is not None and self.theory.knows_plies:
            self._expect_position(state)
            return None
        if self.solution is not None:
            try:
                number = self.solution.graph.find(state)
            except TypeError:
                number = None  # it cannot be hashed, so it is not a position
            if number is not None:
                return self.solution, number
        self._expect_position(state)
        if self.theory is not None:
            return None
        # Not reachable from the start: solved separately, once.
        for solution in self._elsewhere.values():
            number = solution.graph.find(state)
            if number is not None:
                return solution, number
        solution = retrograde(explore(self.game, start=state, limit=self._limit))
        self._elsewhere[state] = solution
        return solution, 0


def solve(
    game: Game[S],
    *,
    exact_distance: bool = False,
    limit: int | None = None,
    memory: int | None = None,
    processes: int = 1,
    on: str | None = None,
    progress: Progress | None = None,
) -> Oracle[S]:
    """Solve a game exactly.

    If the game has a theory, it gives the values. If the theory does not know distances, they come from
    the graph, for games of up to 10,000 positions or, with `exact_distance`, of any size.

    Raises TooLargeError if there are more than `limit` positions, by default as many as fit, or if they take
    more than `memory` bytes, by default half of what is free. With `processes`, several explore the game; the
    result is the same. With `on`, "numpy" or "jax" solves it by its rules on arrays.

    >>> import perfectplay as pp
    >>> solve(pp.load("dual-direction")).value(pp.load("dual-direction").initial())
    Value(kind='endless', plies=None)
    """
    expect_game(game)
    memory = default_memory() if memory is None else memory
    numbers = {"limit": 1 if limit is None else limit, "memory": memory, "processes": processes}
    for name, given in numbers.items():
        if (whole_number(given) or 0) < 1:
            raise BadParameterError(name, repr(given), "a whole number, at least 1")
    most = memory // BYTES_PER_POSITION if limit is None else limit
    if on is not None:
        from perfectplay.solver.tablebase.oracle import solve_arrays

        return solve_arrays(game, limit=limit, memory=memory, on=on, progress=progress)
    table = load_table_base(game, most)
    if table is not None:
        return table
    theory = game.theory()
    if theory is not None and theory.knows_plies:
        return Oracle(game, theory, None, most)
    if theory is None or exact_distance:
        arrays = most >= PACKED_FROM and _has_arrays(game)
        bounds: dict[str, Any] = {"processes": processes, "progress": progress}
        bounds["memory"] = memory * 3 // 4  # the rest is for working back
        try:
            graph = explore(game, limit=PACKED_FROM if arrays else most, **bounds)
        except TooLargeError:
            if not arrays:
                raise
            from perfectplay.solver.tablebase.oracle import solve_arrays

            try:
                return solve_arrays(game, limit=limit, memory=memory, progress=progress, narrow=False)
            except TooDeepError:
                graph = explore(game, limit=most, **bounds)
        return Oracle(game, theory, retrograde(graph), most)
    # With very many actions, the start alone may have too many successors to explore.
    if game.num_actions < MOST_EXPLORED:
        with suppress(TooLargeError):
            return Oracle(game, theory, retrograde(explore(game, limit=min(MOST_EXPLORED, most))), most)
    return Oracle(game, theory, None, most)


def load_table_base(game: Game[S], limit: int = 1) -> "TableOracle[S] | None":
    """The table base of a game that `TABLES` names; None if there is none.

    Positions outside it are solved up to `limit` positions.
    """
    if not os.environ.get(TABLES) or not _has_arrays(game):
        return None
    from perfectplay.solver.tablebase.oracle import find_table

    return find_table(game, os.environ[TABLES].split(os.pathsep), limit)


def _has_arrays(game: Game[Any]) -> bool:
    return game.array_rules() is not None and find_spec("numpy") is not None
