"""Players meet in every seat: what is known is computed, the rest is played in jobs that can be resumed."""

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple

from perfectplay.core.errors import ParseError, PerfectplayError, needs
from perfectplay.core.outcome import Side, other
from perfectplay.core.wording import markdown_table, pluralize
from perfectplay.evals.contestants import Contestant, contestant
from perfectplay.evals.files import read_parquet, save
from perfectplay.evals.play import Play
from perfectplay.evals.samples import Sample, game_sample
from perfectplay.evals.setup import Setup
from perfectplay.games.registry import load, load_bounded
from perfectplay.output import write_whole
from perfectplay.players.base import ComputerPlayer, KnownPlayer
from perfectplay.strength.points import LARGEST, PLIES, check_scored, expected_points, graph_of
from perfectplay.strength.rating import Fit, estimated, fitted
from perfectplay.strength.reference import seat_text, seated
from perfectplay.strength.statistics import ratio

On = Literal["here", "pool", "ray"]
CHUNK = 50
"""How many games a job has at most."""

LADDER = ("random", *(f"level:{n}" for n in range(1, 11)), "perfect")
"""The known players whose exact table fixes the scale of strengths."""

SETTINGS = "arena.json"


class Job(NamedTuple):
    """Games of one agent in one seat; everything that decides their course."""

    game: str
    agent: str
    opponent: str
    seat: Side
    first: int
    games: int
    seed: int

    @property
    def file(self) -> str:
        """The name of the job's file."""
        readable = re.sub(r"[^a-z0-9]+", "-", f"{self.agent}-{self.opponent}".lower()).strip("-")[:60]
        digest = sha256(json.dumps(self).encode()).hexdigest()[:8]
        return f"{readable}-seat{self.seat + 1}-{self.first:06d}-{digest}.parquet"


def jobs(game: str, players: Sequence[str], games: int, seed: int) -> list[Job]:
    """The jobs of an arena: every pair with a player whose move probabilities are not known."""
    spec = load(game).spec
    found = []
    seats: tuple[Side, Side] = (0, 1)
    for pair in combinations(players, 2):
        known = [contestant(each).known for each in pair]
        if all(known):
            continue
        agent, opponent = pair if not known[0] else (pair[1], pair[0])
        for seat in seats:
            for first in range(0, games, CHUNK):
                found.append(Job(spec, agent, opponent, seat, first, min(CHUNK, games - first), seed))
    return found


def played(job: Job) -> list[Sample]:
    """Play the games of a job. The agent's moves go through the same texts as a model's.

    Raises an error if a player cannot start. A player that fails later forfeits the game.
    """
    name, agent = contestant(job.agent)
    opponent = contestant(job.opponent)
    setup = Setup(job.game, opponent.player.spec, seed=job.seed)
    rows = []
    try:
        agent.prepare(load(job.game))
        for number in range(job.first, job.first + job.games):
            play = Play(setup, seat=job.seat, number=number)
            while play.question is not None:
                play.answer(_answer(play, agent))
            rows.append(game_sample(play, number, name, opponent.name))
    finally:
        agent.close()
        opponent.player.close()
    return rows


def _answer(play: Play, agent: ComputerPlayer) -> str:
    match = play.match
    rng = Random(f"{match.seed}/{match.plies}/agent")
    try:
        agent.prepare(play.game)
        action = agent.choose(play.game, match.state, rng)
    except PerfectplayError as error:  # a bot that fails says nothing that counts
        return f"failed: {error}"
    return f"Move: {play.disguise.move(match.state, action)}"


