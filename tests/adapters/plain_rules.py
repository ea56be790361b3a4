"""A game by the plain rules, for environments to be held against."""

from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import perfectplay as pp
from perfectplay.simulate import horizon_for, observer_for
from tests.conftest import ROOT
from tests.games.rulings import RULINGS

FORCING = "inversion-race:cells=5,start=4"
"""A moves left from the last cell, and B, who can go nowhere, must pass."""
TIC_TAC_TOE = str(ROOT / "examples" / "tic_tac_toe.py")
SPECS = [*RULINGS, FORCING, f"{FORCING},first=B", "bit-flip:bits=22", TIC_TAC_TOE]


def label(setting: object) -> str:
    return Path(setting).name if isinstance(setting, str) else str(setting)


def legal(info: dict[str, Any]) -> list[int]:
    found: list[int] = np.flatnonzero(info["action_mask"]).tolist()
    return found


class Plain:
    """A game by the plain rules, with forced passes and a horizon, as an environment should show it."""

    def __init__(self, spec: str, horizon: int | None = None) -> None:
        self.game = pp.load(spec)
        self.horizon = horizon_for(self.game) if horizon is None else horizon
        self.observer = observer_for(self.game, self.horizon)
        self.reset()

    def reset(self) -> None:
        self.state, self.plies = self.game.initial(), 0
        self.passes = self.pass_on()

    @property
    def side(self) -> int:
        return self.game.side_to_move(self.state)

    @property
    def outcome(self) -> pp.Outcome | None:
        return self.game.outcome(self.state)

    @property
    def over(self) -> bool:
        return self.outcome is not None or self.truncated

    @property
    def truncated(self) -> bool:
        return self.plies == self.horizon and self.outcome is None

    def play(self, action: int) -> None:
        self.state = self.game.play(self.state, action)
        self.plies += 1
        self.passes = self.pass_on()

    def pass_on(self) -> int:
        passes = 0
        while not self.over and self.game.is_forced_pass(self.state):
            [action] = self.game.legal_actions(self.state)
            self.state = self.game.play(self.state, action)
            self.plies += 1
            passes += 1
        return passes

    def reward(self, side: int) -> float:
        if self.outcome is None or self.outcome.winner is None:
            return 0.0
        return 1.0 if self.outcome.winner == side else -1.0

    def chosen(self, rng: Random) -> int:
        """Any action; where some end the game, one of these half of the time."""
        actions = self.game.legal_actions(self.state)
        ending = [each for each in actions if self.game.outcome(self.game.apply(self.state, each))]
        return rng.choice(ending if ending and rng.random() < 0.5 else actions)

    def agrees(self, observation: Any, info: dict[str, Any]) -> None:
        """Assert that an environment shows this position."""
        assert observation.dtype == np.int8
        assert np.array_equal(observation, self.observer.observe(self.state))
        assert info["action_mask"].dtype == np.int8
        assert legal(info) == list(self.game.legal_actions(self.state))
        assert type(info["side"]) is int
        assert info["side"] == self.side
        assert "forfeited" not in info
        assert "illegal_action" not in info
        if self.outcome is None:
            assert "outcome" not in info
            assert "winner" not in info
        else:
            assert (info["winner"], info["outcome"]) == self.outcome
