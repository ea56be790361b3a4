"""The worker processes of a server, and which of them answers what."""

import asyncio
from typing import Any, NamedTuple

from perfectplay.core.errors import PerfectplayError
from perfectplay.core.game import Game
from perfectplay.tables.encoding import JsonObject
from perfectplay.tables.limits import cells
from perfectplay.tables.validation import is_custom
from perfectplay.workers.thinker import SlowError, Thinker
from perfectplay_server.limits import MOST_CHECKED

SMALL = 50
"""Most cells and moves of a start position for which a game counts as small and is studied first."""


class Choice(NamedTuple):
    """The move of a computer player, and how long it thought, without the time in the queue."""

    text: str
    seconds: float


class Workers:
    """The worker processes. Questions about standard games are quick and never wait for others."""

    def __init__(self, think_seconds: float, study_seconds: float) -> None:
        self.standard = Thinker(think_seconds)
        """Everything about the games without parameters."""
        self.players = Thinker(think_seconds)
        """Moves of computer players in custom games."""
        self.students = Thinker(study_seconds, most_waiting=20)
        """Whether a custom game can be solved, and studies of custom games."""
        self.closed = False
        self._checked: dict[str, str] = {}
        """Why each checked game cannot be solved, empty if it can; least recently used first."""

    async def choose(self, game: Game[Any], record: str, player: str, address: str) -> Choice:
        """The move of a computer player after the moves of a record."""
        question = {"do": "choose", "record": record, "player": player}
        thinker = self.players if is_custom(game) else self.standard
        answer = await thinker.ask(question, address)
        return Choice(answer["text"], answer["seconds"])

    async def check(self, game: Game[Any], address: str) -> None:
        """Raises PerfectplayError if a game cannot be solved; the worker is asked once for each game."""
        spec, known = game.spec, self._checked
        if spec not in known:
            try:
                await self._for_studies(game).ask({"do": "check", "game": spec}, address)
                known[spec] = ""
            except SlowError:
                raise  # another time it may be quicker
            except PerfectplayError as error:
                known[spec] = str(error)
        known[spec] = known.pop(spec)
        if len(known) > MOST_CHECKED:
            del known[next(iter(known))]
        if known[spec]:
            raise PerfectplayError(known[spec])

    async def study(self, game: Game[Any], question: JsonObject, address: str) -> JsonObject:
        """The answer about a position of a game."""
        start = game.initial()
        small = cells(game, start) + len(game.legal_actions(start)) <= SMALL
        return await self._for_studies(game).ask(question, address, rank=1 if small else 2)

    async def puzzles(self, ask: str, address: str, **given: object) -> Any:
        """What `workers/practice.py` answers."""
        question = {"do": "puzzles", "ask": ask, "with": given}
        return (await self.students.ask(question, address, rank=1))["answer"]

    def _for_studies(self, game: Game[Any]) -> Thinker:
        return self.students if is_custom(game) else self.standard

    async def close(self) -> None:
        """Answer nothing any more, and end all processes."""
        self.closed = True
        await asyncio.gather(*(each.close() for each in (self.standard, self.players, self.students)))
