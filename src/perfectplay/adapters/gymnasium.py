"""The games as Gymnasium environments, against an opponent or in self-play.

Importing this module registers every game, such as "perfectplay/BitFlip-v0". It also registers
"perfectplay/Game-v0", whose keyword `game` takes any game, including a game file.

>>> import gymnasium
>>> import perfectplay.adapters.gymnasium
>>> env = gymnasium.make("perfectplay/BitFlip-v0", bits=5, opponent="perfect")
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step(2)
>>> info["action_mask"], reward, terminated
(array([0, 0, 0, 0, 1], dtype=int8), 0.0, False)
"""

from random import Random
from typing import Any, Literal, get_args

from perfectplay.core.errors import BadParameterError, ForfeitError, MatchStateError, PerfectplayError, needs

with needs("gymnasium", "rl"):
    import gymnasium
    from gymnasium.spaces import Discrete, MultiBinary

import numpy as np
from numpy.typing import NDArray

from perfectplay.adapters import settings
from perfectplay.core.game import Game
from perfectplay.games.registry import names
from perfectplay.players.base import ComputerPlayer, KnownPlayer, chances_of, draw
from perfectplay.simulate.single import single_game
from perfectplay.simulate.single.base import Row, Snapshot

RenderMode = Literal["ansi", "rgb_array"]
Observation = NDArray[np.int8]
Info = dict[str, Any]
Step = tuple[Observation, float, bool, bool, Info]

ANY_GAME = "perfectplay/Game-v0"
"""The id of the environment that takes its game as a keyword."""


class Winner(int):
    """The side that won, as its own type.

    Gymnasium collects plain numbers from many environments in an array, which cannot hold None for a tie.
    """


_WINNERS = (Winner(0), Winner(1))


