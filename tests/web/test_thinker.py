"""Asking the worker processes: who waits for whom, and what is remembered."""

import asyncio
import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from perfectplay.core.errors import PerfectplayError
from perfectplay.tables.limits import MOST_MEMORY
from perfectplay.tables.validation import load_small_game
from perfectplay.workers import worker
from perfectplay.workers.thinker import BusyError, SlowError, Thinker
from perfectplay_server.live import workers as server_workers
from perfectplay_server.live.workers import Choice, Workers
from perfectplay_server.settings import ServerSettings
from tests.web.hubs import Patch, pause, running


class Recorder(Thinker):
    """A thinker without a process: it notes what it is asked, and answers when it is let."""

    def __init__(self, most_waiting: int = 200) -> None:
        super().__init__(30, most_waiting)
        self.asked: list[str] = []
        self.free = asyncio.Event()
        self.error = ""

    async def _exchange(self, line: bytes) -> dict[str, Any]:
        self.asked.append(json.loads(line)["do"])
        await self.free.wait()
        return {"error": self.error} if self.error else {"text": "4", "seconds": 0.0}


def test_addresses_take_turns_and_cheap_questions_go_first() -> None:
    async def ask() -> list[str]:
        thinker = Recorder()
        questions = [("a1", "a", 1), ("a2", "a", 1), ("a3", "a", 1), ("b1", "b", 1), ("c1", "c", 2)]
        questions += [("a cheap", "a", 0), ("b2", "b", 1)]
        tasks = [
            asyncio.create_task(thinker.ask({"do": name}, address, rank)) for name, address, rank in questions
        ]
        await pause()
        assert thinker.asked == ["a1"]  # one at a time
        thinker.free.set()
        await asyncio.gather(*tasks)
        return thinker.asked

    assert asyncio.run(ask()) == ["a1", "a cheap", "a2", "b1", "a3", "b2", "c1"]


def test_who_asks_most_gives_way_when_too_many_wait() -> None:
    async def ask() -> list[str]:
        thinker = Recorder(most_waiting=3)
        names = ["a0", "a1", "a2", "a3", "b1", "c1", "d1"]  # the first is being answered
        tasks = [asyncio.create_task(thinker.ask({"do": name}, name[0])) for name in names]
        await pause()
        thinker.free.set()
        answers = await asyncio.gather(*tasks, return_exceptions=True)
        refused = [name for name, answer in zip(names, answers, strict=True) if isinstance(answer, BusyError)]
        assert refused == ["a2", "a3", "d1"]
        return thinker.asked

    assert asyncio.run(ask()) == ["a0", "a1", "b1", "c1"]


def test_a_question_that_is_given_up_before_its_turn_is_never_asked() -> None:
    async def ask() -> list[str]:
        thinker = Recorder(most_waiting=2)
        tasks = [asyncio.create_task(thinker.ask({"do": name}, "a")) for name in ("1", "2", "3")]
        await pause()
        tasks[1].cancel()
        await pause()
        tasks.append(asyncio.create_task(thinker.ask({"do": "4"}, "a")))  # there is room for it
        await pause()
        tasks[0].cancel()  # the one that is being answered: the next one's turn comes
        tasks[2].cancel()  # whose caller gives up at the same moment
        thinker.free.set()
        answers = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(answer) for answer in answers] == [asyncio.CancelledError] * 3 + [dict]
        return thinker.asked

    assert asyncio.run(ask()) == ["1", "4"]


def recorded(settings: ServerSettings) -> Workers:
    """Workers without processes, which answer at once."""
    workers = Workers(settings.think_seconds, settings.study_seconds)
    for name in ("standard", "players", "students"):
        recorder = Recorder()
        recorder.free.set()
        setattr(workers, name, recorder)
    return workers


def asked(workers: Workers) -> dict[str, list[str]]:
    """What each process was asked."""
    every = {"standard": workers.standard, "players": workers.players, "students": workers.students}
    return {name: each.asked for name, each in every.items() if isinstance(each, Recorder)}


def test_standard_games_never_wait_for_custom_ones() -> None:
    async def ask() -> dict[str, list[str]]:
        workers = recorded(ServerSettings())
        for spec in ("bit-flip", "bit-flip:bits=3", "bit-flip:bits=10"):
            game = load_small_game(spec)
            await workers.choose(game, "record", "perfect", "a")
            await workers.study(game, {"do": "study"}, "a")
            await workers.check(game, "a")
        return asked(workers)

    # Ten bits are the default, so that the last one is the first one.
    assert asyncio.run(ask()) == {
        "standard": ["choose", "study", "check", "choose", "study"],
        "players": ["choose"],
        "students": ["study", "check"],
    }


def test_small_games_are_studied_first_and_checks_before_those() -> None:
    async def ask() -> list[str]:
        workers = recorded(ServerSettings())
        students = workers.students
        assert isinstance(students, Recorder)
        students.free.clear()
        small, large = load_small_game("mirror-match:digits=8"), load_small_game("mirror-match:digits=100")
        tasks: list[asyncio.Task[Any]] = [
            asyncio.create_task(workers.study(game, {"do": name}, name))
            for name, game in (("first", large), ("large", large), ("small", small))
        ]
        tasks.append(asyncio.create_task(workers.check(large, "b")))
        await pause()
        students.free.set()
        await asyncio.gather(*tasks)
        return students.asked

    assert asyncio.run(ask()) == ["first", "check", "small", "large"]


