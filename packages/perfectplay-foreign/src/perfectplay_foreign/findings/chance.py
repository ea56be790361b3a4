"""Findings about chance, the clock, what leaks from game to game, and our own copies of positions."""

import sys
import threading
import time
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from types import ModuleType

from perfectplay_foreign.adapter import Adapter, Moves, Step
from perfectplay_foreign.copies import choose_copies, trace
from perfectplay_foreign.environment import (
    attributes,
    is_generator,
    luck,
    play_randomly,
    read,
    seed_globals,
)
from perfectplay_foreign.findings.code import WitnessReplay, code, format_move
from perfectplay_foreign.load import FOREIGN
from perfectplay_foreign.state import canonical, canonical_or_none

PLIES, SHORT, LONG = 30, 6, 30
SEEDS = range(1, 7)
AGAIN = 3
"""How often a start is repeated: two may be alike by chance."""
LATER = (1.37, 86_399.7, 7e6 + 0.11)
"""Seconds after which a game is played again that may depend on the time."""
CLOCKS = ("time", "monotonic", "perf_counter", "process_time", "time_ns", "monotonic_ns", "perf_counter_ns")


def _story(adapter: Adapter) -> tuple[list[Hashable], Moves]:
    """Everything that can be seen of a random game, and its moves."""
    story, moves = [canonical(adapter.look())], Moves()
    for path, seen in play_randomly(adapter, Random(7), PLIES):
        if isinstance(seen, Step):
            moves = path
            story.append((seen, canonical(adapter.look())))
        else:
            story.append(type(seen).__name__ if isinstance(seen, Exception) else (seen, adapter.mover()))
    return story, moves


@contextmanager
def _freeze_clocks(now: float) -> Iterator[None]:
    """Stop the clocks of Python at a time."""
    real = {name: getattr(time, name) for name in CLOCKS}
    places: list[tuple[ModuleType, str, str]] = [(time, name, name) for name in CLOCKS]
    for module in list(sys.modules.values()):
        # Not by getattr, which runs the code of modules that load their parts when they are asked for.
        if isinstance(module, ModuleType) and vars(module).get(FOREIGN):
            for name, value in vars(module).items():
                places += [(module, name, clock) for clock, each in real.items() if value is each]
    try:
        for module, name, clock in places:
            setattr(module, name, (lambda: int(now * 1e9)) if clock.endswith("_ns") else (lambda: now))
        yield
    finally:
        for module, name, clock in places:
            setattr(module, name, real[clock])


def _observe(replay: WitnessReplay, now: float = 1e9) -> list[Hashable]:
    with _freeze_clocks(now):
        return _story(replay.env.fresh(replay.seed, luck=0))[0]


@code("not-repeatable", "problem", "the same seed and moves give another game", tried="start")
def not_repeatable(replay: WitnessReplay) -> str | None:
    if any(_observe(replay) != _observe(replay) for _ in range(3)):
        return "The same seed and the same moves give another game each time, whatever else is held fixed."
    return None


@code("clock", "warning", "the game depends on the time", tried="start")
def clock(replay: WitnessReplay) -> str | None:
    first = _observe(replay)
    if first != _observe(replay) or all(first == _observe(replay, 1e9 + later) for later in LATER):
        return None
    return "The game depends on the time: the same seed and moves give another game later."


@code("seed-ignored", "problem", "the seed does not decide the game", tried="start")
def seed_ignored(replay: WitnessReplay) -> str | None:
    reset = f"reset(seed={replay.seed}) does not decide"
    (first, held), (again, _) = (_begin(replay, replay.seed, 0) for _ in range(2))
    if again[:2] != first[:2]:
        return f"{reset} the start: it gives another one each time."
    if again != first:
        return None  # not repeatable at all
    for seed in SEEDS:
        other, drawn = _begin(replay, replay.seed, seed)
        hidden = drawn != held and _differs(held, drawn, [_begin(replay, replay.seed, 0)[1]])
        if other[:2] != first[:2] or hidden:
            return f"{reset} the start: it also draws from a global generator."
        if other != first:
            return f"{reset} the game: a move draws from a global generator."
    return None


@code("random-setup", "warning", "different seeds give different starting positions", tried="start")
def random_setup(replay: WitnessReplay) -> str | None:
    first, held = _begin(replay, replay.seed, 0)
    others = [_begin(replay, seed, 0) for seed in SEEDS]
    repeated = [_begin(replay, replay.seed, 0) for _ in range(AGAIN)]
    if any(again[:2] != first[:2] for again, _ in repeated):
        return None  # not decided by the seed at all
    same = [last for _, last in repeated]
    if any(other[:2] != first[:2] or _differs(held, drawn, same) for other, drawn in others):
        return "The start depends on the seed; what is said here is about one of several starts."
    return None


def _begin(replay: WitnessReplay, seed: int, seeded: int) -> tuple[list[Hashable], dict[str, Hashable]]:
    """The story of a game, and the state at its start, without generators and seeds."""
    with _freeze_clocks(1e9):
        adapter = replay.env.fresh(seed, luck=seeded)
        held = attributes(adapter)
        left_out = [name for name, each in held.items() if "seed" in name or is_generator(each)]
        start = {name: value for name, value in read(adapter).items() if name not in left_out}
        return _story(adapter)[0], start


