"""What is looked for beyond the table and beyond one start, and what is not held against an environment."""

import random
from collections.abc import Iterator
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any, ClassVar
from uuid import uuid4

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

from perfectplay.core.value import Value
from perfectplay_foreign.audit import audit_environment
from perfectplay_foreign.check import check_env
from perfectplay_foreign.conduct import Conduct
from perfectplay_foreign.copies import PickleCopies
from perfectplay_foreign.environment import WRITTEN_FOR, Environment, is_generator
from perfectplay_foreign.examine import Examination
from perfectplay_foreign.judge import Judgement
from perfectplay_foreign.load import environment
from perfectplay_foreign.probe import Probe
from perfectplay_foreign.records import Found
from perfectplay_foreign.sandbox.client import ForkServer
from perfectplay_foreign.sandbox.limits import LATE, PLAYED, Limits
from perfectplay_foreign.sandbox.request import AuditOptions
from perfectplay_foreign.transitions import TransitionTable

ENVS = Path(__file__).parent / "envs"


class Stones:
    """Whoever takes the last stone wins; subclasses have one fault each."""

    stones, most, penalty = 40, 3, -10.0
    action_space: ClassVar[Any] = spaces.Discrete(3)

    def reset(self, seed: int | None = None) -> Any:
        self.left, self.current_player, self.done = self.stones, 0, False
        return self.left, {}

    def valid_moves(self) -> list[int]:
        return [move for move in range(self.most) if move < self.left]

    def step(self, move: int) -> Any:
        if self.done or not 0 <= move < min(self.most, self.left):
            self.done = True
            return self.left, self.penalty, True, False, {}
        return self.taken(move)

    def taken(self, move: int) -> Any:
        self.left -= move + 1
        self.current_player = 1 - self.current_player
        self.done = not self.left
        return self.left, float(self.done), self.done, False, {}


def found(kind: type, moves: int = 3_000) -> dict[str, Found]:
    return {each.code: each for each in Examination(Environment(kind), moves=moves).findings}


class RefusesLate(Stones):
    """Lists a move for the last stones that is then refused: far beyond the first positions."""

    def valid_moves(self) -> list[int]:
        return [0, 1, 2]


class Draws(Stones):
    """A move may take a stone more, by a generator that everybody shares."""

    def taken(self, move: int) -> Any:
        if self.left > 12 and np.random.random() < 0.5:
            self.left -= 1
        return super().taken(move)


class DrawsAndRefuses(Draws):
    valid_moves = RefusesLate.valid_moves


class DrawsAndStops(Draws):
    def valid_moves(self) -> list[int]:
        return [] if self.left == 3 else super().valid_moves()


class DrawsAndStays(Draws):
    def taken(self, move: int) -> Any:
        seen = super().taken(move)
        self.current_player = 0
        return seen


class DrawsAndAccepts(Draws):
    def step(self, move: int) -> Any:
        return self.taken(min(move, self.left - 1))


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (RefusesLate, "legal-refused"),
        (DrawsAndRefuses, "legal-refused"),
        (DrawsAndStops, "dead-end"),
        (DrawsAndStays, "turn-stuck"),
        (DrawsAndAccepts, "illegal-accepted"),
    ],
)
def test_random_games_are_looked_at_as_closely_as_the_table(kind: type, code: str) -> None:
    assert code in found(kind, moves=20)
    assert code not in found(Draws, moves=20)


class StopsElsewhere(Stones):
    """Some seeds start with a heap from which there is no move."""

    def reset(self, seed: int | None = None) -> Any:
        super().reset()
        self.left = 5 + (seed or 0) % 7
        return self.left, {}

    def valid_moves(self) -> list[int]:
        return [] if self.left == 11 else super().valid_moves()


class StopsByChance(StopsElsewhere):
    """What decides the start is a generator that everybody shares."""

    def reset(self, seed: int | None = None) -> Any:
        return super().reset(random.randrange(7) + 1)


