"""What is trained: a cell is a learner, a game and its settings. All seeds of a cell train in one program."""

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from perfectplay.output import write_whole

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
POINTS = 20
"""How often a cell is measured after the start."""

LEARNERS = {"ppo": "PPO", "alphazero": "Gumbel AlphaZero", "q-learning": "Q-learning"}
SPECS = (
    *("bit-flip", "dual-direction", "inversion-race", "mirror-match", "race-to-the-center"),
    *("bit-flip:bits=16", "inversion-race:passing=leapfrog", "race-to-the-center:positions=17"),
    *("inversion-race:cells=17,passing=leapfrog", "race-to-the-center:positions=23"),
    *("bit-flip:bits=7", "dual-direction:positions=7", "dual-direction:positions=21"),
    *("mirror-match:digits=3", "mirror-match:digits=5"),
)
"""The default settings, the recommended ones, then others: the most important first."""

MIRROR = {"updates": 6000, "games": 1024, "entropy": 0.1, "rate": 1e-3, "hidden": (128, 64), "horizon": 12}
SETTINGS: dict[tuple[str, str], dict[str, Any]] = {
    ("ppo", ""): {"updates": 400},
    ("ppo", "bit-flip:bits=16"): {"updates": 3000, "games": 1024},
    ("ppo", "mirror-match"): MIRROR | {"games": 4096, "batches": 8, "epochs": 2, "updates": 3000},
    ("ppo", "mirror-match:digits=3"): MIRROR | {"updates": 2000, "hidden": (64, 64)},
    ("ppo", "mirror-match:digits=5"): MIRROR | {"updates": 3000, "hidden": (64, 64)},
    ("alphazero", ""): {"updates": 200},
    ("alphazero", "bit-flip:bits=16"): {"updates": 600, "games": 128},
    # Games end where the measure does: a win after the last positions measured takes two more plies.
    ("alphazero", "mirror-match"): {"updates": 800, "hidden": (128, 64), "horizon": 8},
    ("alphazero", "mirror-match:digits=3"): {"updates": 400, "horizon": 12},
    ("alphazero", "mirror-match:digits=5"): {"updates": 400, "horizon": 12},
    ("q-learning", ""): {"updates": 200},
    ("q-learning", "bit-flip:bits=16"): {"updates": 2000},
}
"""What differs from the defaults of a learner, for a game and else for the learner."""


class Cell(NamedTuple):
    """A learner and a game."""

    learner: str
    game: str

    @property
    def name(self) -> str:
        """The name of its files."""
        return f"{self.learner}-{self.game.replace(':', '-').replace('=', '-').replace(',', '-')}"

    @property
    def settings(self) -> dict[str, Any]:
        """Its settings, where they differ from the defaults of the learner."""
        name = self.game.partition(":")[0]
        for key in (self.game, name, ""):
            if (self.learner, key) in SETTINGS:
                return SETTINGS[self.learner, key]
        return {}


CELLS = [
    Cell(learner, game)
    for game in SPECS
    for learner in LEARNERS
    if (learner, game.partition(":")[0]) != ("q-learning", "mirror-match")  # which no table can hold
]


def train(cell: Cell, seeds: int, checkpoint: Path | None = None, **settings: Any) -> dict[str, Any]:
    """Train a cell; what came of it as JSON-serializable data, with the policy of one seed under "policy"."""
    if str(EXAMPLES) not in sys.path:
        sys.path.append(str(EXAMPLES))
    run = _q_learning if cell.learner == "q-learning" else _in_jax
    found = run(cell, seeds, {**cell.settings, **settings}, checkpoint)
    final = np.array(found["corrected"][-1])
    return {**cell._asdict(), "seeds": seeds, **found, "final": final.round(4).tolist()}


def _in_jax(cell: Cell, seeds: int, settings: dict[str, Any], checkpoint: Path | None) -> dict[str, Any]:
    import jax
    from train_alphazero import AlphaZero, AlphaZeroSettings

    import perfectplay as pp
    from perfectplay.learning.ppo import Ppo, PpoSettings
    from perfectplay.learning.training import Training
    from perfectplay.simulate.jax_tables import jax_game

    game = jax_game(cell.game, horizon := settings.pop("horizon", None))
    learner = (
        Ppo(game, PpoSettings(**settings))
        if cell.learner == "ppo"
        else AlphaZero(game, AlphaZeroSettings(**settings))
    )
    every = max(1, learner.settings.updates // POINTS)
    training = Training(learner, tuple(range(seeds)), every, checkpoint)
    training.run()
    measures = [pp.measure_policy(cell.game, training.policy(number)) for number in range(seeds)]
    ranks = [(round(measure.corrected, 3), measure.worst or ()) for measure in measures]
    chosen = ranks.index(max(ranks))
    return {
        "settings": vars(learner.settings) | ({} if horizon is None else {"horizon": horizon}),
        "moves": learner.settings.games * learner.settings.steps,
        "machine": f"{jax.devices()[0].device_kind}, jax {jax.__version__}",
        "updates": training.updates,
        "corrected": training.corrected.round(4).tolist(),
        "worst": [measure.worst for measure in measures],
        "chosen": chosen,
        "policy": training.policy(chosen).text(),
    }


def _q_learning(cell: Cell, seeds: int, settings: dict[str, Any], checkpoint: Path | None) -> dict[str, Any]:
    """Seeds learn one after the other; those in the checkpoint are done."""
    from train_q_learning import MOVES, greedy, learn

    import perfectplay as pp
    from perfectplay.simulate import PositionTable, tabulate

    table: PositionTable[Any] = tabulate(cell.game)
    every = max(1, settings["updates"] // POINTS)
    updates = list(range(0, settings["updates"] + 1, every))
    kept: dict[str, Any] = {"settings": settings, "curves": [], "worst": []}
    if checkpoint is not None and checkpoint.is_file():
        earlier = json.loads(checkpoint.read_text())
        kept = earlier if earlier["settings"] == settings else kept
    for seed in range(len(kept["worst"]), seeds):
        rng, values, curve = np.random.default_rng(seed), np.zeros(table.legal.shape), []
        for place in range(len(updates)):
            if place:
                learn(table, values, every, rng)
            found = pp.measure_policy(cell.game, greedy(table, values))
            curve.append(round(found.corrected, 4))
        kept["curves"].append(curve)
        kept["worst"].append(list(found.worst or ()))
        if checkpoint is not None:
            write_whole(checkpoint, json.dumps(kept))
    return {
        "settings": settings,
        "moves": MOVES,
        "machine": f"NumPy {np.__version__}",
        "updates": updates,
        "corrected": np.transpose(kept["curves"][:seeds]).tolist(),
        "worst": kept["worst"][:seeds],
    }
