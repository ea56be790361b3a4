"""Random self-play by the rules, compared with the same game as a mutable environment."""

from random import Random
from time import perf_counter
from typing import Any

import perfectplay as pp
from bench import BenchRow, mutable

AT_LEAST = 1.5
ROUNDS = 5
SECONDS = 0.3
"""Roughly how long a round of one contestant takes."""
CHECKED_GAMES = 300

ENVIRONMENTS: dict[str, type[mutable.Environment]] = {
    "bit-flip": mutable.BitFlip,
    "dual-direction": mutable.DualDirection,
    "inversion-race": mutable.InversionRace,
    "mirror-match": mutable.MirrorMatch,
    "race-to-the-center": mutable.RaceToTheCenter,
}
ENDLESS = 100_000
HORIZONS = {"mirror-match": 30}
"""Plies after which a game is left unfinished; most random games of Mirror Match would never end."""


def rows() -> list[BenchRow]:
    return [_row(name) for name in ENVIRONMENTS]


def _row(name: str) -> BenchRow:
    game, environment = pp.load(name), ENVIRONMENTS[name]()
    horizon = HORIZONS.get(name, ENDLESS)
    _compare(game, environment, horizon)
    games = 100
    while play_game(game, games, horizon)[1] < SECONDS / 2:
        games *= 2
    ours, theirs = [], []
    for _ in range(ROUNDS):
        steps, seconds = play_game(game, games, horizon)
        ours.append(seconds)
        same, seconds = play_environment(environment, games, horizon)
        theirs.append(seconds)
        if steps != same:
            raise RuntimeError(f"{name}: {steps} steps against {same} with the same seed")
    ratio = min(theirs) / min(ours)
    figures = f"{steps / min(ours):,.0f} / {steps / min(theirs):,.0f} steps per second"
    what = f"random games of {name}, against a mutable class"
    return BenchRow(what, f"{ratio:.2f}x", f"at least {AT_LEAST:g}x", ratio >= AT_LEAST, figures)


# Both draw from the legal actions in ascending order, so that the same seed plays the same games.


def play_game(game: pp.Game[Any], games: int, horizon: int) -> tuple[int, float]:
    """The steps and seconds of `games` random games by the rules."""
    random = Random(0).random
    steps = 0
    start = perf_counter()
    for _ in range(games):
        state = game.initial()
        for _ in range(horizon):
            actions = game.legal_actions(state)
            if not actions:
                break
            state = game.apply(state, actions[int(random() * len(actions))])
            steps += 1
    return steps, perf_counter() - start


def play_environment(environment: mutable.Environment, games: int, horizon: int) -> tuple[int, float]:
    """The steps and seconds of `games` random games in a mutable environment."""
    random = Random(0).random
    steps = 0
    start = perf_counter()
    for _ in range(games):
        _, info = environment.reset()
        for _ in range(horizon):
            actions = [action for action, legal in enumerate(info["action_mask"]) if legal]
            _, _, terminated, _, info = environment.step(actions[int(random() * len(actions))])
            steps += 1
            if terminated:
                break
    return steps, perf_counter() - start


def _compare(game: pp.Game[Any], environment: mutable.Environment, horizon: int) -> None:
    """Raise unless both allow the same actions, refuse the others, and end in the same way."""
    random = Random(1)
    for _ in range(CHECKED_GAMES):
        state = game.initial()
        _, info = environment.reset()
        terminated, reward, mover = False, 0.0, game.side_to_move(state)
        for _ in range(horizon):
            actions = game.legal_actions(state)
            mask = [int(action in actions) for action in range(game.num_actions)]
            outcome = game.outcome(state)
            if info["action_mask"] != mask or terminated != (outcome is not None):
                raise RuntimeError(f"{game.spec}: no agreement about {game.state_text(state)}")
            for action in range(-1, game.num_actions + 1):
                if action not in actions and _accepts(environment, action):
                    raise RuntimeError(f"{game.spec}: {action} was accepted at {game.state_text(state)}")
            if outcome is not None:
                if reward != (1.0 if outcome.winner == mover else -1.0):
                    raise RuntimeError(f"{game.spec}: no agreement about who won {game.state_text(state)}")
                break
            mover = game.side_to_move(state)
            action = random.choice(actions)
            state = game.apply(state, action)
            _, reward, terminated, _, info = environment.step(action)


def _accepts(environment: mutable.Environment, action: int) -> bool:
    try:
        environment.step(action)
    except ValueError:
        return False
    return True
