"""Two-player classes in the style of Gymnasium: reset, step, and something that lists the legal moves."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from inspect import signature
from typing import Any

from perfectplay.core.errors import nearest
from perfectplay.core.formatting import quote
from perfectplay_foreign.adapter import Adapter, Move, Moves, StartError, Step, UnavailableError
from perfectplay_foreign.protocol import (
    check_observation,
    explain_missing,
    find_mask,
    mask_moves,
    read_moves,
    read_reset,
    read_step,
)

LISTS = tuple(
    f"{get}{which}_{what}"
    for get in ("", "get_")
    for which in ("valid", "legal", "available", "possible")
    for what in ("moves", "actions")
)
"""The names of methods that list the legal moves."""
MASKS = ("action_masks", "action_mask", "get_action_mask", "valid_action_mask")
"""The names of methods, or entries of info, with a mask of them."""
MOVERS = ("current_player", "player_to_move", "to_play", "current_turn", "active_player")
"""The names of attributes that say who moves."""
SIDES = ("player", "side", "agent", "turn", "mover", "colo", "seat")
"""Parts of what arguments are called that stand for the side to move; a color is spelled in two ways."""
ENDS = ("done", "game_over", "is_over", "terminated", "finished")
"""The names of attributes that say whether the game is over."""


class GymnasiumAdapter(Adapter):
    """An environment with `reset` and `step`, of Gymnasium or alike."""

    prefix = "gym"
    remembers = True

    @classmethod
    def fits(cls, env: object) -> bool:
        return callable(getattr(env, "reset", None)) and callable(getattr(env, "step", None))

    @classmethod
    def make(cls, name: str, arguments: Mapping[str, Any]) -> object:
        import gymnasium
        from gymnasium import error as kinds

        try:
            # Without its wrappers: a limit on steps, say, is not one of the rules.
            return gymnasium.make(name, disable_env_checker=True, **arguments).unwrapped
        except kinds.DependencyNotInstalled as error:
            raise UnavailableError(str(error), missing=True) from error
        except ModuleNotFoundError as error:
            raise explain_missing(name.partition(":")[0], error) or error from error
        except (kinds.UnregisteredEnv, kinds.DeprecatedEnv) as error:
            raise UnavailableError(str(error)) from error
        except kinds.Error as error:
            raise UnavailableError(str(error)) if "Malformed" in str(error) else error from error

    def start(self, seed: int) -> None:
        self.env = getattr(self.env, "unwrapped", self.env)
        self.observation, self.info = read_reset(self, seed)
        for name in filter(None, self.names):
            if not hasattr(self.env, name):
                raise UnavailableError(f"the environment has no {quote(name)}{nearest(name, dir(self.env))}")
        lists = [name for name in (self.names.legal, *LISTS) if self._lists(name)]
        masks = [name for name in MASKS if callable(getattr(self.env, name, None))]
        self._list = self._ask(lists[0]) if lists else None
        self._mask = getattr(self.env, masks[0]) if masks and not lists else None
        movers = (name for name in MOVERS if hasattr(self.env, name) and not self._wants(name))
        self._mover = self.names.mover or next(movers, None)
        if not lists and not masks and self._find_mask() is None:
            why = "neither a method nor a mask in info; --legal gives the name of a method"
            raise StartError("no-moves", f"nothing lists the legal moves: {why}")
        self.carried = () if lists or masks else ("info", "observation")

    def _lists(self, name: str) -> bool:
        """Whether something of this name can list the legal moves."""
        found = getattr(self.env, name, None)
        return callable(found) or isinstance(found, (list, tuple, set)) or hasattr(found, "dtype")

    def _wants(self, name: str) -> list[str]:
        """The arguments that something of this name cannot do without."""
        try:
            takes = signature(getattr(self.env, name)).parameters.values()
        except (TypeError, ValueError):  # not a method, or it does not say
            return []
        named = [each for each in takes if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
        return [each.name for each in named if each.default is each.empty]

    def _ask(self, name: str) -> Callable[[], object]:
        """How to get the list of that name: it may be an attribute, or depend on who moves."""
        found = getattr(self.env, name)
        if not callable(found):
            return lambda: getattr(self.env, name)
        wanted = self._wants(name)
        asks = len(wanted) == 1 and any(word in wanted[0].lower() for word in SIDES)
        return lambda: found(self.mover()) if asks else found()

    def moves(self) -> Moves:
        if self._list is not None:
            return read_moves(self, self._list())
        return mask_moves(self, self._find_mask() if self._mask is None else self._mask())

    def _find_mask(self) -> Iterable[object] | None:
        return find_mask(MASKS, self.info, self.observation)

    def again(self, seed: int) -> bool:
        self.observation, self.info = read_reset(self, seed)
        return True

    def is_over_at_start(self) -> bool:
        return any(getattr(self.env, name, False) is True for name in ENDS)

    def step(self, move: Move) -> Step:
        self.observation, step, self.info = read_step(self, self.env.step(move))
        return step

    def mover(self) -> Hashable:
        if self._mover is None:
            return None
        found = getattr(self.env, self._mover)
        found = found() if callable(found) else found
        mover: Hashable = found.item() if hasattr(found, "item") else found
        return mover

    def look(self) -> object:
        if self.strict:
            check_observation(self, self.observation)
        return self.observation

    def all_moves(self) -> Sequence[Move] | None:
        space = getattr(self.env, "action_space", None)
        if space is not None and type(space).__name__ == "Discrete":
            return range(int(space.start), int(space.start + space.n))
        return None

    def draw(self) -> object:
        if not callable(getattr(self.env, "render", None)):
            raise NotImplementedError
        return self.env.render()
