"""A batch of games as one Gymnasium vector environment, stepped by array operations.

`gymnasium.make_vec` makes one by the id of a game; see `perfectplay.adapters.gymnasium`.
"""

from typing import Any

# First, because it says how to get Gymnasium.
from perfectplay.adapters.gymnasium import Info, Observation

# isort: split
import numpy as np
from gymnasium.spaces import Discrete, MultiBinary
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from perfectplay.adapters.settings import SELF, check_seat, check_seed, set_parameters
from perfectplay.core.errors import BadParameterError, MatchStateError
from perfectplay.core.formatting import join_words
from perfectplay.core.game import PASS, Action, Game
from perfectplay.simulate.arguments import whole
from perfectplay.simulate.batch import BatchedGame
from perfectplay.simulate.kernel import Batch
from perfectplay.simulate.positions import kernel_module
from perfectplay.simulate.table import table_for

OPPONENTS = (SELF, "random", "perfect")
SYNC = 'others need vectorization_mode="sync"'


class GameVectorEnv(VectorEnv[Observation, Any, NDArray[Any]]):
    """A batch of `num_envs` games, each like a `GameEnv`.

    The opponent is "random", "perfect" (any of the best moves) or "self". The step after a game's end
    ignores the action, starts the next game and gives no reward.

    With n games, observations are int8 arrays of shape `(n, *single_observation_space.shape)`, rewards
    float64, terminations and truncations bool, all three of shape `(n,)`. `infos["action_mask"]` is int8 of
    shape `(n, num_actions)`; `infos["side"]` and `infos["forced_passes"]` are int64 of shape `(n,)`.

    >>> env = GameVectorEnv("bit-flip:bits=5", 3, opponent="self")
    >>> observations, infos = env.reset(seed=1)
    >>> observations, rewards, terminations, truncations, infos = env.step([2, 1, 0])
    >>> infos["action_mask"]
    array([[1, 0, 0, 0, 1],
           [0, 0, 0, 1, 1],
           [0, 0, 1, 1, 1]], dtype=int8)
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012  # Gymnasium's

    def __init__(
        self,
        game: Game[Any] | str,
        num_envs: int = 1,
        *,
        opponent: str = "random",
        seat: int = 0,
        horizon: int | None = None,
        illegal: str = "error",
        render_mode: None = None,
        **parameters: Any,
    ) -> None:
        size = whole("num_envs", num_envs, 1)
        if opponent not in OPPONENTS:
            raise BadParameterError("opponent", opponent, f"{join_words(OPPONENTS)}; {SYNC}")
        if illegal != "error":
            raise BadParameterError("illegal", illegal, f"error; {SYNC}")
        if render_mode is not None:
            raise BadParameterError("render_mode", render_mode, f"None; {SYNC}")
        self.game = set_parameters(game, parameters, GameVectorEnv.__init__.__kwdefaults__ or ())
        self.num_envs = size
        self.opponent = opponent
        self._batch = BatchedGame(self.game, size, horizon=horizon)
        self.horizon = self._batch.horizon
        self.seat = check_seat(self.game, seat, self.horizon, self_play=opponent == SELF)
        self.single_observation_space = MultiBinary(list(self._batch.observer.shape))
        self.single_action_space = Discrete(self.game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, size)
        self.action_space = batch_space(self.single_action_space, size)
        self._rows = np.arange(size)
        self._passes = _list_forced_passes(self.game)
        self._sides: NDArray[np.int8] | None = None
        """The side to move in each game; None before the first reset."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Start all games again and play up to the learner's first turns. There are no options."""
        if options:
            raise BadParameterError("options", options, f"None or empty: there are none; {SYNC}")
        super().reset(seed=check_seed(seed))
        seen, info = self._play_opponents(self._batch.reset(int(self.np_random.integers(1 << 62))))
        return seen.observation.astype(np.int8), info

    def step(
        self, actions: Any
    ) -> tuple[Observation, NDArray[Any], NDArray[np.bool_], NDArray[np.bool_], Info]:
        """Play an action in each game, and the opponent's replies. An illegal action changes nothing."""
        sides = self._sides
        if sides is None:
            raise MatchStateError("no game has started: reset the environment before stepping")
        seen, info = self._play_opponents(self._batch.step(actions))
        rewards = seen.reward[self._rows, sides] if self.opponent == SELF else seen.reward[:, self.seat]
        return (
            seen.observation.astype(np.int8),
            rewards.astype(np.float64),
            seen.terminated.copy(),
            seen.truncated.copy(),
            info,
        )

    def _play_opponents(self, seen: Batch) -> tuple[Batch, Info]:
        """Play every game up to the next choice that is not the opponent's."""
        passes = np.zeros(self.num_envs, np.int64)
        while True:
            going = ~(seen.terminated | seen.truncated)
            waiting = forced = self._find_forced(seen, going)
            if self.opponent != SELF:
                waiting = forced | (going & (seen.side != self.seat))
            if not waiting.any():
                break
            passes += forced
            seen = self._batch.step(self._batch.random_actions(best=self.opponent == "perfect"), waiting)
        self._sides = seen.side
        told = {
            "action_mask": seen.legal.astype(np.int8),
            "side": seen.side.astype(np.int64),
            "forced_passes": passes,
        }
        # Gymnasium adds a mask to each entry that marks the games that have it: here, all.
        return seen, told | {f"_{key}": np.ones(self.num_envs, np.bool_) for key in told}

    def _find_forced(self, seen: Batch, going: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """A mask of the games where the side to move can only pass."""
        forced = np.zeros(self.num_envs, np.bool_)
        if self._passes:
            may = going & seen.legal[:, self._passes].any(1) & (seen.legal.sum(1) == 1)
            for number in may.nonzero()[0].tolist():
                forced[number] = self.game.is_forced_pass(self._batch.state(number))
        return forced


def _list_forced_passes(game: Game[Any]) -> list[Action]:
    """The actions that may be a forced pass. Asking the rules about every game would be slow."""
    if PASS not in game.event_names:
        return []
    if kernel_module(game) is not None:
        return list(range(game.num_actions))
    table = table_for(game)
    alone = (table.legal.sum(1) == 1).nonzero()[0].tolist()
    passes = [number for number in alone if game.is_forced_pass(table.states[number])]
    found: list[Action] = np.flatnonzero(table.legal[passes].any(0)).tolist()
    return found
