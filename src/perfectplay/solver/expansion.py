"""The moves of packed positions: here, or in processes of their own, which `python -m` runs."""

import os
import signal
import subprocess
import sys
from array import array
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from marshal import dump, dumps, load
from typing import IO, Any, cast

from perfectplay.core.errors import PerfectplayError
from perfectplay.core.game import Game, S
from perfectplay.games import registry
from perfectplay.solver.packing import FORMAT, Codec, PackedStates, UnpackableError, action_type

BLOCK = 16384
"""How many positions are given to a process at once."""

Expanded = tuple[bytes, bytes, bytes, list[bytes]]
"""The numbers of moves of positions, all actions, and where each leads, as arrays. The last is a place among
the positions that are reached, which come at the end, each once.
"""


def expand(game: Game[Any], codec: Codec[Any], keys: list[bytes]) -> Expanded:
    """The moves of packed positions."""
    legal_actions, apply, named, kind = game.legal_actions, game.apply, codec.named, codec.kind
    counts, actions, places = array("I"), array(action_type(game)), array("I")
    reached: defaultdict[bytes, int] = defaultdict()
    reached.default_factory = reached.__len__  # the next place
    states = list(map(codec.unpack, keys))
    if not codec.all_fit(states):
        raise UnpackableError
    try:
        for state in states:  # millions of times: calls that can be left out are
            legal = legal_actions(state)
            counts.append(len(legal))
            if not legal:
                continue
            actions.extend(legal)
            if named:
                after = [apply(state, action) for action in legal]
                if any(type(each) is not kind for each in after):
                    raise UnpackableError
                places.extend([reached[dumps(tuple(each), FORMAT)] for each in after])
            else:
                places.extend([reached[dumps(apply(state, action), FORMAT)] for action in legal])
    except ValueError as error:
        if "unmarshallable" in str(error):
            raise UnpackableError from None
        raise
    return counts.tobytes(), actions.tobytes(), places.tobytes(), list(reached)


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
