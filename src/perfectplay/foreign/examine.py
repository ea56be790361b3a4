"""What happens in the sandbox: one environment is explored, and what was found is replayed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from time import process_time
from typing import Any

from perfectplay.foreign.adapter import (
    Adapter,
    Move,
    StartError,
    UnavailableError,
    move_from_json,
    move_to_json,
)
from perfectplay.foreign.conduct import RANDOM_GAMES, Conduct, Found
from perfectplay.foreign.copies import ChangedError, DrawnError
from perfectplay.foreign.drawing import picture, pictures, rules
from perfectplay.foreign.environment import Environment
from perfectplay.foreign.explore import Explored, explore
from perfectplay.foreign.findings import CODES
from perfectplay.foreign.findings.code import format_move
from perfectplay.foreign.probe import Moves, Probe, Suspect
from perfectplay.foreign.protocol import describe_error
from perfectplay.foreign.transitions import OPEN, end_target

MOVES = 30_000
"""How many moves are tried by default."""
SECONDS = 120.0
"""A net: exploring ends after this much CPU time, whatever the limit of moves."""

UNSOUND = ("not-repeatable", "random-step", "clock", "copy-differs", "merge-differs")
"""With these findings, what was explored is not the game: a table of it would say nothing."""

PASSES, FEW_GAMES = 3, 3
"""How often exploring is started again, and how many random games are played beside a whole table."""


class Examination:
    """An environment under examination: what was found, and the table."""

    def __init__(
        self,
        env: Environment,
        *,
        seed: int = 0,
        moves: int = MOVES,
        draw: bool = False,
    ) -> None:
        self.env, self.seed = env, seed
        self.done: Explored | None = None
        self.dropped: list[str] = []
        self.probe: Probe | None = None
        self.conduct = Conduct(env, None, seed)
        try:
            if env.fresh(seed).finished():
                raise StartError("over-at-start", "")
            self.probe = Probe(env, seed)
            self.conduct = Conduct(env, self.probe, seed)
            self._explore(moves)
            if self.probe.unreadable:
                self.conduct.suspect("unreadable")
        except UnavailableError:
            raise
        except StartError as error:  # at once, or at one of many starts
            self.conduct.suspect(error.code)
            if self.probe is None:
                self.findings = list(self.conduct.first(CODES[error.code], True))
                return
        whole = self.done is not None and self.done.table.whole
        self.findings = list(self.conduct.findings(whole))
        self.dropped = self.conduct.dropped
        if any(each.code in UNSOUND for each in self.findings):
            self.done = None
            self.findings = [
                each._replace(severity="note") if CODES[each.code].never else each for each in self.findings
            ]
        if draw and self.done is not None:
            self._draw(self.done)

    def _explore(self, moves: int) -> None:
        assert self.probe is not None
        if any(each.code == "moves-fail" for each in self.probe.suspects):
            return
        unsure = self.probe.chance or self._shows("not-repeatable")
        for _ in range(0 if unsure else PASSES):
            try:
                self.done = explore(self.env, self.probe, moves)
                self.conduct = Conduct(self.env, self.probe, self.seed)
                self.conduct.explored(self.done)
                return None if self.env.limits.ran_out else self._play(self.done)
            except ChangedError as error:  # the findings of this pass are dropped
                self.probe.varying |= error.names
            except DrawnError as error:
                self.conduct.suspect("random-step", error.moves, sure=False)
                break
        self.done = None
        self._play(None)

    def _play(self, done: Explored | None) -> None:
        """Play games beside the table: more of them if it is not whole, or if there are other starts."""
        few = done is not None and done.table.whole
        few = few and not self._shows("random-setup") and not self._shows("seed-ignored")
        self.conduct.play_on(FEW_GAMES if few else RANDOM_GAMES)
        if not few:
            self.conduct.squeeze(done)
        self.conduct.try_illegal(done)

    def _shows(self, code: str) -> bool:
        """Whether the start shows a finding."""
        return self.conduct.shown(CODES[code], Suspect(code, seed=self.seed)) is not None

    def _draw(self, done: Explored) -> None:
        """Keep what the environment shows of each position, for people who play the table."""

        def positions() -> Iterator[Adapter]:
            for saved in done.saved:
                done.copies.load(saved)
                yield done.copies.adapter

        done.table.pictures, done.table.drawn = pictures(positions())
        done.table.rules = rules(done.copies.adapter)

    def as_dict(self) -> dict[str, Any]:
        """Everything that leaves the sandbox, as data for JSON."""
        return {
            "findings": [each.as_dict() for each in self.findings],
            "dropped": self.dropped,
            "table": None if self.done is None else self.done.table.as_dict(),
            "cut_short": self.env.limits.ran_out,
        }

    def replay(self, asked: Iterable[Mapping[str, Any]]) -> list[Any]:
        """Replay what the auditor found in the table: for each, a finding, or whether its witness holds."""
        return [self._replayed(each) for each in asked]

    def _replayed(self, asked: Mapping[str, Any]) -> Any:
        moves = _moves(asked["moves"])
        if asked.get("code") is None:
            return self.leads(moves, asked["end"])
        beside = asked.get("beside")
        suspect = Suspect(
            asked["code"],
            moves,
            None if beside is None else _moves(beside),
            self.seed,
            asked.get("claim", ""),
        )
        code = CODES[suspect.code]
        text = self.conduct.shown(code, suspect)
        if text is None:
            return None
        return Found(code.name, code.severity, text, self.seed, moves, suspect.beside).as_dict()

    def leads(self, moves: Moves, end: int) -> bool:
        """Whether moves are legal in turn, and lead to an end, or to a position that is not over."""
        assert self.probe is not None
        adapter = self.env.fresh(self.seed)
        sides: dict[Any, int] = {}
        target = 0
        for ply, move in enumerate(moves):
            try:
                if target < 0 or move not in adapter.moves():
                    return False
                side = ply % 2 if self.probe.alternates else sides.setdefault(adapter.mover(), len(sides))
                step = adapter.step(move)
            except Exception:  # noqa: BLE001 - somebody's code
                return end == OPEN and ply == len(moves) - 1
            target = end_target(side, step.reward) if step.over else 0
        return target == end if end < 0 else target == 0


def _moves(data: Iterable[Any]) -> Moves:
    return tuple(map(move_from_json, data))


class _Kinds:
    """The kinds of moves that an environment takes, as far as it has shown any."""

    def __init__(self) -> None:
        self.seen: dict[object, Move] = {}

    def add(self, moves: Iterable[Move]) -> None:
        """Take note of moves that exist."""
        for move in moves:
            self.seen.setdefault(_kind(move), move)

    def refusal(self, move: Move, every: Sequence[Move] | None) -> str | None:
        """Why something cannot be a move here, legal or not; None if it can."""
        if every and move in every:
            return None
        example = next(iter(self.seen.values()), every[0] if every else None)
        if example is None or (_kind(move) in self.seen and not every):
            return None
        return f"{format_move(move)} is not a move here; {format_move(example)} is one"


def _kind(move: Move) -> object:
    return tuple(map(_kind, move)) if isinstance(move, tuple) else type(move)


def steps(env: Environment, seed: int, moves: Iterable[Any]) -> list[dict[str, Any]]:
    """What happens move by move when a witness is played, for people to read."""
    try:
        adapter = env.fresh(seed, strict=True)
    except UnavailableError:
        raise
    except StartError as error:
        return [{"move": None, "error": f"{error.code}: {error}"}]
    shown, kinds = [_shown(adapter, None, "")], _Kinds()
    for move in _moves(moves):
        try:
            every = adapter.moves()
            kinds.add(every)
            move = next((each for each in every if each == move), move)  # in its own type
            legal = move in every
            refusal = None if legal else kinds.refusal(move, adapter.all_moves())
            if refusal is not None:
                return [*shown, {"unknown": refusal}]
            step = adapter.step(move)
        except Exception as error:  # noqa: BLE001 - the error is what is shown
            shown.append({"move": move_to_json(move), "error": describe_error(error)})
            break
        said = "" if legal else "not in the list of legal moves; "
        said += f"reward {step.reward:g}" + ("; the game is over" if step.over and not step.cut else "")
        shown.append(_shown(adapter, move, said + ("; the game is cut off" if step.cut else "")))
    return shown


def _shown(adapter: Adapter, move: Move | None, said: str) -> dict[str, Any]:
    found: dict[str, Any] = {"move": None if move is None else move_to_json(move), "said": said}
    for name, ask in (
        ("legal", adapter.moves),
        ("mover", adapter.mover),
        ("picture", lambda: picture(adapter)),
    ):
        try:
            found[name] = ask()
        except Exception as error:  # noqa: BLE001 - the error is what is shown
            found[name] = describe_error(error)
    found["legal"] = (
        [move_to_json(each) for each in found["legal"]]
        if isinstance(found["legal"], tuple)
        else found["legal"]
    )
    found["mover"] = None if found["mover"] is None else str(found["mover"])
    found["violations"] = [f"{code}: {text}" for code, text in adapter.violations.items()]
    return found


def compared(env: Environment, seed: int, limit: int) -> dict[str, float]:
    """The CPU time of exploring, and of plain random play of as many moves, for the benchmarks."""
    probe = Probe(env, seed)
    begun = process_time()
    done = explore(env, probe, limit)
    explored = process_time() - begun
    moves, rng = len(done.table.actions), Random(0)
    begun, left = process_time(), moves
    while left > 0:
        adapter = env.fresh(seed)
        legal = adapter.moves()
        while legal and left > 0:
            left -= 1
            if adapter.step(rng.choice(legal)).over:
                break
            legal = adapter.moves()
        left -= not legal
    return {"moves": moves, "explored": explored, "played": process_time() - begun}
