"""Games that an agent plays by calling tools, by number.

The tools only carry texts to and from `play.py`. Nothing a client says can start a program, read a
game file or make a game that is too large.
"""

from collections.abc import Callable
from typing import Any

from perfectplay.core.docstrings import summary
from perfectplay.core.errors import ParseError, PerfectplayError
from perfectplay.core.outcome import Side
from perfectplay.core.wording import quote
from perfectplay.evals.play import Play, replay_answers
from perfectplay.evals.samples import Row, play_row
from perfectplay.evals.setup import Setup
from perfectplay.games.registry import load, names
from perfectplay.players.registry import load_player
from perfectplay.strength.points import LARGEST
from perfectplay.validation import validate_game

INSTRUCTIONS = """\
Small games of pure strategy. Start one with new_game, then answer each question with move until there is
a result. The last line of an answer that has the form "Move: ..." is the move."""

OPPONENTS = ("random", "level", "perfect")
"""Whom a client may name: players that never think for long."""
MOST_TABLES = 1_000
"""How many games one server keeps; the oldest make room."""
MOST_TEXT = 100_000
"""The longest answer."""


class GameTools:
    """The games of one server.

    `changed` is called after every step with the rows of all games. One that was begun and not ended counts
    as an error.

    >>> tables = GameTools()
    >>> table = tables.new_game("bit-flip:bits=3", "perfect")["table"]
    >>> tables.move(table, "Move: 1")["result"]
    'win'
    """

    instructions = INSTRUCTIONS

    def __init__(self, changed: Callable[[list[Row]], None] | None = None, agent: str = "client") -> None:
        self._changed = changed
        self._rows: dict[str, Row] = {}
        self._agent = agent
        self._plays: dict[str, tuple[Play, int]] = {}
        self._made = 0

    @property
    def tools(self) -> tuple[Callable[..., Any], ...]:
        """What a client may call."""
        return self.games, self.rules, self.new_game, self.look, self.move, self.resign

    def games(self) -> list[dict[str, Any]]:
        """The games that can be played, with their parameters."""
        found = []
        for name in names():
            game = type(load(name))
            helps = [
                f"{each.name} ({each.allowed}; default {each.default})" for each in game.parameter_help()
            ]
            found.append({"game": name, "summary": summary(game), "parameters": helps})
        return found

    def rules(self, game: str) -> str:
        """The rules of a game, given as a name with parameters such as `bit-flip:bits=12`."""
        return validate_game(game, LARGEST).texts().instructions()

    def new_game(
        self,
        game: str,
        opponent: str = "level:3",
        seat: int = 1,
        attempts: int = 3,
        seed: int = 0,
        disguise: str = "none",
        moves: str = "hidden",
        number: int = 0,
    ) -> dict[str, Any]:
        """Start a game. `seat` is 1 to play the first side and 2 to play the second."""
        if load_player(opponent).name not in OPPONENTS:
            raise ParseError("the opponent must be random, level:1 to level:10 or perfect")
        if seat not in (1, 2):
            raise ParseError("seat must be 1 or 2")
        if type(number) is not int or not 0 <= number < 10**9:
            raise ParseError("number must be a whole number from 0 to 999999999")
        options = {"attempts": attempts, "seed": seed, "disguise": disguise, "moves": moves}
        setup = Setup.from_dict({"game": game, "opponent": opponent, **options}).admit()
        return self.begin(setup, 0 if seat == 1 else 1, number)

    def begin(self, setup: Setup, seat: Side, number: int) -> dict[str, Any]:
        """Start a game of any setup."""
        play = Play(setup, seat=seat, number=number)
        self._made += 1
        table = str(self._made)
        self._plays[table] = (play, number)
        while len(self._plays) > MOST_TABLES:
            del self._plays[next(iter(self._plays))]
        self._tell(table)
        return self._shown(table)

    def look(self, table: str) -> dict[str, Any]:
        """The position of a game, and whose turn it is."""
        return self._shown(table)

    def move(self, table: str, answer: str) -> dict[str, Any]:
        """Answer the question of a game. The last line of the form `Move: ...` is the move."""
        play = self._play(table)
        if play.question is None:
            raise ParseError("the game is over")
        if len(answer) > MOST_TEXT:
            raise ParseError(f"an answer may have at most {MOST_TEXT:,} characters")
        try:
            play.answer(answer)
        except Exception as error:
            raise PerfectplayError(f"the game has ended in an error of the server: {play.problem}") from error
        finally:
            self._tell(table)
        return {"answer": play.answers[-1].outcome, **self._shown(table)}

    def resign(self, table: str) -> dict[str, Any]:
        """Give up a game. It counts as a forfeit."""
        play = self._play(table)
        if play.question is None:
            raise ParseError("the game is over")
        play.give_up()
        self._tell(table)
        return self._shown(table)

    def values(self, table: str) -> list[dict[str, str]]:
        """The exact value of every legal move."""
        play = self._play(table)
        state = play.match.state
        moves = play.oracle.moves(state) if play.question is not None else ()
        return [{"move": play.disguise.move(state, move.action), "value": str(move.value)} for move in moves]

    def _tell(self, table: str) -> None:
        if self._changed is None:
            return
        play, number = self._plays[table]
        if play.question is not None:  # until it goes on, it is a game that was left
            play = replay_answers(
                play.setup, play.seat, number, [turn.text for turn in play.answers], play.replies
            )
        self._rows[table] = play_row(play, number, self._agent)
        self._changed(list(self._rows.values()))

    def _play(self, table: str) -> Play:
        if table not in self._plays:
            raise ParseError(f"there is no game {quote(table)}")
        return self._plays[table][0]

    def _shown(self, table: str) -> dict[str, Any]:
        play = self._play(table)
        counts = play.counts
        if play.question is not None:
            return {"table": table, "question": play.question.text, "result": None}
        board = play.disguise.board(play.match.state)
        return {"table": table, "question": None, "position": board, "result": counts.result}
