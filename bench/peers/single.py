"""One game at a time, compared with straightforward Gymnasium classes and with OpenSpiel."""

import os
from collections.abc import Callable
from functools import partial
from math import prod
from random import Random
from time import process_time
from typing import Any, SupportsFloat

import gymnasium
import numpy as np
import pyspiel

import perfectplay as pp
from bench import BenchRow
from bench.peers import REPORTED, TIC_TAC_TOE, Run, best_seconds, classes, in_millions
from perfectplay.adapters.gymnasium import environment_id
from perfectplay.simulate import SingleGame, horizon_for, observer_for, single_game

GYMNASIUM_AT_LEAST = 2.5
STATE_AT_LEAST = 8.0
OPENSPIEL_AT_LEAST = 2.0
ROUNDS = 20
PLIES = 3000
"""Roughly how many moves a round replays: few, so that some rounds find the machine idle."""
CHECKED_GAMES = 100

CLASSES: dict[str, tuple[type[gymnasium.Env[Any, Any]], int]] = {
    "inversion-race": (classes.InversionRace, 270_000),
    "race-to-the-center": (classes.RaceToTheCenter, 600_000),
    "bit-flip": (classes.BitFlip, 175_000),
    "mirror-match": (classes.MirrorMatch, 450_000),
    "dual-direction": (classes.DualDirection, 1_040_000),
}
"""The class of each game, and roughly the steps per second it needs for a fair comparison."""

Environment = gymnasium.Env[Any, Any]
Line = list[int]
"""The actions of one game."""


def rows() -> list[BenchRow]:
    measured = {name: _measure(name) for name in CLASSES}
    steps = {name: theirs / ours for name, (_, ours, _, theirs) in measured.items()}
    states = {name: theirs / state for name, (_, _, state, theirs) in measured.items()}
    found = [_mean("Gymnasium step, against plain classes", GYMNASIUM_AT_LEAST, steps)]
    for name, (plies, ours, _, theirs) in measured.items():
        figures = f"{in_millions(plies / ours)} / {in_millions(plies / theirs)} moves/s"
        found.append(BenchRow(f"  {name}", f"{steps[name]:.2f}x", REPORTED, True, figures))
    found.append(_mean("single-game step, against plain classes", STATE_AT_LEAST, states))
    for name, (plies, _, state, theirs) in measured.items():
        figures = f"{in_millions(plies / state)} / {in_millions(plies / theirs)} moves/s"
        found.append(BenchRow(f"  {name}", f"{states[name]:.2f}x", REPORTED, True, figures))
    return [*found, _openspiel()]


def _mean(what: str, at_least: float, ratios: dict[str, float]) -> BenchRow:
    mean = prod(ratios.values()) ** (1 / len(ratios))
    figures = "geometric mean of the five games"
    return BenchRow(what, f"{mean:.2f}x", f"at least {at_least:g}x", mean >= at_least, figures)


def _measure(name: str) -> tuple[int, float, float, float]:
    """The moves replayed, and the seconds of our environment, of our state alone, and of the class."""
    game = pp.load(name)
    made: Environment = gymnasium.make(environment_id(name), opponent="self").unwrapped
    play, peer = single_game(game), CLASSES[name][0]()
    check_environment(game, made, passes=True)
    check_environment(game, peer, passes=False)
    check_states(game, play)
    lines = record(game)
    # Our environment passes by itself if nothing else is possible.
    without_passes = [_without_passes(game, line) for line in lines]
    best = best_seconds(
        {
            "ours": partial(replay, made, without_passes),
            "state": partial(replay, play, lines),
            "theirs": partial(replay, peer, lines),
        },
        ROUNDS,
    )
    return sum(map(len, lines)), best["ours"], best["state"], best["theirs"]


def replay(environment: Environment | SingleGame[Any], lines: list[Line]) -> float:
    """Seconds of processor time to play recorded games, each after a reset: other programs do not count."""
    reset: Callable[[], object] = environment.reset
    step: Callable[[int], object] = environment.step
    start = process_time()
    for line in lines:
        reset()
        for action in line:
            step(action)
    return process_time() - start


def record(game: pp.Game[Any]) -> list[Line]:
    """Random games by the rules, truncated at the same ply as in the environments."""
    random, horizon = Random(0), horizon_for(game)
    lines: list[Line] = []
    plies = 0
    while plies < PLIES:
        state, line = game.initial(), Line()
        while (actions := game.legal_actions(state)) and len(line) != horizon:
            line.append(random.choice(actions))
            state = game.apply(state, line[-1])
        lines.append(line)
        plies += len(line)
    return lines


def _without_passes(game: pp.Game[Any], line: Line) -> Line:
    state, kept = game.initial(), []
    for action in line:
        if not game.is_forced_pass(state):
            kept.append(action)
        state = game.apply(state, action)
    return kept


