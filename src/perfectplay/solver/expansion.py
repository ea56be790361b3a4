"""The moves of packed positions: here, or in processes of their own, which `python -m` runs."""

import os
import signal
import subprocess
import sys
from array import array
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from marshal import dump, dumps, load
from typing import IO, Any, TypeVar, cast

from perfectplay.core.errors import PerfectplayError
from perfectplay.core.game import Game
from perfectplay.games import registry
from perfectplay.solver.packing import FORMAT, Codec, PackedStates, UnpackableError, action_type

S = TypeVar("S", bound=Hashable)

BLOCK = 2048
"""How many positions are given to a process at once."""

Expanded = tuple[bytes, bytes, list[bytes]]
"""For each position the number of its moves, then all actions, both as arrays; then where they lead."""


def expand(game: Game[Any], codec: Codec[Any], keys: list[bytes]) -> Expanded:
    """The moves of packed positions."""
    legal_actions, apply, unpack, named = game.legal_actions, game.apply, codec.unpack, codec.named
    counts, actions, after = array("I"), array(action_type(game)), list[bytes]()
    flat, kind = codec.flat, codec.kind
    try:
        for key in keys:  # millions of times: calls that can be left out are
            state = unpack(key)
            if not (isinstance(state, tuple) and tuple(map(type, state)) in flat) and not codec.fits(state):
                raise UnpackableError
            legal = legal_actions(state)
            counts.append(len(legal))
            if legal:
                actions.extend(legal)
                if named:
                    reached = [apply(state, action) for action in legal]
                    if any(type(each) is not kind for each in reached):
                        raise UnpackableError
                    after += [dumps(tuple(each), FORMAT) for each in reached]
                else:
                    after += [dumps(apply(state, action), FORMAT) for action in legal]
    except ValueError as error:
        if "unmarshallable" in str(error):
            raise UnpackableError from None
        raise
    return counts.tobytes(), actions.tobytes(), after


def can_share(game: Game[Any]) -> bool:
    """Whether other processes can load a game: from its file, or by its name."""
    try:
        return bool(sys.executable) and registry.load(game.spec) == game
    except PerfectplayError:
        return False


@contextmanager
def expanding(
    game: Game[Any], codec: Codec[Any], processes: int
) -> Iterator[Callable[[list[bytes]], "Future[Expanded]"]]:
    """Yields what starts the expansion of a block. With one process, it is done at once."""
    if processes == 1:

        def at_once(keys: list[bytes]) -> "Future[Expanded]":
            done: Future[Expanded] = Future()
            done.set_result(expand(game, codec, keys))
            return done

        yield at_once
        return
    command = [sys.executable, "-P", "-m", __name__, game.spec]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    workers = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        for _ in range(processes)
    ]
    free = deque(workers)

    def ask(keys: list[bytes]) -> Expanded:
        worker = free.popleft()
        assert worker.stdin is not None
        assert worker.stdout is not None
        try:
            dump(keys, worker.stdin)
            worker.stdin.flush()
            found: Expanded | None = load(worker.stdout)
        except (OSError, EOFError, ValueError):
            raise PerfectplayError("a process that explores the game has ended too early") from None
        free.append(worker)
        # A rule that fails there fails here as well, with the error that says why.
        return expand(game, codec, keys) if found is None else found

    with ThreadPoolExecutor(processes) as pool:
        try:
            yield lambda keys: pool.submit(ask, keys)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in workers:
                worker.kill()
                worker.wait()
                for pipe in (worker.stdin, worker.stdout):
                    with suppress(OSError):  # what was not sent is not needed
                        cast(IO[bytes], pipe).close()


def blocks(
    states: PackedStates[S],
    start: int,
    stop: int | None,
    submit: Callable[[list[bytes]], "Future[Expanded]"],
    ahead: int,
) -> Iterator[Expanded]:
    """The moves of all positions from number `start` on, or up to `stop`, block by block and in order.

    `states` grows between two blocks. Up to `ahead` blocks are worked on at the same time.
    """
    pending: deque[Future[Expanded]] = deque()
    while True:
        known = len(states) if stop is None else min(stop, len(states))
        while start < known and len(pending) < ahead:
            end = min(start + BLOCK, known)
            pending.append(submit(states.keys_of(start, end)))
            start = end
        if not pending:
            return
        yield pending.popleft().result()


def main() -> None:
    """Answer blocks on standard input until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this process ends it
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a game may print
    game = registry.load(sys.argv[1])
    codec: Codec[Any] = Codec(game.initial())
    while True:
        try:
            keys = load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            found: Expanded | None = expand(game, codec, keys)
        except Exception:  # noqa: BLE001 - whoever asked tries again, and reports it
            found = None
        dump(found, answers)
        answers.flush()


if __name__ == "__main__":
    main()
