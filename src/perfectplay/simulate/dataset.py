"""Every position of a game as a row of a file: what it looks like, what is legal, what is best."""

import json
from collections.abc import Callable, Hashable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from perfectplay import __version__
from perfectplay.core.errors import BadParameterError, MissingExtraError
from perfectplay.core.game import Action, Game
from perfectplay.output import is_standard_output, writing
from perfectplay.simulate.arguments import whole
from perfectplay.simulate.observation import observer_for
from perfectplay.simulate.positions import TableSizeError, horizon_for, kernel_module, solution_of
from perfectplay.solver.graph import LIMIT
from perfectplay.solver.oracle import oracle_for, solve

S = TypeVar("S", bound=Hashable)

ROWS = 10_000
"""Rows that are held in memory at a time."""


class Example(NamedTuple):
    """A position with everything that is known of it; lists are in the order of the legal actions."""

    state: str
    side: int
    observation: NDArray[np.bool_]
    legal: list[Action]
    moves: list[str]
    """The legal actions as a person writes them."""
    move_values: list[str]
    move_plies: list[int | None]
    best: list[Action]
    value: str
    """win, tie, endless or loss, as the side to move sees it, and likewise for the moves."""
    plies: int | None
    """In how many plies that comes about; none where play is endless or nobody has counted them."""
    winner: int | None
    reason: str | None
    """Why the game is over; none while it goes on."""


def examples(game: Game[S], *, plies: int | None = None) -> Iterator[Example]:
    """Every position of a game or, with `plies`, every one that can come up by then.

    >>> import perfectplay as pp
    >>> first = next(examples(pp.load("bit-flip")))
    >>> first.state, first.value, first.plies, first.best
    ('0000000000 1', 'win', 5, [0, 2, 7, 9])
    """
    module = kernel_module(game)
    if plies is None and module is not None and module.horizon(game) is not None:
        raise TableSizeError(f"{game.spec} has no end of positions; plies, or --plies, says how far to go")
    # The same shape as in an environment, unless so many plies need more.
    usual = horizon_for(game)
    far = 1 if plies is None else whole("plies", plies, 1)
    observer = observer_for(game, None if usual is None else max(usual, far))
    oracle = solve(game, exact_distance=True) if plies is None else oracle_for(game)
    for state in solution_of(game).graph.states if plies is None else _within(game, plies):
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
    """Write the positions to a file that ends in .jsonl or .parquet, and say how many there are.

    The file appears when it is complete; what was there before stays until then. Pipes and devices are
    written to, and `-` is the standard output; they get lines of JSON unless their name says otherwise.
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
    """What a reader of a dataset must know besides its rows."""
    return {
        "game": game.spec,
        "perfectplay": __version__,
        "actions": game.num_actions,
        "sides": list(game.side_names),
        "observation_shape": list(observation.shape),
    }


def _within(game: Game[S], plies: int) -> list[S]:
    """The positions that can come up within so many plies, those that come up soonest first."""
    found = {game.initial(): None}
    last = list(found)
    for _ in range(plies):
        new: dict[S, None] = {}
        for state in last:
            after = (game.apply(state, action) for action in game.legal_actions(state))
            new.update(dict.fromkeys(each for each in after if each not in found))
            if len(found) + len(new) > LIMIT:
                raise TableSizeError(f"{game.spec} has more than {LIMIT:,} positions within plies={plies}")
        found.update(new)
        last = list(new)
    return list(found)


def _write_jsonl(game: Game[Any], rows: Iterator[Example], file: BinaryIO) -> int:
    count = 0
    for row in rows:
        fields = {**row._asdict(), "observation": row.observation.astype(int).tolist()}
        file.write(f"{json.dumps(fields, ensure_ascii=False)}\n".encode())
        count += 1
    return count


def _write_parquet(game: Game[Any], rows: Iterator[Example], file: BinaryIO) -> int:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtraError("pyarrow", "parquet") from error
    first = next(rows)
    # An observation is written flat; its shape is said once, beside the columns.
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
    with parquet.ParquetWriter(file, schema) as writer:
        left = chain([first], rows)
        while some := list(islice(left, ROWS)):
            flat = [{**row._asdict(), "observation": row.observation.ravel()} for row in some]
            writer.write_table(pa.Table.from_pylist(flat, schema))
            count += len(some)
    return count
