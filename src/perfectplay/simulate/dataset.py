"""Every position of a game as a row of a file: its observation, its legal moves, and the best of them."""

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay import __version__
from perfectplay.core.errors import BadParameterError
from perfectplay.core.game import Action, Game, S
from perfectplay.core.limits import MOST_SOLVED
from perfectplay.core.parquet import import_pyarrow
from perfectplay.core.walks import BreadthFirst, steps
from perfectplay.output import is_standard_output, writing
from perfectplay.simulate.arguments import whole
from perfectplay.simulate.observation import observer_for
from perfectplay.simulate.positions import TableSizeError, horizon_for, kernel_module, solution_of
from perfectplay.solver.errors import TooLargeError
from perfectplay.solver.oracle import Oracle
from perfectplay.solver.oracle_cache import oracle_for

ROWS = 10_000
"""How many rows are held in memory at a time."""


class Example(NamedTuple):
    """A position and everything known about it.

    `observation` is a bool array of the shape of the game's observer. `moves`, `move_values` and
    `move_plies` have one entry per action in `legal`, in the same order.
    """

    state: str
    side: int
    observation: NDArray[np.bool_]
    legal: list[Action]
    moves: list[str]
    """The text of each legal action."""
    move_values: list[str]
    move_plies: list[int | None]
    best: list[Action]
    value: str
    """The value to the side to move: one of `KINDS`. `move_values` uses the same words."""
    plies: int | None
    """The number of plies until the game ends; None if there is no end or the distance is not known."""
    winner: int | None
    reason: str | None
    """Why the game is over; None while it goes on."""


def examples(game: Game[S], *, plies: int | None = None) -> Iterator[Example]:
    """Every position of a game or, with `plies`, every position that can occur within that many plies."""
    module = kernel_module(game)
    if plies is None and module is not None and module.horizon(game) is not None:
        raise TableSizeError(
            f"{game.spec} has infinitely many positions;"
            " set how many plies deep to go with --plies (plies= in Python)"
        )
    # With a theory, the values of the first positions are known.
    fewer = "; limit them with plies or --plies" if game.theory() is not None else ""
    oracle: Oracle[S]
    states: Sequence[S]
    try:
        # The same shape as in an environment, unless `plies` needs a larger one.
        usual = horizon_for(game)
        far = 1 if plies is None else whole("plies", plies, 1)
        observer = observer_for(game, None if usual is None else max(usual, far))
        if plies is None:
            solution = solution_of(game)
            states = solution.graph.states
            oracle = Oracle(game, game.theory(), solution, len(states))
        else:
            oracle, states = oracle_for(game), _within(game, plies)
    except TooLargeError as error:
        problem = f"{game.spec} has more than {error.limit:,} positions, too many for a dataset{fewer}"
        raise TableSizeError(problem) from error
    except TableSizeError as error:
        if plies is not None:
            raise
        raise TableSizeError(f"{error}{fewer}") from error
    for state in states:
        moves = oracle.moves(state)
        value, outcome = oracle.value(state), game.outcome(state)
        yield Example(
            game.state_text(state),
            game.side_to_move(state),
            observer.observe(state),
            [move.action for move in moves],
            [move.text for move in moves],
            [move.value.kind for move in moves],
            [move.value.plies for move in moves],
            list(oracle.best(state)),
            value.kind,
            value.plies,
            None if outcome is None else outcome.winner,
            None if outcome is None else outcome.reason,
        )


def write(game: Game[Any], path: Path, *, plies: int | None = None) -> int:
    """Write the positions to a .jsonl or .parquet file, and return how many there are.

    The file is replaced only once it is complete. Pipes and devices are written to directly, and `-` is
    standard output; these get JSON lines unless their name ends in .parquet.
    """
    writers: dict[str, Callable[[Game[Any], Iterator[Example], BinaryIO], int]] = {
        ".jsonl": _write_jsonl,
        ".parquet": _write_parquet,
    }
    if not path.parent.is_dir() or path.is_dir():
        raise BadParameterError("out", path, "a file in a folder that exists")
    stream = is_standard_output(path) or (path.exists() and not path.is_file())
    writer = writers.get(path.suffix, _write_jsonl if stream else None)
    if writer is None:
        raise BadParameterError("out", path, "a file name that ends in .jsonl or .parquet")
    with writing(path) as file:
        return writer(game, examples(game, plies=plies), file)


def about(game: Game[Any], observation: NDArray[np.bool_]) -> dict[str, Any]:
    """The metadata of a dataset: what a reader needs besides its rows."""
    return {
        "game": game.spec,
        "perfectplay": __version__,
        "actions": game.num_actions,
        "sides": list(game.side_names),
        "observation_shape": list(observation.shape),
    }


def _within(game: Game[S], plies: int) -> list[S]:
    """The positions that can occur within `plies` plies, in the order in which they can first occur."""
    onward = steps(game)
    walk = BreadthFirst(
        [game.initial()], lambda state: onward(state) if depth[state] < plies else (), limit=MOST_SOLVED
    )
    depth: dict[S, int] = {}
    for state in walk:
        before = walk.parents[state]
        depth[state] = 0 if before is None else depth[before[0]] + 1
    if not walk.whole:
        raise TableSizeError(f"{game.spec} has more than {MOST_SOLVED:,} positions within plies={plies}")
    return list(depth)


def _write_jsonl(game: Game[Any], rows: Iterator[Example], file: BinaryIO) -> int:
    count = 0
    for row in rows:
        fields = {**row._asdict(), "observation": row.observation.astype(int).tolist()}
        file.write(f"{json.dumps(fields, ensure_ascii=False)}\n".encode())
        count += 1
    return count


def _write_parquet(game: Game[Any], rows: Iterator[Example], file: BinaryIO) -> int:
    pa = import_pyarrow()
    first = next(rows)
    # Observations are written flat; their shape is stored once, in the metadata.
    schema = pa.schema(
        {
            "state": pa.string(),
            "side": pa.int8(),
            "observation": pa.list_(pa.bool_(), first.observation.size),
            "legal": pa.list_(pa.int32()),
            "moves": pa.list_(pa.string()),
            "move_values": pa.list_(pa.string()),
            "move_plies": pa.list_(pa.int32()),
            "best": pa.list_(pa.int32()),
            "value": pa.string(),
            "plies": pa.int32(),
            "winner": pa.int8(),
            "reason": pa.string(),
        },
        {"perfectplay": json.dumps(about(game, first.observation))},
    )
    count = 0
    with pa.parquet.ParquetWriter(file, schema) as writer:
        left = chain([first], rows)
        while some := list(islice(left, ROWS)):
            flat = [{**row._asdict(), "observation": row.observation.ravel()} for row in some]
            writer.write_table(pa.Table.from_pylist(flat, schema))
            count += len(some)
    return count
