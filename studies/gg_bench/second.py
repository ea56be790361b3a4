"""A second checker, to check the first: plain copies, plain search, nothing of the auditor but its sandbox.

    python -m studies.gg_bench.second FOLDER OUT [--moves 30000]

FOLDER has the files env_N.py. For each, OUT gets a line of JSON. A run that was stopped continues.
"""

import argparse
import json
import os
import pickle
import random
import signal
import sys
from collections import deque
from collections.abc import Hashable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

from perfectplay.foreign.sandbox.layers import LAYERS, confine

SECONDS, MEMORY = 60, 500 << 20
"""The net for one environment: seconds of a processor, and bytes."""
DRAWS = 7
"""How many seeds are tried to see whether the start depends on them."""

Found = dict[str, Any]


def plain(value: Any) -> Hashable:
    """Any value of an environment as something that can be compared."""
    if isinstance(value, np.ndarray):
        return ("array", str(value.dtype), value.shape, tuple(map(plain, value.ravel().tolist())))
    if isinstance(value, (np.generic,)):
        return plain(value.item())
    if isinstance(value, dict):
        return ("dict", tuple(sorted(((repr(key), plain(each)) for key, each in value.items()), key=repr)))
    if isinstance(value, (list, tuple, deque)):
        return (type(value).__name__, tuple(map(plain, value)))
    if isinstance(value, (set, frozenset)):
        return ("set", tuple(sorted(map(repr, map(plain, value)))))
    if isinstance(value, (int, float, str, bool, bytes, type(None))):
        return (type(value).__name__, repr(value))
    if isinstance(value, (np.random.Generator, gymnasium.Space)):
        return type(value).__name__
    return (type(value).__name__, plain(vars(value)) if hasattr(value, "__dict__") else repr(value))


def position(env: Any, turn: int) -> Hashable:
    """The position of an environment: all it holds, and whose turn it is."""
    held = {name: each for name, each in vars(env).items() if "_np_random" not in name and "seed" not in name}
    return turn, plain(held)


def begin(kind: Any, seed: int) -> Any:
    """A new game."""
    random.seed(seed)
    np.random.seed(seed)
    env = kind()
    env.reset(seed=seed)
    return env


def moves_of(env: Any) -> list[int]:
    """The legal moves, each once."""
    return list(dict.fromkeys(int(move) for move in env.valid_moves()))


def luck() -> Hashable:
    """The state of the shared generators."""
    drawn = np.random.get_state()
    return random.getstate(), drawn[1].tobytes(), drawn[2]  # type: ignore[index]


