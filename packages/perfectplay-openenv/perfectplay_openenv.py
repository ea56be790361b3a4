"""The games of perfectplay as an environment of OpenEnv: a question is an observation, an answer an action.

It only carries texts to and from `perfectplay.evals`, which asks the questions and counts the answers. What a
client sends is data: it names no program, no file and no large game.
"""

import argparse
from dataclasses import asdict
from typing import Any
from uuid import uuid4

import uvicorn
from fastapi import HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field

from perfectplay.core.errors import BadParameterError, PerfectplayError, UnknownParameterError
from perfectplay.evals.play import Play, begin_from_data

__version__ = "0.1.0"

DEFAULT = {"game": "bit-flip"}
OPTIONS = ("game", "opponent", "seat", "number", "attempts", "moves", "disguise", "start", "reward")


class GameAction(Action):
    """A whole answer. Its last line of the form `Move: ...` is the move. With a turn, it may come twice."""

    text: str
    turn: int | None = None


class GameObservation(Observation):
    """The next question or, once the game is over, its result."""

    question: str | None = None
    turn: int | None = None
    result: str | None = None
    rates: dict[str, float] = Field(default_factory=dict)
    """Shares of readable and legal answers and of kept decisions, and points, once the game is over."""


class GameState(State):
    """The setup of the game, and its counts so far."""

    setup: dict[str, Any] = Field(default_factory=dict)
    counts: dict[str, Any] = Field(default_factory=dict)


class GameEnvironment(Environment[GameAction, GameObservation, GameState]):
    """One game after another, in either seat, against an opponent of known strength or in self-play."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._episode, self._reward = str(uuid4()), "kept"
        self._play: Play = begin_from_data(DEFAULT)

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, **options: object
    ) -> GameObservation:
        """Begin a game. `seat` is 1 or 2; `reward` is kept, points or luck_free; the rest as in `Setup`."""
        for name, value in options.items():
            if name not in OPTIONS:
                raise UnknownParameterError("reset", name, str(value), OPTIONS)
        reward = options.pop("reward", "kept")
        if reward not in ("kept", "points", "luck_free"):
            raise BadParameterError("reward", reward, "kept, points or luck_free")
        self._play = begin_from_data({**DEFAULT, **options, "seed": seed or 0})
        self._episode, self._reward = episode_id or str(uuid4()), str(reward)
        return self._observe()

    def step(self, action: GameAction, timeout_s: float | None = None, **others: object) -> GameObservation:
        """Answer the question."""
        self._play.answer(action.text, action.turn)
        return self._observe()

    @property
    def state(self) -> GameState:
        about = {"setup": asdict(self._play.setup), "counts": asdict(self._play.counts)}
        return GameState(episode_id=self._episode, step_count=len(self._play.texts), **about)

    def _observe(self) -> GameObservation:
        if self._play.question is not None:
            return GameObservation(question=self._play.question.text, turn=self._play.turn, reward=0.0)
        rates = self._play.counts.rates()
        ended = {"result": self._play.counts.result, "turn": self._play.turn, "rates": rates}
        return GameObservation(**ended, done=True, reward=rates[self._reward])


app = create_app(GameEnvironment, GameAction, GameObservation, "perfectplay", 100, state_cls=GameState)


@app.exception_handler(HTTPException)
@app.exception_handler(RequestValidationError)
@app.exception_handler(PerfectplayError)
async def refuse(request: Request, error: Any) -> JSONResponse:
    """Refuse a request in one line, which repeats no rubbish: NaN is not JSON."""
    wrong = error.errors() if isinstance(error, RequestValidationError) else getattr(error, "detail", None)
    if isinstance(wrong, list):
        wrong = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg'].lower()}" for each in wrong)
    return JSONResponse({"detail": wrong or str(error)}, getattr(error, "status_code", 422))


def main() -> None:
    """Serve the games."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    uvicorn.run(app, **vars(parser.parse_args()))


if __name__ == "__main__":
    main()
