"""The study of gg-bench, run on ten small environments of our own; and its page, checked against its data."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from studies.gg_bench import page
from studies.gg_bench.__main__ import main
from studies.gg_bench.replay import replay_all
from studies.gg_bench.rows import CHECKLIST, is_sound, read_lines, write_parquet
from studies.gg_bench.score import Counts, difference, errors_at_least, mean, shares
from studies.gg_bench.second import check

GAME = """
import random
import numpy as np
import gymnasium as gym
from gymnasium import spaces

class CustomEnv(gym.Env):
    stones = 21

    def __init__(self):
        self.action_space = spaces.Discrete(4)
        self.observation_space = spaces.Box(0, 100, (2,), np.int64)
        self.reset()

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.left, self.current_player, self.done = self.stones, 1, False
        SETUP
        return self.seen(), {}

    def seen(self):
        return np.array([self.left, self.current_player + 1])

    def valid_moves(self):
        return LIST

    def step(self, action):
        if self.done or action not in self.valid_moves():
            self.done = True
            return self.seen(), -10, True, False, {}
        self.left -= action + 1
        self.done = self.left <= 0
        reward = REWARD
        TURN
        return self.seen(), reward, self.done, False, {}

    def render(self):
        return "o" * self.left
"""
USUAL = {
    "SETUP": "pass",
    "LIST": "[] if self.done else [take for take in range(3) if take < self.left]",
    "REWARD": "1 if self.done else 0",
    "TURN": "self.current_player *= -1",
}
GAMES: dict[int, dict[str, str]] = {
    1: {},
    2: {"TURN": "pass"},
    3: {"TURN": "self.current_player *= -1 if action else 1"},
    4: {"LIST": "[take for take in (0, 2) if take < self.left - 1]"},
    5: {"REWARD": "1 // (self.left - 9)"},
    6: {"SETUP": "self.left = random.choice([19, 20])"},
    7: {"REWARD": "-10 if self.done else 0"},
    8: {"REWARD": "0"},
    9: {"TURN": "self.left, self.current_player = self.left + action + 1, -self.current_player"},
    10: {"SETUP": "raise ValueError('no')"},
}
"""Ten environments by what each changes."""
COUNTS = {"agent_wins": 12, "gpt_wins": 18, "draws": 0, "agent_faults": 0, "gpt_faults": 0, "env_faults": 0}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gg-bench")
    data = folder / "gg_bench" / "data"
    for name in ("envs", "descriptions", "splits"):
        (data / name).mkdir(parents=True)
    for number, changed in GAMES.items():
        text = GAME
        for word, line in (USUAL | changed).items():
            text = text.replace(word, line)
        (data / "envs" / f"env_{number}.py").write_text(text)
        (data / "descriptions" / f"{number}.txt").write_text(f"# Stones {number}: Rule Book\n")
    (data / "splits" / "valid_envs.json").write_text(json.dumps([[str(number), 1] for number in range(1, 9)]))
    (folder / "results").mkdir()
    for place, name in enumerate(page.MODELS):
        faults = {**COUNTS, "gpt_wins": 18 - 2 * place, "gpt_faults": 2 * place, "total_games": 30}
        counts = {str(number): faults for number in range(1, 9)}
        (folder / "results" / f"{name}_eval_1.json").write_text(json.dumps(counts))
    return folder


@pytest.fixture(scope="module")
def concluded(copy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("study")
    main([str(copy), "--work", str(out / "work"), "--out", str(out / "data"), "--docs", str(out / "docs")])
    return out


def test_every_game_is_judged_by_the_protocol_of_the_authors(concluded: Path) -> None:
    rows = {row["game"]: row for row in read_lines(concluded / "data" / "games.jsonl")}
    codes: dict[int, set[str]] = {number: set() for number in GAMES}
    for row in read_lines(concluded / "data" / "findings.jsonl"):
        codes[row["game"]].add(row["code"])
    assert list(rows) == sorted(GAMES)
    assert rows[1]["title"] == "Stones 1"
    assert rows[1]["sound"]
    assert (rows[1]["value"], rows[2]["value"], rows[3]["value"]) == ("win", "win", "win")
    assert "turn-unused" in codes[2]
    assert "turn-contradicted" in codes[3]
    assert not rows[3]["sound"]
    assert "dead-end" in codes[4]
    assert "crash" in codes[5]
    assert rows[6]["starts"] == ["loss", "win", "win"]
    assert "legal-refused" in codes[7]
    assert "tie-perfect" in codes[8]
    assert {"endless-possible"} <= codes[9]
    assert codes[10] == {"construct-fails"}


def test_a_second_run_writes_the_same_bytes(copy: Path, concluded: Path) -> None:
    before = {path: path.read_bytes() for path in concluded.rglob("data/*")}
    work = ["--work", str(concluded / "work")]
    main([str(copy), *work, "--out", str(concluded / "data"), "--docs", str(concluded / "docs")])
    assert {path: path.read_bytes() for path in concluded.rglob("data/*")} == before


def test_both_checkers_agree_on_small_games(concluded: Path) -> None:
    about = json.loads((concluded / "data" / "about.json").read_text())
    assert about["second_games"] == 8
    apart = {name: each["apart"] for name, each in about["agreement"].items() if each["apart"]}
    assert apart == {}


def test_witnesses_are_played_again_and_rows_become_parquet(concluded: Path, tmp_path: Path) -> None:
    replayed = json.loads((concluded / "data" / "about.json").read_text())["replayed"]
    rows = read_lines(concluded / "data" / "findings.jsonl")
    assert replayed == {"witnesses": sum(bool(row["witness"]) for row in rows), "failed": []}
    parquet = pytest.importorskip("pyarrow.parquet")
    write_parquet(concluded / "data", tmp_path)
    assert parquet.read_table(tmp_path / "findings.parquet").num_rows == len(rows)


def test_a_witness_that_cannot_be_played_is_named(copy: Path) -> None:
    envs = copy / "gg_bench" / "data" / "envs"
    for game, code, moves in (
        (1, "forced-win", [0, 3]),
        (1, "crash", [0]),
        (1, "dead-end", [1]),
        (2, "plays-on", [0]),
    ):
        row = {"game": game, "code": code, "seed": 0, "witness": moves}
        assert replay_all([row], envs) == {"witnesses": 1, "failed": [[game, code]]}


def test_the_second_checker_finds_what_it_looks_for(copy: Path) -> None:
    envs = copy / "gg_bench" / "data" / "envs"
    assert check(envs / "env_4.py", 1_000)["codes"] == ["dead-end"]
    assert check(envs / "env_10.py", 1_000)["codes"] == ["no-start"]
    assert check(envs / "env_1.py", 1_000)["plies"] == 11


def test_scores_count_failures_and_seats() -> None:
    counts: Counts = {
        1: {**COUNTS, "gpt_wins": 20, "agent_wins": 0, "draws": 0, "gpt_faults": 10, "total_games": 30},
        2: {**COUNTS, "gpt_wins": 0, "agent_wins": 30, "total_games": 30},
    }
    assert shares(counts, failures=False) == {1: 1.0, 2: 0.0}
    assert shares(counts, failures=True) == {1: pytest.approx(2 / 3), 2: 0.0}
    found = mean(shares(counts, failures=False))
    assert found is not None
    assert (found.percent, found.games) == (50.0, 2)
    games: dict[int, dict[str, Any]] = {1: {"ceiling": 0.5}, 2: {"ceiling": 0.0}}
    assert errors_at_least(counts, games) == 5
    apart = difference({1: 0.5, 2: 0.7}, {1: 0.4, 2: 0.4}, [1, 2])
    assert apart.percent == 20.0
    assert apart.low < 0 < apart.high


def test_a_problem_or_a_loop_keeps_a_game_out_of_the_sound_part() -> None:
    measures = {"ends": True, "random": [0.5, 0.5], "decisions_met": [3.0, 3.0]}
    record: dict[str, Any] = {"starts": [], "error": None, "findings": [], "measures": measures}
    assert is_sound(record)
    assert not is_sound({**record, "findings": [{"severity": "problem"}]})
    for name, worse in (("ends", False), ("random", [0.95, 0.05]), ("decisions_met", [2.0, 2.0])):
        assert not is_sound({**record, "measures": {**measures, name: worse}})


def test_every_number_on_the_page_is_from_the_data() -> None:
    data = page.read_data()
    template = page.TEMPLATE.read_text("utf-8")
    assert page.PAGE.read_text("utf-8") == page.write_page(data, template)
    # What the template itself says in figures is the protocol, or a name.
    own = set(
        re.findall(r"(?<![\w.])\d[\d,.]*\d|(?<![\w.{])\d(?!\w)", re.sub(r"[`(][^`)]*[`)]", "", template))
    )
    allowed = {"100", "30", "15", "5,000", "2505.07215", "9ff54da", "95", "10", "0", "1", "2507.02825"}
    assert own <= allowed
    for name, figure in page.draw_figures(data).items():
        assert (page.PAGE.parent / name).read_text("utf-8") == figure + "\n"


def test_the_committed_data_are_small_and_whole() -> None:
    data = page.read_data()
    assert sum(path.stat().st_size for path in page.DATA.iterdir()) < 5_000_000
    assert [row["game"] for row in data["games"]] == list(range(1, 1001))
    assert sum(row["scored"] for row in data["games"]) == 126
    published = {name: each["published"][0] for name, each in data["scores"]["models"].items()}
    assert list(published.values()) == [36.28, 32.5, 31.08, 9.53, 8.94, 7.64, 7.42]
    known = {code for codes in CHECKLIST.values() for code in codes}
    assert {row["code"] for row in data["findings"] if row["checklist"]} <= known
    assert len(page.game_pages(data)) == 126
