"""Tasks for Inspect AI: `inspect eval perfectplay/play`, `perfectplay/choose` and `perfectplay/rules`.

Inspect loads this module for every command, so nothing of the engine is imported before a task runs.
Providers, retries, logs and limits are Inspect's own. What is asked and counted is in `play.py` and
`questions.py`; this module only carries texts.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from inspect import signature
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    Model,
    get_model,
    model_roles,
)
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver


@task
def play(
    game: Any = "",
    opponent: Any = "level:3",
    games: int = 50,
    attempts: int = 1,
    moves: str = "hidden",
    memory: str = "none",
    disguise: str = "none",
    start: str = "initial",
    seed: int = 0,
    plies: int = 100,
    **unknown: Any,
) -> Task:
    """Whole games against an opponent, `games` in each seat.

    The opponent is a computer player, or the model with the role `opponent` if there is one.
    """
    with _refused_in_one_line():
        _check_known(play, unknown)
        _check_whole("games", games)
        _check_whole("plies", plies)
        setup = _setup(game, opponent, attempts, moves, memory, disguise, start, seed, plies)
        _check_playable(setup)
    samples = [
        Sample(
            id=f"game {number + 1}, seat {seat + 1}",
            input=f"{setup.game} against {setup.opponent}",
            metadata={"seat": seat, "number": number, "setup": asdict(setup)},
        )
        for number in range(games)
        for seat in (0, 1)
    ]
    return _task(samples, play_game())


@task
def choose(
    family: Any = "",
    count: int = 200,
    moves: str = "hidden",
    disguise: str = "none",
    seed: int = 0,
    **unknown: Any,
) -> Task:
    """Single decisions from the games of a family, at most `count`."""
    from perfectplay.evals.questions import draw_decisions
    from perfectplay.evals.questions import family as games_of

    with _refused_in_one_line():
        _check_known(choose, unknown)
        name = _spec(family)
        setup = _setup(name, "random", 1, moves, "none", disguise, "initial", seed, 1)
        return _task(_questions(draw_decisions(games_of(name), count, seed), setup), ask_once())


@task
def rules(game: Any = "", count: int = 60, disguise: str = "none", seed: int = 0, **unknown: Any) -> Task:
    """Questions on the rules of a game: legal moves, the end of the game, who wins."""
    from perfectplay.evals.questions import draw_rules_questions
    from perfectplay.evals.setup import load_game

    with _refused_in_one_line():
        _check_known(rules, unknown)
        setup = _setup(game, "random", 1, "hidden", "none", disguise, "initial", seed, 1)
        return _task(
            _questions(draw_rules_questions([load_game(setup.game)], count, seed), setup), ask_once()
        )


@contextmanager
def _refused_in_one_line() -> Iterator[None]:
    """Let Inspect show a mistake in the options as one line; it shows other errors with a traceback."""
    from perfectplay.core.errors import PerfectplayError

    try:
        yield
    except PerfectplayError as error:
        from inspect_ai._util.error import PrerequisiteError

        text = str(error).replace("[", "\\[")  # it is printed as markup
        raise PrerequisiteError(f"perfectplay: {text}") from error


def _check_known(function: Callable[..., Task], unknown: Mapping[str, Any]) -> None:
    """Refuse an option that a task does not have. Without it, Inspect warns and runs the task."""
    from perfectplay.core.errors import UnknownParameterError

    for name, value in unknown.items():
        known = [each for each in signature(function).parameters if each != "unknown"]
        raise UnknownParameterError(function.__name__, name, str(value), known)


def _check_whole(name: str, value: Any) -> None:
    from perfectplay.core.errors import BadParameterError

    if type(value) is not int or value < 1:
        raise BadParameterError(name, value, "a whole number, at least 1")


def _check_playable(setup: Any) -> None:
    """Begin a game, so that what cannot be played is reported before a model is asked."""
    from perfectplay.evals.play import Play
    from perfectplay.evals.setup import load_opponent

    opponent = load_opponent(setup.opponent)
    try:
        Play(setup, seat=0)
    finally:
        opponent.close()


def _spec(value: Any) -> str:
    """A spec from the command line, where Inspect splits it at its commas."""
    if value == "":  # a parameter without a default would end in a traceback
        from perfectplay.core.errors import ParseError

        raise ParseError("name a game, as in -T game=bit-flip or, to choose moves, -T family=bit-flip")
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _setup(
    game: Any,
    opponent: Any,
    attempts: int,
    moves: str,
    memory: str,
    disguise: str,
    start: str,
    seed: int,
    plies: int,
) -> Any:
    from perfectplay.evals.setup import Setup
    from perfectplay.games.registry import load_bounded
    from perfectplay.strength.points import LARGEST

    return Setup.from_dict(
        {
            "game": load_bounded(_spec(game), LARGEST, "play").spec,
            "opponent": _spec(opponent),
            "attempts": attempts,
            "moves": moves,
            "memory": memory,
            "disguise": disguise,
            "start": start,
            "seed": seed,
            "plies_limit": plies,
        }
    )


def _questions(items: list[Any], setup: Any) -> list[Sample]:
    from perfectplay.evals.questions import write_question

    return [
        Sample(
            id=f"question {number}",
            input=write_question(item, setup),
            metadata={"item": list(item), "setup": asdict(setup)},
        )
        for number, item in enumerate(items, start=1)
    ]


def _task(samples: list[Sample], how: Solver) -> Task:
    return Task(
        dataset=MemoryDataset(samples),
        solver=how,
        scorer=counted(),
        fail_on_error=False,
        score_on_error=True,  # an error counts as a failure; it does not leave the denominator
    )


@solver
def play_game() -> Solver:
    """Carries the texts of one game between the machine and the models."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        from perfectplay.evals.play import Play
        from perfectplay.evals.samples import ANSWERS, OPPONENT, REPLIES, SETUP
        from perfectplay.evals.setup import MODEL, Setup

        setup, seat = Setup.from_dict(state.metadata["setup"]), state.metadata["seat"]
        agent, rival = get_model(), model_roles().get("opponent")
        if rival is not None:
            setup = replace(setup, opponent=MODEL)
            state.store.set(OPPONENT, str(rival))
        answers: list[str] = []
        state.store.set(SETUP, asdict(setup))
        state.store.set(ANSWERS, answers)
        game = Play(setup, seat=seat, number=state.metadata["number"])
        state.store.set(REPLIES, game.replies)
        state.messages.clear()
        while game.question is not None:
            question = game.question
            model: Model = agent if question.side == seat else rival
            asked: list[ChatMessage] = [
                (ChatMessageUser if message.role == "user" else ChatMessageAssistant)(content=message.text)
                for message in question.messages
            ]
            output = await model.generate(asked)
            state.messages += [asked[-1], output.message]
            state.output = output
            answers.append(output.completion)
            state.store.set(ANSWERS, answers)
            game.answer(output.completion)
            state.store.set(REPLIES, game.replies)
        return state

    return solve


