"""What other checkers see of the faulty environments: `python -m tests.foreign.comparison` prints a table."""

import os
import resource
import signal
import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from perfectplay_foreign.environment import seed_globals
from perfectplay_foreign.findings import CODES
from perfectplay_foreign.load import environment_class

ENVS = Path(__file__).parent / "envs"
SECONDS, MEMORY = 2, 1 << 30
SEEN, MISSED = "yes", "no"
ZOO = "not-zero-sum"
"""The code whose environment is one of PettingZoo, so that Gymnasium's checker cannot look at it."""


def gymnasium_checks(make: Callable[[], Any]) -> None:
    """Gymnasium's check of an environment."""
    from gymnasium.utils.env_checker import check_env

    check_env(make())


def pettingzoo_checks(make: Callable[[], Any]) -> None:
    """PettingZoo's check of an environment, which is made one of PettingZoo's if it is not."""
    from pettingzoo.test import api_test

    env = make()
    api_test(env if hasattr(env, "possible_agents") else _as_zoo(env), num_cycles=100)


def _as_zoo(env: Any) -> Any:
    """An environment of Gymnasium with two agents that take turns."""
    sys.path.insert(0, str(ENVS))
    from zoo import ZooNim  # type: ignore[import-not-found]

    class Zoo(ZooNim):  # type: ignore[misc]
        agent_selection: Any
        terminations: Any
        truncations: Any

        def action_space(self, agent: str) -> Any:
            return env.action_space

        def reset(self, seed: int | None = None, options: Any = None) -> None:
            super().reset(seed=seed)
            self.stones = env.reset(seed=seed)[0]

        def observe(self, agent: str) -> Any:
            mask = super().observe(agent)["action_mask"] * 0
            for move in env.valid_moves() if agent == self.agent_selection else ():
                mask[int(move)] = 1
            return {"observation": self.stones, "action_mask": mask}

        def step(self, action: Any) -> None:
            mover = self.agent_selection
            if self.terminations[mover] or self.truncations[mover]:
                return self._was_dead_step(action)  # type: ignore[no-any-return]
            self._clear_rewards()
            self._cumulative_rewards[mover] = 0
            self.stones, reward, over, cut, _ = env.step(action)
            other = "second" if mover == "first" else "first"
            self.rewards = {mover: reward, other: -reward}
            self.terminations = dict.fromkeys(self.agents, over)
            self.truncations = dict.fromkeys(self.agents, cut)
            names: dict[Any, str] = {0: "first", 1: "second"}
            self.agent_selection = names.get(getattr(env, "current_player", None), other)
            self._accumulate_rewards()

        def render(self) -> Any:
            return env.render()

    return Zoo()


def _raises(check: Callable[[Callable[[], Any]], None], path: Path) -> bool:
    """Whether a checker raises an error. All random choices are the same every time."""
    seed_globals(0)

    def make() -> Any:
        env = environment_class(str(path))()
        for space in ("action_space", "actions"):
            if hasattr(getattr(env, space, None), "seed"):
                getattr(env, space).seed(0)
        return env

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check(make)
    except Exception:  # noqa: BLE001 - whatever it raises, it has seen something
        return True
    return False


def seen(check: Callable[[Callable[[], Any]], None], path: Path) -> str:
    """What becomes of a check in a process of its own."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            null = os.open(os.devnull, os.O_RDWR)
            for descriptor in (0, 1, 2):
                os.dup2(null, descriptor)
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
            signal.alarm(4 * SECONDS)
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
            with os.fdopen(writing, "w") as file:
                file.write(SEEN if _raises(check, path) else MISSED)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as file:
        text = file.read()
    os.waitpid(pid, 0)
    return text or "hangs or dies"


def compared() -> dict[str, list[str]]:
    """For each code: whether Gymnasium's checker sees its environment, and whether PettingZoo's does."""
    for name in ("gymnasium.utils.env_checker", "pettingzoo.test"):  # once, before any fork
        import_module(name)
    checkers = (gymnasium_checks, pettingzoo_checks)
    for check, name in zip((*checkers, pettingzoo_checks), ("sound", "sound", "zoo"), strict=True):
        assert seen(check, ENVS / f"{name}.py") == MISSED  # or it would prove nothing
    found = {}
    for code in CODES:
        path = ENVS / f"{code.replace('-', '_')}.py"
        found[code] = [seen(check, path) for check in checkers]
    found[ZOO][0] = "-"
    return found


def table() -> str:
    """The comparison as Markdown."""
    rows = compared()
    lines = ["| code | meaning | `check_env` | `api_test` | `audit-env` |", "|---|---|---|---|---|"]
    lines += [
        f"| `{code}` | {CODES[code].meaning} | {each[0]} | {each[1]} | yes |" for code, each in rows.items()
    ]
    counts = [sum(each[place] == SEEN for each in rows.values()) for place in (0, 1)]
    lines.append(f"| | seen, of {len(rows)} | {counts[0]} | {counts[1]} | {len(rows)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(table() + "\n")
