"""A second checker, to check the first: plain copies, plain search, nothing of the auditor but its sandbox.

    python -m studies.gg_bench.second FOLDER OUT [--moves 30000] [--games 1 2 3]

FOLDER has the files env_N.py. For each, OUT gets a line of JSON. A run that was stopped continues.
"""

import argparse
import json
import os
import pickle
import random
import sys
from collections import deque
from collections.abc import Hashable
from pathlib import Path
from types import ModuleType
from typing import Any

import gymnasium
import numpy as np

from perfectplay_foreign.sandbox.layers import LAYERS, confine

SECONDS, MEMORY = 30, 2 << 30
"""The net for one environment: seconds of a processor, and bytes."""
DRAWS = 7
"""How many seeds are tried to see whether the start depends on them."""

Found = dict[str, Any]


def plain(value: Any) -> Hashable:
    """Any value of an environment as something that can be compared."""
    if isinstance(value, np.ndarray):
        return ("array", str(value.dtype), value.shape, tuple(map(plain, value.ravel().tolist())))
    if isinstance(value, np.generic):
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


def is_shared(name: str, value: Any) -> bool:
    """Whether an attribute is no part of a position: spaces, and generators of random numbers."""
    return isinstance(value, (np.random.Generator, gymnasium.Space)) or name.endswith("seed")


class Copies:
    """Saves and restores an environment by pickling its attributes; what is shared stays where it is."""

    def __init__(self, env: Any) -> None:
        self.env, self.numbers = env, dict[tuple[bytes, int], int]()
        self.keys = dict[Hashable, int]()
        self.fixed = {name: value for name, value in vars(env).items() if is_shared(name, value)}

    def read_attributes(self) -> dict[str, Any]:
        """The attributes of a position."""
        return {name: each for name, each in vars(self.env).items() if name not in self.fixed}

    def save(self) -> bytes:
        """The attributes of a position as bytes."""
        return pickle.dumps(self.read_attributes())

    def load(self, saved: bytes) -> Any:
        """The environment, put back to a position."""
        vars(self.env).clear()
        vars(self.env).update(self.fixed, **pickle.loads(saved))
        return self.env

    def number(self, saved: bytes, turn: int) -> int:
        """The number of a position: all that an environment holds, and whose turn it is."""
        if (saved, turn) not in self.numbers:
            self.numbers[saved, turn] = self.keys.setdefault(
                (turn, plain(self.read_attributes())), len(self.keys)
            )
        return self.numbers[saved, turn]

    def luck(self) -> Hashable:
        """The state of every generator: the shared ones, and those of the environment and of its spaces."""
        # As in Gymnasium 1.4: the public `np_random` of a space makes a generator where there is none.
        own = [getattr(each, "_np_random", each) for each in self.fixed.values()]
        drawn = np.random.get_state()
        states = [repr(each.bit_generator.state) for each in own if isinstance(each, np.random.Generator)]
        return random.getstate(), drawn[1].tobytes(), drawn[2], tuple(states)  # type: ignore[index]


def begin(kind: Any, seed: int) -> Any:
    """A new game."""
    random.seed(seed)
    np.random.seed(seed)
    env = kind()
    env.reset(seed=seed)
    return env


def start_of(kind: Any, seed: int) -> Hashable:
    """The position in which a game of this seed begins."""
    return plain({name: each for name, each in vars(begin(kind, seed)).items() if not is_shared(name, each)})


def moves_of(env: Any) -> list[int]:
    """The legal moves, each once."""
    return list(dict.fromkeys(int(move) for move in env.valid_moves()))


def check(path: Path, most: int) -> Found:
    """Everything that this checker decides about an environment."""
    found: Found = {"codes": [], "whole": False, "value": None, "plies": None, "positions": 0}
    module = sys.modules["checked"] = ModuleType("checked")  # copies are pickles, which look it up
    try:
        exec(compile(path.read_text("utf-8"), str(path), "exec"), vars(module))
        kind = module.CustomEnv
        env = begin(kind, 0)
        moves_of(env)
    except Exception as error:  # noqa: BLE001 - somebody's code
        found["codes"], found["error"] = ["no-start"], type(error).__name__
        return found
    # The same seed gives the same start, and other seeds may give others: draw several.
    if len({start_of(kind, seed) for seed in range(DRAWS)}) > 1:
        found["codes"].append("several-starts")
    search(begin(kind, 0), most, found)
    return found


