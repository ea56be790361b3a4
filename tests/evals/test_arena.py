"""The arena: computed where it can be, resumable, and the same wherever it is played."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

import perfectplay as pp
from perfectplay.core.errors import ParseError
from perfectplay.evals.arena import LADDER, Job, played, results, results_text, run
from perfectplay.evals.files import read_samples
from perfectplay.evals.report import report
from perfectplay.players.program import ProgramError
from perfectplay.strength.points import expected_points
from perfectplay.strength.rating import estimated, expected, fitted
from perfectplay.strength.reference import known_player

PLAYERS = ("random", "level:3", "mcts:simulations=3")
GAME, GAMES = "bit-flip:bits=6", 20


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("arena")
    done = list(run(GAME, PLAYERS, folder, games=GAMES))
    assert len(done) == 4  # against two known players, in two seats
    return folder


def test_a_finished_arena_plays_nothing_and_another_one_is_refused(here: Path) -> None:
    before = contents(here)
    assert list(run(GAME, PLAYERS, here, games=GAMES)) == []
    assert contents(here) == before
    with pytest.raises(ParseError, match="belongs to another arena"):
        list(run(GAME, PLAYERS, here, games=GAMES + 1))
    with pytest.raises(ParseError, match="at least two players"):
        list(run(GAME, ("random",), here / "x", games=1))


def test_known_pairs_are_computed_and_the_others_are_played(here: Path) -> None:
    data = results(here, GAME, PLAYERS, GAMES, 0)
    found = {(each["agent"], each["opponent"], each["seat"]): each for each in data["scores"]}
    exact = expected_points(pp.load(GAME), known_player("random"), known_player("level:3"), 0).value
    assert found["random", "level:3", 1]["points"] == pytest.approx(exact)
    assert found["random", "level:3", 1]["games"] is None
    one, two = found["mcts:simulations=3", "random", 1], found["random", "mcts:simulations=3", 2]
    assert one["games"] == two["games"] == GAMES
    assert one["points"] + two["points"] == pytest.approx(1)
    rows = report(read_samples([here])).as_dict()["rows"]
    assert [row["samples"] for row in rows] == [GAMES] * 4
    text = results_text(data)
    assert "computed" in text
    assert "20 games" in text
    strengths = {(each["agent"], each["seat"]): each for each in data["strengths"]}
    assert strengths["level:3", 1]["interval"] is None
    low, high = strengths["mcts:simulations=3", 1]["interval"]
    assert low < strengths["mcts:simulations=3", 1]["strength"] < high


def test_a_pool_gives_the_same_bytes(here: Path, tmp_path: Path) -> None:
    list(run(GAME, PLAYERS, tmp_path / "pool", games=GAMES, on="pool"))
    assert contents(tmp_path / "pool") == contents(here)


@pytest.mark.filterwarnings("ignore")
def test_ray_gives_the_same_bytes(here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    list(run(GAME, PLAYERS, tmp_path / "ray", games=GAMES, on="ray"))
    assert contents(tmp_path / "ray") == contents(here)


def test_an_arena_that_was_killed_goes_on_where_it_stopped(here: Path, tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    words = [*PLAYERS, "--game", GAME, "--games", str(GAMES), "--out", str(folder)]
    child = subprocess.Popen(
        [sys.executable, "-m", "perfectplay", "arena", *words], stdout=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 60
    while not list(folder.glob("*.parquet")) and time.monotonic() < deadline and child.poll() is None:
        time.sleep(0.005)
    child.send_signal(signal.SIGKILL)
    child.wait()
    done = {path.name for path in folder.glob("*.parquet")}
    assert done
    again = list(run(GAME, PLAYERS, folder, games=GAMES))
    assert not done & set(again)
    found = contents(folder)
    assert {name: data for name, data in found.items() if name.endswith((".parquet", ".json"))} == contents(
        here
    )


def test_a_bot_that_crashes_forfeits_and_the_table_shows_how_often(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("for _ in range(2):\n    input()\n    print('ready x', flush=True)\n")  # and ends
    crashes = f"program:seconds=20,{sys.executable} {bot}"
    players = ("random", crashes)
    list(run("bit-flip:bits=3", players, tmp_path / "arena", games=2))
    data = results(tmp_path / "arena", "bit-flip:bits=3", players, 2, 0)
    found = {(each["agent"], each["seat"]): each["forfeits"] for each in data["scores"]}
    assert found == {
        ("random", 1): 0,
        ("random", 2): 0,
        (crashes, 1): 2,
        (crashes, 2): found[crashes, 2],
    }
    assert f"| {crashes} | random " in results_text(data)
    assert "2 games | 2 " in results_text(data)
    rows = played(Job("bit-flip:bits=3", "random", crashes, 1, 0, 2, 0))  # in the other role
    assert [row.counts.result for row in rows] == ["opponent forfeit"] * 2


@pytest.mark.parametrize("program", ["no-such-program", "false"])
def test_a_program_that_cannot_start_ends_the_arena_before_anything_is_played(
    program: str, tmp_path: Path
) -> None:
    players = ("mcts:simulations=3", "random", f"program:{program}")
    with pytest.raises(ProgramError, match=f'^the program "{program}" ') as caught:
        next(run("bit-flip:bits=3", players, tmp_path / "x" / "y", games=1))
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "x").exists()
    with pytest.raises(ProgramError):  # on another machine, it is the job that finds out
        played(Job("bit-flip:bits=3", f"program:{program}", "random", 0, 0, 1, 0))


def test_a_bot_has_the_name_that_it_was_given(tmp_path: Path) -> None:
    players = ("level:3", "quick=mcts:simulations=2", "slow one=mcts:simulations=9")
    list(run(GAME, players, tmp_path, games=2))
    data = results(tmp_path, GAME, players, 2, 0)
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
            next(run(GAME, ("random", bad), tmp_path / "x", games=1))
    with pytest.raises(ParseError, match="each named once"):
        next(run(GAME, ("a=mcts", "a=mcts:simulations=2"), tmp_path / "x", games=1))


def test_a_folder_that_cannot_be_written_to_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ParseError, match="file is not a folder that can be written to"):
        next(run(GAME, PLAYERS, tmp_path / "file" / "arena", games=1))


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
    fit = fitted(LADDER, table)
    assert fit.holds == holds
    assert fit.mean_error < 0.03


def test_an_arena_that_cannot_rate_says_so(tmp_path: Path) -> None:
    list(run("dual-direction", PLAYERS, tmp_path, games=2))
    data = results(tmp_path, "dual-direction", PLAYERS, 2, 0)
    assert (data["model"]["holds"], data["strengths"]) == (False, [])
    assert "Nobody is rated" in results_text(data)


def test_intervals_cover_the_true_strength_in_about_19_of_20_runs() -> None:
    game = pp.load("bit-flip")
    players = [known_player(name) for name in LADDER]
    fit = fitted(LADDER, [[expected_points(game, one, two, 0).value for two in players] for one in players])
    true = fit.strengths["level:5"][0]
    chances = {name: expected(true, fit.strengths[name][1]) for name in ("level:2", "level:8")}
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
            found = estimated(fit, games, 0)
            assert found is not None
            low, high = found.interval
            assert low < found.value < high
            covered += low <= true <= high
        assert 182 <= covered <= 199
    assert estimated(fit, {}, 0) is None
