"""Players meet in both seats: what can be computed is computed, and the rest is played in jobs."""

import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import sha256
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple

from perfectplay.core.errors import ParseError, PerfectplayError, needs
from perfectplay.core.formatting import make_printable, quote
from perfectplay.core.game import Game
from perfectplay.core.outcome import SIDES, Side
from perfectplay.core.parquet import import_pyarrow
from perfectplay.evals.answers import judge_answer
from perfectplay.evals.files import read_parquet, save
from perfectplay.evals.play import Play
from perfectplay.evals.samples import Sample, game_sample
from perfectplay.evals.setup import MODEL, Setup
from perfectplay.games.registry import load, load_bounded
from perfectplay.output import write_whole
from perfectplay.players.base import ComputerPlayer, KnownPlayer
from perfectplay.players.registry import load_computer, player_names
from perfectplay.strength.points import LARGEST_RATED, PLIES, check_scored

On = Literal["here", "pool", "ray"]
CHUNK = 50
"""How many games a job has at most."""

PLAYERS = ("random", "level:3", "level:5", "level:7", "perfect")
"""Who meets by default."""

SETTINGS = "arena.json"


class Contestant(NamedTuple):
    """A player of an arena and what it is called there."""

    name: str
    player: ComputerPlayer

    @property
    def known(self) -> KnownPlayer | None:
        """The player, if its move probabilities are known."""
        return self.player if isinstance(self.player, KnownPlayer) else None


def contestant(text: str) -> Contestant:
    """The player that a spec names, or that is written as NAME=SPEC."""
    name, equals, spec = text.partition("=")
    if not equals or ":" in name:
        return Contestant(text, load_computer(text))
    found = Contestant(name.strip(), load_computer(spec))
    if found.known:
        raise ParseError(f"{quote(text)}: a player with known move probabilities keeps its own name")
    if not found.name or found.name in (*player_names(), MODEL):
        raise ParseError(f"{quote(text)}: {quote(found.name)} is not a name for a bot")
    return found


class Job(NamedTuple):
    """Games of one agent in one seat; everything that decides their course."""

    game: str
    agent: str
    opponent: str
    seat: Side
    first: int
    games: int
    seed: int
    plies: int = PLIES

    @property
    def file(self) -> str:
        """The name of the job's file."""
        readable = re.sub(r"[^a-z0-9]+", "-", f"{self.agent}-{self.opponent}".lower()).strip("-")[:60]
        digest = sha256(json.dumps(self).encode()).hexdigest()[:8]
        return f"{readable}-seat{self.seat + 1}-{self.first:06d}-{digest}.parquet"

    def play(self, environments: bool = False) -> list[Sample]:
        """Play the games. The agent's moves go through the same texts as a model's.

        Raises an error if a player cannot start. A player that fails later forfeits the game.
        """
        name, agent = contestant(self.agent)
        opponent = contestant(self.opponent)
        setup = Setup(self.game, opponent.player.spec, seed=self.seed, plies_limit=self.plies)
        samples = []
        try:
            game = load(self.game, environments=environments)
            agent.prepare(game)
            for number in range(self.first, self.first + self.games):
                play = Play(setup, seat=self.seat, number=number, game=game)
                while play.question is not None:
                    play.answer(_answer(play, agent))
                samples.append(game_sample(play, number, name, opponent.name))
        finally:
            agent.close()
            opponent.player.close()
        return samples


def _answer(play: Play, agent: ComputerPlayer) -> str:
    match = play.match
    rng = Random(f"{match.seed}/{match.plies}/agent")
    try:
        agent.prepare(play.game)
        action = agent.choose(play.game, match.state, rng)
    except PerfectplayError as error:
        if error.answer is None:
            return f"failed: {error}"
        said = f"failed: {error}\nMove: {make_printable(error.answer)}"
        # A program's answer has no ornaments: what was refused with them stays refused.
        legal = judge_answer(play.disguise, match.state, said).outcome == "legal"
        return f"Move: {error}" if legal else said
    return f"Move: {play.disguise.move(match.state, action)}"


