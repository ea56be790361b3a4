"""A trained policy: a small network over what a board shows, kept as a file of numbers."""

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import pairwise
from math import exp, fsum, isfinite, prod
from pathlib import Path
from struct import pack, unpack
from typing import Any

from perfectplay.core.errors import ParseError
from perfectplay.core.formatting import quote
from perfectplay.core.game import Action, Game
from perfectplay.core.outcome import Side
from perfectplay.core.view import View
from perfectplay.output import write_whole

FORMAT = "perfectplay policy 1"
LARGEST_FILE, MOST_LAYERS, MOST_NAMES, MOST_DIGITS = 4_000_000, 8, 1_000, 64
"""The most bytes of a file, layers of its network, pieces or captions that it looks at, and digits of one."""
_TYPES = {"float16": ("e", 2), "float32": ("f", 4)}

Layer = tuple[Sequence[Sequence[float]], Sequence[float]]
"""The weights of a layer, a row for each of its inputs, and what is added to each of its outputs."""


@dataclass(frozen=True)
class Inputs:
    """How a view becomes bits: a plane for each kind of piece, then planes that are the same everywhere."""

    board: tuple[int, ...]
    """`(rows, columns)` of the board, or `(columns,)` if it has one row."""
    pieces: tuple[str, ...]
    captions: tuple[str, ...] = ()
    bits: tuple[tuple[str, int], ...] = ()
    """The binary digits of the numbers: each as its name and the place of the digit, lowest first."""
    shows_side: bool = False

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The shape of an observation: `(*board, planes)`."""
        return (*self.board, len(self.pieces) + len(self.captions) + len(self.bits) + self.shows_side)

    def list_ones(self, view: View, side: Side) -> list[int]:
        """The numbers of the bits that are 1. What is beyond the board, or unknown, is not seen."""
        columns, planes = self.shape[-2:]
        rows = prod(self.shape[:-2])
        found = [
            (y * columns + x) * planes + self.pieces.index(piece)
            for y, row in enumerate(view.rows[:rows])
            for x, cell in enumerate(row[:columns])
            for piece in cell.pieces
            if piece in self.pieces
        ]
        numbers = dict(view.numbers)
        flags = [caption in view.captions for caption in self.captions]
        flags += [bool(numbers.get(name, 0) >> place & 1) for name, place in self.bits]
        flags += [side == 1] if self.shows_side else []
        for plane, flag in enumerate(flags, start=len(self.pieces)):
            found += range(plane, rows * columns * planes, planes) if flag else ()
        return sorted(set(found))


@dataclass(frozen=True, eq=False)
class Policy:
    """A trained policy of one game: layers with max(0, x) between them, and a number for each action.

    >>> from perfectplay import load
    >>> game = load("bit-flip:bits=3")
    >>> policy = Policy(game.spec, Inputs(board=(3,), pieces=("1",)), [([[0.0] * 3] * 3, [9.0, 0.0, 0.0])])
    >>> {action: round(chance, 3) for action, chance in policy.chances(game, game.initial()).items()}
    {0: 1.0, 1: 0.0, 2: 0.0}
    """

    game: str
    """The spec of the game that it was trained for."""
    inputs: Inputs
    layers: Sequence[Layer]
    about: Mapping[str, Any] = field(default_factory=dict)
    """How it was trained, for people."""

    def chances(self, game: Game[Any], state: Any) -> dict[Action, float]:
        """The probability of each legal action."""
        ones = self.inputs.list_ones(game.view(state), game.side_to_move(state))
        values = [(number, 1.0) for number in ones]
        for weights, biases in self.layers:
            sums = list(biases)
            for number, value in values:
                for place, weight in enumerate(weights[number]):
                    sums[place] += value * weight
            values = [(place, each) for place, each in enumerate(sums) if each > 0]
        legal = game.legal_actions(state)
        top = max((sums[action] for action in legal), default=0.0)
        shares = {action: exp(sums[action] - top) for action in legal}
        total = fsum(shares.values())
        if not isfinite(total):
            raise ParseError("this policy has numbers too large to calculate with")
        return {action: share / total for action, share in shares.items()}

    def check(self, game: Game[Any]) -> None:
        """Raise ParseError if the policy is one of another game."""
        if self.game != game.spec:
            raise ParseError(f"this policy was trained for {quote(self.game, 80)}, not for {game.spec}")
        if len(self.layers[-1][1]) != game.num_actions:
            raise ParseError(f"this policy knows {len(self.layers[-1][1])} actions, not {game.num_actions}")

    def text(self, kind: str = "float16") -> str:
        """The policy as the text of a file, with numbers of 16 or 32 bits."""
        letter, _ = _TYPES[kind]
        flat = [each for weights, biases in self.layers for row in (*weights, biases) for each in row]
        data = {
            "format": FORMAT,
            "game": self.game,
            "about": dict(self.about),
            "inputs": asdict(self.inputs),
            "sizes": [prod(self.inputs.shape), *(len(biases) for _, biases in self.layers)],
            "type": kind,
            "numbers": b64encode(pack(f"<{len(flat)}{letter}", *flat)).decode(),
        }
        return json.dumps(data) + "\n"

    def save(self, path: Path | str) -> None:
        """Write the policy to a file."""
        write_whole(Path(path), self.text())


def load_policy(path: Path | str) -> Policy:
    """Read a policy from a file. A file is data: whatever is wrong with it raises ParseError.

    >>> from perfectplay.players.learned.player import find_shipped_file
    >>> load_policy(str(find_shipped_file("bit-flip"))).game
    'bit-flip'
    """
    try:
        with Path(path).open("rb") as file:
            raw = file.read(LARGEST_FILE + 1)
        return parse_policy(raw)
    except ParseError as error:
        raise ParseError(f"{path} is not a policy: {error}") from None
    except (FileNotFoundError, IsADirectoryError, ValueError):  # the last for a path that no file can have
        raise ParseError(f"there is no policy file {quote(str(path), 200)}") from None
    except OSError as error:
        raise ParseError(f"{path}: {error.strerror}") from None


def parse_policy(raw: bytes) -> Policy:
    """Read a policy from the bytes of a file."""
    if len(raw) > LARGEST_FILE:
        raise ParseError(f"it has more than {LARGEST_FILE:,} bytes")
    try:
        data: Any = json.loads(raw)
    except (ValueError, RecursionError):
        raise ParseError("it is not JSON") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ParseError(f'its "format" is not "{FORMAT}"')
    told: list[Any] = [data.get(name) for name in ("game", "about", "sizes", "type")]
    game, about, sizes, kind = told
    _expect(isinstance(game, str) and game.isprintable() and len(game) < MOST_NAMES, "game")
    _expect(isinstance(about, dict), "about")
    inputs = _inputs(data.get("inputs"))
    _expect(isinstance(sizes, list) and 2 <= len(sizes) <= MOST_LAYERS + 1, "sizes")
    _expect(all(type(each) is int and 0 < each <= LARGEST_FILE for each in sizes), "sizes")
    size = prod(inputs.shape)
    _expect(sizes[0] == size, "sizes", f"the first is not {size}, as many as there are inputs")
    _expect(isinstance(kind, str) and kind in _TYPES, "type")
    return Policy(game, inputs, _layers(data.get("numbers"), sizes, *_TYPES[kind]), about)


def _expect(good: bool, name: str, problem: str = "it is missing or wrong") -> None:
    if not good:
        raise ParseError(f'"{name}": {problem}')


def _inputs(given: Any) -> Inputs:
    sound: dict[str, Callable[[Any], bool]] = {
        "board": lambda each: type(each) is int and 0 < each <= MOST_NAMES,
        "pieces": lambda each: isinstance(each, str),
        "captions": lambda each: isinstance(each, str),
        "bits": lambda each: (
            isinstance(each, list) and [*map(type, each)] == [str, int] and 0 <= each[1] < MOST_DIGITS
        ),
    }
    _expect(isinstance(given, dict) and set(given) == {*sound, "shows_side"}, "inputs")
    for name, is_sound in sound.items():
        parts = given[name]
        _expect(isinstance(parts, list) and len(parts) <= MOST_NAMES and all(map(is_sound, parts)), name)
    _expect(len(given["board"]) in (1, 2), "board")
    _expect(type(given["shows_side"]) is bool, "shows_side")
    bits = tuple((name, place) for name, place in given["bits"])
    return Inputs(
        tuple(given["board"]), tuple(given["pieces"]), tuple(given["captions"]), bits, given["shows_side"]
    )


def _layers(numbers: Any, sizes: Sequence[int], letter: str, width: int) -> list[Layer]:
    count = sum((before + 1) * after for before, after in pairwise(sizes))
    try:
        packed = b64decode(numbers, validate=True)
    except (TypeError, ValueError):
        raise ParseError('"numbers": it is not base64') from None
    here = len(packed) // width
    _expect(len(packed) == count * width, "numbers", f"there are {here:,} of {count:,}")
    flat = unpack(f"<{count}{letter}", packed)
    _expect(all(map(isfinite, flat)), "numbers", "not all of them are finite")
    layers: list[Layer] = []
    start = 0
    for before, after in pairwise(sizes):
        rows = [flat[start + row * after : start + (row + 1) * after] for row in range(before + 1)]
        layers.append((rows[:-1], rows[-1]))
        start += (before + 1) * after
    return layers
