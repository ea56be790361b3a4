"""Training with an exact curve: a learner is measured as it learns, and continues after a kill."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import jax
import numpy as np
from jax import Array
from jax import numpy as jnp
from numpy.typing import NDArray

from perfectplay.core.errors import ParseError
from perfectplay.evals.policies.positions import positions_of
from perfectplay.learning.jax_measure import jax_measure
from perfectplay.learning.networks import Network, logits_of, to_policy
from perfectplay.learning.self_play import SelfPlay
from perfectplay.output import writing
from perfectplay.players.learned import Policy

CURVE = ("update", "kept", "corrected", "points")


@dataclass(eq=False)
class Training:
    """Several learners of the same kind, one for each seed, that learn side by side and are measured
    in between.

    `every` is how many updates lie between two measurements. With a checkpoint, everything is written
    to that file after each measurement, and a training with the same settings continues from there.

    >>> from perfectplay.learning.ppo import Ppo, PpoSettings
    >>> from perfectplay.simulate.jax_tables import jax_game
    >>> ppo = Ppo(jax_game("bit-flip:bits=4"), PpoSettings(updates=4, games=16))
    >>> training = Training(ppo, seeds=(0,), every=2)
    >>> training.run()
    >>> training.updates, training.corrected.shape
    ([0, 2, 4], (3, 1))
    """

    algorithm: SelfPlay
    seeds: tuple[int, ...] = (0,)
    every: int = 10
    checkpoint: Path | None = None
    updates: list[int] = field(default_factory=list)
    """After how many updates the learners were measured."""
    rows: list[dict[str, NDArray[np.float64]]] = field(default_factory=list)
    """What was measured each time: arrays with one entry for each seed."""
    learners: Any = None

    def __post_init__(self) -> None:
        self._measure = jax_measure(self.algorithm.game.game)
        positions = positions_of(self.algorithm.game.game)
        observer = self.algorithm.game.observer  # whose board is as long as the horizon of the learner
        seen = np.stack([observer.observe(state) for state in positions.states])
        self._seen, self._legal = jnp.asarray(seen), jnp.asarray(positions.legal)
        keys = jnp.stack([jax.random.PRNGKey(seed) for seed in self.seeds])
        self.learners = jax.vmap(self.algorithm.begin)(keys)
        if self.checkpoint is not None and self.checkpoint.is_file():
            self._restore(self.checkpoint)

    @property
    def corrected(self) -> NDArray[np.float64]:
        """The curve: a row for each measurement, a column for each seed."""
        return np.stack([row["corrected"] for row in self.rows])

    def run(self, watch: Callable[["Training"], None] = lambda training: None) -> None:
        """Learn to the end, and call `watch` after each measurement."""
        last = self.algorithm.settings.updates
        if not self.rows:
            self.measure(0, watch)
        while self.updates[-1] < last:
            more = min(self.every, last - self.updates[-1])
            self.learners = jax.block_until_ready(self.algorithm.advance(self.learners, more))
            self.measure(self.updates[-1] + more, watch)

    def policy(self, number: int = 0) -> Policy:
        """What the learner with a seed, by its place, plays like now."""
        network = jax.tree.map(lambda part: part[number], self.learners.network)
        about = {
            "learner": type(self.algorithm).__name__.lower(),
            "seed": self.seeds[number],
            "settings": asdict(self.algorithm.settings),
            "updates": self.updates[-1],
        }
        return to_policy(network, self.algorithm.game.observer, about)

    def measure(self, updates: int, watch: Callable[["Training"], None]) -> None:
        """Measure the learners after so many updates, keep everything in the checkpoint, and call `watch`."""
        chances = _chances(self.learners.network, self._seen, self._legal)
        figures = self._measure(chances)
        self.updates.append(updates)
        self.rows.append({name: np.asarray(getattr(figures, name)) for name in CURVE[1:]})
        if self.checkpoint is not None:
            self.write_checkpoint(self.checkpoint)
        watch(self)

    @property
    def _about(self) -> str:
        settings = asdict(self.algorithm.settings)
        names = {"learner": type(self.algorithm).__name__, "game": self.algorithm.game.game.spec}
        return json.dumps(names | {"seeds": self.seeds, "every": self.every, "settings": settings})

    def write_checkpoint(self, path: Path) -> None:
        """Write what a training goes on from."""
        curve: dict[str, Any] = {name: np.stack([row[name] for row in self.rows]) for name in CURVE[1:]}
        leaves: dict[str, Any] = {
            f"leaf_{number}": np.asarray(leaf) for number, leaf in enumerate(jax.tree.leaves(self.learners))
        }
        kept = BytesIO()
        np.savez(kept, about=np.array(self._about), update=np.array(self.updates), **curve, **leaves)
        with writing(path) as file:
            file.write(kept.getvalue())

    def _restore(self, path: Path) -> None:
        leaves, shape = jax.tree.flatten(self.learners)
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
                about, curve = str(kept["about"]), {name: kept[name] for name in CURVE}
                found = [kept[name] for name in kept.files if name.startswith("leaf_")]
        except (KeyError, ValueError, TypeError, EOFError, OSError, BadZipFile):
            about, curve, found = self._about, {}, []
        if about != self._about:
            raise ParseError(f"{path} is the checkpoint of another training; remove it to start afresh")
        alike = [(each.shape, each.dtype) for each in found] == [(each.shape, each.dtype) for each in leaves]
        if not alike or len({len(each) for each in curve.values()}) != 1:
            raise ParseError(f"{path} is not a checkpoint, or a damaged one; remove it to start afresh")
        self.learners = jax.tree.unflatten(shape, [jnp.asarray(each) for each in found])
        self.updates = curve["update"].tolist()
        self.rows = [{name: curve[name][row] for name in CURVE[1:]} for row in range(len(self.updates))]


@partial(jax.jit)
def _chances(network: Network, seen: Array, legal: Array) -> Array:
    def one(each: Network) -> Array:
        chances = jax.nn.softmax(logits_of(each, seen, legal), axis=-1)
        return jnp.where(legal, chances, 0)

    return jax.vmap(one)(network)