@dataclass(frozen=True)
class Arena:
    """Players who meet in one game, every pair in both seats.

    >>> [job.agent for job in Arena("bit-flip", ("random", "perfect", "mcts"), games=9).jobs()]
    ['mcts', 'mcts', 'mcts', 'mcts']
    >>> Arena("bit-flip", ("random", "perfect")).jobs()  # computed
    []
    """

    game: str
    players: tuple[str, ...] = PLAYERS
    opponents: tuple[str, ...] = ()
    """The opponents of the players; by default, each other."""
    games: int = 100
    """How many games a pair plays in each seat, unless its results are computed."""
    seed: int = 0
    plies: int | None = PLIES
    """A game that is not over by then counts one half; None for no limit."""
    environments: bool = False

    def __post_init__(self) -> None:
        groups = (self.players, self.opponents)
        names = sum(len({self.contestants[each].name for each in group}) for group in groups)
        if names < max(2, sum(map(len, groups))):
            raise ParseError("an arena needs at least two players, each named once")
        check_scored(self.rules)
        if self.plies is None and self.jobs():
            raise ParseError("games that have to be played need a limit of plies")

    @cached_property
    def rules(self) -> Game[Any]:
        """The game itself."""
        return load_bounded(self.game, LARGEST_RATED, "play", environments=self.environments)

    @cached_property
    def contestants(self) -> dict[str, Contestant]:
        """Everyone who takes part, as they were typed."""
        return {each: contestant(each) for each in (*self.players, *self.opponents)}

    def jobs(self) -> list[Job]:
        """What is played: every pair with a player whose move probabilities are not known."""
        pairs = product(self.players, self.opponents) if self.opponents else combinations(self.players, 2)
        found: dict[Job, None] = {}
        for pair in pairs:
            known = [self.contestants[each].known for each in pair]
            if all(known) or pair[0] == pair[1]:
                continue
            agent, opponent = pair if not known[0] else (pair[1], pair[0])
            for seat in SIDES:
                for first in range(0, self.games, CHUNK):
                    games = min(CHUNK, self.games - first)
                    plies = self.plies or PLIES
                    found[Job(self.rules.spec, agent, opponent, seat, first, games, self.seed, plies)] = None
        return list(found)


def play(
    arena: Arena, folder: Path | None = None, *, on: On = "here", workers: int = 2
) -> Iterator[tuple[Job, list[Sample]]]:
    """Play the jobs of an arena, and yield each with its games.

    With a folder, each job is kept there as a file, and those that are there already are read. The folder is
    made when the first job is done. Raises ParseError if it belongs to another arena or cannot be written to.

    >>> arena = Arena("bit-flip:bits=3", ("perfect", "mcts:simulations=1"), games=2)
    >>> [(job.seat, [each.counts.points for each in samples]) for job, samples in play(arena)]
    [(0, [1.0, 0.0]), (1, [0.0, 0.0])]
    """
    waiting = arena.jobs()
    if folder is not None:
        decides = {name: value for name, value in asdict(arena).items() if name != "environments"}
        settings = json.dumps({**decides, "game": arena.rules.spec})
        _check(folder, settings)
        for job in [each for each in waiting if (folder / each.file).exists()]:
            waiting.remove(job)
            yield job, read_parquet(folder / job.file)[0]
    if waiting and on != "ray":  # there, programs may be on other machines alone
        for each in arena.contestants.values():  # one that cannot start ends the arena at once
            try:
                each.player.prepare(arena.rules)
            finally:
                each.player.close()
    for job, samples in _spread(waiting, on, workers, arena.environments):
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            save(samples, folder / job.file)
            if not (folder / SETTINGS).exists():
                write_whole(folder / SETTINGS, f"{settings}\n")
        yield job, samples


def _check(folder: Path, settings: str) -> None:
    """Find out before anything is played whether a folder can hold an arena with these settings."""
    kept = folder / SETTINGS
    if kept.exists() and (there := kept.read_bytes()).strip() != settings.encode():
        try:
            whole = isinstance(json.loads(there), dict)
        except (ValueError, RecursionError):
            whole = False
        if not whole:
            raise ParseError(f"{kept} is damaged: it does not hold the settings of an arena")
        raise ParseError(f"{folder} belongs to an arena with other settings; choose another folder")
    nearest = next(each for each in (folder, *folder.parents) if each.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        raise ParseError(f"{nearest} is not a folder that can be written to")
    import_pyarrow()


def _spread(
    waiting: Sequence[Job], on: On, workers: int, environments: bool
) -> Iterator[tuple[Job, list[Sample]]]:
    """Play jobs here or elsewhere. Samples come back to this machine: workers need not share a disk."""
    if on == "here" or not waiting:
        yield from ((job, job.play(environments)) for job in waiting)
    elif on == "pool":
        from concurrent.futures import ProcessPoolExecutor, as_completed
        from multiprocessing import get_context

        with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
            running = {pool.submit(job.play, environments): job for job in waiting}
            try:
                for done in as_completed(running):
                    yield running[done], done.result()
            finally:
                pool.shutdown(cancel_futures=True)
    else:
        with needs("ray", "cluster"):
            import ray
        started = not ray.is_initialized()
        if started:
            ray.init(include_dashboard=False, log_to_driver=False, configure_logging=False)
        try:
            remote = ray.remote(Job.play)
            asked = {remote.remote(job, environments): job for job in waiting}
            while asked:
                [ready], _ = ray.wait(list(asked), num_returns=1)
                try:
                    samples = ray.get(ready)
                except ray.exceptions.RayTaskError as error:  # its own text is a traceback
                    raise error.cause from error
                yield asked.pop(ready), samples
        finally:
            if started:
                ray.shutdown()
