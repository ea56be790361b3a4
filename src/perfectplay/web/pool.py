"""The process that thinks, as the server sees it: one question at a time, each with a time limit."""

import asyncio
import json
import sys
from contextlib import suppress
from math import ceil

from perfectplay.core.errors import PerfectplayError
from perfectplay.web.shapes import Shape, dumps

LONGEST_ANSWER = 2**23


class BusyError(Exception):
    """Too many wait for an answer already."""


class SlowError(PerfectplayError):
    """An answer that took too long; the process has been ended."""


class Thinker:
    """A process that answers requests in their order. It is started when first asked."""

    def __init__(
        self, seconds: float, most_waiting: int = 200, program: str = "perfectplay.web.study"
    ) -> None:
        self.seconds = seconds
        self.most_waiting = most_waiting
        self.program = program
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._process: asyncio.subprocess.Process | None = None
        self._closed = False

    async def ask(self, request: Shape) -> Shape:
        """The answer to a request; PerfectplayError says what is wrong with it."""
        if self._waiting >= self.most_waiting or self._closed:
            raise BusyError
        self._waiting += 1
        try:
            async with self._turn:
                answer = await self._asked(dumps(request))
        finally:
            self._waiting -= 1
        if "error" in answer:
            raise PerfectplayError(answer["error"])
        return answer

    async def close(self) -> None:
        """End the process."""
        self._closed = True
        await self._end()

    async def _asked(self, line: str) -> Shape:
        if self._closed:
            raise BusyError
        process = self._process
        if process is None or process.returncode is not None:
            process = self._process = await self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            async with asyncio.timeout(self.seconds):
                process.stdin.write(line.encode() + b"\n")
                await process.stdin.drain()
                answer = await process.stdout.readline()
            if not answer:
                raise ConnectionError
            found: Shape = json.loads(answer)
            return found
        except TimeoutError:
            await self._end()
            raise SlowError(f"that takes longer than {self.seconds:g} seconds") from None
        except (ConnectionError, ValueError):
            await self._end()
            raise SlowError("that is too large for this server") from None
        except asyncio.CancelledError:
            await self._end()  # the answer would be taken for that to the next question
            raise

    async def _started(self) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            self.program,
            str(ceil(self.seconds)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LONGEST_ANSWER,
            # Ctrl-C in a terminal goes to every process there; this one is ended by the server.
            start_new_session=True,
        )

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
