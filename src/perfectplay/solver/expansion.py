"""The moves of packed positions: here, or in processes of their own, which `python -m` runs."""

import gc
import os
import signal
import subprocess
import sys
from array import array
from collections import deque
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import chain
from marshal import dumps, loads
from typing import IO, Any, cast

from perfectplay.core.errors import PerfectplayError
from perfectplay.core.game import Game, S
from perfectplay.games import registry
from perfectplay.solver.packing import FORMAT, Codec, PackedStates, UnpackableError, action_type

BLOCK = 16384
"""How many positions are given to a process at once."""

Block = tuple[int, bytes]
"""The number of packed positions, and their bytes."""

Expanded = tuple[list[int], bytes, list[int], list[bytes]]
"""The numbers of moves of positions, all actions as an array, and where each leads: a place among those that
are reached, which come at the end, each once.
"""


@contextmanager
def _pause_collection() -> Iterator[None]:
    """Nobody looks for garbage while a block makes many objects that are all needed: a fifth of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


@_pause_collection()
def expand(game: Game[Any], codec: Codec[Any], block: Block) -> Expanded:
    """The moves of packed positions."""
    legal_actions, apply, states = game.legal_actions, game.apply, codec.unpack(*block)
    reached: dict[Any, int] = {}
    place = reached.setdefault
    legal = [legal_actions(state) for state in states]  # sooner than map: Python calls Python
    places = [
        place(apply(state, action), len(reached))
        for state, actions in zip(states, legal, strict=True)
        for action in actions
    ]
    if reached and not codec.fits(reached):
        raise UnpackableError
    return (
        list(map(len, legal)),
        array(action_type(game), list(chain.from_iterable(legal))).tobytes(),
        places,
        codec.pack(reached),
    )


def can_share(game: Game[Any]) -> bool:
    """Whether other processes can load a game: from its file, or by its name."""
    try:
        return bool(sys.executable) and registry.load(game.spec) == game
    except PerfectplayError:
        return False


class _Worker:
    """Expands blocks one after the other, here."""

    def __init__(self, game: Game[Any], codec: Codec[Any]) -> None:
        self._game, self._codec = game, codec

    def ask(self, block: Block) -> None:
        """Take a block."""
        self._block = block

    def answer(self) -> Expanded:
        """What was found of the block."""
        return expand(self._game, self._codec, self._block)

    def end(self) -> None:
        """Stop, whatever is still to do."""


class _Process(_Worker):
    """Expands blocks in a process of its own."""

    def __init__(self, game: Game[Any], codec: Codec[Any]) -> None:
        super().__init__(game, codec)
        command = [sys.executable, "-P", "-m", __name__, game.spec]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        )

    def ask(self, block: Block) -> None:
        super().ask(block)
        with _explain_failures():
            _send(cast(IO[bytes], self._process.stdin), block)

    def answer(self) -> Expanded:
        with _explain_failures():
            found: Expanded | None = _receive(cast(IO[bytes], self._process.stdout))
        # A rule that fails there fails here as well, with the error that says why.
        return super().answer() if found is None else found

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # what was not sent is not needed
                cast(IO[bytes], pipe).close()


@contextmanager
def _explain_failures() -> Iterator[None]:
    try:
        yield
    except (OSError, EOFError, ValueError):
        raise PerfectplayError("a process that explores the game has ended too early") from None


def _send(pipe: IO[bytes], value: Any) -> None:
    """The length first: marshal asks a pipe for every number again."""
    data = dumps(value, FORMAT)
    pipe.write(len(data).to_bytes(8, "little") + data)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> Any:
    size = pipe.read(8)
    if not size:
        raise EOFError
    return loads(pipe.read(int.from_bytes(size, "little")))


def expand_blocks(
    game: Game[S], states: PackedStates[S], start: int, stop: int | None, processes: int
) -> Generator[Expanded, None, None]:
    """The moves of all positions from number `start` on, or up to `stop`, block by block and in order.

    `states` grows between two blocks.
    """
    free, busy = deque[_Worker](), deque[_Worker]()

    def give(start: int) -> int:
        known = len(states) if stop is None else min(stop, len(states))
        while free and start < known:
            end = min(known, start + min(BLOCK, -(-(known - start) // processes)))
            free[0].ask((end - start, states.keys_of(start, end)))
            busy.append(free.popleft())
            start = end
        return start

    with ExitStack() as stack:
        for _ in range(processes):
            free.append((_Worker if processes == 1 else _Process)(game, states.codec))
            stack.callback(free[-1].end)
        start = give(start)
        while busy:
            found = busy[0].answer()
            free.append(busy.popleft())
            start = give(start)  # first, so that no process waits until this block is merged
            yield found
            start = give(start)


def main() -> None:
    """Answer blocks on standard input until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this process ends it
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a game may print
    game = registry.load(sys.argv[1])
    codec: Codec[Any] = Codec(game.initial())
    while True:
        try:
            block: Block = _receive(sys.stdin.buffer)
        except EOFError:
            return
        try:
            found: Expanded | None = expand(game, codec, block)
        except Exception:  # noqa: BLE001 - whoever asked tries again, and reports it
            found = None
        _send(answers, found)


if __name__ == "__main__":
    main()
