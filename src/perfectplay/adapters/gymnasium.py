"""The games as Gymnasium environments, against an opponent or in self-play.

Importing this module registers every game: "perfectplay/BitFlip-v0" and so on; and "perfectplay/Game-v0",
whose keyword `game` takes any game, a game file too.

>>> import gymnasium
>>> import perfectplay.adapters.gymnasium
>>> env = gymnasium.make("perfectplay/BitFlip-v0", bits=5, opponent="perfect")
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step(2)
>>> info["action_mask"], reward, terminated
(array([0, 0, 0, 0, 1], dtype=int8), 0.0, False)
"""

from collections.abc import Mapping
from functools import lru_cache
from random import Random
from typing import Any, Literal, Self, get_args

from perfectplay.core.errors import (
    BadParameterError,
    ForfeitError,
    MatchStateError,
    MissingExtraError,
    PerfectplayError,
)

try:
    import gymnasium
    from gymnasium.spaces import Discrete, MultiBinary
except ImportError as error:
    raise MissingExtraError("gymnasium", "rl") from error

import numpy as np
from numpy.typing import NDArray

from perfectplay.adapters.picture import picture
from perfectplay.adapters.settings import (
    Illegal,
    checked_illegal,
    checked_render_mode,
    checked_seed,
    game_with,
    penalised,
)
from perfectplay.core.game import Action, Game, whole_number
from perfectplay.games.registry import names
from perfectplay.players.base import ComputerPlayer, KnownPlayer, drawn
from perfectplay.players.registry import load_player, player_class, player_names
from perfectplay.simulate.row import Row
from perfectplay.simulate.single import single_game

RenderMode = Literal["ansi", "rgb_array"]
Observation = NDArray[np.int8]
Info = dict[str, Any]
Step = tuple[Observation, float, bool, bool, Info]

ANY_GAME = "perfectplay/Game-v0"
"""The id of the environment that is told its game by a keyword."""
SELF = "self"
"""The opponent that is none: whoever is to move is played by the same hand."""


class Winner(int):
    """The side that won, as a type of its own.

    Gymnasium collects plain numbers from many environments in an array in which a tie, None, has no place.
    """


_WINNERS = (Winner(0), Winner(1))
_TOLD: tuple[Info, Info] = (
    {"action_mask": None, "side": 0, "forced_passes": 0},
    {"action_mask": None, "side": 1, "forced_passes": 0},
)


class GameEnv(gymnasium.Env[Observation, Any]):
    """A game in which every step is a choice; `gymnasium.make` makes one by its id.

    `game` is a game or its spec; further keywords are parameters of the game. `opponent` is the spec of a
    computer player, or such a player itself, and `seat` the side that is left to the learner; a step
    is then the learner's move with the opponent's reply. With the opponent "self" a step is a move
    of whoever is to move, and its reward goes to who made it. A side that can do nothing but pass is
    passed by the environment, which counts `forced_passes`.

    `horizon` cuts a game that goes on short after so many plies, which truncates it. `illegal` says what
    an action against the rules does: it raises IllegalActionError; or it loses the game; or, in a
    game with such a rule, any whole number that is no legal action loses the turn.

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

    def __new__(cls, *args: Any, opponent: str | ComputerPlayer = "random", **kwargs: Any) -> Self:
        if cls is not GameEnv:
            return super().__new__(cls)
        form: Any = SelfPlayEnv if opponent == SELF else OpponentEnv
        made: Self = super().__new__(form)
        return made

    def __init__(
        self,
        game: Game[Any] | str,
        *,
        opponent: str | ComputerPlayer = "random",
        seat: int = 0,
        horizon: int | None = None,
        illegal: Illegal = "error",
        render_mode: RenderMode | None = None,
        **parameters: Any,
    ) -> None:
        self.game = game_with(game, parameters)
        self.opponent = None if opponent == SELF else checked_opponent(opponent)
        self._play = single_game(self.game, horizon)
        self.horizon = self._play.horizon
        self.seat = checked_seat(self.game, seat, self.horizon, self_play=self.opponent is None)
        self.illegal = checked_illegal(self.game, illegal)
        self.render_mode = checked_render_mode(render_mode, RenderMode)
        self.observation_space = MultiBinary(list(self._play.observer.shape))
        self.action_space = Discrete(self.game.num_actions)
        if self.opponent is not None:
            self.opponent.prepare(self.game)
        self._begun = False
        # So that no action is accepted before the first reset.
        self._play.disqualify()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Start again and play on to the learner's first turn. There are no options."""
        if seed is not None:
            super().reset(seed=checked_seed(seed))
        if options:
            raise BadParameterError("options", options, "None or empty: there are none")
        before = self._play.snapshot()
        self._play.reset()
        try:
            observation, _, _, _, info = self._played_on(self.seat, {})
        except BaseException:
            self._play.restore(before)
            raise
        self._begun = True
        return observation, info

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, asked for in this way by MaskablePPO of sb3-contrib."""
        return self._play.row.legal.copy()

    def render(self) -> Any:
        """The position, as the render mode says: as text, as a small picture, or not at all."""
        state = self._play.row.state
        if self.render_mode == "ansi":
            return "\n".join(self.game.dialogue().board(state))
        if self.render_mode == "rgb_array":
            return picture(self.game.view(state), self._play.observer.board)
        return None

    def close(self) -> None:
        """Let go of an opponent that runs outside this program."""
        if self.opponent is not None:
            self.opponent.close()

    def _penalised(self, action: object, error: PerfectplayError) -> Info:
        """Punish an action that the game has refused, or raise the error; returns what there is to say."""
        if not self._begun:
            raise MatchStateError("no game has begun: reset the environment before its first step") from None
        return {penalised(self._play, self.illegal, action, error): True}

    def _played_on(self, side: int, said: Info) -> Step:
        """Play on to the next choice that is not the opponent's; what that step brought to a side."""
        play = self._play
        row, passes = play.row, 0
        while play.moves:
            if not row.choice:
                row = play.step(next(iter(play.moves)))
                passes += 1
            elif self.opponent is None or row.side == self.seat:
                break
            else:
                row = self._reply(self.opponent, row.state)
        info = {"action_mask": row.fresh_mask(), "side": row.side, "forced_passes": passes, **said}
        if row.outcome is not None:
            winner, info["outcome"] = row.outcome
            info["winner"] = None if winner is None else _WINNERS[winner]
        return row.fresh_bits(), row.rewards[side], row.terminated, play.truncated, info

    def _reply(self, opponent: ComputerPlayer, state: Any) -> Row:
        rng = Random(int(self.np_random.integers(1 << 62)))
        if isinstance(opponent, KnownPlayer):
            return self._play.step(drawn(_chances(opponent, self.game, state), rng))
        try:
            return self._play.step(opponent.choose(self.game, state, rng))
        except ForfeitError:
            return self._play.forfeit()


