"""The arena: computed where it can be, resumable, and the same wherever it is played."""

import json
import os
import re
import sys
from dataclasses import replace
from io import StringIO
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

import perfectplay as pp
from perfectplay.cli.app import cli
from perfectplay.core.errors import MissingExtraError, ParseError
from perfectplay.evals.arena import Arena, Job, play
from perfectplay.evals.files import Samples, read_samples
from perfectplay.evals.report import report
from perfectplay.evals.standings import LADDER, results, results_text
from perfectplay.players.learned.player import find_shipped_file
from perfectplay.players.program import ProgramError
from perfectplay.strength.points import expected_points
from perfectplay.strength.rating import estimate_strength, expect_points, fit_strengths
from perfectplay.strength.statistics import plays_like
from tests.conftest import ROOT, Run
from tests.evals.agents import known_player
from tests.terminal.terminals import Terminal

ARENA = Arena("bit-flip:bits=6", ("random", "level:3", "mcts:simulations=3"), games=20)


def standings(arena: Arena, folder: Path | None = None, *, best_response: bool = False) -> dict[str, Any]:
    samples = [each for _, samples in play(arena, folder) for each in samples]
    return results(arena, samples, best_response=best_response)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("arena")
    done = list(play(ARENA, folder))
    assert len(done) == 4  # against two known players, in two seats
    return folder


