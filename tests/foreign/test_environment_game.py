"""A whole table is a game: it keeps the laws, and can be solved, played, stepped in batches and stored."""

import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

import pytest

import perfectplay as pp
from perfectplay.audit.case import prepare
from perfectplay.audit.findings import findings
from perfectplay.core.laws.conformance import find_broken_laws
from perfectplay.core.value import Value
from perfectplay.solver.oracle_cache import oracle_for
from perfectplay_foreign import drawing
from perfectplay_foreign.environment import Environment
from perfectplay_foreign.environment_game import EnvironmentGame, load_environment
from perfectplay_foreign.examine import Examination
from perfectplay_foreign.judge import Judgement
from perfectplay_foreign.load import environment
from perfectplay_foreign.sandbox.client import ForkServer
from perfectplay_foreign.sandbox.request import AuditOptions, JobRequest
from perfectplay_foreign.transitions import OPEN, TransitionTable
from tests.conftest import ROOT, Run

ENVS = Path(__file__).parent / "envs"
OURS = pp.load(str(ROOT / "examples" / "tic_tac_toe.py"))


def table_of(env: Environment, moves: int = 30_000) -> TransitionTable:
    done = Examination(env, moves=moves).done
    assert done is not None
    return TransitionTable.from_dict(done.table.as_dict())


@pytest.fixture(scope="module")
def nim() -> EnvironmentGame:
    return load_environment(str(ENVS / "sound.py"))


def test_a_table_keeps_all_laws_of_a_game(nim: EnvironmentGame) -> None:
    pp.check_game(nim)


def test_the_auditor_says_the_same_of_the_game_as_of_its_table(nim: EnvironmentGame) -> None:
    plain = {each.code for each in findings(prepare(nim))} - {"dead-reason"}
    assert plain == {each.code for each in Judgement("sound.py", nim.table).audit.findings}


def test_it_works_in_batches_and_as_a_dataset(nim: EnvironmentGame, tmp_path: Path, run: Run) -> None:
    from perfectplay.simulate import BatchedGame
    from perfectplay.simulate.dataset import write

    done = run("dataset", f"env:{ENVS / 'sound.py'}", "--out", "-")
    assert (done.returncode, done.stdout.count("\n")) == (0, 14), done.stderr

    batch = BatchedGame(nim, 64, seed=0)
    batch.reset()
    assert batch.play_random(20).terminated.shape == (64,)
    assert write(nim, tmp_path / "nim.jsonl") == 12 + 2  # positions, and an end for either winner


class FirstWinsInSix:
    """Moves 0 and 1 at each ply; the first ply decides: 0 leads to a quick win, 1 into a large tree."""

    def reset(self, seed: int | None = None) -> Any:
        self.moves: list[int] = []
        self.current_player = 0
        return 0, {}

    def valid_moves(self) -> list[int]:
        return [0, 1]

    def step(self, move: int) -> Any:
        self.moves.append(move)
        self.current_player = 1 - self.current_player
        over = (self.moves[0] == 0 and len(self.moves) == 3) or len(self.moves) == 30
        return 0, float(over), over, False, {}


def test_a_part_of_a_game_proves_what_it_can() -> None:
    table = table_of(Environment(FirstWinsInSix), 500)
    assert not table.whole
    found = Judgement("part", table)
    assert found.value == Value("win", 3)
    assert [each.code for each in found.audit.findings if each.severity != "note"] == ["forced-win"]


def test_nothing_is_claimed_of_what_is_open() -> None:
    data = {
        "sides": [0, 1],
        "offsets": [0, 2, 4],
        "actions": [0, 1, 0, 1],
        "targets": [1, OPEN, -2, -1],
        "looks": [0, 1],
        "names": [0, 1],
        "open": [],
    }
    assert Judgement("open", TransitionTable.from_dict(data)).value is None
    data["targets"] = [1, OPEN, -1, -1]
    assert Judgement("open", TransitionTable.from_dict(data)).value == Value("win", 2)
    data["targets"] = [1, 0, -2, -3]  # the second side prefers its win, the first goes back and forth
    assert Judgement("whole", TransitionTable.from_dict(data)).value == Value("endless")