class SelfPlayEnv(GameEnv):
    """The form of a `GameEnv` in which every step is a move of whoever is to move."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Start again. There are no options, and nothing here is left to chance."""
        if seed is None and not options:
            row = self._play.reset()
            if row.choice:
                self._begun = True
                return row.fresh_bits(), self._told(row)
        return super().reset(seed=seed, options=options)

    def step(self, action: Any) -> Step:
        """Play an action; the reward is that of the side that made it."""
        play = self._play
        before = play.row
        try:
            row = play.step(action)
        except PerfectplayError as error:
            return self._played_on(before.side, self._penalised(action, error))
        if row.choice:
            return row.fresh_bits(), 0.0, False, False, self._told(row)
        return self._played_on(before.side, {})

    @staticmethod
    def _told(row: Row) -> Info:
        # Copying a dict is quicker than making one.
        info = _TOLD[row.side].copy()
        info["action_mask"] = row.fresh_mask()
        return info


class OpponentEnv(GameEnv):
    """The form of a `GameEnv` in which an opponent replies."""

    def step(self, action: Any) -> Step:
        """Play an action of the learner, and the opponent's reply; the reward is the learner's."""
        play, said = self._play, {}
        before = play.snapshot()
        try:
            play.step(action)
        except PerfectplayError as error:
            said = self._penalised(action, error)
        try:
            return self._played_on(self.seat, said)
        except BaseException:  # without a reply the learner's move does not stand either
            play.restore(before)
            raise


def checked_opponent(opponent: str | ComputerPlayer) -> ComputerPlayer:
    """The computer player that a spec names."""
    named = isinstance(opponent, str) and opponent.partition(":")[0] in player_names()
    found = load_player(str(opponent)) if named else opponent
    if not isinstance(found, ComputerPlayer):
        computers = [name for name in player_names() if issubclass(player_class(name), ComputerPlayer)]
        raise BadParameterError("opponent", opponent, f"{SELF}, or one of {', '.join(computers)}")
    return found


def checked_seat(game: Game[Any], seat: int, horizon: int | None, *, self_play: bool) -> int:
    """The side of the learner, who must have a turn before the game can be over."""
    if whole_number(seat) not in (0, 1):
        raise BadParameterError("seat", repr(seat), "0 or 1")
    seat = int(seat)
    if self_play:
        if seat:
            raise BadParameterError("seat", seat, f"0 with the opponent {SELF}, who plays both sides")
        return seat
    positions = {game.initial()}
    plies = 0
    known: set[Any] = set()
    while positions:
        if plies == horizon or any(game.outcome(state) is not None for state in positions):
            cut = "" if horizon is None else f" with horizon={horizon}"
            when = f"{game.spec} can be over{cut} before side {seat} has a turn"
            raise BadParameterError("seat", seat, f"{1 - seat}: {when}")
        known |= positions
        waiting = [each for each in positions if game.side_to_move(each) != seat or game.is_forced_pass(each)]
        positions = {game.apply(each, action) for each in waiting for action in game.legal_actions(each)}
        positions -= known
        plies += 1
    return seat


@lru_cache(maxsize=1 << 16)
def _chances(player: KnownPlayer, game: Game[Any], state: Any) -> Mapping[Action, float]:
    """What a player would work out anew whenever a game comes to the same position."""
    return player.chances(game, state)


def environment_id(name: str) -> str:
    """The id of a game.

    >>> environment_id("race-to-the-center")
    'perfectplay/RaceToTheCenter-v0'
    """
    return f"perfectplay/{''.join(word.capitalize() for word in name.split('-'))}-v0"


def _register() -> None:
    # The game that is None is refused with a word on what to give instead.
    games = {ANY_GAME: None, **{environment_id(name): name for name in names()}}
    for identifier, game in games.items():
        if identifier not in gymnasium.registry:
            gymnasium.register(
                identifier,
                entry_point="perfectplay.adapters.gymnasium:GameEnv",
                vector_entry_point="perfectplay.adapters.gymnasium_vector:GameVectorEnv",
                kwargs={"game": game},
            )


_register()
