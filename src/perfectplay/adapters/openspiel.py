"""The games as OpenSpiel games. Importing this module registers them for `pyspiel.load_game`.

>>> import pyspiel
>>> from perfectplay.adapters import openspiel
>>> game = pyspiel.load_game("perfectplay_bit_flip(bits=4)")
>>> state = game.new_initial_state()
>>> state.apply_action(0)
>>> print(state)
1000 2
>>> state.legal_actions(), state.current_player()
([2, 3], 1)
"""

import re
from collections.abc import Mapping
from dataclasses import fields
from math import prod
from typing import Any, ClassVar, NamedTuple

from perfectplay.core.errors import BadParameterError, MatchStateError, needs

with needs("open_spiel", "openspiel", "open_spiel", "pyspiel"):
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame

import numpy as np

from perfectplay.adapters.settings import library_name, spec_parameters
from perfectplay.core.game import Action, Game, whole_number
from perfectplay.games.registry import game_class, names
from perfectplay.simulate.arguments import as_game, range_error
from perfectplay.simulate.observation import Observer, observer_for
from perfectplay.simulate.positions import check_horizon, longest_for
from perfectplay.simulate.rewards import REWARDS

OWN = -1
"""The value of a parameter that is left to the game, such as the horizon: given by the game, or none."""
HORIZON = "horizon"
TERMINAL = int(pyspiel.PlayerId.TERMINAL)

SpielValue = int | str


def load_game(game: Game[Any] | str, horizon: int | None = None) -> "SpielGame":
    """Load a game by its perfectplay spec; `pyspiel.load_game` does so by its OpenSpiel name.

    >>> str(load_game("race-to-the-center:steps=1-3", horizon=6))
    'perfectplay_race_to_the_center(horizon=6,steps=1_3)'
    """
    rules = as_game(game)
    check_horizon(rules, horizon)
    if library_name(rules) not in pyspiel.registered_names():
        register(type(rules))
    loaded: SpielGame = pyspiel.load_game(library_name(rules), _parameters(rules, horizon))
    return loaded


def register(rules: type[Game[Any]]) -> None:
    """Register a class of games with OpenSpiel. Those in `perfectplay.names()` are already registered.

    >>> import perfectplay as pp
    >>> class MyGame(type(pp.load("bit-flip"))):
    ...     name = "my-game"
    >>> register(MyGame)
    >>> pyspiel.load_game("perfectplay_my_game(bits=7)").num_distinct_actions()
    7
    """
    defaults = _defaults(rules)
    game_type = pyspiel.GameType(
        short_name=library_name(rules),
        long_name=rules.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=defaults,
    )
    # A class, because a class keeps itself alive: OpenSpiel releases it after Python has shut down, and
    # freeing it only then would crash the process.
    kind = type(f"Spiel{rules.__name__}", (SpielGame,), {"game_type": game_type, "rules_class": rules})
    pyspiel.register_game(game_type, kind)