def run(
    game: str,
    players: Sequence[str],
    folder: Path,
    *,
    games: int,
    seed: int = 0,
    on: On = "here",
    workers: int = 2,
) -> Iterator[str]:
    """Play what is missing in a folder, and yield each file as it is finished.

    The folder is made when the first job is done, so an arena that cannot begin leaves none. Raises
    ParseError if the folder belongs to another arena or cannot be written to.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     list(run("bit-flip:bits=3", ["random", "perfect"], Path(folder), games=1))  # both are known
    []
    """
    if len({contestant(each).name for each in players}) != len(players) or len(players) < 2:
        raise ParseError("an arena needs at least two players, each named once")
    check_scored(load_bounded(game, LARGEST, "play"))
    settings = json.dumps({"game": load(game).spec, "players": list(players), "games": games, "seed": seed})
    kept = folder / SETTINGS
    if kept.exists() and kept.read_text("utf-8").strip() != settings:
        raise ParseError(f"{folder} belongs to another arena: {kept.read_text('utf-8').strip()}")
    nearest = next(each for each in (folder, *folder.parents) if each.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        raise ParseError(f"{nearest} is not a folder that can be written to")
    missing = [job for job in jobs(game, players, games, seed) if not (folder / job.file).exists()]
    if missing and on != "ray":  # there, programs may be on other machines alone
        _start(game, players)
    for job, rows in _spread(missing, on, workers):
        _make(folder, settings)
        save(rows, folder / job.file)
        yield job.file
    _make(folder, settings)


def _start(game: str, players: Sequence[str]) -> None:
    """Start every player once, to find one that cannot play before anything is played."""
    for _, player in map(contestant, players):
        try:
            player.prepare(load(game))
        finally:
            player.close()


def _make(folder: Path, settings: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / SETTINGS).exists():
        write_whole(folder / SETTINGS, f"{settings}\n")


def _spread(missing: Sequence[Job], on: On, workers: int) -> Iterator[tuple[Job, list[Sample]]]:
    """Play jobs here or elsewhere. Rows come back to this machine: workers need not share a disk."""
    if on == "here" or not missing:
        yield from ((job, played(job)) for job in missing)
    elif on == "pool":
        from concurrent.futures import ProcessPoolExecutor, as_completed
        from multiprocessing import get_context

        with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
            waiting = {pool.submit(played, job): job for job in missing}
            try:
                for done in as_completed(waiting):
                    yield waiting[done], done.result()
            finally:
                pool.shutdown(cancel_futures=True)
    else:
        yield from _on_ray(missing)


def _on_ray(missing: Sequence[Job]) -> Iterator[tuple[Job, list[Sample]]]:
    with needs("ray", "cluster"):
        import ray
    started = not ray.is_initialized()
    if started:
        ray.init(include_dashboard=False, log_to_driver=False, configure_logging=False)
    try:
        remote = ray.remote(played)
        waiting = {remote.remote(job): job for job in missing}
        while waiting:
            [done], _ = ray.wait(list(waiting), num_returns=1)
            try:
                rows = ray.get(done)
            except ray.exceptions.RayTaskError as error:  # its own text is a traceback
                raise error.cause from error
            yield waiting.pop(done), rows
    finally:
        if started:
            ray.shutdown()


def results(folder: Path, game: str, players: Sequence[str], games: int, seed: int) -> dict[str, Any]:
    """The scores of every pair and the strengths of the unknown agents, as JSON-serializable data.

    >>> scores = results(Path(), "bit-flip:bits=3", ["random", "perfect"], games=1, seed=0)["scores"]
    >>> [(each["agent"], each["seat"], round(each["points"], 3)) for each in scores]
    [('random', 1, 0.333), ('random', 2, 0.0), ('perfect', 1, 1.0), ('perfect', 2, 0.667)]
    """
    rules = load(game)
    rows = [row for job in jobs(game, players, games, seed) for row in read_parquet(folder / job.file)[0]]
    fit, sampled = _scale(game, players)
    seats: tuple[Side, Side] = (0, 1)
    scores, strengths = [], []
    everyone = [contestant(each) for each in players]
    for one in everyone:
        agent = one.name
        for seat in seats:
            place = seated(rules, seat)
            against: dict[str, Sequence[tuple[object, float]]] = {}
            for two in everyone:
                if two != one:
                    score, points = _score(rules, one, two, seat, rows)
                    scores.append({"agent": agent, "opponent": two.name, **place, **score})
                    if points and two.name in fit.strengths:
                        against[two.name] = points
            known = fit.strengths.get(agent)
            found = None if known else estimated(fit, against, seat)
            if fit.holds and known:
                strengths.append({"agent": agent, **place, "strength": known[seat], "interval": None})
            elif fit.holds and found:
                interval = list(found.interval)
                strengths.append({"agent": agent, **place, "strength": found.value, "interval": interval})
    return {
        "game": rules.spec,
        "scores": scores,
        "model": {
            "holds": fit.holds,
            "mean_error": fit.mean_error,
            "worst_error": fit.worst_error,
            "sampled": sampled,
        },
        "strengths": strengths,
    }


def _score(
    rules: Any, one: Contestant, two: Contestant, seat: Side, rows: Iterable[Sample]
) -> tuple[dict[str, Any], list[tuple[object, float]]]:
    """The points of an agent against an opponent in a seat: computed, or from the games they played.

    The second part has the cluster and the points of each game played.
    """
    agent, opponent = one.name, two.name
    if one.known and two.known:
        exact = expected_points(rules, one.known, two.known, seat, PLIES)
        return {"points": exact.value, "interval": exact.interval, "games": None, "forfeits": None}, []
    points: list[tuple[object, float]] = []
    forfeits = 0
    for row in rows:
        if (row.agent, row.setup.opponent, row.seat) == (agent, opponent, seat + 1):
            points.append((row.cluster, row.counts.points or 0))
            forfeits += row.counts.result == "forfeit"
        elif (row.agent, row.setup.opponent, row.seat) == (opponent, agent, other(seat) + 1):
            points.append((row.cluster, 1 - (row.counts.points or 0)))
            forfeits += row.counts.result == "opponent forfeit"
    mean = ratio((cluster, won, 1) for cluster, won in points)
    assert mean is not None  # every unknown pair has played
    games = {"games": len(points), "forfeits": forfeits}
    return {"points": mean.value, "interval": mean.interval, **games}, points


def _scale(game: str, players: Sequence[str]) -> tuple[Fit, bool]:
    """The strengths of the known players. Where tables are sampled, only those taking part are compared."""
    rules = load(game)
    exact = graph_of(rules) is not None
    known: dict[str, KnownPlayer] = {}
    for spec in dict.fromkeys([*LADDER, *players] if exact else players):
        if (player := contestant(spec).known) is not None:
            known[spec] = player
    if not known:
        return Fit({}, 0.0, 1.0), not exact

    def fit(plies: int | None) -> Fit:
        players = known.values()
        return fitted(
            list(known), [[expected_points(rules, i, j, 0, plies).value for j in players] for i in players]
        )

    # Games that are left at the limit are half a point to each: that may hide that the model does not fit.
    found, whole = fit(PLIES), fit(None if exact else PLIES)
    worst = max(found.worst_error, whole.worst_error)
    return Fit(found.strengths, max(found.mean_error, whole.mean_error), worst), not exact


def results_text(data: dict[str, Any]) -> str:
    """The results as tables in Markdown.

    >>> found = results(Path(), "bit-flip:bits=3", ["random", "perfect"], games=1, seed=0)
    >>> results_text(found).splitlines()[0]
    'Points in bit-flip:bits=3, with 95% intervals where games were played:'
    """

    def cell(value: float, interval: Sequence[float] | None) -> str:
        return f"{value:.3f}" if interval is None else f"{value:.3f} ({interval[0]:.3f} to {interval[1]:.3f})"

    scores = [
        [
            each["agent"],
            each["opponent"],
            seat_text(each),
            cell(each["points"], each["interval"]),
            "computed" if each["games"] is None else pluralize(each["games"], "game", "games"),
            "-" if each["forfeits"] is None else str(each["forfeits"]),
        ]
        for each in data["scores"]
    ]
    parts = [
        f"Points in {data['game']}, with 95% intervals where games were played:",
        markdown_table(["agent", "opponent", "seat", "points", "from", "forfeits"], scores),
    ]
    model = data["model"]
    errors = f"mean error {model['mean_error']:.3f}, worst {model['worst_error']:.3f}"
    tables = "sampled" if model["sampled"] else "exact"
    if not model["holds"]:
        parts.append(f"Nobody is rated: strengths by seat do not fit the {tables} tables here ({errors}).")
    else:
        rows = [
            [each["agent"], seat_text(each), cell(each["strength"], each["interval"])]
            for each in data["strengths"]
        ]
        parts.append(f"Strengths by seat, on the scale of the {tables} tables of known players ({errors}):")
        parts.append(markdown_table(["agent", "seat", "strength"], rows))
    return "\n\n".join(parts)
