"""Tasks for Inspect AI: `inspect eval perfectplay/play`, and `choose`, `rules`, `suite` and `gg_bench_sound`.

Providers, retries, logs and limits are Inspect's own. `play.py`, `questions.py` and `suite/` ask and
count; this module only carries texts.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from inspect import signature
from pathlib import Path

from click import ClickException, echo
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.dataset import Sample as AskedSample
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageUser, get_model, model_roles
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from perfectplay.core.errors import BadParameterError, ParseError, PerfectplayError, UnknownParameterError
from perfectplay.evals import inspect_logs as logs
from perfectplay.evals.measures import measure
from perfectplay.evals.play import Play, check_playable
from perfectplay.evals.questions import (
    SingleQuestion,
    draw_decisions,
    draw_rules_questions,
    load_family,
    write_question,
)
from perfectplay.evals.setup import MODEL, Setup, load_game
from perfectplay.evals.suite import questions
from perfectplay.games.registry import environment_tool, game_files, load_bounded
from perfectplay.strength.points import LARGEST_RATED
from perfectplay.validation import NOTHING, Trusted


@task
def play(
    game: object = "",
    opponent: object = "level:3",
    games: int = 50,
    attempts: int = 1,
    moves: str = "hidden",
    memory: str = "none",
    disguise: str = "none",
    start: str = "initial",
    seed: int = 0,
    plies: int = 100,
    **unknown: object,
) -> Task:
    """Whole games against an opponent, `games` in each seat.

    The opponent is a computer player, or the model with the role `opponent` if there is one.
    """
    with _refuse_in_one_line(play, unknown):
        asked = {"opponent": _read_spec(opponent), "attempts": attempts, "moves": moves, "memory": memory}
        asked |= {"start": start, "disguise": disguise, "seed": seed}
        return _play_all([_read_spec(game)], games, plies, NOTHING, asked)


@task
def gg_bench_sound(
    folder: object = "",
    numbers: object = "",
    opponent: object = "level:3",
    games: int = 15,
    attempts: int = 1,
    moves: str = "hidden",
    memory: str = "none",
    seed: int = 0,
    plies: int = 100,
    **unknown: object,
) -> Task:
    """Whole games of each sound game of gg-bench, `games` in each seat; `folder` is a copy of gg-bench.

    `numbers` chooses some of them. They run in the sandbox when the task is made; a log has only digests of
    their tables.
    """
    with _refuse_in_one_line(gg_bench_sound, unknown):
        if folder == "":
            raise ParseError("name a copy of gg-bench, as in -T folder=../gg-bench")
        try:
            chosen = [int(each) for each in _read_spec(numbers).split(",")] if numbers != "" else []
        except ValueError:
            raise ParseError(f"numbers={numbers}: must be such as 66,71") from None
        trusted = Trusted(games=environment_tool("offer-sound")(Path(_read_spec(folder)), chosen))
        asked = {"opponent": _read_spec(opponent), "attempts": attempts, "moves": moves, "memory": memory}
        return _play_all(list(trusted.games), games, plies, trusted, {**asked, "seed": seed})


def _play_all(
    specs: Sequence[str], games: int, plies: int, trusted: Trusted, asked: Mapping[str, object]
) -> Task:
    """Whole games of each spec, `games` in each seat."""
    for name, value in (("games", games), ("plies", plies)):
        if type(value) is not int or value < 1:
            raise BadParameterError(name, value, "a whole number, at least 1")
    setups = [_setup(spec, trusted, plies_limit=plies, **asked) for spec in specs]
    for setup in setups:
        check_playable(setup, trusted.games.get(setup.game))
    samples = [
        AskedSample(
            id=f"{f'{setup.game}, ' if len(setups) > 1 else ''}game {number + 1}, seat {seat + 1}",
            input=f"{setup.game} against {setup.opponent}",
            metadata={"seat": seat, "number": number, "setup": asdict(setup)},
        )
        for setup in setups
        for number in range(games)
        for seat in (0, 1)
    ]
    return _task(samples, play_game(trusted), trusted)


@task
def choose(
    family: object = "",
    count: int = 200,
    moves: str = "hidden",
    disguise: str = "none",
    seed: int = 0,
    **unknown: object,
) -> Task:
    """Single decisions from the games of a family, at most `count`."""
    with _refuse_in_one_line(choose, unknown):
        setup = _setup(family, moves=moves, disguise=disguise, seed=seed)
        return _ask_all(draw_decisions(load_family(_read_spec(family)), count, seed), setup)


@task
def rules(
    game: object = "", count: int = 60, disguise: str = "none", seed: int = 0, **unknown: object
) -> Task:
    """Questions on the rules of a game: legal moves, the end of the game, who wins."""
    with _refuse_in_one_line(rules, unknown):
        setup = _setup(game, disguise=disguise, seed=seed)
        return _ask_all(draw_rules_questions([load_game(setup.game)], count, seed), setup)


@task
def suite(seed_file: object = "", **unknown: object) -> Task:
    """The questions behind a score that can be published.

    They are fixed by the version of the suite and by the seed in `seed_file`, or the public one.
    """
    with _refuse_in_one_line(suite, unknown):
        seed = questions.read_seed_file(Path(_read_spec(seed_file))) if seed_file else questions.PUBLIC_SEED
        asked = questions.draw_suite(seed)
    echo(questions.describe_budget(seed), err=True)
    samples = [
        AskedSample(
            id=name,
            input=text,
            metadata={"item": list(item), "setup": asdict(setup), "canary": questions.CANARY},
        )
        for name, (item, setup, text) in asked.items()
    ]
    about = questions.describe_suite(seed)
    return _task(samples, ask_once(), version=questions.SUITE_VERSION, metadata={logs.SUITE: about})


@contextmanager
def _refuse_in_one_line(function: Callable[..., Task], unknown: Mapping[str, object]) -> Iterator[None]:
    """Show a mistake in the options of a task as one line; Inspect shows other errors with a traceback.

    An option that the task does not have is one: Inspect would warn and run the task.
    """
    try:
        for name, value in unknown.items():
            known = [each for each in signature(function).parameters if each != "unknown"]
            raise UnknownParameterError(function.__name__, name, str(value), known)
        yield
    except PerfectplayError as error:
        raise ClickException(f"perfectplay: {error}") from error


def _read_spec(value: object) -> str:
    """A spec from the command line, where Inspect splits it at its commas."""
    if value == "":  # a parameter without a default would end in a traceback
        raise ParseError("name a game, as in -T game=bit-flip or, to choose moves, -T family=bit-flip")
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _setup(game: object, trusted: Trusted = NOTHING, **options: object) -> Setup:
    found = load_bounded(_read_spec(game), LARGEST_RATED, "play", offered=trusted.games)
    return Setup.from_data({"game": found.spec, **options})


def _ask_all(items: list[SingleQuestion], setup: Setup) -> Task:
    samples = [
        AskedSample(
            id=f"question {number}",
            input=write_question(item, setup),
            metadata={"item": list(item), "setup": asdict(setup)},
        )
        for number, item in enumerate(items, start=1)
    ]
    return _task(samples, ask_once())


def _task(
    samples: list[AskedSample],
    how: Solver,
    trusted: Trusted = NOTHING,
    version: int = 0,
    metadata: dict[str, object] | None = None,
) -> Task:
    return Task(
        dataset=MemoryDataset(samples),
        solver=how,
        scorer=make_log_scorer(trusted),
        fail_on_error=False,
        score_on_error=True,  # an error counts as a failure; it does not leave the denominator
        version=version,
        metadata=metadata,
    )


@solver
def play_game(trusted: Trusted = NOTHING) -> Solver:
    """Carries the texts of one game between the machine and the models."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        setup, seat = Setup.from_data(state.metadata["setup"]), state.metadata["seat"]
        agent, rival = get_model(), model_roles().get("opponent")
        if rival is not None:
            setup = replace(setup, opponent=MODEL)
            state.store.set(logs.OPPONENT, str(rival))
        answers: list[str] = []
        state.store.set(logs.SETUP, asdict(setup))
        state.store.set(logs.ANSWERS, answers)
        rules = trusted.games.get(setup.game)
        game = Play(setup, seat=seat, number=state.metadata["number"], game=rules)
        state.store.set(logs.REPLIES, game.replies)
        state.messages.clear()
        while game.question is not None:
            question = game.question
            asked: list[ChatMessage] = [
                (ChatMessageUser if message.role == "user" else ChatMessageAssistant)(content=message.text)
                for message in question.messages
            ]
            output = await (agent if question.side == seat else rival).generate(asked)
            state.messages += [asked[-1], output.message]
            state.output = output
            answers.append(output.completion)
            state.store.set(logs.ANSWERS, answers)
            game.answer(output.completion)
            state.store.set(logs.REPLIES, game.replies)
        return state

    return solve


