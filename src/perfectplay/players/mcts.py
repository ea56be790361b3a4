"""An opponent that tries out moves in random games."""

from dataclasses import dataclass
from math import log, sqrt
from random import Random
from typing import Any, Generic

from perfectplay.core.game import Action, Game, S
from perfectplay.core.outcome import Side
from perfectplay.core.spec import parameter
from perfectplay.players.base import ComputerPlayer

LONGEST_ROLL_OUT = 200
"""Plies after which a random game counts as a tie, because some games need not end."""
EXPLORATION = sqrt(2)
"""The exploration constant of the UCB1 formula: how much rarely tried moves are preferred."""


@dataclass(frozen=True)
class MctsPlayer(ComputerPlayer):
    """The computer, trying moves out in random games (Monte Carlo tree search).

    Each simulation follows the most promising moves to a new position, plays at random from there, and
    credits every move on the way. The move tried most often is played.
    """

    name = "mcts"

    simulations: int = parameter(200, "how many random games are played per move", least=1, most=1_000_000)

    def choose(self, game: Game[Any], state: Any, rng: Random) -> Action:
        root = Node(game, state)
        for _ in range(self.simulations):
            simulate(game, root, rng)
        most = max(child.visits for child in root.children.values())
        return rng.choice([action for action, child in root.children.items() if child.visits == most])


class Node(Generic[S]):
    """A position in the tree, with the results of the games through it."""

    __slots__ = ("children", "points", "side", "state", "untried", "visits")

    def __init__(self, game: Game[S], state: S) -> None:
        self.state = state
        self.side: Side = game.side_to_move(state)
        self.untried = list(game.legal_actions(state))
        self.children: dict[Action, Node[S]] = {}
        self.visits = 0
        self.points = 0.0
        """Points for side 0: 1 for a win, a half for a tie."""

    def most_promising(self) -> "Node[S]":
        """The child that the side to move should try next."""
        logarithm = log(self.visits)

        def promise(child: "Node[S]") -> float:
            mean = child.points / child.visits
            return (1 - mean if self.side else mean) + EXPLORATION * sqrt(logarithm / child.visits)

        return max(self.children.values(), key=promise)


def simulate(game: Game[S], root: Node[S], rng: Random) -> None:
    """Play one game through the tree, add one position, and record the result."""
    node = root
    path = [root]
    while not node.untried and node.children:
        node = node.most_promising()
        path.append(node)
    if node.untried:
        action = node.untried.pop(rng.randrange(len(node.untried)))
        child = Node(game, game.apply(node.state, action))
        node.children[action] = child
        path.append(child)
    points = roll_out(game, path[-1].state, rng)
    for node in path:
        node.visits += 1
        node.points += points


def roll_out(game: Game[S], state: S, rng: Random) -> float:
    """The points that side 0 scores in a random game."""
    for _ in range(LONGEST_ROLL_OUT):
        actions = game.legal_actions(state)
        if not actions:
            break
        state = game.apply(state, rng.choice(actions))
    outcome = game.outcome(state)
    if outcome is None or outcome.winner is None:
        return 0.5
    return 0.0 if outcome.winner else 1.0
