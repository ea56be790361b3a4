"""Asks questions and counts answers, for every host: questions go out, whole texts come in.

It reads and writes nothing. Inspect, MCP, a trainer and the arena only carry its texts.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from math import fsum
from random import Random
from typing import Any, Literal, NamedTuple

from perfectplay.core.errors import BadParameterError, ParseError, PerfectplayError
from perfectplay.core.game import Game
from perfectplay.core.match import Match
from perfectplay.core.outcome import Side
from perfectplay.evals.answers import Verdict, judge_answer
from perfectplay.evals.counts import AgentResult, SampleCounts
from perfectplay.evals.disguise import disguise_game
from perfectplay.evals.limits import MOST_NUMBERED, MOST_PROBLEM
from perfectplay.evals.positions import draw_start, value_of_answer
from perfectplay.evals.setup import MODEL, Setup, load_game, load_opponent
from perfectplay.players.base import ComputerPlayer, KnownPlayer, draw
from perfectplay.solver.oracle_cache import oracle_for
from perfectplay.strength.points import check_decided, points_everywhere

ASK = "Think as long as you like. End your answer with one line of the form\nMove: <your move>"

PLAYED = ("legal", "invalid")
"""The answers after which the game continues: a move, or a turn that is lost by the rules."""


class Message(NamedTuple):
    """A message of a conversation."""

    role: Literal["user", "assistant"]
    text: str


class Question(NamedTuple):
    """What to send to whoever plays `side`: a conversation that ends with the question.

    >>> question = Play(Setup("bit-flip:bits=3", "perfect"), seat=0).question
    >>> question.side, len(question.messages), question.text.splitlines()[-1]
    (0, 1, 'Move: <your move>')
    """

    side: Side
    messages: tuple[Message, ...]

    @property
    def text(self) -> str:
        """The last message."""
        return self.messages[-1].text


class Play:
    """One game of an agent against an opponent.

    The agent has side `seat`. `number` tells the games of a setup apart: it decides every random choice,
    together with the setup's seed.

    >>> play = Play(Setup("bit-flip:bits=3", "perfect"), seat=0)
    >>> print(play.question.text.splitlines()[-4])
    You are Player 1. It is your turn.
    >>> play.answer("The middle wins.\\nMove: 1")
    >>> play.question, play.counts.result, play.counts.kept
    (None, 'win', 1)
    """

    def __init__(
        self,
        setup: Setup,
        *,
        seat: Side,
        number: int = 0,
        replies: Iterable[str] | None = None,
        ask: str = ASK,
        game: Game[Any] | None = None,
    ) -> None:
        """Begin a game; each question ends with `ask`.

        With `replies`, the moves of an opponent that played before, it is not asked again. `game` is the
        one that the setup names, if the caller has loaded it.
        """
        self.setup = setup
        self._ask = ask
        self.seat, self.number = seat, number
        self.game = game or load_game(setup.game)
        self.oracle = oracle_for(self.game)
        check_decided(self.game, self.oracle.dead_ends(self.game.initial()))
        self.opponent: ComputerPlayer | None = None
        self._recorded = None if replies is None else iter(replies)
        self.replies: list[str] | None = None if replies is None else []
        """The moves of an opponent whose chances are not known; else None. It might not play them again."""
        if setup.opponent != MODEL and replies is None:
            self.opponent = load_opponent(setup.opponent)
            if not isinstance(self.opponent, KnownPlayer):
                self.replies = []
            self.opponent.prepare(self.game)
        # Not their sum: games of two seeds would be the same games.
        seed = Random(f"{setup.seed}/game {number}").getrandbits(53)
        start = draw_start(self.game, seat, number, seed) if setup.start == "balanced" else None
        self.match = Match(self.game, seed=seed, max_plies=setup.plies_limit, start=start)
        self.disguise = disguise_game(self.game, setup.disguise, self.match.state, seed)
        self.counts = SampleCounts()
        self.texts: list[str] = []
        """The answers as they came."""
        self.outcome = ""
        """What the last answer was taken for."""
        self.problem: str | None = None
        """What went wrong in an answer that ended the game as an error of our own."""
        self._values = None
        if isinstance(self.opponent, KnownPlayer):
            self._values = points_everywhere(self.game, self.opponent, seat)
            self.counts.luck = None if self._values is None else 0.0
        self._chats: tuple[list[Message], list[Message]] = ([], [])
        self._failed = [0, 0]
        self._refused = ""
        self._told = [0, 0]
        self.question: Question | None = None
        self._play_on()
        self._ask_next()

    @property
    def turn(self) -> int:
        """The number of the present question, from 1; after the end, that of the last one."""
        return len(self.texts) + (self.question is not None)

    def answer(self, text: str, turn: int | None = None) -> None:
        """Take the whole text of an answer to the present question.

        With the `turn` of the question, an answer that comes again changes nothing: a client that got no
        reply may repeat it. Where something else fails, the game ends as an error that `problem` names.
        """
        if turn is not None and not 1 <= turn <= self.turn:
            raise BadParameterError("turn", turn, f"a whole number from 1 to {self.turn}")
        if turn is not None and turn <= len(self.texts):
            return
        if self.question is None:
            raise ParseError("the game is over")
        try:
            self._answer(self.question.side, text)
            self._ask_next()
        except Exception as error:
            self.problem = " ".join(f"{type(error).__name__}: {error}".split())[:MOST_PROBLEM]
            self._end("error")
            raise

    def _answer(self, side: Side, text: str) -> None:
        verdict = judge_answer(self.disguise, self.match.state, text)
        self.outcome = verdict.outcome
        self.texts.append(text)
        self._chats[side].append(Message("assistant", text))
        if side == self.seat:
            self._count(text, verdict)
        if verdict.outcome in PLAYED:
            self._failed[side] = 0
            self._refused = ""
            if verdict.action is None:
                self.match.forfeit()
            else:
                self.match.play(verdict.action)
            self._play_on()
        else:
            self._failed[side] += 1
            self._refused = verdict.reason
            if self._failed[side] >= self.setup.attempts:
                self._count_failure(side, verdict)
                self._end("forfeit" if side == self.seat else "opponent forfeit")

    def give_up(self) -> None:
        """The agent resigns, which forfeits the game."""
        self._leave("forfeit")

    def stop(self) -> None:
        """End a game that cannot continue: an error, a time limit or a lost connection."""
        self._leave("error")

    def _leave(self, result: AgentResult) -> None:
        if self.question is not None:
            self._count_failure(self.question.side)
            self._end(result)

    def _count(self, text: str, verdict: Verdict) -> None:
        state = self.match.state
        self.counts.named += self.disguise.is_seen_through(text)
        self.counts.count_verdict(verdict)
        if verdict.outcome in PLAYED:
            played = value_of_answer(self.game, state, verdict, self.match.forfeits_in_a_row(self.seat))
            self.counts.count_choice(self.match.plies, self.oracle.moves(state), verdict, played)

    def _count_failure(self, side: Side, verdict: Verdict | None = None) -> None:
        """Count a decision of the agent that ended the game without a move: it keeps nothing."""
        if side == self.seat:
            moves = self.oracle.moves(self.match.state)
            self.counts.count_choice(self.match.plies, moves, verdict, None)

    def _play_on(self) -> None:
        """Play forced passes and the opponent's moves up to the next question or the end."""
        match = self.match
        while match.result is None:
            state = match.state
            if self.game.is_forced_pass(state):
                match.play(self.game.legal_actions(state)[0])
            elif match.side != self.seat and (self.opponent is not None or self._recorded is not None):
                self._opponent_moves()
                if self.counts.result is not None:
                    return
            else:
                return
        result = match.result
        if not result.finished:
            value = self.oracle.value(match.state)
            self.counts.stopped_at = (value if match.side == self.seat else value.before(False)).kind
            self._end("unfinished")
        elif result.winner is None:
            self._end("tie")
        else:
            self._end("win" if result.winner == self.seat else "loss")

    def _opponent_moves(self) -> None:
        match, state, opponent = self.match, self.match.state, self.opponent
        if opponent is None:
            reply = next(self._recorded or iter(()), None)
            if reply is None:  # it failed here
                return self._end("opponent forfeit")
            action = self.game.parse_action(state, reply)
        elif isinstance(opponent, KnownPlayer):
            chances = opponent.chances(self.game, state)
            action = draw(chances, match.generator())
            if self._values is not None and self.counts.luck is not None:
                values = {each: self._values[self.game.apply(state, each)] for each in chances}
                expected = fsum(chance * values[each] for each, chance in chances.items())
                self.counts.luck += values[action] - expected
        else:
            try:
                action = opponent.choose(self.game, state, match.generator())
            except PerfectplayError:  # a program that fails has lost, not the run
                return self._end("opponent forfeit")
        if self.replies is not None:
            self.replies.append(self.game.action_text(state, action))
        match.play(action)

    def _end(self, result: AgentResult) -> None:
        self.counts.result, self.counts.plies = result, self.match.plies
        self.counts.errors = int(result == "error")
        self.question = None

    def _ask_next(self) -> None:
        if self.counts.result is None:
            side = self.match.side
            message, chat = Message("user", self._text(side)), self._chats[side]
            if self.setup.memory == "none":
                chat.clear()
            chat.append(message)
            self.question = Question(side, tuple(chat))

    def _text(self, side: Side) -> str:
        state, show = self.match.state, self.disguise
        first = not self._chats[side] or self.setup.memory == "none"
        parts = [show.rules()] if first else []
        history = "" if self._refused else self._history(side)
        parts += [history] if history and not first else []
        parts += [show.board(state), f"You are {show.side(side)}. It is your turn."]
        if self.setup.moves == "listed":
            parts.append(show.list_moves(state))
        if self._refused:
            parts.append(f"Your last answer was not accepted. {self._refused}")
        return "\n\n".join([*parts, self._ask])

    def _history(self, side: Side) -> str:
        """What happened since this side was asked last."""
        entries = self.match.history[self._told[side] :]
        self._told[side] = len(self.match.history)
        said = []
        for entry in entries:
            name = self.disguise.side(entry.side)
            if entry.action is None:
                said.append(f"{name} lost the turn.")
            else:
                move = self.disguise.move(self.match.positions[entry.ply], entry.action)
                said.append(f"{name} played {move}.")
        return "\n".join(said)


