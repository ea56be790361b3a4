"""A game as an episode of a trainer: texts in, texts out, and a reward at the end.

TRL's `environment_factory` takes the class as it is: it calls `reset`, offers `move` as a tool and asks for
the reward with `get_reward`.
"""

from perfectplay.core.errors import PerfectplayError
from perfectplay.evals.play import Play, begin_from_data

ASK = "Think as long as you like. Then call the tool move with your move."


class Episode:
    """One game after another against an opponent.

    The reward of a game that is over is its luck-free points, or its plain points if `luck_free` is off
    or they are not known. Before that it is 0, so a game that is cut off earns nothing.

    >>> episode = Episode(luck_free=False)
    >>> "You are Player 1." in episode.reset(game="bit-flip:bits=3", opponent="perfect")
    True
    >>> episode.move("1")
    'The game is over: win.'
    >>> episode.get_reward()
    1.0
    """

    def __init__(self, *, luck_free: bool = True) -> None:
        self.luck_free = luck_free
        self.play: Play | None = None

    def reset(self, game: str = "bit-flip", opponent: str = "level:3", **columns: object) -> str:
        """Start a game and return its first question.

        Columns of a dataset may be `seat` (1 or 2: which player the agent plays), `number`, and those of a
        `Setup`; others are ignored. A column is data: it names no game file and no program.
        """
        self.play = begin_from_data({"game": game, "opponent": opponent, **columns}, ASK)
        return self._report_state()

    def move(self, move: str) -> str:
        """Play a move.

        Args:
            move: The move, written as the rules say.

        Returns:
            The next question, or the result of the game.
        """
        if self.play is None:
            raise PerfectplayError("there is no game yet: reset begins one")
        self.play.answer(f"Move: {' '.join(move.split())}")
        return self._report_state()

    def get_reward(self) -> float:
        """What the game has earned."""
        if self.play is None:
            return 0.0
        return self.play.counts.rates()["luck_free" if self.luck_free else "points"]

    def _report_state(self) -> str:
        assert self.play is not None
        if self.play.question is not None:
            return self.play.question.text
        return f"The game is over: {self.play.counts.result}."
