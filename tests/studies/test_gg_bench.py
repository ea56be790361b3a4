"""The study of gg-bench, run on ten small environments of our own; and its page, checked against its data."""

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from studies.gg_bench import page
from studies.gg_bench.__main__ import main, run
from studies.gg_bench.agree import compare_checkers
from studies.gg_bench.graphs import draw_map, game_file, plies_of
from studies.gg_bench.replay import replay_all
from studies.gg_bench.rows import is_sound, read_lines, write_parquet
from studies.gg_bench.score import (
    PUBLISHED,
    Counts,
    difference,
    errors_at_least,
    find_deciding,
    mean,
    score,
    shares,
)
from studies.gg_bench.second import check
from tests.studies.small_copy import COUNTS, GAMES, write_copy

OWN = {"100", "30", "2", "15", "95", "10", "0", "1", "154"}
"""What the template itself says in figures: the protocol, or the number of a game."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_copy(tmp_path_factory.mktemp("gg-bench"))


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
    assert (rows[6]["whole"], rows[6]["ceiling"], rows[6]["random"]) == (False, None, None)
    assert (rows[1]["whole"], rows[1]["ceiling"]) == (True, 0.5)
    assert "legal-refused" in codes[7]
    assert "tie-perfect" in codes[8]
    assert {"endless-possible"} <= codes[9]
    assert codes[10] == {"construct-fails"}


def test_a_second_run_writes_the_same_bytes(copy: Path, concluded: Path, tmp_path: Path) -> None:
    folders = [arg for name in ("work", "out", "docs") for arg in (f"--{name}", str(tmp_path / name))]
    main([str(copy), *folders])
    for name, other in (("data", "out"), ("docs", "docs")):
        before = {path.name: path.read_bytes() for path in (concluded / name).iterdir()}
        assert before
        assert {path.name: path.read_bytes() for path in (tmp_path / other).iterdir()} == before


def test_a_command_that_fails_ends_the_study(tmp_path: Path) -> None:
    same = ["perfectplay", "compare", "bit-flip:bits=3", "bit-flip:bits=3"]
    assert "are the same game" in run(same, tmp_path, (0,))
    with pytest.raises(SystemExit, match="perfectplay compare failed with 2"):
        run([*same[:3], "nothing"], tmp_path, (0, 1, 3))


def test_both_checkers_agree_on_small_games(concluded: Path) -> None:
    about = json.loads((concluded / "data" / "about.json").read_text())
    agreement = about["agreement"]
    assert {name: each["apart"] for name, each in agreement.items() if each["apart"]} == {}
    assert {name: each["both"] for name, each in agreement.items() if each.get("both")} == {
        "several-starts": 1,
        "crash": 1,
        "dead-end": 1,
        "legal-refused": 1,
        "legal-punished": 1,
        "reward-before-end": 1,
        "turn-contradicted": 1,
        "one-winner": 1,
        "endless-possible": 1,
        "no-start": 1,
    }


def test_small_graphs_are_data_pictures_and_games(copy: Path, concluded: Path, tmp_path: Path) -> None:
    graphs = {row["game"]: row for row in read_lines(concluded / "data" / "graphs.jsonl")}
    assert list(graphs) == [1, 2, 3, 4, 7, 8]
    sound = json.loads((concluded / "data" / "sound.json").read_text())
    assert sound == {str(game): graphs[game]["digest"] for game in (1, 2)}
    assert graphs[1]["digest"] == graphs[2]["digest"] != graphs[3]["digest"]
    (tmp_path / "game.py").write_text(game_file(graphs[3]))
    env = copy / "gg_bench" / "data" / "envs" / "env_3.py"
    said = run(["perfectplay", "compare", "game.py", f"env:{env}", "--turns", "alternating"], tmp_path, (0,))
    assert "are the same game" in " ".join(said.split())
    # Who takes the last of 21 stones wins, and takes one to three: multiples of four are lost.
    assert (graphs[1]["values"][0], plies_of(graphs[1])[:5]) == ("1", [0, 1, 1, 1, 2])
    picture = ElementTree.fromstring(draw_map(graphs[1]))
    assert sum(each.tag.endswith("circle") for each in picture) == len(graphs[1]["sides"])
    page_of = page.game_pages(page.read_data(concluded / "data"))["1.md"]
    [packed] = re.findall(r"#file=([\w-]+)", page_of)
    unpacked = zlib.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), -15)
    assert unpacked.decode() == game_file(graphs[1])


def test_every_disagreement_needs_a_reason() -> None:
    agreed = {"games": 5, "agree": 4, "both": 1, "alone": []}
    assert page.list_disagreements({"crash": {**agreed, "agree": 5, "apart": []}}) == "They agree everywhere."
    key = next(iter(page.EXPLAINED)).split()
    assert page.EXPLAINED[" ".join(key)] in page.list_disagreements(
        {key[0]: {**agreed, "apart": [int(key[1])]}}
    )
    found = page.list_disagreements({"crash": {**agreed, "apart": [1000]}})
    assert found == "- `crash` in 1000: not explained yet"
    assert page.list_undecided([1000]) == "- 1000: not explained yet"
    assert page.list_undecided([]) == "None."
    assert "not explained yet" not in page.PAGE.read_text("utf-8")


def test_what_one_checker_misses_is_named_and_what_it_could_not_reach_is_counted() -> None:
    crash = {"code": "crash", "severity": "problem", "text": ""}
    known = {"starts": [], "whole": False, "positions": 3, "value": None}
    records = [
        {**known, "env": "env_1.py", "findings": []},
        {**known, "env": "env_2.py", "findings": [crash]},
    ]
    second: list[dict[str, Any]] = [
        {"env": "env_1.py", "whole": False, "codes": ["crash"]},
        {"env": "env_2.py", "whole": False, "codes": []},
    ]
    found = compare_checkers(records, second)["crash"]
    assert found == {"games": 1, "agree": 0, "apart": [1], "both": 0, "alone": [2]}


def test_witnesses_are_played_again_and_rows_become_parquet(concluded: Path, tmp_path: Path) -> None:
    replayed = json.loads((concluded / "data" / "about.json").read_text())["replayed"]
    rows = read_lines(concluded / "data" / "findings.jsonl")
    assert replayed == {"witnesses": sum(bool(row["witness"]) for row in rows), "failed": []}
    parquet = pytest.importorskip("pyarrow.parquet")
    write_parquet(concluded / "data", tmp_path)
    assert parquet.read_table(tmp_path / "findings.parquet").num_rows == len(rows)


def test_a_witness_that_cannot_be_played_is_named(copy: Path, tmp_path: Path) -> None:
    envs = copy / "gg_bench" / "data" / "envs"
    for game, code, moves in (
        (1, "forced-win", [0, 3]),
        (1, "crash", [0]),
        (1, "dead-end", [1]),
        (2, "plays-on", [0]),
    ):
        row = {"game": game, "code": code, "seed": 0, "witness": moves}
        for _ in range(2):  # it is played once
            found = replay_all([row], envs, tmp_path / "replayed.jsonl")
            assert found == {"witnesses": 1, "failed": [[game, code]]}
    assert len(read_lines(tmp_path / "replayed.jsonl")) == 4


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
    faulty: Counts = {3: {**COUNTS, "gpt_wins": 16, "agent_wins": 10, "agent_faults": 4, "total_games": 30}}
    assert shares(faulty, failures=False) == {3: pytest.approx(16 / 26)}
    assert shares(faulty, failures=True) == {3: pytest.approx(20 / 30)}
    assert errors_at_least(faulty, {3: {"ceiling": 0.5}}) == 5
    games: dict[int, dict[str, Any]] = {1: {"ceiling": 0.5}, 2: {"ceiling": 0.0}}
    assert errors_at_least(counts, games) == 5
    apart = difference({1: 0.5, 2: 0.7}, {1: 0.4, 2: 0.4}, [1, 2])
    assert apart.percent == 20.0
    assert apart.low < 0 < apart.high


def test_a_game_decides_if_two_models_are_told_apart_only_with_it_or_only_without_it() -> None:
    level, other = dict.fromkeys(range(10), 0.5), dict.fromkeys(range(10), 0.4)
    assert find_deciding(level, other) == []
    assert find_deciding(level, {**other, 3: 1.0}) == [3]
    assert find_deciding(level, {**level, **dict.fromkeys(range(4), 0.4)}) == [0, 1, 2, 3]


def test_a_command_on_the_page_tries_as_many_moves_as_the_study_did() -> None:
    data = page.read_data()
    deep = {row["game"] for row in data["games"] if row["limit"] == data["about"]["deepen"]}
    assert deep
    pages = page.game_pages(data)
    for game in (327, 526):
        assert game in deep
        said = [line for line in pages[f"{game}.md"].splitlines() if "perfectplay audit-env" in line]
        assert said
        assert all(f" --moves {data['about']['deepen']}`" in line for line in said)


def test_a_game_with_chance_in_its_moves_is_not_clean() -> None:
    row = {"scored": True, "problems": 0, "undecided": None, "sound": False, "ceiling": None, "random": None}
    rows = [{**row, "game": game} for game in (1, 2, 3)]
    counts = {"one": {game: {**COUNTS, "total_games": 30} for game in (1, 2, 3)}}
    assert score(counts, rows, [{"game": 2, "code": "random-step"}])["clean"] == [1, 3]


def test_a_problem_or_a_loop_keeps_a_game_out_of_the_sound_part() -> None:
    measures = {"ends": True, "random": [0.5, 0.5], "decisions_met": [3.0, 3.0]}
    record: dict[str, Any] = {"starts": [], "error": None, "findings": [], "measures": measures}
    assert is_sound(record)
    assert not is_sound({**record, "findings": [{"severity": "problem", "code": "crash"}]})
    assert not is_sound({**record, "findings": [{"severity": "warning", "code": "random-setup"}]})
    for name, worse in (("ends", False), ("random", [0.95, 0.05]), ("decisions_met", [2.0, 2.0])):
        assert not is_sound({**record, "measures": {**measures, name: worse}})


def test_every_number_on_the_page_is_from_the_data() -> None:
    data = page.read_data()
    template = page.TEMPLATE.read_text("utf-8")
    assert page.PAGE.read_text("utf-8") == page.write_page(data, template)
    own = set(
        re.findall(r"(?<![\w.])\d[\d,.]*\d|(?<![\w.{])\d(?!\w)", re.sub(r"[`(][^`)]*[`)]", "", template))
    )
    assert own == OWN
    for name, figure in page.draw_figures(data).items():
        assert (page.PAGE.parent / name).read_text("utf-8") == figure + "\n"
        assert ElementTree.fromstring(figure).tag == "{http://www.w3.org/2000/svg}svg"  # a file of its own


def test_the_committed_data_are_small_and_whole() -> None:
    data = page.read_data()
    assert sum(path.stat().st_size for path in page.DATA.iterdir()) < 5_000_000
    assert [row["game"] for row in data["games"]] == list(range(1, 1001))
    assert sum(row["scored"] for row in data["games"]) == 126
    published = {name: round(each["published"][0], 1) for name, each in data["scores"]["models"].items()}
    assert published == PUBLISHED
    cited = (page.DATA / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {data['about']['perfectplay']}\n" in cited


def test_one_winner_on_the_page_is_what_was_proved() -> None:
    data = page.read_data()
    row = {"game": 1, "seed": 0, "witness": [], "beside": None, "checklist": None, "text": ""}
    scored = [each for each in data["games"] if each["scored"]]
    found = [
        {**row, "game": scored[0]["game"], "code": "one-winner", "severity": "note"},
        {**row, "game": scored[1]["game"], "code": "one-winner", "severity": "problem"},
    ]
    assert page.numbers({**data, "findings": found})["scored_problem_one_winner"] == "1"


def test_orders_are_told_by_their_intervals() -> None:
    pairs = {
        kind: {
            "o1 - o3-mini": [2.0, 1.0, 3.0, 9],
            "o1 - gpt-4o": [1.0, low, 3.0, 9],
            "gpt-4o - o3-mini": [0.0, -1.0, 1.0, 9],
        }
        for kind, low in zip(page.KINDS, (-1.0, -1.0, -1.0, 0.5), strict=True)
    }
    assert page.list_orders({"pairs": pairs}).splitlines() == [
        "- In every column (1): o1 over o3-mini.",
        "- In some columns only (1): o1 and GPT-4o (sound part).",
        "- In no column (1): GPT-4o and o3-mini.",
    ]