def test_what_was_checked_is_remembered(monkeypatch: Patch) -> None:
    monkeypatch.setattr(server_workers, "MOST_CHECKED", 2)

    async def ask() -> None:
        workers = recorded(ServerSettings())
        students = workers.students
        assert isinstance(students, Recorder)
        one, two, three = (load_small_game(f"bit-flip:bits={bits}") for bits in (3, 4, 5))
        students.error = "too large"
        for _ in range(2):  # that a game is refused is remembered as well
            with pytest.raises(PerfectplayError, match="too large"):
                await workers.check(one, "a")
        students.error = ""
        for game, questions in ((two, 2), (one, 2), (three, 3), (one, 3), (two, 4)):
            with suppress(PerfectplayError):
                await workers.check(game, "b")
            assert len(students.asked) == questions, game.spec

    asyncio.run(ask())


def test_a_check_that_was_too_slow_is_made_again(monkeypatch: Patch) -> None:
    async def ask() -> None:
        workers = recorded(ServerSettings())
        failures: list[Exception] = [SlowError("slow"), BusyError()]

        async def answer(*_: object) -> dict[str, Any]:
            if failures:
                raise failures.pop(0)
            return {}

        monkeypatch.setattr(workers.students, "ask", answer)
        game = load_small_game("bit-flip:bits=3")
        for error in (SlowError, BusyError):
            with pytest.raises(error):
                await workers.check(game, "a")
        await workers.check(game, "a")

    asyncio.run(ask())


def test_moves_of_computers_are_queued_under_the_address_of_the_player(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    async def play() -> list[str]:
        async with running(tmp_path) as hub:
            found = []

            async def choose(game: object, record: str, player: str, address: str) -> Choice:
                found.append(address)
                return Choice("4" if len(found) == 1 else "6", 0.0)

            monkeypatch.setattr(hub.workers, "choose", choose)
            live = await hub.make(
                "bit-flip", seat=1, opponent="perfect", name="Ann", public=True, owner="ann", address="a"
            )
            assert live.thinking is not None
            await live.thinking
            await hub.actions.act(live.id, 1, 4, "move", "0", address="b")
            assert live.thinking is not None
            await live.thinking
            return found

    assert asyncio.run(play()) == ["a", "b"]


def test_questions_do_not_pile_up() -> None:
    async def ask() -> None:
        thinker = Thinker(30, most_waiting=1, program="tests.web.stuck")
        waiting = [asyncio.create_task(thinker.ask({"do": "nothing"})) for _ in range(2)]
        await pause()
        with pytest.raises(BusyError):
            await thinker.ask({"do": "nothing"})
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        await thinker.close()

    asyncio.run(ask())


def test_a_close_that_is_given_up_can_be_made_up_for(monkeypatch: Patch) -> None:
    """As when a server that stops has no time left while a process starts."""

    async def ask() -> None:
        thinker = Thinker(30, program="tests.web.stuck")
        begins, start = asyncio.Event(), asyncio.create_subprocess_exec

        async def started(*args: Any, **settings: Any) -> asyncio.subprocess.Process:
            await begins.wait()
            return await start(*args, **settings)

        monkeypatch.setattr(asyncio, "create_subprocess_exec", started)
        asked = asyncio.create_task(thinker.ask({"do": "nothing"}))
        await pause()
        closing = asyncio.create_task(thinker.close())
        await pause()
        closing.cancel()
        await asyncio.gather(closing, return_exceptions=True)
        begins.set()
        await thinker.close()
        with pytest.raises(BusyError):
            await asked

    asyncio.run(ask())


def test_a_question_that_is_given_up_leaves_no_answer_behind() -> None:
    async def ask() -> None:
        thinker = Thinker(30)
        await thinker.ask({"do": "check", "game": "bit-flip"})  # the process is there
        given_up = asyncio.create_task(thinker.ask({"do": "check", "game": "bit-flip:bits=3"}))
        await pause()
        given_up.cancel()
        await asyncio.gather(given_up, return_exceptions=True)
        with pytest.raises(PerfectplayError, match="bits=201: must be at most 200"):
            await thinker.ask({"do": "check", "game": "bit-flip:bits=201"})
        await thinker.close()

    asyncio.run(ask())


def test_a_game_of_too_many_positions_is_not_solved(monkeypatch: Patch) -> None:
    game = load_small_game("inversion-race:cells=61")
    monkeypatch.setattr(worker, "MOST_POSITIONS", 100)
    text = "inversion-race:cells=61 has more than 100 positions, too many for this server to solve"
    assert worker.answer({"do": "check", "game": game.spec}) == {"error": text}
    assert worker.answer({"do": "solo", "game": game.spec, "moves": [], "ply": 0, "number": 1}) == {
        "error": text
    }


def test_the_process_that_thinks_has_only_so_much_memory(monkeypatch: Patch) -> None:
    start, made = asyncio.create_subprocess_exec, []

    async def started(*args: Any, **settings: Any) -> asyncio.subprocess.Process:
        made.append(await start(*args, **settings))
        return made[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", started)

    async def limit() -> str:
        thinker = Thinker(30)
        await thinker.ask({"do": "check", "game": "bit-flip"})
        found = Path(f"/proc/{made[0].pid}/limits").read_text()
        await thinker.close()
        return next(line for line in found.splitlines() if line.startswith("Max data size"))

    assert asyncio.run(limit()).split()[3:5] == [str(MOST_MEMORY)] * 2


def test_a_worker_maps_files_that_are_larger_than_its_memory(tmp_path: Path) -> None:
    """Such as table bases of a billion positions."""
    code = f"""
import mmap
from perfectplay.workers.worker import MOST_MEMORY, limit_memory
limit_memory()
with open({str(tmp_path / "large")!r}, "wb+") as file:
    file.truncate(MOST_MEMORY + 1)  # it takes no room on the disk
    print(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)[-1])
try:
    bytearray(MOST_MEMORY)
except MemoryError:
    print("too much")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "0\ntoo much\n", done.stderr
