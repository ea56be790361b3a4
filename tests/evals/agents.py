"""Scripted agents of known strength: each turns a question into a text."""

from collections.abc import Callable
from functools import cache
from random import Random

from perfectplay.core.outcome import Side
from perfectplay.evals.play import Play
from perfectplay.evals.samples import Sample
from perfectplay.evals.setup import Setup
from perfectplay.players.base import KnownPlayer
from perfectplay.players.registry import load_computer

Agent = Callable[[Play], str]


def known_player(spec: str) -> KnownPlayer:
    player = load_computer(spec)
    assert isinstance(player, KnownPlayer)
    return player


def known(spec: str) -> Agent:
    """Plays like a known player, with a generator of its own."""
    player = load_computer(spec)

    def answer(play: Play) -> str:
        assert play.question is not None
        match = play.match
        rng = Random(f"agent/{match.seed}/{play.seat}/{match.plies}/{len(play.texts)}")
        action = player.choose(play.game, match.state, rng)
        return f"I looked at everything.\nMove: {play.disguise.move(match.state, action)}"

    return answer


def silent_half_the_time(play: Play) -> str:
    rng = Random(f"silent/{play.match.seed}/{play.seat}/{play.match.plies}/{len(play.texts)}")
    return "I cannot decide." if rng.random() < 0.5 else known("random")(play)


def always_illegal(play: Play) -> str:
    """A move that can be read and is never legal."""
    state = play.match.state
    legal = set(play.game.legal_actions(state))
    illegal = next(action for action in range(play.game.num_actions) if action not in legal)
    return f"Move: {play.game.action_text(state, illegal)}"


def cheater(play: Play) -> str:
    """Names every legal move in prose and marks none."""
    state = play.match.state
    texts = [play.game.action_text(state, action) for action in play.game.legal_actions(state)]
    return f"My move: {texts[0]}. Or {', '.join(texts)}; take the best. The final Move: {texts[-1]}"


AGENTS: dict[str, Agent] = {
    "random": known("random"),
    "level:3": known("level:3"),
    "level:7": known("level:7"),
    "perfect": known("perfect"),
    "always illegal": always_illegal,
    "silent half the time": silent_half_the_time,
    "cheater": cheater,
}


def played(agent: Agent, setup: Setup, seat: Side, number: int) -> Play:
    """A whole game of an agent in plain Python."""
    play = Play(setup, seat=seat, number=number)
    while play.question is not None:
        play.answer(agent(play))
    return play


def by_text(text: str) -> str:
    """An agent that sees the last question alone, for hosts that only carry texts.

    It picks one of the legal moves listed, and now and then it is silent or marks something else. How much
    of the game before a host tells makes no difference.
    """
    rng = Random(text.partition("Legal moves: ")[2].partition("Think as long")[0] or text)
    luck = rng.random()
    if luck < 0.15:
        return "I would rather not say."
    if luck < 0.25:
        return "Move: the best one"
    if luck < 0.35:
        return "Move: 0"
    [legal] = [line for line in text.splitlines() if line.startswith("Legal moves: ")]
    return f"Fine.\n**Move: {rng.choice(legal.removeprefix('Legal moves: ').split(', '))}**"


def change(sample: Sample, **columns: object) -> Sample:
    """The same sample with other values in some of its columns."""
    return Sample.from_columns({**sample.columns(), **columns})


LISTED = Setup("bit-flip", "level:3", attempts=2, moves="listed", seed=7)
"""The setup that all hosts play 20 games of."""


@cache
def reference(setup: Setup = LISTED, games: int = 10) -> list[Play]:
    """The same games in plain Python: `games` in each seat."""
    seats: tuple[Side, Side] = (0, 1)
    return [played(lambda play: by_text(asked(play)), setup, seat, n) for n in range(games) for seat in seats]


def asked(play: Play) -> str:
    assert play.question is not None
    return play.question.text
