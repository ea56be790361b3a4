"""How often one player beats another: exact if all move probabilities are known, otherwise sampled."""

from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

from perfectplay.core.game import Action, Game
from perfectplay.core.outcome import Side
from perfectplay.players.base import ComputerPlayer, KnownPlayer, draw
from perfectplay.solver.graph import Graph
from perfectplay.strength.chain import endings
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
    games: int | None = None
    """The number of sampled games; None if the shares are exact."""
    stuck: float = 0.0
    """Games that end in a dead end, without a result."""

    def interval(self, side: Side) -> tuple[float, float] | None:
        """The 95% confidence interval of a side's share of wins; None if the share is exact."""
        return None if self.games is None else wilson(round(self.wins[side] * self.games), self.games)


def percent(share: float, interval: tuple[float, float] | None) -> str:
    """Format a share in percent, with its confidence interval if it has one.

    >>> percent(0.5, None), percent(0.5, (0.4, 0.6))
    ('50.0%', '50% (40% to 60%)')
    """
    return f"{share:.1%}" if interval is None else f"{share:.0%} ({interval[0]:.0%} to {interval[1]:.0%})"


class Arena:
    """A game for players to meet in. With its whole graph, rates of known players are computed exactly.

    >>> import perfectplay as pp
    >>> from perfectplay.players.registry import load_player
    >>> from perfectplay.solver.graph import explore
    >>> game = pp.load("dual-direction")
    >>> rates = Arena(game, explore(game)).rates(load_player("random"), load_player("random"))
    >>> [round(share, 3) for share in rates.wins]
    [0.5, 0.5]
    """

    def __init__(
        self,
        game: Game[Any],
        graph: Graph[Any] | None,
        *,
        games: int = GAMES,
        plies: int = PLIES,
        seed: int = 0,
        limit: int | None = None,
    ) -> None:
        """Sampled games are left after `plies`; exact rates are those of games left after `limit`."""
        self.game = game
        self.graph = graph
        self.games = games
        self.plies = plies
        self.seed = seed
        self.limit = limit
        self._rows: dict[KnownPlayer, list[dict[int, float]]] = {}
        self._chances: dict[tuple[KnownPlayer, Any], Mapping[Action, float]] = {}

    def rates(self, one: ComputerPlayer, two: ComputerPlayer) -> Rates:
        """How games end with `one` on side 0 and `two` on side 1."""
        if self.graph is not None and isinstance(one, KnownPlayer) and isinstance(two, KnownPlayer):
            return self._exact(self.graph, one, two)
        return self._sampled(one, two)

    def _exact(self, graph: Graph[Any], one: KnownPlayer, two: KnownPlayer) -> Rates:
        rows = (self._rows_of(graph, one), self._rows_of(graph, two))
        side_to_move = self.game.side_to_move
        steps = [rows[side_to_move(state)][number] for number, state in enumerate(graph.states)]
        shares = endings(steps, ends_of(graph), STUCK + 1, self.limit)
        first, second, tie, stuck, endless = map(float, shares)
        return Rates((first, second), tie, endless, stuck=stuck)

    def _rows_of(self, graph: Graph[Any], player: KnownPlayer) -> list[dict[int, float]]:
        if player not in self._rows:
            rows = []
            for number, state in enumerate(graph.states):
                row: dict[int, float] = {}
                moves = graph.moves(number)
                chances = player.chances(self.game, state) if moves else {}
                for action, target in moves:
                    if chances.get(action):
                        row[target] = row.get(target, 0.0) + chances[action]
                rows.append(row)
            self._rows[player] = rows
        return self._rows[player]

    def _sampled(self, one: ComputerPlayer, two: ComputerPlayer) -> Rates:
        # Seeded by the pair, so that adding a player does not change the rest of a table.
        rng = Random(f"{self.seed}/{self.game.spec}/{one.spec}/{two.spec}")
        counts = [0] * (STUCK + 2)
        for _ in range(self.games):
            counts[self._play((one, two), rng)] += 1
        first, second, tie, stuck, endless = (count / self.games for count in counts)
        return Rates((first, second), tie, endless, self.games, stuck)

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
        # Computing a player's probabilities is slow, and the first positions occur in every game.
        chances = self._chances.get((player, state))
        if chances is None:
            chances = player.chances(self.game, state)
            if len(self._chances) < 100_000:
                self._chances[player, state] = chances
        return draw(chances, rng)


def ends_of(graph: Graph[Any]) -> list[int | None]:
    """For each position of a graph: its winner, TIE, STUCK, or None if play goes on."""
    ends: list[int | None] = []
    for number, outcome in enumerate(map(graph.game.outcome, graph.states)):
        if outcome is not None:
            ends.append(TIE if outcome.winner is None else outcome.winner)
        else:
            ends.append(None if graph.moves(number) else STUCK)
    return ends