def _differs(
    start: dict[str, Hashable], other: dict[str, Hashable], repeated: Sequence[dict[str, Hashable]]
) -> bool:
    """Whether another start has something else in it that is the same in all repeated ones.

    What differs each time says which game it is or when it began.
    """
    names = start.keys() | {name for each in repeated for name in each}
    same = [name for name in names if all(start.get(name) == each.get(name) for each in repeated)]
    return any(other.get(name) != start.get(name) for name in same)


@code("random-step", "warning", "a move draws a random number")
def random_step(replay: WitnessReplay) -> str | None:
    adapter = replay.before_legal()
    before = luck(adapter)
    adapter.step(replay.moves[-1])
    if luck(adapter) == before:
        return None
    return f"{replay.where}, the move {replay.move} draws a random number."


@code("threads", "problem", "the environment starts threads", tried="start")
def threads(replay: WitnessReplay) -> str | None:
    before = set(threading.enumerate())
    adapter = replay.fresh()
    _story(adapter)
    left = [each for each in threading.enumerate() if each not in before]
    return f"The environment starts {len(left)} thread(s)." if left else None


def _read_shared(adapter: Adapter) -> dict[str, Hashable]:
    """The data of an environment's module and classes: what all its games share."""
    module = sys.modules.get(type(adapter.env).__module__)
    if module is None or not vars(module).get(FOREIGN):
        return {}
    found: dict[str, object] = dict(vars(module))
    for value in list(found.values()):
        if isinstance(value, type) and value.__module__ == module.__name__:
            found.update({f"{value.__name__}.{name}": each for name, each in vars(value).items()})
    return {
        name: canonical_or_none(value)
        for name, value in found.items()
        if not isinstance(value, (ModuleType, property, classmethod, staticmethod))
        and not (callable(value) or name.rpartition(".")[2].startswith("__"))
    }


@code("global-state", "problem", "playing changes data that all games share", tried="start")
def global_state(replay: WitnessReplay) -> str | None:
    adapter = replay.fresh()
    before = _read_shared(adapter)
    for game in range(2):
        _story(replay.env.fresh(replay.seed + game))
        _story(adapter)
    after = _read_shared(adapter)
    changed = sorted(name for name in before | after if before.get(name) != after.get(name))
    return f"Playing changes {changed[0]}, which all games share." if changed else None


@code("reset-leaks", "problem", "a second game after reset differs from the first", tried="start")
def reset_leaks(replay: WitnessReplay) -> str | None:
    new, used = replay.fresh(), replay.fresh()
    moves = _story(used)[1]
    stories = []
    for adapter in (new, used, replay.fresh()):
        seed_globals(0)  # making an environment may draw too
        if not adapter.again(replay.seed):
            return None
        stories.append(_story(adapter)[0])
    if stories[1] == stories[0] or stories[2] != stories[0]:
        return None
    played = f"After a game of {len(moves)} moves"
    return f"{played}, reset(seed={replay.seed}) gives another game than in a new environment."


@code("observation-hides", "warning", "two positions look the same but differ in their moves or in who wins")
def observation_hides(replay: WitnessReplay) -> str | None:
    one, other = replay.after(replay.moves), replay.after(replay.other)
    if canonical(one.look()) != canonical(other.look()):
        return None
    here, elsewhere = set(one.moves()), set(other.moves())
    claim = replay.claim
    if here != elsewhere:
        which = min(here ^ elsewhere, key=str)
        claim = f"the move {format_move(which)} is legal {'here' if which in here else 'there'} alone"
    there = f"after the moves {' '.join(map(str, replay.other)) or '(none)'}"
    return f"{replay.there}, the observation is the same as {there}, but {claim}." if claim else None


@code("copy-differs", "problem", "a copy of a position behaves unlike a replay of its moves")
def copy_differs(replay: WitnessReplay) -> str | None:
    made = choose_copies(replay.env, replay.seed, frozenset(replay.probe.varying))
    start = made.save(())
    for move in replay.moves:
        made.adapter.step(move)
    saved = made.save(replay.moves)
    for game in range(3):  # other games in between
        made.load(start)
        trace(made.adapter, Random(game), len(replay.moves) + LONG)
    made.load(saved)
    copied = trace(made.adapter, Random(len(replay.moves)), SHORT)
    if copied == trace(replay.play_all(), Random(len(replay.moves)), SHORT):
        return None
    return f"{replay.there}, a copy of the position behaves unlike a replay of its moves."


@code("merge-differs", "problem", "two positions with the same state behave differently")
def merge_differs(replay: WitnessReplay) -> str | None:
    for start in range(3):
        seen = []
        for path in (replay.moves, replay.other):  # one after the other: they may share something
            adapter = replay.env.play(replay.seed, path)
            seen.append((replay.state(adapter), trace(adapter, Random(start), SHORT)))
        if seen[0][0] != seen[1][0]:
            return None
        if seen[0][1] != seen[1][1]:
            there = " ".join(map(str, replay.other)) or "(none)"
            return f"{replay.there}, the state is that after the moves {there}, but play differs."
    return None
