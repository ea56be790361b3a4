"""Games that an agent plays by calling tools: freely, or on a schedule that measures it.

The tools only carry texts to and from `play.py`. Nothing a client says can start a program, read a
game file or make a game that is too large.
"""

from collections.abc import Callable, Collection

from perfectplay.core.errors import ParseError, PerfectplayError
from perfectplay.core.formatting import quote
from perfectplay.core.outcome import Side
from perfectplay.core.texts import summary
from perfectplay.evals.play import Play, begin_from_data, replay_answers
from perfectplay.evals.samples import Sample, game_sample
from perfectplay.evals.setup import Setup, load_game
from perfectplay.games.registry import load, names
from perfectplay.players.registry import load_player
from perfectplay.strength.points import LARGEST_RATED
from perfectplay.validation import validate_game
from perfectplay_mcp.limits import MOST_TABLES

MARK = 'The last line of an answer that has the form "Move: ..." is the move.'
OPPONENTS = ("random", "level", "perfect")
"""The opponents that a client may name: they never think for long."""

ShownGame = dict[str, str | int | None]
"""A game as a client sees it."""
OnChange = Callable[[list[Sample]], None]


class GameTools:
    """The games of one server.

    `on_change` is called after every step with the samples of all games. One that was begun and not ended
    counts as an error.

    >>> tools = GameTools()
    >>> table = str(tools.new_game("bit-flip:bits=3", "perfect")["table"])
    >>> tools.move(table, "Move: 1")["result"]
    'win'
    """

    instructions = f"""\
Small games of pure strategy. Start one with new_game, then answer each question with move until there is
a result. {MARK}"""

    def __init__(self, on_change: OnChange | None = None, agent: str = "client") -> None:
        self._on_change = on_change
        self._samples: dict[str, Sample] = {}
        self._agent = agent
        self._plays: dict[str, Play] = {}
        self._made = 0

    @property
    def tools(self) -> tuple[Callable[..., object], ...]:
        """What a client may call."""
        return self.games, self.rules, self.new_game, self.look, self.move, self.resign

    def games(self) -> list[dict[str, str | list[str]]]:
        """The games that can be played, with their parameters."""
        found: list[dict[str, str | list[str]]] = []
        for name in names():
            game = type(load(name))
            helps = [
                f"{each.name} ({each.allowed}; default {each.default})" for each in game.parameter_help()
            ]
            found.append({"game": name, "summary": summary(game), "parameters": helps})
        return found

    def rules(self, game: str) -> str:
        """The rules of a game, given as a name with parameters such as `bit-flip:bits=12`."""
        return validate_game(game, LARGEST_RATED).texts().instructions()

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
    ) -> ShownGame:
        """Start a game. `seat` is 1 to play the first side and 2 to play the second."""
        if load_player(opponent).name not in OPPONENTS:
            raise ParseError("the opponent must be random, level:1 to level:10 or perfect")
        options = {"attempts": attempts, "seed": seed, "disguise": disguise, "moves": moves}
        named = {"game": game, "opponent": opponent, "seat": seat, "number": number}
        return self.add(begin_from_data({**named, **options}))

    def add(self, play: Play) -> ShownGame:
        """Offer a game that was begun, whatever its setup."""
        self._made += 1
        table = str(self._made)
        self._plays[table] = play
        while len(self._plays) > MOST_TABLES:
            del self._plays[next(iter(self._plays))]
        self._record(table)
        return self.look(table)

    def look(self, table: str) -> ShownGame:
        """The position of a game, and whose turn it is."""
        play = self._play(table)
        if play.question is not None:
            return {"table": table, "turn": play.turn, "question": play.question.text, "result": None}
        board = play.disguise.board(play.match.state)
        shown: ShownGame = {"table": table, "turn": play.turn, "question": None}
        return {**shown, "position": board, "result": play.counts.result}

    def move(self, table: str, answer: str, turn: int | None = None) -> ShownGame:
        """Answer the question of a game. The last line of the form `Move: ...` is the move.

        With the `turn` of the question, a call that is made again changes nothing.
        """
        play = self._play(table)
        try:
            play.answer(answer, turn)
        except Exception as error:
            if play.problem is None:
                raise
            raise PerfectplayError(f"the game has ended in an error of the server: {play.problem}") from error
        finally:
            self._record(table)
        return {"answer": play.outcome, **self.look(table)}

    def resign(self, table: str) -> ShownGame:
        """Give up a game. It counts as a forfeit."""
        if self._play(table).question is None:
            raise ParseError("the game is over")
        self._plays[table].give_up()
        self._record(table)
        return self.look(table)

    def values(self, table: str) -> list[dict[str, str]]:
        """The exact value of every legal move."""
        play = self._play(table)
        state = play.match.state
        moves = play.oracle.moves(state) if play.question is not None else ()
        return [{"move": play.disguise.move(state, move.action), "value": str(move.value)} for move in moves]

    def _record(self, table: str) -> None:
        if self._on_change is None:
            return
        play = self._plays[table]
        if play.question is not None:  # until the next answer, it counts as left
            play = replay_answers(play.setup, play.seat, play.number, play.texts, play.replies)
        self._samples[table] = game_sample(play, play.number, self._agent)
        self._on_change(list(self._samples.values()))

    def _play(self, table: str) -> Play:
        if table not in self._plays:
            raise ParseError(f"there is no game {quote(table)}")
        return self._plays[table]


