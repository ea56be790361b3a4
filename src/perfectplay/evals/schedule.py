"""A measurement over MCP: the games are fixed in advance, and each is recorded from its first question on."""

from collections.abc import Callable, Collection
from typing import Any

from perfectplay.core.errors import ParseError
from perfectplay.core.outcome import Side
from perfectplay.evals.mcp_tools import GameTools
from perfectplay.evals.samples import Row
from perfectplay.evals.setup import Setup, load_game

INSTRUCTIONS = """\
Small games of pure strategy, one after another. Begin each with next_game, then answer its questions with
move until there is a result. The last line of an answer that has the form "Move: ..." is the move."""


class Schedule:
    """The games of a measurement: the agent plays each once, in order, and chooses nothing but moves.

    `done` are the seats, 1 or 2, and numbers of games that were begun before.

    >>> schedule = Schedule(Setup("bit-flip:bits=3", "perfect"), games=1)
    >>> schedule.next_game()["game"]
    '1 of 2'
    >>> schedule.move("Move: 1")["result"]
    'win'
    """

    instructions = INSTRUCTIONS

    def __init__(
        self,
        setup: Setup,
        games: int,
        changed: Callable[[list[Row]], None] | None = None,
        agent: str = "client",
        done: Collection[tuple[int, int]] = (),
    ) -> None:
        self._setup = setup
        self._tables = GameTools(changed, agent)
        seats: tuple[Side, Side] = (0, 1)
        places = [(seat, number) for number in range(games) for seat in seats]
        self._games = len(places)
        self._waiting = [(seat, number) for seat, number in places if (seat + 1, number) not in done]
        self._table: str | None = None

    @property
    def tools(self) -> tuple[Callable[..., Any], ...]:
        """What a client may call."""
        return self.rules, self.next_game, self.look, self.move, self.resign

    def rules(self) -> str:
        """The rules of the game."""
        return load_game(self._setup.game).texts().instructions()

    def next_game(self) -> dict[str, Any]:
        """Begin the next game, once the one before is over."""
        if self._table is not None and self._tables.look(self._table)["result"] is None:
            raise ParseError("the game is not over: answer its question with move, or resign")
        if not self._waiting:
            raise ParseError(f"all {self._games} games have been begun")
        self._table = self._tables.begin(self._setup, *self._waiting.pop(0))["table"]
        return self.look()

    def look(self) -> dict[str, Any]:
        """The position of the game, and whose turn it is."""
        return self._shown(self._tables.look(self._current))

    def move(self, answer: str) -> dict[str, Any]:
        """Answer the question. The last line of the form `Move: ...` is the move."""
        return self._shown(self._tables.move(self._current, answer))

    def resign(self) -> dict[str, Any]:
        """Give up the game. It counts as a forfeit."""
        return self._shown(self._tables.resign(self._current))

    @property
    def _current(self) -> str:
        if self._table is None:
            raise ParseError("there is no game yet: next_game begins one")
        return self._table

    def _shown(self, shown: dict[str, Any]) -> dict[str, Any]:
        number = f"{self._games - len(self._waiting)} of {self._games}"
        return {"game": number, **{name: each for name, each in shown.items() if name != "table"}}