def check(path: Path, most: int) -> Found:
    """Everything that this checker decides about an environment."""
    found: Found = {"codes": [], "whole": False, "value": None, "plies": None, "positions": 0}
    spec = spec_from_file_location("checked", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["checked"] = module  # copies are pickles, which look it up
    try:
        spec.loader.exec_module(module)
        kind = module.CustomEnv
        env = begin(kind, 0)
        moves_of(env)
    except Exception as error:  # noqa: BLE001 - somebody's code
        found["codes"], found["error"] = ["no-start"], type(error).__name__
        return found
    # The same seed gives the same start, and other seeds may give others: draw several.
    starts = [position(begin(kind, seed), 0) for seed in range(DRAWS)]
    if len(set(starts)) > 1:
        found["codes"].append("several-starts")
    search(env, most, found)
    return found


def search(env: Any, most: int, found: Found) -> None:
    """Visit positions, nearest first, with copies; then work out who wins."""
    codes: set[str] = set(found["codes"])
    numbers: dict[Hashable, int] = {position(env, 0): 0}
    envs, turns = [pickle.dumps(env)], [0]
    after: list[list[tuple[str, int]]] = []
    """For each position its moves: to another position, or to an end that is won by a side, -1 for a tie."""
    tried, before = 0, luck()
    movers = {mover_of(env)}
    again = False
    while len(after) < len(envs) and tried < most:
        here = len(after)
        original = pickle.loads(envs[here])
        mover = mover_of(original)
        try:
            legal = moves_of(original)
        except Exception:  # noqa: BLE001
            codes.add("crash")
            after.append([("open", 0)])
            continue
        if not legal:
            codes.add("dead-end")
        row: list[tuple[str, int]] = []
        for move in legal:
            tried += 1
            copied, turn = pickle.loads(envs[here]), turns[here]
            try:
                _, reward, over, cut, _ = copied.step(move)
                reward, ended = float(reward), bool(over) or bool(cut)
            except Exception:  # noqa: BLE001
                codes.add("crash")
                row.append(("open", 0))
                continue
            if luck() != before:
                found["codes"] = sorted(codes | {"random-step"})
                return
            if ended:
                if reward <= -10:
                    codes.add("legal-refused")
                row.append(("end", -1 if not reward else turn if reward > 0 else 1 - turn))
                continue
            if reward:
                codes.add("legal-punished" if reward < 0 else "reward-before-end")
            movers.add(mover_of(copied))
            again |= mover is not None and mover_of(copied) == mover
            key = position(copied, 1 - turn)
            if key not in numbers:
                numbers[key] = len(envs)
                envs.append(pickle.dumps(copied))
                turns.append(1 - turn)
            row.append(("to", numbers[key]))
        after.append(row)
    if again and len(movers) > 1:
        codes.add("turn-contradicted")
    opens = any(kind == "open" for row in after for kind, _ in row)
    found["whole"] = len(after) == len(envs) and not opens
    found["positions"] = len(envs)
    if found["whole"]:
        solve(after, turns, codes, found)
    found["codes"] = sorted(codes)


def mover_of(env: Any) -> Hashable:
    """Who moves, as the environment says."""
    said = getattr(env, "current_player", None)
    return said if isinstance(said, Hashable) else None


def solve(after: list[list[tuple[str, int]]], turns: list[int], codes: set[str], found: Found) -> None:
    """Who wins each position, by going over all positions until nothing changes. Distances come with it."""
    size = len(after)
    won: list[tuple[int, int] | None] = [None] * size
    """The side that wins, and in how many moves."""
    for plies in range(1, size + 2):
        new: list[tuple[int, int]] = []
        for here in range(size):
            if won[here] is not None or not after[here]:
                continue
            results = [end if kind == "end" else _winner(won[end]) for kind, end in after[here]]
            if turns[here] in results:
                new.append((here, turns[here]))
            elif all(each == 1 - turns[here] for each in results):
                new.append((here, 1 - turns[here]))
        for here, side in new:
            won[here] = (side, plies)
        if not new:
            break
    if won[0] is not None:
        found["value"], found["plies"] = ("win" if won[0][0] == turns[0] else "loss"), won[0][1]
    ends = {end for row in after for kind, end in row if kind == "end"}
    if ends and len(ends - {-1}) < 2:
        codes.add("one-winner")
    if _cyclic(after):
        codes.add("endless-possible")


def _winner(won: tuple[int, int] | None) -> int | None:
    return None if won is None else won[0]


def _cyclic(after: list[list[tuple[str, int]]]) -> bool:
    """Whether a position can come back: take away, again and again, what leads nowhere."""
    left = [sum(kind == "to" for kind, _ in row) for row in after]
    into: list[list[int]] = [[] for _ in after]
    for here, row in enumerate(after):
        for kind, target in row:
            if kind == "to":
                into[target].append(here)
    free = [here for here, count in enumerate(left) if not count]
    gone = 0
    while free:
        gone += 1
        for source in into[free.pop()]:
            left[source] -= 1
            if not left[source]:
                free.append(source)
    return gone < len(after)


def run_confined(path: Path, most: int) -> Found:
    """Check an environment in a process of its own, in the sandbox."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        held = confine(lambda: [path], seconds=SECONDS, memory=MEMORY)
        said: Found = {"codes": ["no-sandbox"]}
        if len(held) == len(LAYERS):
            try:
                said = check(path, most)
            except MemoryError:
                said = {"codes": ["memory"]}
            except BaseException as error:  # noqa: BLE001 - somebody's code
                said = {"codes": ["failed"], "error": type(error).__name__}
        os.write(writing, json.dumps(said).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    try:
        found: Found = json.loads(answer)
    except ValueError:
        found = {"codes": ["unfinished"]}
    return found


def names(folder: Path, games: list[str]) -> list[Path]:
    """The files of a folder in the order of their numbers; with `games`, only those."""
    every = sorted(folder.glob("env_*.py"), key=lambda path: (len(path.stem), path.stem))
    return [path for path in every if not games or path.stem.removeprefix("env_") in games]


def main(arguments: list[str]) -> None:
    """Check all environments of a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--moves", type=int, default=30_000)
    parser.add_argument("--games", nargs="*", default=[], help="the numbers of the games, if not all")
    asked = parser.parse_args(arguments)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    done = set()
    if asked.out.exists():
        done = {json.loads(line)["env"] for line in asked.out.read_text("utf-8").splitlines()}
    with asked.out.open("a", encoding="utf-8") as file:
        for path in names(asked.folder, asked.games):
            if path.name not in done:
                file.write(json.dumps({"env": path.name, **run_confined(path.resolve(), asked.moves)}) + "\n")
                file.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