class Schedule:
    """The games of a measurement: the agent plays each once, in order, and chooses nothing but moves.

    Each is recorded from its first question on. `done` are the seats, 1 or 2, and numbers of games that
    were begun before.
    """

    instructions = f"""\
Small games of pure strategy, one after another. Begin each with next_game, then answer its questions with
move until there is a result. {MARK}"""

    def __init__(
        self,
        setup: Setup,
        games: int,
        on_change: OnChange | None = None,
        agent: str = "client",
        done: Collection[tuple[int, int]] = (),
    ) -> None:
        self._setup = setup
        self._tools = GameTools(on_change, agent)
        seats: tuple[Side, Side] = (0, 1)
        self._games = 2 * games
        self._waiting = [(s, number) for number in range(games) for s in seats if (s + 1, number) not in done]
        self._table: str | None = None

    @property
    def tools(self) -> tuple[Callable[..., object], ...]:
        """What a client may call."""
        return self.rules, self.next_game, self.look, self.move, self.resign

    def rules(self) -> str:
        """The rules of the game."""
        return load_game(self._setup.game).texts().instructions()

    def next_game(self) -> ShownGame:
        """Begin the next game, once the one before is over."""
        if self._table is not None and self._tools.look(self._table)["result"] is None:
            raise ParseError("the game is not over: answer its question with move, or resign")
        if not self._waiting:
            raise ParseError(f"all {self._games} games have started")
        seat, number = self._waiting.pop(0)
        self._table = str(self._tools.add(Play(self._setup, seat=seat, number=number))["table"])
        return self.look()

    def look(self) -> ShownGame:
        """The position of the game, and whose turn it is."""
        return self._call(self._tools.look)

    def move(self, answer: str, turn: int | None = None) -> ShownGame:
        """Answer the question. The last line of the form `Move: ...` is the move.

        With the `turn` of the question, a call that is made again changes nothing.
        """
        return self._call(self._tools.move, answer, turn)

    def resign(self) -> ShownGame:
        """Give up the game. It counts as a forfeit."""
        return self._call(self._tools.resign)

    def _call(self, tool: Callable[..., ShownGame], *arguments: str | int | None) -> ShownGame:
        """What a tool answers about the present game, with its place in the schedule instead of its table."""
        if self._table is None:
            raise ParseError("there is no game yet: next_game begins one")
        shown = tool(self._table, *arguments)
        del shown["table"]
        return {"game": f"{self._games - len(self._waiting)} of {self._games}", **shown}