@pytest.mark.parametrize(
    "spoiled",
    [
        {"sides": [2, 1]},
        {"offsets": [0, 5]},
        {"targets": [9, 1]},
        {"targets": [-9, 1]},
        {"names": []},
        {"actions": [0]},
        {"open": [77]},
        {"sides": []},
        {"sides": "no"},
    ],
)
def test_a_spoiled_table_is_refused(spoiled: dict[str, Any]) -> None:
    good = {"sides": [0, 1], "offsets": [0, 2], "actions": [0, 1], "targets": [1, -1], "looks": [0, 1]}
    good |= {"names": [0, 1], "open": []}
    TransitionTable.from_dict(good)
    with pytest.raises((ValueError, TypeError)):
        TransitionTable.from_dict(good | spoiled)


def same_games(one: pp.Game[Any], other: pp.Game[Any]) -> int:
    """Walk two games together, move by move; returns how many positions are not over in each."""
    names: dict[Any, Any] = {}
    pairs = [(one.initial(), other.initial())]
    for mine, theirs in pairs:
        if names.setdefault(mine, theirs) != theirs:
            raise AssertionError(f"{mine} is {names[mine]} and {theirs}")
        assert one.legal_actions(mine) == other.legal_actions(theirs)
        ends = [one.outcome(mine), other.outcome(theirs)]
        assert (ends[0] and ends[0].winner) == (ends[1] and ends[1].winner)
        assert (ends[0] is None) == (ends[1] is None)
        if ends[0] is None:
            assert one.side_to_move(mine) == other.side_to_move(theirs)
        for action in one.legal_actions(mine):
            after = one.apply(mine, action), other.apply(theirs, action)
            if after[0] not in names and one.outcome(after[0]) is None:
                names[after[0]] = after[1]
                pairs.append(after)
            elif one.outcome(after[0]) is not None:
                end = other.outcome(after[1])
                assert end is not None
                assert end.winner == one.outcome(after[0]).winner  # type: ignore[union-attr]
            else:
                assert names[after[0]] == after[1]
    assert len(set(names.values())) == len(names)
    return len(names)


def check_tic_tac_toe(table: TransitionTable) -> None:
    """Tic-tac-toe of any library has the same table as ours, up to names."""
    assert (len(table.sides), len(table.actions)) == (4_520, 16_167)
    assert same_games(OURS, EnvironmentGame("tic-tac-toe", table)) == 4_520


def test_tic_tac_toe_of_pettingzoo_is_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if find_spec("pygame") is None:  # it is imported, but used only to draw
        (tmp_path / "packages").mkdir()
        (tmp_path / "packages" / "pygame.py").touch()
        monkeypatch.syspath_prepend(str(tmp_path / "packages"))
    with ForkServer() as server:
        examined = server.run(JobRequest("pettingzoo:tictactoe_v3", AuditOptions())).examined
    assert examined is not None
    assert examined.table is not None
    check_tic_tac_toe(examined.table)


def test_an_environment_is_solved_and_played_on_the_command_line(run: Run, tmp_path: Path) -> None:
    spec = f"env:{ENVS / 'sound.py'}"
    done = run("solve", spec, "--json")
    assert done.returncode == 0, done.stderr
    assert '"value": "win", "winner": "Player 1", "plies": 3' in done.stdout
    save = tmp_path / "game.txt"
    played = run("play", spec, "--p1", "perfect", "--save", str(save), typed="0\n0\n0\n")
    assert "Player 1 wins: reward." in played.stdout
    refused = run("resume", str(save))
    assert refused.returncode == 2
    assert "an environment is not allowed here" in refused.stderr
    assert refused.stderr.endswith("--trust allows it\n")
    assert run("solve", f"env:{ENVS / 'crash.py'}").returncode == 2
    said = run("solve", f"env:{ENVS / 'crash.py'}").stderr
    assert "30 moves were tried, and the rest could not be visited because of errors" in said