class Position(NamedTuple):
    """The progress of a game. It is immutable, so clones share it."""

    state: Any
    plies: int
    player: int
    legal: tuple[Action, ...]
    returns: tuple[float, float]

    def __deepcopy__(self, memo: object) -> "Position":
        return self


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game with its parameters. `rules` is the game itself.

    A game that need not end is over after `horizon` plies, and both sides then get 0.
    """

    game_type: ClassVar[pyspiel.GameType]
    rules_class: ClassVar[type[Game[Any]]]

    def __reduce__(self) -> tuple[Any, ...]:
        # Registered classes have no importable name, so they cannot be pickled by name.
        return load_game, (self.rules, self.horizon)

    def __init__(self, given: Mapping[str, SpielValue]) -> None:
        defaults = _defaults(self.rules_class)
        said = {name: value for name, value in given.items() if value != defaults[name]}
        horizon: Any = said.pop(HORIZON, None)
        rules = self.rules_class.from_texts({name: _text(value) for name, value in said.items()})
        self.horizon = check_horizon(rules, horizon)
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.num_actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=longest_for(rules) if self.horizon is None else self.horizon,
        )
        super().__init__(self.game_type, info, _parameters(rules, horizon))
        self.rules = rules
        self._start = self.position(rules.initial(), 0)

    def get_parameters(self) -> dict[str, SpielValue]:
        """Return all parameters, including those that were left out."""
        return {**_defaults(self.rules_class), **super().get_parameters()}

    def new_initial_state(self) -> "SpielState":
        """The start of a game."""
        return SpielState(self, self._start)

    def position(self, state: Any, plies: int) -> Position:
        """Return a position reached after `plies` plies."""
        rules = self.rules
        legal = rules.legal_actions(state)
        outcome = None if legal else rules.outcome(state)
        if plies == self.horizon:
            legal = ()
        player = rules.side_to_move(state) if legal else TERMINAL
        return Position(state, plies, player, legal, REWARDS[outcome.winner if outcome else None])

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Return OpenSpiel's observer: planes of 0 and 1 or, for perfect recall, the moves."""
        # C++ passes no type, so the parameters come first.
        if not isinstance(iig_obs_type, pyspiel.IIGObservationType):
            iig_obs_type, params = None, params or iig_obs_type
        if params:
            raise BadParameterError("params", params, "empty: an observation takes no parameters")
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return SpielObserver(observer_for(self.rules, self.horizon))
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position in the course of a game."""

    def __init__(self, game: SpielGame, position: Position) -> None:
        super().__init__(game)
        self.position = position

    def current_player(self) -> int:
        """The side to move, 0 or 1, or the constant for a finished game."""
        return self.position.player

    def is_terminal(self) -> bool:
        """Whether the game is over or has reached its horizon."""
        return not self.position.legal

    def returns(self) -> list[float]:
        """For each side: 1 if it has won, -1 if it has lost, otherwise 0."""
        return list(self.position.returns)

    def apply_action(self, action: Action) -> None:
        """Play an action. An illegal action raises IllegalActionError and changes nothing."""
        actions = self.num_distinct_actions()
        number = whole_number(action)
        if number is None or not 0 <= number < actions:
            raise range_error("action", repr(action), actions)
        super().apply_action(number)

    apply_action_with_legality_check = apply_action

    def _legal_actions(self, player: int) -> tuple[Action, ...]:
        return self.position.legal

    def _apply_action(self, action: Action) -> None:
        game, position = self.get_game(), self.position
        if not position.legal:
            raise MatchStateError(f"the game is over: no action follows, not even {action}")
        self.position = game.position(game.rules.play(position.state, action), position.plies + 1)

    def _action_to_string(self, player: int, action: Action) -> str:
        rules = self.get_game().rules
        if not 0 <= action < rules.num_actions:
            raise range_error("action", action, rules.num_actions)
        text: str = rules.action_text(self.position.state, action)
        return text

    def __str__(self) -> str:
        # OpenSpiel's solvers treat equal texts as equal positions, but the plies left matter too.
        game, position = self.get_game(), self.position
        ply = "" if game.horizon is None else f", ply {position.plies} of {game.horizon}"
        return f"{game.rules.state_text(position.state)}{ply}"


class SpielObserver:
    """Writes a position to `tensor` (float32, flat) and `dict` (the same data in shape, planes first)."""

    def __init__(self, observer: Observer[Any]) -> None:
        self._observer = observer
        # OpenSpiel's layout has the planes first.
        self.tensor = np.zeros(prod(observer.shape), np.float32)
        self.dict = {"observation": self.tensor.reshape(observer.shape[-1], *observer.shape[:-1])}

    def set_from(self, state: SpielState, player: int) -> None:
        """Observe a position; both players see the same."""
        self.dict["observation"][:] = np.moveaxis(self._observer.observe(state.position.state), -1, 0)

    def string_from(self, state: SpielState, player: int) -> str:
        """The position as text."""
        return str(state)


def _defaults(rules: type[Game[Any]]) -> dict[str, SpielValue]:
    """The default parameters of a class of games, as OpenSpiel writes them."""
    defaults: dict[str, SpielValue] = {HORIZON: OWN}
    for each in fields(rules):
        default: Any = each.default
        choices = rules.choices(each.name)
        if default is None:
            defaults[each.name] = OWN
        elif isinstance(default, int) or (choices and all(choice.isdecimal() for choice in choices)):
            defaults[each.name] = int(default)
        else:
            defaults[each.name] = _without_hyphens(default)
    return defaults


def _parameters(rules: Game[Any], horizon: int | None) -> dict[str, SpielValue]:
    """The parameters that a game's spec includes, as OpenSpiel writes them."""
    defaults = _defaults(type(rules))
    said: dict[str, SpielValue] = {} if horizon is None else {HORIZON: horizon}
    for name, text in spec_parameters(rules).items():
        said[name] = int(text) if isinstance(defaults[name], int) else _without_hyphens(text)
    return said


def _without_hyphens(text: str) -> str:
    # OpenSpiel would read 1-3 as a malformed number.
    return text.replace("-", "_") if re.fullmatch("[0-9]+(-[0-9]+)+", text) else text


def _text(value: SpielValue) -> str:
    """A parameter as written in a spec."""
    text = str(value)
    return text.replace("_", "-") if re.fullmatch("[0-9]+(_[0-9]+)+", text) else text


for _name in names():
    register(game_class(_name))
