"""How often one player beats another: exact if all move probabilities are known, otherwise sampled."""

from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

from perfectplay.core.game import Action, Game
from perfectplay.core.outcome import Side
from perfectplay.players.base import ComputerPlayer, KnownPlayer, chances_of, draw
from perfectplay.solver.graph import Graph
from perfectplay.strength.chain import TooDenseError, endings
from perfectplay.strength.statistics import wilson

TIE, STUCK = 2, 3
"""How games end that nobody wins: in a tie, or in a position without a legal move and without an outcome."""
GAMES, PLIES = 100, 60
"""How many games are sampled if exact rates are impossible, and the plies after which each is left."""


class Rates(NamedTuple):
    """How a game between two players ends, as shares of all games."""

    wins: tuple[float, float]
    """For each side."""
    tie: float
    endless: float
    """Games without an end; among sampled games, those left unfinished."""
    stuck: float = 0.0
    """Games that end in a dead end, without a result."""
    games: int | None = None
    """The number of sampled games; None if the shares are exact."""

    def interval(self, side: Side) -> tuple[float, float] | None:
        """The 95% confidence interval of a side's share of wins; None if the share is exact."""
        return None if self.games is None else wilson(round(self.wins[side] * self.games), self.games)

    def points(self, side: Side) -> float:
        """The expected points of a side: 1 for a win, one half for a tie or endless play."""
        return self.wins[side] + (self.tie + self.endless) / 2


def percent(share: float, interval: tuple[float, float] | None) -> str:
    """Format a share in percent, with its confidence interval if it has one."""
    return f"{share:.1%}" if interval is None else f"{share:.0%} ({interval[0]:.0%} to {interval[1]:.0%})"


@dataclass(eq=False)
class HeadToHead:
    """Compares players in one game. With its whole graph, known players are compared exactly."""

    game: Game[Any]
    graph: Graph[Any] | None
    games: int = GAMES
    plies: int = PLIES
    """The most plies of a sampled game."""
    seed: int = 0
    limit: int | None = None
    """The most plies of a game in exact rates; None for no limit."""
    _steps: dict[tuple[KnownPlayer, Side], list[dict[int, float]]] = field(default_factory=dict)

    def rates(self, one: ComputerPlayer, two: ComputerPlayer) -> Rates:
        """How games end with `one` on side 0 and `two` on side 1."""
        if self.graph is not None and isinstance(one, KnownPlayer) and isinstance(two, KnownPlayer):
            with suppress(TooDenseError):
                shares = endings(self.steps_between(one, two), self.ends, STUCK + 1, self.limit)
                first, second, tie, stuck, endless = map(float, shares)
                return Rates((first, second), tie, endless, stuck)
        # Seeded by the pair, so that adding a player does not change the rest of a table.
        rng = Random(f"{self.seed}/{self.game.spec}/{one.spec}/{two.spec}")
        counts = [0] * (STUCK + 2)
        for _ in range(self.games):
            counts[self._play((one, two), rng)] += 1
        first, second, tie, stuck, endless = (count / self.games for count in counts)
        return Rates((first, second), tie, endless, stuck, self.games)

    def steps_between(self, one: KnownPlayer, two: KnownPlayer) -> list[dict[int, float]]:
        """For each position of the graph: where play between two players goes from there, and how likely."""
        steps = (self.steps(one, 0), self.steps(two, 1))
        return [steps[side][number] for number, side in enumerate(self.sides)]

    @property
    def whole(self) -> Graph[Any]:
        """The graph, where it is known to be there."""
        assert self.graph is not None
        return self.graph

    @cached_property
    def sides(self) -> list[Side]:
        """The side to move in each position of the graph."""
        return list(map(self.game.side_to_move, self.whole.states))

    @cached_property
    def ends(self) -> list[int | None]:
        """For each position of the graph: its winner, TIE, STUCK, or None if play goes on."""
        ends: list[int | None] = []
        for number, outcome in enumerate(map(self.game.outcome, self.whole.states)):
            if outcome is not None:
                ends.append(TIE if outcome.winner is None else outcome.winner)
            else:
                ends.append(None if self.whole.moves(number) else STUCK)
        return ends

    def steps(self, player: KnownPlayer, side: Side) -> list[dict[int, float]]:
        """For each position of the graph: where a player on a side moves from there, and how likely."""
        if (player, side) not in self._steps:
            rows: list[dict[int, float]] = [{} for _ in self.sides]
            for number, row in enumerate(rows):
                moves = self.whole.moves(number) if self.sides[number] == side else ()
                chances = player.chances(self.game, self.whole.states[number]) if moves else {}
                for action, target in moves:
                    if chances.get(action):
                        row[target] = row.get(target, 0.0) + chances[action]
            self._steps[player, side] = rows
        return self._steps[player, side]

    def _play(self, players: tuple[ComputerPlayer, ComputerPlayer], rng: Random) -> int:
        game = self.game
        state = game.initial()
        for ply in range(self.plies + 1):
            outcome = game.outcome(state)
            if outcome is not None:
                return TIE if outcome.winner is None else outcome.winner
            if not game.legal_actions(state):
                return STUCK
            if ply < self.plies:
                state = game.apply(state, self._choose(players[game.side_to_move(state)], state, rng))
        return STUCK + 1

    def _choose(self, player: ComputerPlayer, state: Any, rng: Random) -> Action:
        if not isinstance(player, KnownPlayer):
            return player.choose(self.game, state, rng)
        return draw(chances_of(player, self.game, state), rng)
