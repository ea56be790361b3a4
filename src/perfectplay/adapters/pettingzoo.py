"""The games as PettingZoo environments, in which two agents take turns.

>>> from perfectplay.adapters import pettingzoo
>>> env = pettingzoo.env("bit-flip:bits=3")
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, info = env.last()
...     print(agent, reward, terminated)
...     env.step(None if terminated or truncated else 1)
player_0 0.0 False
player_1 -1.0 True
player_0 1.0 True
"""

import sys
from typing import Any, Literal, get_args

from perfectplay.core.errors import BadParameterError, IllegalActionError, MatchStateError, needs

with needs("pettingzoo", "rl", "pettingzoo", "gymnasium"):
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper

import numpy as np
from numpy.typing import NDArray

from perfectplay.adapters.settings import (
    Illegal,
    check_illegal,
    check_render_mode,
    check_seed,
    penalize,
    render,
    set_parameters,
)
from perfectplay.core.formatting import join_words
from perfectplay.core.game import Action, Game
from perfectplay.simulate.single import single_game

RenderMode = Literal["human", "ansi", "rgb_array"]
Observation = dict[str, NDArray[np.int8]]

AGENTS = ("player_0", "player_1")
"""The agents, in the order of the sides that they play."""


def env(game: Game[Any] | str, **settings: Any) -> "OrderedEnv":
    """Return the environment of a game, wrapped to check the order of calls; `GameEnv` lists the settings.

    >>> env("bit-flip", bits=12).action_space("player_0")
    Discrete(12)
    """
    return OrderedEnv(GameEnv(game, **settings))


class GameEnv(AECEnv[str, Observation, Action | None]):  # type: ignore[misc]  # PettingZoo has no types
    """A game between the agents "player_0" and "player_1", which play sides 0 and 1.

    An observation is a dict: `observation` is int8 of 0 and 1, its shape the board and then the planes;
    `action_mask` is int8 of shape `(num_actions,)`.

    `horizon` truncates a game after that many plies. `illegal` says what happens on an illegal action:
    "error" raises IllegalActionError, "lose" makes the agent lose, and "forfeit", in a game with such a
    rule, costs the agent its turn for any integer that is not a legal action. Further keywords are
    parameters of the game.

    >>> game = raw_env("inversion-race", render_mode="ansi")
    >>> game.reset()
    >>> game.agent_selection, game.observe("player_0")["action_mask"], game.observe("player_1")["action_mask"]
    ('player_0', array([1, 1, 0], dtype=int8), array([0, 0, 0], dtype=int8))
    >>> print(game.render())
    Cells:   0 1 2 3 4 5 6 7 8 9 10
    Markers:           AB
    Goal: Cell 0
    Inversion: False
    """

    def __init__(
        self,
        game: Game[Any] | str,
        *,
        horizon: int | None = None,
        illegal: Illegal = "error",
        render_mode: RenderMode | None = None,
        **parameters: object,
    ) -> None:
        super().__init__()
        game = set_parameters(game, parameters, GameEnv.__init__.__kwdefaults__ or ())
        self.illegal = check_illegal(game, illegal)
        self.render_mode = check_render_mode(render_mode, RenderMode)
        self._play = single_game(game, horizon)
        self.game = game
        self.horizon = self._play.horizon
        self.metadata = {
            "name": game.spec,
            "render_modes": list(get_args(RenderMode)),
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.action_spaces = {agent: Discrete(game.num_actions) for agent in AGENTS}
        self.observation_spaces = {
            agent: Dict(
                observation=Box(0, 1, self._play.observer.shape, np.int8),
                action_mask=Box(0, 1, (game.num_actions,), np.int8),
            )
            for agent in AGENTS
        }

    def observation_space(self, agent: str) -> Dict:
        """The observation space of an agent."""
        return self.observation_spaces[_check_agent(agent)]

    def action_space(self, agent: str) -> Discrete:
        """The action space of an agent, including illegal actions."""
        return self.action_spaces[_check_agent(agent)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start again. These games are deterministic: a seed is checked but changes nothing."""
        check_seed(seed)
        row = self._play.reset()
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, str]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[row.side]
        self._show()

    def observe(self, agent: str) -> Observation:
        """Return the position and the legal actions; an agent that is not to move has none."""
        row, side = self._play.row, AGENTS.index(_check_agent(agent))
        moves = self._goes_on() and side == row.side
        return {
            "observation": row.fresh_bits(),
            "action_mask": row.fresh_mask() if moves else np.zeros(self.game.num_actions, np.int8),
        }

    def step(self, action: Action | None) -> None:
        """Play an action for the agent to move; only None for an agent that is done."""
        if not self.agents:
            raise MatchStateError("the game is over or not started: reset it before the next step")
        mover = self.agent_selection
        if not self._goes_on():
            if action is not None:
                raise MatchStateError(f"the game is over: {mover} can only step with None, not {action!r}")
            self._was_dead_step(action)
            return
        play, info = self._play, {}
        try:
            play.step(action)  # type: ignore[arg-type]  # None is refused as well
        except (IllegalActionError, BadParameterError) as refused:
            info = {penalize(play, self.illegal, action, refused): mover}
        row = play.row
        self.rewards = dict(zip(AGENTS, row.rewards, strict=True))
        self.terminations = dict.fromkeys(AGENTS, row.terminated)
        self.truncations = dict.fromkeys(AGENTS, play.truncated)
        self.infos = {agent: dict(info) for agent in AGENTS}
        self.agent_selection = AGENTS[row.side]
        self._accumulate_rewards()
        self._show()

    def render(self) -> Any:
        """Show the position by render mode: text, a picture (uint8, `(height, width, 3)`), or printed."""
        if self.render_mode is None:
            raise BadParameterError("render_mode", None, f"{join_words(get_args(RenderMode))} to render")
        shown = render(self._play, self.render_mode)
        if self.render_mode != "human":
            return shown
        sys.stdout.write(f"{shown}\n")
        return None

    def _goes_on(self) -> bool:
        return bool(self.agents) and not self._play.row.terminated and not self._play.truncated

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


raw_env = GameEnv
"""What PettingZoo calls an environment without a wrapper."""


class OrderedEnv(OrderEnforcingWrapper[str, Observation, Action | None]):  # type: ignore[misc]
    """PettingZoo's wrapper that checks the order of calls, except that a step too many is an error."""

    def step(self, action: Action | None) -> None:
        """Play an action; see `GameEnv.step`."""
        if self._has_reset and not self.agents:
            self.env.step(action)
        super().step(action)

    def __str__(self) -> str:
        return str(self.env)


def _check_agent(agent: str) -> str:
    if agent not in AGENTS:
        raise BadParameterError("agent", repr(agent), join_words(AGENTS))
    return agent
