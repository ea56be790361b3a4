"""Players and games that bring environments to their limits."""

from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

import numpy as np

import perfectplay as pp
from perfectplay.core.errors import ForfeitError
from perfectplay.players.base import ComputerPlayer


@dataclass(frozen=True)
class Scribe(ComputerPlayer):
    """Plays anything and writes down what."""

    name = "scribe"
    moves: ClassVar[list[int]] = []

    def choose(self, game: pp.Game[Any], state: Any, rng: Random) -> int:
        self.moves.append(rng.choice(game.legal_actions(state)))
        return self.moves[-1]


@dataclass(frozen=True)
class Blunderer(ComputerPlayer):
    """Answers with a number that is none."""

    name = "blunderer"

    def choose(self, game: pp.Game[Any], state: Any, rng: Random) -> int:
        raise ForfeitError("10 E")


@dataclass(frozen=True)
class Stalled(ComputerPlayer):
    """Gives up on a question or two, and then answers; with a number of NumPy's."""

    name = "stalled"
    fails: ClassVar[list[Exception]] = []

    def choose(self, game: pp.Game[Any], state: Any, rng: Random) -> Any:
        if self.fails:
            raise self.fails.pop()
        return np.int64(game.legal_actions(state)[-1])


@dataclass(frozen=True)
class Standoff(pp.Game[tuple[int, pp.Side]]):
    """Side 0 hands side 1 a pass that wins, or one that ties."""

    name = "standoff"
    title = "Standoff"
    event_names = (pp.PASS,)
    outcome_reasons = ("passed",)

    @property
    def num_actions(self) -> int:
        return 3

    def initial(self) -> tuple[int, pp.Side]:
        return 0, 0

    def side_to_move(self, state: tuple[int, pp.Side]) -> pp.Side:
        return state[1]

    def legal_actions(self, state: tuple[int, pp.Side]) -> tuple[int, ...]:
        return ((0, 1), (2,), (2,), (), ())[state[0]]

    def apply(self, state: tuple[int, pp.Side], action: int) -> tuple[int, pp.Side]:
        return (state[0] + 2 if action == 2 else 1 + action), pp.other(state[1])

    def outcome(self, state: tuple[int, pp.Side]) -> pp.Outcome | None:
        return (None, None, None, pp.Outcome(1, "passed"), pp.Outcome(None, "passed"))[state[0]]

    def events(self, state: tuple[int, pp.Side], action: int) -> tuple[str, ...]:
        return (pp.PASS,) if action == 2 else ()

    def action_text(self, state: tuple[int, pp.Side], action: int) -> str:
        return str(action)

    def state_text(self, state: tuple[int, pp.Side]) -> str:
        return str(state[0])

    def parse_state(self, text: str) -> tuple[int, pp.Side]:
        raise pp.ParseError(text)

    def view(self, state: tuple[int, pp.Side]) -> pp.View:
        return pp.View(((pp.Cell("", (str(state[0]),)),),))


@dataclass(frozen=True)
class Patience(Standoff):
    """The same, only that an illegal action costs the turn."""

    def after_forfeit(self, state: tuple[int, pp.Side]) -> tuple[int, pp.Side]:
        return state[0], pp.other(state[1])