def begin_from_data(data: Mapping[str, object], ask: str = ASK) -> Play:
    """Begin a game that a client or a dataset describes: a setup, a `seat` (1 or 2) and a `number`.

    It names no program, no game file and no large game.
    """
    seat, number = data.get("seat", 1), data.get("number", 0)
    if seat not in (1, 2):
        raise BadParameterError("seat", seat, "1 or 2")
    if type(number) is not int or not 0 <= number < MOST_NUMBERED:
        raise BadParameterError("number", number, f"a whole number from 0 to {MOST_NUMBERED - 1}")
    return Play(Setup.from_data(data).validate(), seat=0 if seat == 1 else 1, number=number, ask=ask)


def check_playable(setup: Setup, game: Game[Any] | None = None) -> None:
    """Begin a game, so that one that cannot be played is reported before anybody is asked."""
    opponent = load_opponent(setup.opponent)
    try:
        Play(setup, seat=0, game=game)
    finally:
        opponent.close()


def replay_answers(
    setup: Setup,
    seat: Side,
    number: int,
    answers: Iterable[str],
    replies: Iterable[str] | None = None,
    *,
    resigned: bool = False,
    game: Game[Any] | None = None,
) -> Play:
    """A game played again from the raw texts of its answers, and the replies of an unknown opponent.

    If they run out, it ends as an error or, if the agent had resigned, as a forfeit.

    >>> replay_answers(Setup("bit-flip:bits=3", "perfect"), 0, 0, ["Move: 1"]).counts.result
    'win'
    """
    play = Play(setup, seat=seat, number=number, replies=replies, game=game)
    for text in answers:
        if play.question is None:
            break
        with suppress(Exception):  # of our own: the game has ended as an error that says so
            play.answer(text)
    if resigned:
        play.give_up()
    play.stop()
    return play