def check_environment(game: pp.Game[Any], environment: Environment, *, passes: bool) -> None:
    """Raise unless an environment shows, allows, refuses and rewards what the rules do, in fresh arrays.

    With `passes`, the environment passes by itself if a side can do nothing else.
    """
    random, horizon, observer = Random(1), horizon_for(game), observer_for(game)
    for _ in range(CHECKED_GAMES):
        state, plies = game.initial(), 0
        reward: SupportsFloat = 0.0
        terminated, mover = False, game.side_to_move(state)
        observation, info = environment.reset()
        while plies != horizon:
            while passes and game.is_forced_pass(state) and plies != horizon:
                state, plies = game.apply(state, game.legal_actions(state)[0]), plies + 1
            actions, outcome = game.legal_actions(state), game.outcome(state)
            mask = [int(action in actions) for action in range(game.num_actions)]
            _hold(info["action_mask"].tolist() == mask, game, state, "which actions are legal")
            _hold(np.array_equal(observation, observer.observe(state)), game, state, "what is shown")
            _hold(terminated == (outcome is not None), game, state, "whether the game is over")
            for action in range(-1, game.num_actions + 1):
                _hold(action in actions or _refuses(environment, action), game, state, f"refusing {action}")
            if outcome is not None:
                _hold(reward == (1.0 if outcome.winner == mover else -1.0), game, state, "who has won")
                break
            if plies == horizon:
                break
            mover = game.side_to_move(state)
            action = random.choice(actions)
            state, plies = game.apply(state, action), plies + 1
            before = observation, info["action_mask"]
            observation, reward, terminated, _, info = environment.step(action)
            shared = map(np.shares_memory, before, (observation, info["action_mask"]))
            _hold(not any(shared), game, state, "arrays of its own")


def check_states(game: pp.Game[Any], play: SingleGame[Any]) -> None:
    """Raise unless our integer states match those of the rules."""
    for line in record(game)[:CHECKED_GAMES]:
        state = game.initial()
        play.reset()
        for action in line:
            state = game.apply(state, action)
            row = play.step(action)
            _hold(row.state == state, game, state, "the position")
            _hold(row.terminated == (game.outcome(state) is not None), game, state, "the end")


def _refuses(environment: Environment, action: int) -> bool:
    try:
        environment.step(action)
    except ValueError:
        return True
    return False


def _hold(holds: bool, game: pp.Game[Any], state: Any, what: str) -> None:
    if not holds:
        raise RuntimeError(f"{game.spec} at {game.state_text(state)}: no agreement about {what}")


def _openspiel() -> BenchRow:
    game, peer = pp.load(TIC_TAC_TOE), pyspiel.load_game("tic_tac_toe")
    play, lines = single_game(game), record(game)
    check_states(game, play)
    _check_openspiel(game, peer, lines[:CHECKED_GAMES])
    runs: dict[str, Run] = {
        "ours": partial(_replay_to_the_end, play, lines),
        "theirs": partial(_replay_openspiel, peer, lines),
    }
    best = best_seconds(runs, ROUNDS)
    plies, ratio = sum(map(len, lines)), best["theirs"] / best["ours"]
    figures = f"{in_millions(plies / best['ours'])} / {in_millions(plies / best['theirs'])} moves/s"
    required = f"at least {OPENSPIEL_AT_LEAST:g}x"
    what = "single-game step, against OpenSpiel"
    return BenchRow(what, f"{ratio:.2f}x", required, ratio >= OPENSPIEL_AT_LEAST, figures)


# Both ask after every move whether the game is over.


def _replay_to_the_end(play: SingleGame[Any], lines: list[Line]) -> float:
    reset, step = play.reset, play.step
    start = process_time()
    for line in lines:
        reset()
        for action in line:
            if step(action).terminated:
                break
    return process_time() - start


def _replay_openspiel(game: Any, lines: list[Line]) -> float:
    new_initial_state = game.new_initial_state
    start = process_time()
    for line in lines:
        state = new_initial_state()
        apply_action, is_terminal = state.apply_action, state.is_terminal
        for action in line:
            apply_action(action)
            if is_terminal():
                break
    return process_time() - start


def _check_openspiel(game: pp.Game[Any], peer: Any, lines: list[Line]) -> None:
    for line in lines:
        state, other = game.initial(), peer.new_initial_state()
        for action in line:
            state = game.apply(state, action)
            other.apply_action(action)
            outcome = game.outcome(state)
            _hold(other.is_terminal() == (outcome is not None), game, state, "the end")
            if outcome is None:
                _hold(other.legal_actions() == list(game.legal_actions(state)), game, state, "legal actions")
            elif outcome.winner is not None:
                _hold(other.returns()[outcome.winner] == 1.0, game, state, "who has won")
    once = game.apply(game.initial(), 0)
    _hold(_openspiel_refuses(peer, [0, 0]), game, once, "refusing 0")


def _openspiel_refuses(game: Any, line: Line) -> bool:
    state = game.new_initial_state()
    # It also prints the error outside of Python; hide that.
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        for action in line:
            state.apply_action(action)
    except pyspiel.SpielError:
        return True
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
    return False