def test_a_finished_arena_plays_nothing_and_another_one_is_refused(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(here)
    with monkeypatch.context() as patch:
        patch.delattr(Job, "play")
        assert len(list(play(ARENA, here))) == 4
    assert contents(here) == before
    with pytest.raises(ParseError, match=r"an arena with other settings; choose another folder$"):
        list(play(replace(ARENA, games=21), here))
    with pytest.raises(ParseError, match="at least two players"):
        Arena("bit-flip", ("random",))


def test_without_a_folder_the_same_games_are_played_and_nothing_is_written(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    assert standings(ARENA) == standings(ARENA, here)
    assert list((tmp_path / "empty").iterdir()) == []


def test_a_missing_extra_is_found_before_anything_is_played_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delattr(Job, "play")
    with pytest.raises(MissingExtraError, match="parquet"):
        list(play(ARENA, tmp_path / "arena"))
    assert not (tmp_path / "arena").exists()


def test_players_meet_only_the_opponents_that_are_named() -> None:
    arena = Arena("bit-flip:bits=6", ("mcts:simulations=3", "level:3"), ("level:3", "random"), games=2)
    assert {(job.agent, job.opponent) for job in arena.jobs()} == {
        ("mcts:simulations=3", "level:3"),
        ("mcts:simulations=3", "random"),
    }
    pairs = [(each["agent"], each["opponent"]) for each in standings(arena)["scores"] if each["seat"] == 1]
    assert pairs == list(product(arena.players, arena.opponents))
    with pytest.raises(ParseError, match="need a limit of plies"):
        replace(arena, plies=None)


def test_the_best_response_and_kept_decisions_of_known_players(run: Run) -> None:
    arena = Arena("bit-flip", ("random", "level:5"), ("level:3", "perfect"), plies=None)
    data = standings(arena, best_response=True)
    found = {(each["agent"], each["opponent"], each["seat"]): each for each in data["scores"]}
    five = found["level:5", "level:3", 2]
    assert (five["points"], five["best"]) == pytest.approx((0.531, 0.664), abs=6e-4)
    assert found["level:5", "level:3", 1]["corrected"] == pytest.approx(0.509, abs=5e-4)
    assert found["level:5", "perfect", 2]["corrected"] is None
    assert "model" not in data  # there is nobody to rate
    text = results_text(data)
    assert "| level:5 | level:3  | 2    | 0.531  | 0.664         | 0.572 | computed | -        |" in text
    assert text.endswith(
        "No information about an agent (best response less than 0.05 above random): perfect, seat 2"
    )
    options = ("--opponent", "level:3", "--opponent", "perfect", "--plies", "0", "--best-response", "--json")
    done = run("arena", "random", "level:5", "--game", "bit-flip", *options)
    assert json.loads(done.stdout) == [data]


def test_the_best_response_stands_beside_the_points_of_a_bot() -> None:
    arena = Arena("bit-flip:bits=6", ("mcts:simulations=3",), ("level:3",), games=4)
    data = standings(arena, best_response=True)
    assert [each["games"] for each in data["scores"]] == [4, 4]
    assert all(each["best"] > 0 for each in data["scores"])
    assert [each["corrected"] for each in data["scores"]] == [None, None]
    assert len(data["strengths"]) == 2


def test_what_is_sampled_says_so() -> None:
    data = standings(Arena("mirror-match", ("random",), ("random",)), best_response=True)
    assert all(each["interval"] for each in data["scores"])
    assert [each["samples"] for each in data["scores"]] == [400, 400]
    assert "| 400 samples | -        |" in results_text(data)


@pytest.mark.parametrize("name", ["crosstable", "floors"])
def test_commands_that_are_options_now_say_so(name: str, run: Run) -> None:
    done = run(name, "bit-flip")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"{name} is now perfectplay arena --" in done.stderr


def test_a_table_is_not_kept_and_a_folder_has_one_game(run: Run, tmp_path: Path) -> None:
    for words, says in (
        (["--table", "--out", "x"], "--table and --out exclude each other"),
        (["--table", "--opponent", "random"], "--table and --opponent exclude each other"),
        (["--out", "x"], "--out needs exactly one --game"),
    ):
        done = run("arena", "random", "perfect", *words, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (2, f"perfectplay: {says}\n")
    assert not (tmp_path / "x").exists()


def test_known_pairs_are_computed_and_the_others_are_played(here: Path) -> None:
    data = standings(ARENA, here)
    found = {(each["agent"], each["opponent"], each["seat"]): each for each in data["scores"]}
    exact = expected_points(pp.load(ARENA.game), known_player("random"), known_player("level:3"), 0).value
    assert found["random", "level:3", 1]["points"] == pytest.approx(exact)
    assert found["random", "level:3", 1]["games"] is None
    one, two = found["mcts:simulations=3", "random", 1], found["random", "mcts:simulations=3", 2]
    assert one["games"] == two["games"] == 20
    assert one["points"] + two["points"] == pytest.approx(1)
    rows = report(read_samples([here])).as_dict()["rows"]
    assert [row["samples"] for row in rows] == [20] * 4
    text = results_text(data)
    assert "computed" in text
    assert "20 games" in text
    strengths = {(each["agent"], each["seat"]): each for each in data["strengths"]}
    assert strengths["level:3", 1]["interval"] is None
    low, high = strengths["mcts:simulations=3", 1]["interval"]
    assert low < strengths["mcts:simulations=3", 1]["strength"] < high


def test_a_pool_gives_the_same_bytes(here: Path, tmp_path: Path) -> None:
    list(play(ARENA, tmp_path / "pool", on="pool"))
    assert contents(tmp_path / "pool") == contents(here)


@pytest.mark.filterwarnings("ignore")
def test_ray_gives_the_same_bytes(here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    list(play(ARENA, tmp_path / "ray", on="ray"))
    assert contents(tmp_path / "ray") == contents(here)


def test_an_arena_that_was_stopped_goes_on_where_it_stopped(here: Path, tmp_path: Path) -> None:
    folder = tmp_path / "arena"
    next(play(ARENA, folder))
    [done] = folder.glob("*.parquet")
    written = done.stat().st_ino
    list(play(ARENA, folder))
    assert done.stat().st_ino == written  # once
    assert contents(folder) == contents(here)


def test_a_bot_that_crashes_forfeits_and_the_table_shows_how_often(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("for _ in range(2):\n    input()\n    print('ready x', flush=True)\n")  # and ends
    crashes = f"program:seconds=20,{sys.executable} {bot}"
    data = standings(Arena("bit-flip:bits=3", ("random", crashes), games=2))
    found = {(each["agent"], each["seat"]): each["forfeits"] for each in data["scores"]}
    assert found == {
        ("random", 1): 0,
        ("random", 2): 0,
        (crashes, 1): 2,
        (crashes, 2): found[crashes, 2],
    }
    assert f"| {crashes} | random " in results_text(data)
    assert "2 games | 2 " in results_text(data)
    rows = Job("bit-flip:bits=3", "random", crashes, 1, 0, 2, 0).play()  # in the other role
    assert [row.counts.result for row in rows] == ["opponent forfeit"] * 2


@pytest.mark.parametrize(
    "content", [b"{broken", b"\xff", b"3", b"[" * 100_000], ids=["cut", "bytes", "number", "deep"]
)
def test_damaged_settings_are_called_damaged(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "arena.json").write_bytes(content)
    with pytest.raises(ParseError, match=r"arena\.json is damaged"):
        next(play(ARENA, tmp_path))


@pytest.mark.parametrize(
    ("game", "kind"), [("bit-flip:bits=3", "exact"), ("mirror-match:digits=3", "sampled")]
)
def test_an_arena_that_plays_nothing_says_that_it_writes_nothing(
    game: str, kind: str, run: Run, tmp_path: Path
) -> None:
    done = run("arena", "random", "level:3", "--game", game, "--out", "folder", "--json", cwd=tmp_path)
    said = f"All results are {kind}; nothing was played, so no files were written.\n"
    assert (done.returncode, done.stderr) == (0, said)
    assert json.loads(done.stdout)
    assert not (tmp_path / "folder").exists()


BOT = """
for line in iter(input, "quit"):
    if line.startswith(("perfectplay", "game")):
        print("ready x", flush=True)
    if line == "go":
        print({answer!r}, flush=True)
"""


@pytest.mark.parametrize(
    ("game", "answer", "outcome", "like"),
    [
        ("bit-flip:bits=3", "move banana", "unreadable", "no answers"),
        ("bit-flip", "move 0", "illegal", None),  # the second time
        ("bit-flip:bits=3", "move '0'", "unreadable", "no answers"),  # a model may write this, a program not
        ("bit-flip:bits=3", "move x\u2028Move: 0", "unreadable", "no answers"),
        ("bit-flip:bits=3", "banana", "silent", "no answers"),
        ("mirror-match", "move banana", "invalid", None),
    ],
)
def test_a_bad_answer_of_a_program_is_counted_as_what_it_is(
    game: str, answer: str, outcome: str, like: str | None, tmp_path: Path
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(BOT.format(answer=answer), "utf-8")
    samples = Job(game, f"program:seconds=20,{sys.executable} -X utf8 {bot}", "random", 0, 0, 2, 0).play()
    [group] = report(Samples(samples)).groups
    assert {name for name, number in group.measures.counts.answers.items() if number} - {"legal"} == {outcome}
    if like is not None:
        assert plays_like(group.exact.plays_like) == like


@pytest.mark.parametrize("program", ["no-such-program", "false"])
def test_a_program_that_cannot_start_ends_the_arena_before_anything_is_played(
    program: str, tmp_path: Path
) -> None:
    players = ("mcts:simulations=3", "random", f"program:{program}")
    with pytest.raises(ProgramError, match=f'^the program "{program}" ') as caught:
        next(play(Arena("bit-flip:bits=3", players, games=1), tmp_path / "x" / "y"))
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "x").exists()
    with pytest.raises(ProgramError):  # on another machine, it is the job that finds out
        Job("bit-flip:bits=3", f"program:{program}", "random", 0, 0, 1, 0).play()


def test_a_bot_has_the_name_that_it_was_given(tmp_path: Path) -> None:
    players = ("level:3", "quick=mcts:simulations=2", "slow one=mcts:simulations=9")
    data = standings(replace(ARENA, players=players, games=2), tmp_path)
    assert {each["agent"] for each in data["scores"]} == {"level:3", "quick", "slow one"}
    assert {each["agent"] for each in data["strengths"]} == {"level:3", "quick", "slow one"}
    pairs = {(each["agent"], each["opponent"]) for each in report(read_samples([tmp_path])).as_dict()["rows"]}
    assert pairs == {("quick", "level:3"), ("slow one", "level:3"), ("quick", "slow one")}
    for bad, says in (
        ("me=level:3", "keeps its own name"),
        ("random=mcts", "is not a name"),
        ("=mcts", "is not a name"),
    ):
        with pytest.raises(ParseError, match=says):
            Arena("bit-flip", ("random", bad))
    with pytest.raises(ParseError, match="each named once"):
        Arena("bit-flip", ("a=mcts", "a=mcts:simulations=2"))


def test_a_folder_that_cannot_be_written_to_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ParseError, match="file is not a folder that can be written to"):
        next(play(ARENA, tmp_path / "file" / "arena"))


@pytest.mark.parametrize(
    ("spec", "holds"),
    [
        ("bit-flip", True),
        ("inversion-race:passing=leapfrog", True),
        ("race-to-the-center:positions=17", True),
        ("dual-direction", False),
    ],
)
def test_strengths_by_seat_fit_everywhere_but_in_dual_direction(spec: str, holds: bool) -> None:
    game = pp.load(spec)
    players = [known_player(name) for name in LADDER]
    table = [[expected_points(game, one, two, 0).value for two in players] for one in players]
    fit = fit_strengths(LADDER, table)
    assert fit.holds == holds
    assert fit.mean_error < 0.03


def test_an_arena_that_cannot_rate_says_so() -> None:
    data = standings(replace(ARENA, game="dual-direction", games=2))
    assert (data["model"]["holds"], data["strengths"]) == (False, [])
    assert "Nobody is rated" in results_text(data)


def test_intervals_cover_the_true_strength_in_about_19_of_20_runs() -> None:
    game = pp.load("bit-flip")
    players = [known_player(name) for name in LADDER]
    fit = fit_strengths(
        LADDER, [[expected_points(game, one, two, 0).value for two in players] for one in players]
    )
    true = fit.strengths["level:5"][0]
    chances = {name: expect_points(true, fit.strengths[name][1]) for name in ("level:2", "level:8")}
    rng = Random(0)
    for alike in (False, True):  # games with the same seed are independent, or end as alike as they can
        covered = 0
        for _ in range(200):
            luck = [rng.random() for _ in range(35)]
            games = {
                name: [
                    (seed, float((shared if alike else rng.random()) < chance))
                    for seed, shared in enumerate(luck)
                ]
                for name, chance in chances.items()
            }
            found = estimate_strength(fit, games, 0)
            assert found is not None
            assert found.interval is not None
            low, high = found.interval
            assert low < found.value < high
            covered += low <= true <= high
        assert 182 <= covered <= 199
    assert estimate_strength(fit, {}, 0) is None


@pytest.mark.parametrize("on", ["here", "pool"])
def test_players_meet_in_an_environment(on: str, run: Run, tmp_path: Path) -> None:
    spec, out = f"env:{ROOT / 'tests' / 'foreign' / 'envs' / 'sound.py'}", str(tmp_path / "arena")
    for _ in range(2):  # the second time, the games are read
        options = ("--game", spec, "--games", "2", "--on", on, "--workers", "1", "--out", out)
        done = run("arena", "perfect", "mcts:simulations=2", *options)
        assert done.returncode == 0, done.stderr
        assert "| mcts:simulations=2 | 1    |" in done.stdout


def test_each_game_of_an_arena_is_printed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    stdout, printed = StringIO(), []

    def results_so_far(*given: Any, **settings: Any) -> dict[str, Any]:
        printed.append(stdout.getvalue().count("Points in "))
        return results(*given, **settings)

    monkeypatch.setattr("perfectplay.terminal.commands.arena.results", results_so_far)
    words = ["arena", "random", "perfect", "--game", "bit-flip:bits=3", "--game", "dual-direction"]
    monkeypatch.setattr("sys.stdout", stdout)
    assert cli.main(words, standalone_mode=False) == 0
    assert printed == [0, 1]


def test_a_player_of_another_game_is_refused_before_anything_is_printed(run: Run, tmp_path: Path) -> None:
    policy = tmp_path / "mine.json"
    policy.write_bytes(find_shipped_file("bit-flip").read_bytes())
    refused = run("arena", f"learned:{policy}", "random", "--game", "bit-flip", "--game", "dual-direction")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == 'perfectplay: this policy was trained for "bit-flip", not for dual-direction\n'


def test_tables_of_an_arena_stay_tables_on_a_terminal() -> None:
    with Terminal("arena", "random", "perfect", "--game", "bit-flip:bits=3", columns=60) as terminal:
        lines = re.sub(r"\x1b\[[0-9;]*m", "", terminal.until_end()).splitlines()
    [row] = [line.split() for line in lines if "0.667" in line]
    assert row == ["perfect", "random", "2", "0.667", "computed", "-"]