class FailsElsewhere(StopsElsewhere):
    """Some seeds start with a heap whose moves cannot be listed."""

    def valid_moves(self) -> list[int]:
        return [0 // (11 - self.left), *super().valid_moves()[1:]]


def test_other_starts_are_played_too() -> None:
    dead = found(StopsElsewhere)["dead-end"]
    assert (dead.seed, dead.witness) == (6, ())
    assert found(StopsByChance)["dead-end"].witness == ()
    fails = found(FailsElsewhere)["moves-fail"]
    assert (fails.seed, fails.witness) == (6, ())


class OddAtTheEnd(Stones):
    """The end of a long game has a reward that is not a number."""

    stones = 400

    def taken(self, move: int) -> Any:
        seen = super().taken(move)
        return (seen[0], float("nan"), *seen[2:]) if self.done else seen


def test_what_goes_against_the_protocol_is_noticed_in_random_games_too() -> None:
    assert len(found(OddAtTheEnd, moves=20)["bad-reward"].witness) > 100


class Late(Limits):
    """A job that has time left to replay, but none to play."""

    def late(self, share: float = LATE) -> bool:
        return share == PLAYED


def test_games_end_early_enough_to_tell_what_was_found() -> None:
    made: list[int] = []

    class Counted(Draws):
        def step(self, move: int) -> Any:
            made.append(move)
            return super().step(move)

    env = Environment(Counted)
    conduct = Conduct(env, Probe(env, 0))
    conduct.play_on()
    env.limits = Late()
    made.clear()
    conduct.play_on()
    conduct.squeeze(None)
    conduct.try_illegal(None)
    assert conduct.met
    assert made == []


def test_a_space_of_gymnasium_keeps_its_generator_where_it_is_read() -> None:
    """After an upgrade: read `gymnasium/spaces/space.py`, and change `WRITTEN_FOR`."""
    assert gymnasium.__version__.rpartition(".")[0] == WRITTEN_FOR
    space: Any = spaces.Discrete(3)
    assert space._np_random is None, "looking makes no generator"
    space.seed(1)
    assert space._np_random is space.np_random
    assert is_generator(space._np_random)


class TakesTheLast(Stones):
    """Of many illegal moves, only the last is taken."""

    action_space: ClassVar[Any] = spaces.Discrete(100_000)

    def step(self, move: int) -> Any:
        return self.taken(0) if move == 99_999 else super().step(move)


class TakesTheNext(Stones):
    """Of many illegal moves, only the one after the last legal one is taken."""

    action_space: ClassVar[Any] = spaces.Discrete(100_000)

    def step(self, move: int) -> Any:
        return self.taken(0) if move == min(self.left, self.most) and self.left else super().step(move)


class TakesOnce(Stones):
    """An illegal move is taken in one position only."""

    def step(self, move: int) -> Any:
        return self.taken(0) if self.left == 1 and self.current_player else super().step(move)


class Bans(Stones):
    """After an illegal move, every move is refused, until the game begins again; but one is taken."""

    stones, action_space = 8, spaces.Discrete(4)

    def reset(self, seed: int | None = None) -> Any:
        self.singles, self.banned = 0, False
        return super().reset()

    def step(self, move: int) -> Any:
        if move == 3 and not self.banned and (self.left, self.singles) == (2, 6):
            return self.taken(0)
        self.banned = self.banned or move == 3
        return super().step(3 if self.banned else move)

    def taken(self, move: int) -> Any:
        self.singles += move == 0
        return super().taken(move)


ENDS_ITSELF = """
import os
from sound import Nim

class Env(Nim):
    stones = 40

    def step(self, action):
        if self.left == 2 and action == 2:
            os._exit(1)
        return super().step(action)
"""


def test_an_illegal_move_that_ends_the_process_is_found_with_its_witness(
    tmp_path: Path, server: ForkServer
) -> None:
    (tmp_path / "sound.py").write_bytes((ENVS / "sound.py").read_bytes())
    (tmp_path / "exits.py").write_text(ENDS_ITSELF)
    record = audit_environment(str(tmp_path / "exits.py"), AuditOptions(moves=3_000), server).record
    [killed] = record["findings"]
    assert killed["code"] == "killed"
    taken = [int(str(move)) + 1 for move in killed["witness"][:-1]]
    assert sum(taken) == 38
    assert killed["witness"][-1] == 2


class NeverTheSame(Stones):
    """Each game forbids another move than the one before it, and an illegal move raises an error."""

    games: ClassVar[Iterator[int]] = count()

    def reset(self, seed: int | None = None) -> Any:
        self.taboo = next(self.games) % 3
        return super().reset()

    def valid_moves(self) -> list[int]:
        return [move for move in super().valid_moves() if move != self.taboo or self.left < 3]

    def step(self, move: int) -> Any:
        if move not in self.valid_moves():
            raise ValueError("no such move")
        return super().step(move)


def test_a_game_that_is_another_each_time_is_examined_to_the_end() -> None:
    assert "not-repeatable" in found(NeverTheSame)


class TakesWhatever(Stones):
    """There is no legal move at the start, but any move is taken."""

    def valid_moves(self) -> list[int]:
        return []


class EndsAsTie(Stones):
    """An illegal move ends the game, and nobody has lost it."""

    penalty = 0.0


@pytest.mark.parametrize("kind", [TakesTheLast, TakesTheNext, TakesOnce, TakesWhatever, EndsAsTie, Bans])
def test_illegal_moves_are_tried_where_they_may_be_taken(kind: type) -> None:
    assert "illegal-accepted" in found(kind)
    assert not {"illegal-accepted", "illegal-changes", "illegal-crashes"} & found(Stones).keys()


def test_what_is_said_of_an_illegal_tie_is_that_it_is_one() -> None:
    assert found(EndsAsTie)["illegal-accepted"].text.endswith(", but ends the game as a tie.")


class Secret(Stones):
    """What nobody sees at the start comes from a shared generator. It decides nothing for many moves."""

    def reset(self, seed: int | None = None) -> Any:
        seen = super().reset()
        self.code = random.randrange(1_000)
        return seen


class Stamped(Stones):
    """It notes when the game began, and gives it a number; neither is part of the game."""

    def reset(self, seed: int | None = None) -> Any:
        self.began, self.number = datetime.now(), uuid4()
        self.label = f"{self.number} at {self.began}"
        return super().reset()


class StampedElsewhere(StopsElsewhere):
    """It has a stamp, and the seed decides the start."""

    def reset(self, seed: int | None = None) -> Any:
        self.label = uuid4().hex
        return super().reset(seed)


def test_a_stamp_is_not_a_start() -> None:
    assert not {"seed-ignored", "not-repeatable", "random-setup"} & found(Stamped).keys()
    assert "random-setup" in found(StampedElsewhere)


def test_a_seed_that_does_not_decide_what_is_hidden_is_ignored() -> None:
    assert "does not decide the start" in found(Secret)["seed-ignored"].text
    assert "does not decide the game" in found(Draws)["seed-ignored"].text
    assert "seed-ignored" not in found(Stones)


def test_a_start_that_no_seed_decides_does_not_depend_on_the_seed() -> None:
    done = Examination(environment(str(ENVS / "not_repeatable.py")), moves=100)
    assert "random-setup" not in {each.code for each in done.findings}


class Reshuffles(Stones):
    """Near its end, a long game draws from a generator that everybody shares."""

    stones = 400

    def taken(self, move: int) -> Any:
        if self.left == 4:
            random.random()
        return super().taken(move)


class ReshufflesItself(Reshuffles):
    """It draws from a generator of its own."""

    def reset(self, seed: int | None = None) -> Any:
        self.generator = np.random.default_rng(seed)
        return super().reset()

    def taken(self, move: int) -> Any:
        if self.left == 4:
            self.generator.random()
        return Stones.taken(self, move)


class Samples(Stones):
    """It draws from its action space, which nobody has seeded."""

    def reset(self, seed: int | None = None) -> Any:
        self.action_space = spaces.Discrete(3)  # type: ignore[misc]
        return super().reset()

    def taken(self, move: int) -> Any:
        self.action_space.sample()
        return super().taken(move)


@pytest.mark.parametrize("kind", [Reshuffles, ReshufflesItself, Samples])
def test_there_is_no_value_where_chance_plays(kind: type) -> None:
    done = Examination(Environment(kind))
    [drawn] = [each for each in done.findings if each.code == "random-step"]
    assert done.done is None
    if issubclass(kind, Reshuffles):
        assert len(drawn.witness) > 100  # the four games that come first do not see it


@pytest.mark.parametrize("name", ["not_repeatable", "clock", "copy_differs", "merge_differs"])
def test_there_is_no_value_where_a_table_is_not_the_game(name: str, server: ForkServer) -> None:
    record = audit_environment(str(ENVS / f"{name}.py"), AuditOptions(moves=3_000), server).record
    assert record["value"] is None
    assert not record["whole"]
    codes = {each["code"] for each in record["findings"]}
    assert name.replace("_", "-") in codes
    assert "forced-win" not in codes


def test_a_side_that_always_moves_gets_the_value_of_taking_turns() -> None:
    done = Examination(environment(str(ENVS / "turn_stuck.py")))
    assert done.done is not None
    assert Judgement("stuck", done.done.table).value == Value("win", 3)
    [stuck] = [each for each in done.findings if each.code == "turn-stuck"]
    assert stuck.severity == "problem"
    assert stuck.text.endswith("Values are those of a game in which the sides take turns.")
    assert not {"no-turn", "turn-kept"} & {each.code for each in done.findings}


class SeldomPasses(Stones):
    """The mover changes only if a game begins with eight moves of one kind."""

    stones = 30

    def reset(self, seed: int | None = None) -> Any:
        self.alike = 0
        return super().reset()

    def taken(self, move: int) -> Any:
        self.alike = self.alike + 1 if move == 0 and self.alike == self.stones - self.left else self.alike
        seen = super().taken(move)
        self.current_player = int(self.alike >= 8)
        return seen


def test_a_side_that_moves_almost_always_is_not_stuck() -> None:
    done = Examination(Environment(SeldomPasses), moves=3_000)
    codes = {each.code for each in done.findings}
    assert "turn-stuck" not in codes
    assert "turn-kept" in codes
    assert done.done is not None
    assert list(done.done.table.sides[:4]) == [0, 0, 0, 0]


class Unordered(Stones):
    """The moves are a set, and its order is that in which they were put there."""

    def reset(self, seed: int | None = None) -> Any:
        self.made = 0
        self.free = {8 * number for number in range(4)}
        return super().reset()

    def valid_moves(self) -> list[int]:
        return list(self.free)

    def step(self, move: int) -> Any:
        self.made += 1
        self.current_player = 1 - self.current_player
        self.free.discard(move)
        if self.made > 8:
            self.free = {*sorted(self.free, key=lambda each: (each * 7 + self.made) % 5), move}
        elif not self.free:
            self.free = {8 * number for number in range(4)}
        return self.made, float(self.made == 12), self.made == 12, False, {}


def test_the_order_of_a_set_makes_no_difference() -> None:
    done = Examination(Environment(Unordered), moves=3_000)
    assert not {"copy-differs", "merge-differs"} & {each.code for each in done.findings}
    assert done.done is not None
    assert type(done.done.copies) is PickleCopies


@pytest.mark.parametrize(
    "what", ["text_nim.py:TextNim", *map("text_arena.py:{}ArenaNim".format, ("", "Stuck", "Mute"))]
)
def test_of_moves_that_were_only_tried_nothing_is_known_to_be_all(what: str) -> None:
    done = Examination(environment(str(ENVS / what)))
    assert done.done is not None
    table = TransitionTable.from_dict(done.done.table.as_dict())
    assert (table.whole, table.blocked, table.tried) == (False, False, True)
    found = Judgement(what, table)
    assert found.value is None
    assert not [each for each in found.audit.findings if each.severity != "note"]
    assert not {"trap", "forced-suicide"} & {each.code for each in found.audit.findings}
    assert not [each for each in done.findings if each.severity != "note"]


def test_a_library_is_held_to_what_it_promises(server: ForkServer) -> None:
    keeps_its_promise(str(ENVS / "zoo.py"), server)


def keeps_its_promise(what: str, server: ForkServer) -> None:
    """An environment is not blamed for what its library does not promise."""
    record = audit_environment(what, AuditOptions(moves=200), server).record
    codes = {each["code"] for each in record["findings"]}
    assert not codes & {"illegal-accepted", "illegal-changes", "illegal-crashes", "plays-on", "killed"}
    assert record["moves"] >= 20


class Poker(Stones):
    """Move 2 folds, and pays what lies on the table; the last stone takes it."""

    stones = 7

    def taken(self, move: int) -> Any:
        if move == 2:
            self.done = True
            return self.left, -5.0, True, False, {}
        return *(seen := super().taken(move))[:1], 5 * seen[1], *seen[2:]


def test_a_fold_is_a_loss_and_no_refusal() -> None:
    assert "legal-refused" not in found(Poker)


CACHED = """
import os, pathlib, tempfile
from sound import Nim as Base

folder = pathlib.Path(os.environ.get("MPLCONFIGDIR") or pathlib.Path.home() / ".config" / "matplotlib")
try:
    folder.mkdir(parents=True, exist_ok=True)
    writable = os.access(folder, os.W_OK)
except OSError:
    writable = False
if not writable:
    tempfile.mkdtemp()

class Nim(Base):
    pass
"""
"""What Matplotlib does when it is imported."""


def test_a_library_that_wants_a_folder_of_its_own_can_be_imported(tmp_path: Path, server: ForkServer) -> None:
    (tmp_path / "sound.py").write_bytes((ENVS / "sound.py").read_bytes())
    (tmp_path / "cached.py").write_text(CACHED)
    record = audit_environment(str(tmp_path / "cached.py"), AuditOptions(moves=100), server).record
    assert [each["code"] for each in record["findings"] if each["severity"] == "problem"] == []
    assert record["whole"]


class Unusual:
    """Its methods have other names and take arguments."""

    def __init__(self, stones: int) -> None:
        self.stones = stones

    def reset(self, seed: int | None = None) -> Any:
        self.left, self.turn = self.stones, 0
        return self.left, {}

    def choices(self, player: int) -> list[int]:
        return [take for take in (1, 2, 3) if take <= self.left] if player == self.turn else []

    def whose(self) -> int:
        return self.turn

    def step(self, take: int) -> Any:
        if take not in self.choices(self.turn):
            raise ValueError("no such move")
        self.left -= take
        self.turn = 1 - self.turn
        return self.left, float(not self.left), not self.left, False, {}


def test_methods_may_have_other_names_and_arguments() -> None:
    codes = [each.code for each in check_env(lambda: Unusual(7), legal="choices", mover="whose")]
    assert codes == ["forced-win", "render-none", "skill"]


class SaysWho:
    """Who moves is said by a method, and the moves lie in an attribute."""

    def reset(self, seed: int | None = None) -> Any:
        self.left, self.turn, self.legal_moves = 9, 0, [0, 1, 2]
        return self.left, {}

    def current_player(self) -> int:
        return self.turn

    def step(self, move: int) -> Any:
        self.left, self.turn = self.left - move - 1, 1 - self.turn
        self.legal_moves = [move for move in range(3) if move < self.left]
        return self.left, float(not self.left), not self.left, False, {}


def test_who_moves_may_be_said_by_a_method_and_moves_by_an_attribute() -> None:
    done = Examination(Environment(SaysWho), moves=3_000)
    assert done.done is not None
    assert not {"turn-stuck", "no-turn", "no-moves"} & {each.code for each in done.findings}
    assert done.done.table.whole
    assert list(done.done.table.sides[:2]) == [0, 1]


class ListsDivisors(SaysWho):
    """What has the name of a list of moves lists something else, and has to be given a number."""

    def valid_moves(self, number: int) -> list[int]:
        return [each for each in range(2, number) if number % each == 0]


def test_moves_are_asked_for_by_side_only_if_the_argument_is_called_so() -> None:
    assert "moves-fail" in found(ListsDivisors)
    assert "dead-end" not in found(ListsDivisors)


class TellsOfABoard(SaysWho):
    """What has the name of a mover says something else: who moves on a board that it is given."""

    def current_player(self, board: Any) -> int:  # type: ignore[override]
        return int(board.count("x") % 2)


def test_a_method_that_has_to_be_given_something_does_not_say_who_moves() -> None:
    assert "no-turn" in found(TellsOfABoard)


HEAPS = """
class Heaps:
    def __init__(self, heaps):
        self.heaps = heaps

    def reset(self, seed=None):
        self.current_player = 0
        return tuple(self.heaps), {}

    def valid_moves(self):
        return [place for place, left in enumerate(self.heaps) if left]

    def step(self, place):
        self.heaps[place] -= 1
        self.current_player ^= 1
        over = not any(self.heaps)
        return tuple(self.heaps), float(over), over, False, {}
"""


def test_games_do_not_share_the_arguments_of_an_environment(tmp_path: Path) -> None:
    (tmp_path / "heaps.py").write_text(HEAPS)
    done = Examination(environment(str(tmp_path / "heaps.py"), {"heaps": [2, 1]}), moves=100)
    assert not {"not-repeatable", "seed-ignored"} & {each.code for each in done.findings}
    assert done.done is not None
    assert len(done.done.table.sides) == 5


def test_what_part_of_an_environment_proves_is_not_called_a_theory() -> None:
    # The second side can tie, and its other move loses at once; a third position was not visited.
    data = {"sides": [0, 1, 0], "offsets": [0, 1, 3], "actions": [0, 0, 1], "targets": [1, -3, -1]}
    table = TransitionTable.from_dict({**data, "looks": [0, 1, 2], "names": [0, 1], "open": []})
    found = Judgement("part", table)
    [tie] = [each for each in found.audit.findings if each.code == "tie-perfect"]
    assert tie.text.endswith(
        "neither side can force a win, whatever lies beyond the positions that were visited."
    )


def test_endless_is_not_a_thing_of_which_there_is_one() -> None:
    # The same look, once in a position that is won, and once where nobody can force an end.
    data = {
        "sides": [0, 1, 0],
        "offsets": [0, 2, 3, 5],
        "actions": [0, 1, 0, 0, 1],
        "targets": [1, -1, 2, 1, 1],
    }
    table = TransitionTable.from_dict({**data, "looks": [0, 1, 0], "names": [0, 1], "open": []})
    [claim] = [each.claim for each in Judgement("looks", table).suspects if each.claim]
    assert claim == "it is endless for the side to move, and there a win"