@solver
def ask_once() -> Solver:
    """Asks a single question."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state = await generate(state)
        state.store.set(logs.ANSWERS, [state.output.completion])
        return state

    return solve


@metric
def sample_measures() -> Metric:
    """The measures of all samples together, and the answers by kind; reports have them group by group."""

    def compute(scores: list[SampleScore]) -> dict[str, float]:
        found = measure([logs.read_score(each.score.metadata or {}) for each in scores])
        data = {**found.as_dict(), **found.counts.answers}
        return {name: float(value) for name, value in data.items() if isinstance(value, int | float)}

    return compute


@scorer(metrics=[sample_measures()])
def exact(trusted: object = NOTHING) -> Scorer:
    """Plays the stored answers again and counts them. It asks no model, so it can score any old log."""
    # Where `inspect score` makes this scorer from a log, it passes the name of the class: nothing is offered.
    games = trusted.games if isinstance(trusted, Trusted) else {}

    async def score(state: TaskState, target: Target) -> Score:
        # Game files that this process has loaded are those of its own task.
        store = dict(state.store.items())
        sample = logs.count_logged(state.metadata, store, str(state.model), Trusted(game_files(), games))
        counts, data = sample.counts, logs.score_data(sample)
        if counts.points is None:
            return Score(value=counts.kept, metadata=data)
        return Score(value=counts.points, answer=counts.result, metadata=data)

    return score


# A log keeps the name of its scorer without the package, and Inspect has a scorer `exact` of its own. With
# this name in the log, `inspect score` finds the scorer above.
@scorer(metrics=[sample_measures()], name="perfectplay/exact")
def make_log_scorer(trusted: object = NOTHING) -> Scorer:
    """The same scorer under the name that logs keep."""
    found: Scorer = exact(trusted)
    return found
