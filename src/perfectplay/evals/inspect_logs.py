"""Samples in logs of Inspect: what a log keeps of them, and how they are read again."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from perfectplay.core.errors import ParseError, needs
from perfectplay.core.limits import LARGEST_NUMBER
from perfectplay.evals.counts import SampleCounts
from perfectplay.evals.questions import SingleQuestion
from perfectplay.evals.samples import VERSION, Sample, Usage, replay_sample
from perfectplay.evals.setup import MODEL, Setup
from perfectplay.validation import NOTHING, Trusted

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample

ANSWERS, REPLIES = "perfectplay:answers", "perfectplay:replies"
SETUP, OPPONENT = "perfectplay:setup", "perfectplay:opponent"
"""Where a log stores the raw answers of a sample, the moves of an unknown opponent, its setup and the name
of a second model."""
SUITE = "perfectplay:suite"
"""Where a log stores which suite it asked."""

LIMITS = (
    *("limit", "epochs", "sample_id", "message_limit", "token_limit", "time_limit"),
    *("working_limit", "cost_limit"),
)
SETTINGS = (
    *("system_message", "max_tokens", "temperature", "top_p", "top_k", "seed", "stop_seqs", "best_of"),
    *("frequency_penalty", "presence_penalty", "reasoning_effort", "reasoning_tokens"),
)
"""What a run is said to have been limited and set to. Other settings may hold a key or an address."""


SampleKey = tuple[int | str, int]
"""A sample and its epoch: the same in all logs of a run and of its retries."""


class RunLog(NamedTuple):
    """The samples of one log."""

    run: str
    created: str
    wanted: int
    """How many samples the run has in all."""
    samples: dict[SampleKey, Sample]
    suite: dict[str, Any] | None
    """Where the run asked the suite: what the log says about where its answers come from."""
    prompts: dict[SampleKey, str]
    """What was asked, in a run of the suite."""

    def continue_with(self, later: "RunLog") -> "RunLog":
        """The run as it is after a later log of it, whose samples replace its own."""
        suite, logs = later.suite, [] if self.suite is None else self.suite["logs"]
        if suite is not None:
            suite = {**suite, "logs": [*logs, *suite["logs"]]}
        samples, prompts = {**self.samples, **later.samples}, {**self.prompts, **later.prompts}
        return later._replace(samples=samples, prompts=prompts, suite=suite)


ELSEWHERE = {"texts": (), "replies": None, "item": None, **vars(Usage())}
"""The columns that a score does not keep, because the log has the raw answers and the usage already."""


def score_data(sample: Sample) -> dict[str, object]:
    """What a score keeps of a sample."""
    kept = {name: value for name, value in sample.columns().items() if name not in ELSEWHERE}
    return {"version": VERSION, **kept}


def read_score(data: Mapping[str, object]) -> Sample:
    """The sample of a score, without what the log has elsewhere."""
    return Sample.from_columns({**data, **ELSEWHERE})


def count_logged(
    metadata: Mapping[str, object], store: Mapping[str, object], agent: str, trusted: Trusted = NOTHING
) -> Sample:
    """The sample that a log describes, counted by playing its raw answers again."""
    found = _read_raw(metadata, store, agent)
    return found if found.problem else replay_sample(found, trusted)


def _read_raw(metadata: Mapping[str, object], store: Mapping[str, object], agent: str) -> Sample:
    """The sample that a log describes, without counts; one that cannot be read is an error."""
    told, item, number = store.get(SETUP, metadata["setup"]), metadata.get("item"), metadata.get("number", 0)
    found = told if isinstance(told, Mapping) else {}
    setup = Setup(str(found.get("game")), str(found.get("opponent")))
    for name in asdict(setup).keys() - {"game", "opponent"}:  # as much of it as can be read
        with suppress(Exception):
            setup = replace(setup, **{name: found[name]})
    raw = Sample(
        task="play",
        agent=agent,
        setup=setup,
        seat=2 if metadata.get("seat") == 1 else 1,
        side="",
        cluster=f"{told} {number} {item}",
        number=0,
        counts=SampleCounts(),
        texts=_texts(store.get(ANSWERS)) or (),
        replies=_texts(store.get(REPLIES)),
    )
    try:
        setup = Setup.from_data(told)
        if item is not None:
            question = SingleQuestion.from_data(item)
            return replace(raw, setup=setup, task=question.kind, item=question)
        if metadata.get("seat") not in (0, 1) or type(number) is not int or not 0 <= number < LARGEST_NUMBER:
            raise ParseError("a sample needs a seat, 0 or 1, and the number of its game")
    except Exception as error:  # noqa: BLE001 whatever a log holds, the sample stays in the denominator
        return raw.fail(error)
    if setup.opponent == MODEL and store.get(OPPONENT):
        setup = replace(setup, opponent=f"{MODEL}:{store[OPPONENT]}")
    return replace(raw, setup=setup, number=number)


def _texts(stored: object) -> tuple[str, ...] | None:
    return tuple(each for each in stored if isinstance(each, str)) if isinstance(stored, list) else None


def read_log(path: Path, trusted: Trusted) -> RunLog:
    """Read a log. Nothing that it names is run but trusted game files."""
    with path.open("rb") as file:
        begin = file.read(100)
    if not begin.startswith(b"PK") and not (path.suffix == ".json" and begin.lstrip().startswith(b"{")):
        raise ParseError(f"{path} is damaged: it is not a log of Inspect")
    with needs("inspect-ai", "evals", "inspect_ai"):
        from inspect_ai.log import read_eval_log
    try:
        log = read_eval_log(str(path))
    except Exception as error:  # a damaged file may raise anything
        raise ParseError(f"{path} is damaged: it is not a log of Inspect") from error
    run = log.eval.task_id or log.eval.eval_id  # logs made by hand may have no task id
    samples = {}
    for each in log.samples or []:
        if "setup" not in (each.metadata or {}):
            raise ParseError(f"{path} is not a log of a task of perfectplay")
        samples[each.id, each.epoch] = _read_sample(log, each, trusted)
    wanted = len(log.eval.dataset.sample_ids or []) or log.eval.dataset.samples or 0
    wanted *= log.eval.config.epochs or 1
    suite = _provenance(log) if SUITE in (log.eval.metadata or {}) else None
    prompts = {(each.id, each.epoch): _prompt(each) for each in log.samples or [] if suite}
    return RunLog(run, str(log.eval.created), wanted, samples, suite, prompts)


def _provenance(log: "EvalLog") -> dict[str, Any]:
    """Where the answers of a log come from, as far as it says so."""
    about, configs = log.eval.metadata[SUITE], (log.eval.model_generate_config, log.plan.config)
    settings = {name: value for each in configs for name, value in each.model_dump(exclude_none=True).items()}
    limits = log.eval.config.model_dump(exclude_none=True)
    return {
        "suite": dict(about) if isinstance(about, Mapping) else {},
        "model": log.eval.model,
        "model_returned": sorted({each.output.model for each in log.samples or [] if each.output.model}),
        "inspect_ai": log.eval.packages.get("inspect_ai"),
        "solver": [each.solver for each in log.plan.steps],
        "limits": {name: limits[name] for name in LIMITS if name in limits},
        "generation": {name: settings[name] for name in SETTINGS if name in settings},
        "created": str(log.eval.created),
        "logs": [log.eval.eval_id],
    }


def _prompt(logged: "EvalSample") -> str:
    """All that the model was shown before its answer."""
    shown = [each.text for each in logged.messages if each.role != "assistant"]
    return "\n".join(shown or [logged.input if isinstance(logged.input, str) else ""])


def _read_sample(log: "EvalLog", logged: "EvalSample", trusted: Trusted) -> Sample:
    raw, found = _read_raw(logged.metadata, logged.store, log.eval.model), None
    for score in (logged.scores or {}).values():
        if (score.metadata or {}).get("version") == VERSION:
            with suppress(ParseError):
                scored = read_score(score.metadata)
                found = replace(scored, texts=raw.texts, replies=raw.replies, item=raw.item)
    if found is None:  # the run ended before this sample was scored, or its score is not ours
        found = raw if raw.problem else replay_sample(raw, trusted)
    return replace(found, usage=_usage(log, logged, found))


def _usage(log: "EvalLog", logged: "EvalSample", sample: Sample) -> Usage:
    """What the agent was set to and spent. Where a model plays itself, its opponent's are not its own."""
    configs = (log.plan.config, log.eval.model_generate_config)
    used = (logged.model_usage or {}).get(sample.agent)
    itself = sample.setup.opponent == f"{MODEL}:{sample.agent}"
    other = (logged.role_usage or {}).get("opponent") if itself else None
    tokens, cost = used and used.total_tokens, used and used.total_cost
    return Usage(
        tokens=tokens - other.total_tokens if tokens is not None and other else tokens,
        cost=cost - (other.total_cost or 0) if cost is not None and other else cost,
        temperature=next((each.temperature for each in configs if each.temperature is not None), None),
        max_tokens=next((each.max_tokens for each in configs if each.max_tokens is not None), None),
    )