def test_the_results_of_known_players_in_an_environment_are_computed(run: Run) -> None:
    for view in ([], ["--table"]):
        done = run("arena", "random", "perfect", "--game", f"env:{ENVS / 'sound.py'}", *view)
        assert done.returncode == 0, done.stderr
        assert ("| perfect | random   | 1    | 1.000  | computed |" in done.stdout) == (not view)
        assert ("All exact." in done.stdout) == bool(view)


def test_a_bot_is_checked_in_an_environment(run: Run) -> None:
    spec = f"env:{ENVS / 'sound.py'}"
    done = run("check-bot", f"{shlex.quote(sys.executable)} {ROOT / 'examples' / 'bot.py'}", "--game", spec)
    assert done.stdout.startswith(f"{spec}: 2 games, "), done.stderr


def test_a_position_is_shown_as_the_environment_draws_it(run: Run, tmp_path: Path) -> None:
    spec = f"env:{ENVS / 'sound.py'}"
    played = run("play", spec, "--p2", "random", typed="0\n")
    assert "ooooooo\nPosition: 0\nPlayer 1's turn.\nYour move: 0\n" in played.stdout
    shown = run("replay", spec, "--moves", "0, 1")
    assert "oooo\nPosition: 5\n" in shown.stdout
    rules = run("rules", spec).stdout
    assert "Action a takes a + 1 stones. An illegal move ends the game with a penalty." in rules
    assert "at the start these are 0, 1, 2" in rules
    save = tmp_path / "game.txt"
    run("play", spec, "--p1", "random", "--p2", "random", "--save", str(save))
    refused = run("replay", str(save))
    assert refused.returncode == 2
    assert refused.stderr.endswith('sound.py"\n')  # and no advice that does not help


class Painter:
    """Draws nothing by itself, but text if it is asked for; without a docstring it would have no rules."""

    metadata: ClassVar = {"render_modes": ["human", "ansi"]}
    render_mode: str | None = None

    def reset(self, seed: int | None = None) -> Any:
        self.places, self.current_player = [0, 0], 0
        return 0, {}

    def valid_moves(self) -> list[int]:
        return [place for place in range(2) if not self.places[place]]

    def step(self, move: int) -> Any:
        self.places[move] = 1
        self.current_player = 1 - self.current_player
        return 0, float(all(self.places)), all(self.places), False, {}

    def render(self) -> str | None:
        return f"\x1b[31m{self.places}\x1b[0m\a" if self.render_mode == "ansi" else None


class Printer(Painter):
    def render(self) -> None:
        sys.stdout.write(f"{self.places}\n")


class Named(Painter):
    metadata: ClassVar = {}

    def __str__(self) -> str:
        return str(self.places)


class Silent(Painter):
    __doc__ = None
    metadata: ClassVar = {}


class Garrulous(Painter):
    def render(self) -> str:
        return f"{self.places}{'x' * 500}\n" + "y\n" * 500


@pytest.mark.parametrize(
    ("make", "drawn"), [(Painter, True), (Printer, True), (Named, True), (Silent, False)]
)
def test_every_way_to_show_a_position_in_text_is_tried(make: type[Painter], drawn: bool) -> None:
    done = Examination(Environment(make), draw=True).done
    assert done is not None
    table = TransitionTable.from_dict(done.table.as_dict())
    assert [table.picture(number) for number in range(3)] == [
        (text,) if drawn else () for text in ("[0, 0]", "[1, 0]", "[0, 1]")
    ]
    assert table.picture(3) == ()  # an end
    game = EnvironmentGame("painter", table)
    assert game.view(1).as_text() == (*table.picture(1), "Position: 1")
    assert [each.law for each in find_broken_laws(game) if each.law != "spec"] == []  # there is no such file


