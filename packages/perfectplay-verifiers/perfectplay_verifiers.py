"""The games of perfectplay as an environment of verifiers: exact rewards for moves that keep the result.

It only carries texts to and from `perfectplay.evals`, which asks the questions and counts the answers.
"""

from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import asdict
from typing import Any, Literal

import verifiers.v1 as vf

from perfectplay.evals.play import Play, begin_from_data
from perfectplay.evals.setup import MODEL, Setup

__all__ = ["GameEnv", "GameTaskset"]
__version__ = "0.1.0"

COUNTS = "perfectplay"
"""Where a trace keeps the counts of its player, and the rates that follow from them."""


class GameData(vf.TaskData):
    """One game: its setup, the seat of the model (0 or 1), and a number that decides every random choice."""

    setup: dict[str, Any]
    seat: int
    number: int
    reward: Literal["kept", "luck_free"]

    def begin(self, seat: int | None = None) -> Play:
        """Begin the game. Data may name no program, no file and no large game."""
        chosen = self.seat if seat is None else seat
        return begin_from_data({**self.setup, "seat": chosen + 1, "number": self.number})


class GameTask(vf.Task[GameData]):
    """A game, scored from the exact values of its moves."""

    @vf.reward
    async def exact(self, trace: vf.Trace) -> float:
        """The share of decisions kept, or the points of the game without the opponent's luck."""
        return float(trace.info.get(COUNTS, {}).get("rates", {}).get(self.data.reward, 0.0))

    @vf.metric
    async def measures(self, trace: vf.Trace) -> dict[str, float]:
        """The share of answers that were readable and legal, of decisions that were kept, and the points."""
        rates = trace.info.get(COUNTS, {}).get("rates", {})
        return {name: float(rates.get(name, 0.0)) for name in ("readable", "legal", "kept", "points")}

    async def validate(self, runtime: object = None) -> bool:
        """Play the best moves: every decision must then be kept."""
        play = self.data.begin()
        while play.question is not None:
            state = play.match.state
            best = max(play.oracle.moves(state), key=lambda move: move.value.rank)
            play.answer(f"Move: {play.disguise.move(state, best.action)}")
        return play.counts.rates()["kept"] == 1.0


class GameConfig(vf.TasksetConfig):
    """The options of `perfectplay.evals.setup.Setup`, the number of games in each seat, and the reward."""

    game: str = "bit-flip"
    opponent: str = "level:3"
    games: int = 50
    attempts: int = 1
    moves: Literal["hidden", "listed"] = "hidden"
    disguise: Literal["none", "words", "arrows"] = "none"
    start: Literal["initial", "balanced"] = "initial"
    seed: int = 0
    reward: Literal["kept", "luck_free"] = "kept"


class GameTaskset(vf.Taskset[GameTask, GameConfig]):
    """Games in both seats."""

    def load(self) -> Iterator[GameTask]:
        options = self.config
        names = ("game", "opponent", "attempts", "moves", "disguise", "start", "seed")
        setup = Setup(**{name: getattr(options, name) for name in names}, memory="chat").validate()
        for number in range(options.games):
            for seat in (0,) if setup.opponent == MODEL else (0, 1):
                row = {"setup": asdict(setup), "seat": seat, "number": number, "reward": options.reward}
                data = GameData(name=f"{setup.game} game {number + 1}, seat {seat + 1}", prompt=None, **row)
                question = data.begin().question
                if question is not None:
                    yield GameTask(data.model_copy(update={"prompt": question.text}), options.task)


class GameEnvConfig(vf.EnvConfig):
    """The player: a plain chat, without tools, on this machine."""

    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"})


class GameEnv(vf.Env[GameEnvConfig]):
    """Plays one game; in self-play, each side is a conversation and a trace of its own."""

    async def run(self, task: vf.Task, agents: vf.Agents) -> None:
        data = task.data
        both = data.setup["opponent"] == MODEL
        # In self-play every answer goes to two games, each of which counts one seat.
        plays = {seat: data.begin(seat) for seat in ((0, 1) if both else (data.seat,))}
        leader = plays[data.seat]
        async with AsyncExitStack() as stack:
            chats: dict[int, Any] = {}
            while leader.question is not None:
                side, text = leader.question.side, leader.question.text
                new = side not in chats
                if new:
                    own = task.with_data(seat=side, prompt=text)
                    chats[side] = await stack.enter_async_context(agents.player.interaction(own))
                segment = await (chats[side].turn() if new else chats[side].turn(text))
                for play in plays.values():
                    play.stop() if segment.terminated else play.answer(segment.last_reply)
            for side, chat in chats.items():  # before the conversations close, which is when they are scored
                counts = plays[side].counts
                chat.trace.info[COUNTS] = {"counts": asdict(counts), "rates": counts.rates()}