def search(env: Any, most: int, found: Found) -> None:
    """Visit positions, nearest first, with copies; then work out who wins."""
    codes: set[str] = set(found["codes"])
    copies = Copies(env)
    saved, turns = [copies.save()], [0]
    copies.number(saved[0], 0)
    after: list[list[tuple[str, int]]] = []
    """For each position its moves: to another position, or to an end that is won by a side, -1 for a tie."""
    tried, before = 0, copies.luck()
    movers, again = {mover_of(env)}, False
    while len(after) < len(saved) and tried < most:
        here, row = len(after), list[tuple[str, int]]()
        original = copies.load(saved[here])
        mover = mover_of(original)
        try:
            legal = moves_of(original)
        except Exception:  # noqa: BLE001
            codes.add("crash")
            after.append([("open", 0)])
            continue
        if not legal:
            codes.add("dead-end")
        for move in legal:
            tried += 1
            copied, turn = copies.load(saved[here]), turns[here]
            try:
                _, reward, *ends, _ = copied.step(move)  # one of them, or two
                reward, ended = float(reward), any(map(bool, ends))
            except Exception:  # noqa: BLE001
                codes.add("crash")
                row.append(("open", 0))
                continue
            if ended:
                if reward <= -10:
                    codes.add("legal-refused")
                row.append(("end", -1 if not reward else turn if reward > 0 else 1 - turn))
                continue
            if reward:
                codes.add("legal-punished" if reward < 0 else "reward-before-end")
            movers.add(mover_of(copied))
            again |= mover is not None and mover_of(copied) == mover
            key = copies.save()
            number = copies.number(key, 1 - turn)
            if number == len(saved):
                saved.append(key)
                turns.append(1 - turn)
            row.append(("to", number))
        after.append(row)
        if copies.luck() != before:
            found["codes"] = sorted({*found["codes"], "random-step"})
            return
    if again and len(movers) > 1:
        codes.add("turn-contradicted")
    found["whole"] = len(after) == len(saved) and not any(("open", 0) in row for row in after)
    found["positions"] = len(saved)
    if found["whole"]:
        solve(after, turns, codes, found)
    found["codes"] = sorted(codes)


def mover_of(env: Any) -> Hashable:
    """Who moves, as the environment says."""
    return str(getattr(env, "current_player", "")) or None


def solve(after: list[list[tuple[str, int]]], turns: list[int], codes: set[str], found: Found) -> None:
    """Who wins each position, worked back from the ends, one more move each time."""
    won: list[int | None] = [None] * len(after)
    into: list[list[int]] = [[] for _ in after]
    for here, row in enumerate(after):
        for kind, target in row:
            if kind == "to":
                into[target].append(here)
    plies, asked = 0, set(range(len(after)))
    while asked and won[0] is None:
        plies += 1
        new: dict[int, int] = {}
        for here in asked:
            results = [end if kind == "end" else won[end] for kind, end in after[here]]
            if turns[here] in results:
                new[here] = turns[here]
            elif results and all(each == 1 - turns[here] for each in results):
                new[here] = 1 - turns[here]
        for here, side in new.items():
            won[here] = side
        asked = {source for here in new for source in into[here] if won[source] is None}
    if won[0] is not None:
        found["value"], found["plies"] = ("win" if won[0] == turns[0] else "loss"), plies
    ends = {end for row in after for kind, end in row if kind == "end"}
    if ends and len(ends - {-1}) < 2:
        codes.add("one-winner")
    if _cyclic(after):
        codes.add("endless-possible")


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
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # some environments print, and no file may grow
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
    lines = asked.out.read_text("utf-8").splitlines(keepends=True) if asked.out.exists() else []
    whole = [line for line in lines if line.endswith("\n")]  # a run may have been killed within the last
    asked.out.write_text("".join(whole), "utf-8")
    done = {json.loads(line)["env"] for line in whole}
    with asked.out.open("a", encoding="utf-8") as file:
        for path in names(asked.folder, asked.games):
            if path.name not in done:
                file.write(json.dumps({"env": path.name, **run_confined(path.resolve(), asked.moves)}) + "\n")
                file.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
