"""Commands agree about dead ends: check-game, audit and solve go equally far, and say how far that was."""

import io
import json
import sys
from pathlib import Path

import pytest

from perfectplay.cli.app import main
from tests.conftest import Run

GRID = '''
from dataclasses import dataclass

from perfectplay import Control, Game, Outcome, View, parameter


@dataclass(frozen=True)
class Grid(Game[tuple[int, int]]):
    """Walk right or up through a square; whoever comes to the far corner wins."""

    name = "grid"
    title = "Grid"
    num_actions = 2
    outcome_reasons = ("corner",)

    size: int = parameter(250, "the length of a side")

    def initial(self):
        return 0, 0

    def side_to_move(self, state):
        return sum(state) % 2

    def legal_actions(self, state):
        x, y = state
        if y == self.size and STUCK:
            return ()
        return tuple(action for action in (0, 1) if state[action] < self.size)

    def apply(self, state, action):
        x, y = state
        TROUBLE
        return (x + 1, y) if action == 0 else (x, y + 1)

    def outcome(self, state):
        END_TROUBLE
        over = state == (self.size, self.size)
        return Outcome(1 - self.side_to_move(state), "corner") if over else None

    def action_text(self, state, action):
        return ("right", "up")[action]

    def state_text(self, state):
        return "%d %d" % state

    def parse_state(self, text):
        x, y = map(int, text.split())
        return x, y

    def view(self, state):
        controls = tuple(Control(self.action_text(state, each), each) for each in self.legal_actions(state))
        return View((), controls, (), numbers=(("x", state[0]), ("y", state[1])))
'''


def grid(folder: Path, stuck: str = "False", trouble: str = "", end_trouble: str = "") -> str:
    path = folder / "grid.py"
    rules = GRID.replace("END_TROUBLE", end_trouble).replace("TROUBLE", trouble)
    path.write_text(rules.replace("STUCK", stuck))
    return str(path)


def test_what_solve_counts_the_others_find(run: Run, tmp_path: Path) -> None:
    game = grid(tmp_path, stuck="x < 30")
    solved = json.loads(run("solve", game, "--json").stdout)
    assert solved["dead_ends"] == 30
    checked = run("check-game", game)
    assert checked.returncode == 1
    assert checked.stdout.startswith("dead-end: no legal action and no outcome;")
    audited = json.loads(run("audit", game, "--json").stdout)
    [found] = [each for each in audited["findings"] if each["code"] == "dead-end"]
    assert checked.stdout.splitlines()[1] == f"  Shown by: {', '.join(found['witness'])}"
    assert len(found["witness"]) == 250


def test_the_advice_of_solve_holds_for_another_limit(run: Run, tmp_path: Path) -> None:
    game = grid(tmp_path, stuck="x < 30")
    advice = "Run check-game --limit 70000 for the moves that lead to one."
    assert advice in run("solve", game, "--limit", "70000").stdout
    assert run("check-game", game, "--limit", "70000").returncode == 1
    assert run("check-game", game, "--limit", "20000").returncode == 0


def test_each_says_how_much_it_covered(run: Run, tmp_path: Path) -> None:
    game = grid(tmp_path)
    said = run("check-game", game).stdout
    assert "The first 2,000 positions and 20 random games were checked." in said
    assert "Dead ends were looked for in all 63,001 positions." in said
    assert "Dead ends were looked for in all 63,001 positions." in " ".join(run("audit", game).stdout.split())
    limited = run("check-game", game, "--limit", "10000").stdout
    assert "Dead ends were looked for in the first 9,8" in limited
    assert "All 961 positions were checked." in run("check-game", f"{game}:size=30").stdout


def test_an_error_far_away_is_found_too(run: Run, tmp_path: Path) -> None:
    game = grid(tmp_path, trouble="1 // (state != (3, 249))")
    checked = run("check-game", game)
    assert checked.returncode == 1
    assert checked.stdout.startswith("apply: play stopped with ZeroDivisionError")
    assert "broken-law" in run("audit", game).stdout


def test_an_error_at_a_far_end_is_found_too(run: Run, tmp_path: Path) -> None:
    game = grid(tmp_path, stuck="x == 0", end_trouble="1 // (state != (0, 250))")
    checked = run("check-game", game)
    assert checked.returncode == 1
    assert checked.stdout.startswith("apply: play stopped with ZeroDivisionError")
    assert "broken-law" in run("audit", game).stdout


@pytest.mark.parametrize("command", ["solve", "check-game", "audit"])
def test_an_interrupt_does_not_blame_a_rule_at_work(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trouble = "if state == (3, 100): raise KeyboardInterrupt"  # where it happens to be
    monkeypatch.setattr(sys, "argv", ["perfectplay", command, grid(tmp_path, trouble=trouble)])
    said = io.StringIO()
    monkeypatch.setattr(sys, "stderr", said)
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 130
    assert said.getvalue().strip() == ""


def test_a_computer_in_a_dead_end_says_so(run: Run, tmp_path: Path) -> None:
    game = grid(tmp_path, stuck="True")
    played = run("play", f"{game}:size=1", "--p2", "perfect", "--line", typed="up\n")
    assert played.returncode == 2
    assert played.stderr == "perfectplay: Player 2 has no legal move, and the rules name no result\n"
