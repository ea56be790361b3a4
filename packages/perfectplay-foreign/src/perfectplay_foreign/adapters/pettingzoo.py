"""Environments of PettingZoo in which two agents take turns (AEC)."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pkgutil import iter_modules

from perfectplay.core.errors import nearest
from perfectplay.core.formatting import quote
from perfectplay_foreign.adapter import Adapter, Move, Moves, StartError, Step, UnavailableError
from perfectplay_foreign.protocol import explain_missing, find_mask, mask_moves, read_reward


class PettingZooAdapter(Adapter):
    """An AEC environment whose agents are told which actions are legal."""

    prefix = "pettingzoo"
    refuses = False  # a wrapper does that, and environments are looked at without theirs

    @classmethod
    def fits(cls, env: object) -> bool:
        return hasattr(env, "possible_agents") and callable(getattr(env, "observe", None))

    @classmethod
    def make(cls, name: str, arguments: Mapping[str, object]) -> object:
        family, _, version = name.rpartition("/")
        package = f"pettingzoo.{family or 'classic'}"
        try:
            module = import_module(f"{package}.{version}")
        except ModuleNotFoundError as error:
            install = f"pip install 'pettingzoo[{family or 'classic'}]'"
            found = explain_missing(f"{package}.{version}", error, install)
            if found is None or found.missing:
                raise found or error from error
            module = None
        # Without its wrappers: what they refuse says nothing about the game.
        raw = getattr(module, "raw_env", None)
        if raw is None:
            known: list[str] = []
            with suppress(ImportError):
                modules = iter_modules(import_module(package).__path__)
                known = [each.name for each in modules if "_v" in each.name]
            raise UnavailableError(f"PettingZoo has no environment {quote(name)}{nearest(version, known)}")
        return raw(**arguments)

    def start(self, seed: int) -> None:
        self.env = getattr(self.env, "unwrapped", self.env)
        self.env.reset(seed=seed)
        if self._mask() is None:
            raise StartError("no-moves", "nothing lists the legal moves: no action mask is observed")

    def _mask(self) -> Iterable[object] | None:
        agent = self.env.agent_selection
        return find_mask(["action_mask"], self.env.observe(agent), self.env.infos.get(agent))

    def again(self, seed: int) -> bool:
        self.env.reset(seed=seed)
        return True

    def is_over_at_start(self) -> bool:
        return not self.env.agents or any(self.env.terminations.values())

    def moves(self) -> Moves:
        return mask_moves(self, self._mask())

    def step(self, move: Move) -> Step:
        env = self.env
        mover = env.agent_selection
        env.step(move)
        over, cut = any(env.terminations.values()), any(env.truncations.values())
        rewards = {agent: read_reward(self, reward) for agent, reward in env.rewards.items()}
        own = rewards.get(mover, 0.0)
        others = sum(reward for agent, reward in rewards.items() if agent != mover)
        return self.result(own or -others or 0.0, rewards.values(), over, cut)

    def mover(self) -> Hashable:
        return str(self.env.agent_selection)

    def look(self) -> object:
        return self.env.observe(self.env.agent_selection)

    def all_moves(self) -> Sequence[Move] | None:
        space = self.env.action_space(self.env.agent_selection)
        return range(int(space.n)) if type(space).__name__ == "Discrete" else None

    def draw(self) -> object:
        if getattr(self.env, "render_mode", None) is None:
            raise NotImplementedError
        return self.env.render()