def test_pictures_take_a_limited_amount_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    done = Examination(Environment(Garrulous), draw=True).done
    assert done is not None
    assert (max(map(len, done.table.picture(0))), len(done.table.picture(0))) == (120, 40)
    monkeypatch.setattr(drawing, "LARGEST_PICTURES", 400)
    done = Examination(Environment(Garrulous), draw=True).done
    assert done is not None
    assert [bool(done.table.picture(number)) for number in range(3)] == [True, False, False]


def test_an_environment_without_words_gets_a_sentence_as_rules() -> None:
    done = Examination(Environment(Silent), draw=True).done
    assert done is not None
    done.table.rules = ""
    text = EnvironmentGame("silent", done.table).texts().rulebook()
    assert "The environment does not say what its rules are." in text
    assert "The game has 3 positions." in text


def test_pictures_are_checked_like_numbers(nim: EnvironmentGame) -> None:
    good = nim.table.as_dict()
    for bad in ({"drawn": [99] * 12}, {"pictures": [1]}, {"drawn": [-2] * 12}, {"drawn": [-1]}, {"rules": 1}):
        with pytest.raises(ValueError, match="not a table"):
            TransitionTable.from_dict({**good, **bad})


def test_computer_players_of_the_full_screen_find_the_environment() -> None:
    from perfectplay.terminal.fullscreen.worker import answer

    record = str(pp.Match(load_environment(str(ENVS / "sound.py"))).record())
    assert answer({"do": "choose", "record": record, "player": "perfect"}) == {"action": 2}


def test_elsewhere_an_environment_is_refused() -> None:
    for allow_paths in (True, False):
        with pytest.raises(pp.ParseError, match="an environment is not allowed here"):
            pp.load("env:./env.py", allow_paths=allow_paths)


def test_free_text_gives_the_same_table_as_numbers(nim: EnvironmentGame) -> None:
    table = table_of(environment(str(ENVS / "text_nim.py:TextNim")))
    assert table.names[:2] == ("[1]", "[2]")
    assert same_games(nim, EnvironmentGame("text", table)) == 12


@pytest.mark.parametrize("name", ["ArenaNim", "StrictArenaNim"])
def test_an_arena_of_free_text_gives_that_table_too(nim: EnvironmentGame, name: str) -> None:
    done = Examination(environment(str(ENVS / f"text_arena.py:{name}")))
    assert done.done is not None
    assert (
        same_games(nim, EnvironmentGame("arena", TransitionTable.from_dict(done.done.table.as_dict()))) == 12
    )
    assert [each.code for each in done.findings if each.severity == "problem"] == []


def test_a_dead_end_among_moves_that_were_only_tried_is_only_a_note() -> None:
    done = Examination(environment(str(ENVS / "text_arena.py:StuckArenaNim")))
    [found] = [each for each in done.findings if each.code == "dead-end"]
    assert found.severity == "note"


def test_two_environments_of_one_name_are_not_mixed_up() -> None:
    def table(moves: list[int]) -> TransitionTable:
        ends = [-1] * len(moves)
        return TransitionTable.from_dict(
            {"sides": [0], "offsets": [0, len(moves)], "actions": list(range(len(moves))), "targets": ends,
             "looks": [0], "names": moves, "open": []}
        )  # fmt: skip

    first = EnvironmentGame("twice", table([4, 7]))
    assert len(oracle_for(first).moves(0)) == 2
    second = EnvironmentGame("twice", table([5]))
    assert [move.text for move in oracle_for(second).moves(0)] == ["5"]
    assert first != second
    assert first.legal_actions(0) == (0, 1)


def test_what_hangs_on_a_dead_end_has_no_value() -> None:
    table = {"sides": [0, 1], "offsets": [0, 1, 1], "actions": [0], "targets": [1], "looks": [0, 1]}
    found = Judgement("./stuck.py", TransitionTable.from_dict({**table, "names": [0], "open": []}))
    assert found.table.whole
    assert found.value is None
