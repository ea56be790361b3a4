"""A whole table is a game: it keeps the laws, and can be solved, played, stepped in batches and stored."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import perfectplay as pp
from perfectplay.audit.case import prepare
from perfectplay.audit.findings import findings
from perfectplay.core.value import Value
from perfectplay.foreign.client import Server, Settings
from perfectplay.foreign.environment import Environment
from perfectplay.foreign.examine import Examination
from perfectplay.foreign.judge import judged
from perfectplay.foreign.load import environment
from perfectplay.foreign.table import OPEN, Table
from perfectplay.foreign.table_game import TableGame, table_game
from tests.conftest import ROOT, Run

ENVS = Path(__file__).parent / "envs"
OURS = pp.load(str(ROOT / "examples" / "tic_tac_toe.py"))


def table_of(env: Environment, moves: int = 30_000) -> Table:
    done = Examination(env, moves=moves).done
    assert done is not None
    return Table.from_dict(done.table.as_dict())


@pytest.fixture(scope="module")
def nim() -> TableGame:
    return table_game("sound.py", table_of(environment(str(ENVS / "sound.py"))))


def test_a_table_keeps_all_laws_of_a_game(nim: TableGame) -> None:
    pp.check_game(nim)


def test_the_auditor_says_the_same_of_the_game_as_of_its_table(nim: TableGame) -> None:
    plain = {each.code for each in findings(prepare(nim))} - {"dead-reason"}
    assert plain == {each.code for each in judged("sound.py", nim.table).audit.findings}


def test_it_works_in_batches_and_as_a_dataset(nim: TableGame, tmp_path: Path) -> None:
    from perfectplay.simulate import BatchedGame
    from perfectplay.simulate.dataset import write

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
    found = judged("part", table)
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
    assert judged("open", Table.from_dict(data)).value is None
    data["targets"] = [1, OPEN, -1, -1]
    assert judged("open", Table.from_dict(data)).value == Value("win", 2)
    data["targets"] = [1, 0, -2, -3]  # the second side prefers its win, the first goes back and forth
    assert judged("whole", Table.from_dict(data)).value == Value("endless")


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
    Table.from_dict(good)
    with pytest.raises((ValueError, TypeError)):
        Table.from_dict(good | spoiled)


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


def check_tic_tac_toe(table: Table) -> None:
    """Tic-tac-toe of any library has the same table as ours, up to names."""
    assert (len(table.sides), len(table.actions)) == (4_520, 16_167)
    assert same_games(OURS, table_game("tic-tac-toe", table)) == 4_520


def test_tic_tac_toe_of_pettingzoo_is_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if find_spec("pygame") is None:  # it is imported, but used only to draw
        (tmp_path / "packages").mkdir()
        (tmp_path / "packages" / "pygame.py").touch()
        monkeypatch.syspath_prepend(str(tmp_path / "packages"))
    with Server() as server:
        answer = server.run("pettingzoo:tictactoe_v3", Settings())
    check_tic_tac_toe(Table.from_dict(answer.done["table"]))


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
    assert "moves were tried, and there are more" in run("solve", f"env:{ENVS / 'crash.py'}").stderr


def test_elsewhere_an_environment_is_refused() -> None:
    for allow_paths in (True, False):  # nobody has allowed it in this process
        with pytest.raises(pp.ParseError, match="an environment is not allowed here"):
            pp.load("env:./env.py", allow_paths=allow_paths)


def test_free_text_gives_the_same_table_as_numbers(nim: TableGame) -> None:
    table = table_of(environment(str(ENVS / "text_nim.py:TextNim")))
    assert table.names[:2] == ("[1]", "[2]")
    assert same_games(nim, table_game("text", table)) == 12