@solver
def ask_once() -> Solver:
    """Asks a single question."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        from perfectplay.evals.samples import ANSWERS

        state = await generate(state)
        state.store.set(ANSWERS, [state.output.completion])
        return state

    return solve


@metric
def measured() -> Metric:
    """The measures of all samples together; `perfectplay report` gives them group by group."""

    def compute(scores: list[SampleScore]) -> dict[str, float]:
        from perfectplay.evals.measures import measures

        found = measures([each.score.metadata or {} for each in scores])
        names = ("answered", "corrected", "corrected_error", "readable", "kept", "decisions", "guess")
        more = (
            "points",
            "points_error",
            "points_decided",
            "luck_free",
            "luck_free_error",
            "games",
            "decided",
            "errors",
        )
        numbers = {name: float(found[name]) for name in (*names, *more) if found[name] is not None}
        return numbers | {name: float(number) for name, number in found["answers"].items()}

    return compute


@scorer(metrics=[measured()])
def exact() -> Scorer:
    """Plays the stored answers again and counts them. It asks no model, so it can score any old log."""

    async def score(state: TaskState, target: Target) -> Score:
        from perfectplay.evals.samples import raw, sample_row
        from perfectplay.games.registry import game_files

        # Game files that this process has loaded are those of its own task.
        store = dict(state.store.items())
        row = sample_row(state.metadata, store, str(state.model), game_files())
        for name in raw(state.metadata, store):  # the log has these already
            del row[name]
        if row["task"] == "play":
            return Score(value=row["points"], answer=row["result"], metadata=row)
        return Score(value=row["kept"], metadata=row)

    return score


# A log keeps the name of its scorer without the package, and Inspect has a scorer `exact` of its own. With
# this name in the log, `inspect score` finds the scorer above.
@scorer(metrics=[measured()], name="perfectplay/exact")
def counted() -> Scorer:
    """The same scorer under the name that logs keep."""
    found: Scorer = exact()
    return found