class GameEnv(gymnasium.Env[Observation, Any]):
    """A game as a Gymnasium environment; `gymnasium.make` makes one by its id.

    `game` is a game or its spec; further keywords are parameters of the game. `opponent` is a computer
    player or its spec, and `seat` is the learner's side; a step is then the learner's move followed by
    the opponent's reply. With the opponent "self", a step is a move of the side to move, and the reward
    is that side's. Where passing is the only move, the environment passes by itself and counts these
    passes in `forced_passes`.

    Observations are int8 arrays of 0 and 1, of the shape of `observation_space` (the board, then the
    planes). `info["action_mask"]` is int8 of shape `(num_actions,)`.

    `horizon` truncates a game after that many plies. `illegal` says what happens on an illegal action:
    "error" raises IllegalActionError, "lose" loses the game, and "forfeit", in a game with such a rule,
    loses the turn for any integer that is not a legal action.

    >>> env = GameEnv("inversion-race", cells=5, opponent="self", render_mode="ansi")
    >>> observation, info = env.reset()
    >>> observation, reward, terminated, truncated, info = env.step(0)
    >>> info
    {'action_mask': array([0, 1, 0], dtype=int8), 'side': 1, 'forced_passes': 0}
    >>> print(env.render())
    Cells:   0 1 2 3 4
    Markers:   A B
    Goal: Cell 0
    Inversion: False
    """

    metadata = {"render_modes": list(get_args(RenderMode)), "render_fps": 2}  # noqa: RUF012  # Gymnasium's

    def __init__(
        self,
        game: Game[Any] | str,
        *,
        opponent: str | ComputerPlayer = "random",
        seat: int = 0,
        horizon: int | None = None,
        illegal: settings.Illegal = "error",
        render_mode: RenderMode | None = None,
        **parameters: Any,
    ) -> None:
        self.game = settings.set_parameters(game, parameters, GameEnv.__init__.__kwdefaults__ or ())
        self.opponent = None if opponent == settings.SELF else settings.check_opponent(opponent)
        self.single = single_game(self.game, horizon)
        """The game in progress."""
        self.horizon = self.single.horizon
        self.seat = settings.check_seat(self.game, seat, self.horizon, self_play=self.opponent is None)
        self.illegal = settings.check_illegal(self.game, illegal)
        self.render_mode = settings.check_render_mode(render_mode, RenderMode)
        self.observation_space = MultiBinary(list(self.single.observer.shape))
        self.action_space = Discrete(self.game.num_actions)
        if self.opponent is not None:
            self.opponent.prepare(self.game)
        self._begun = False
        # No action is accepted before the first reset.
        self.single.disqualify()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Start again and play up to the learner's first turn. There are no options."""
        if seed is not None:
            super().reset(seed=settings.check_seed(seed))
        if options:
            raise BadParameterError("options", options, "None or empty: there are none")
        play, opponent = self.single, self.opponent
        before = None if opponent is None else play.snapshot()
        row = play.reset()
        if row.choice and opponent is None:
            self._begun = True
            return row.fresh_bits(), {"action_mask": row.fresh_mask(), "side": row.side, "forced_passes": 0}
        observation, _, _, _, info = self._play_on(self.seat, {}, before)
        self._begun = True
        return observation, info

    def step(self, action: Any) -> Step:
        """Play an action, and the opponent's reply; the reward goes to the side that played the action."""
        play, opponent = self.single, self.opponent
        side, before = play.row.side, None
        if opponent is not None:
            side, before = self.seat, play.snapshot()
        try:
            row = play.step(action)
        except PerfectplayError as error:
            if not self._begun:
                raise MatchStateError("no game has started: reset the environment before stepping") from None
            return self._play_on(side, {settings.penalize(play, self.illegal, action, error): True}, before)
        if row.choice and opponent is None:  # nothing else happens in this step
            info = {"action_mask": row.fresh_mask(), "side": row.side, "forced_passes": 0}
            return row.fresh_bits(), 0.0, False, False, info
        return self._play_on(side, {}, before)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return a bool mask of the legal actions, shape `(num_actions,)`, for sb3-contrib's MaskablePPO."""
        return self.single.row.legal.copy()

    def render(self) -> Any:
        """Return the position by render mode: text, a picture (uint8, `(height, width, 3)`), or None."""
        return None if self.render_mode is None else settings.render(self.single, self.render_mode)

    def close(self) -> None:
        """Close an opponent that runs in another process."""
        if self.opponent is not None:
            self.opponent.close()

    def _play_on(self, side: int, said: Info, before: Snapshot | None) -> Step:
        """Play up to the next choice that is not the opponent's; return the step as `side` sees it.

        If that fails, a game with an opponent goes back to `before`.
        """
        play = self.single
        row, passes = play.row, 0
        try:
            while play.moves:
                if not row.choice:
                    row = play.step(next(iter(play.moves)))
                    passes += 1
                elif before is None or row.side == self.seat:
                    break
                else:
                    row = self._reply(row.state)
        except BaseException:
            if before is not None:
                play.restore(before)
            raise
        info = {"action_mask": row.fresh_mask(), "side": row.side, "forced_passes": passes, **said}
        if row.outcome is not None:
            winner, info["outcome"] = row.outcome
            info["winner"] = None if winner is None else _WINNERS[winner]
        return row.fresh_bits(), row.rewards[side], row.terminated, play.truncated, info

    def _reply(self, state: Any) -> Row:
        rng, opponent = Random(int(self.np_random.integers(1 << 62))), self.opponent
        assert opponent is not None
        if isinstance(opponent, KnownPlayer):
            return self.single.step(draw(chances_of(opponent, self.game, state), rng))
        try:
            return self.single.step(opponent.choose(self.game, state, rng))
        except ForfeitError:
            return self.single.forfeit()


def environment_id(name: str) -> str:
    """Return the id of a game's environment."""
    return f"perfectplay/{''.join(word.capitalize() for word in name.split('-'))}-v0"


# Without a game, the error says what to pass instead.
for _id, _game in {ANY_GAME: None, **{environment_id(name): name for name in names()}}.items():
    if _id not in gymnasium.registry:
        gymnasium.register(
            _id,
            entry_point="perfectplay.adapters.gymnasium:GameEnv",
            vector_entry_point="perfectplay.adapters.gymnasium_vector:GameVectorEnv",
            kwargs={"game": _game},
        )
