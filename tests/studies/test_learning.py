"""The page of the learning study says what its results say."""

import json
import sys
from pathlib import Path
from runpy import run_module
from statistics import median
from unittest.mock import Mock

import pytest

from studies.learning.__main__ import main
from studies.learning.cells import CELLS, Cell, train
from studies.learning.report import DEFAULTS, PAGE, RESULTS, band, compare, page, picture

FOUND = json.loads(RESULTS.read_text("utf-8"))


def test_the_page_and_the_pictures_are_made_from_the_results() -> None:
    text = PAGE.read_text("utf-8")
    assert page(text, FOUND) == text
    for game in DEFAULTS:
        assert PAGE.with_name(f"learning-{game}.svg").read_text("utf-8") == picture(game, FOUND)


def test_a_picture_says_over_which_positions() -> None:
    assert "over all positions" in picture("bit-flip", FOUND)
    assert "over positions within six plies of the start" in picture("mirror-match", FOUND)
    assert "over all positions" not in picture("mirror-match", FOUND)


@pytest.mark.parametrize("learner", ["ppo", "alphazero"])
def test_a_learner_keeps_nearly_everything_at_default_settings(learner: str) -> None:
    finals = {each["game"]: each["final"] for each in FOUND if each["learner"] == learner}
    assert all(median(finals[game]) >= 0.98 for game in DEFAULTS)


def test_a_rerun_of_three_seeds_lies_within_the_band() -> None:
    cell = Cell("q-learning", "race-to-the-center")
    assert cell in CELLS
    published = next(each for each in FOUND if (each["learner"], each["game"]) == cell)
    again = train(cell, 3)
    assert again["corrected"] == [row[:3] for row in published["corrected"]]
    low, high = band(published["final"])
    assert all(low <= each <= high for each in again["final"])


def test_a_cell_of_q_learning_continues_after_a_kill_with_the_next_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cell, checkpoint = Cell("q-learning", "race-to-the-center"), tmp_path / "cell.checkpoint"
    whole = train(cell, 2, updates=40)
    learn = sys.modules["train_q_learning"].learn
    again = Mock(side_effect=[*[learn] * 25, KeyboardInterrupt])
    monkeypatch.setattr("train_q_learning.learn", lambda *given: again()(*given))
    with pytest.raises(KeyboardInterrupt):
        train(cell, 2, checkpoint, updates=40)
    again.side_effect = [learn] * 20  # one seed alone
    assert train(cell, 2, checkpoint, updates=40) == whole
    again.side_effect = [learn] * 80  # other settings do not continue
    assert train(cell, 2, checkpoint, updates=20) == train(cell, 2, updates=20)


def test_a_rerun_is_compared_with_the_band(tmp_path: Path) -> None:
    low = min(next(each["final"] for each in FOUND if each["game"] == "mirror-match"))
    for learner, final in (("ppo", [low, 1.0]), ("alphazero", [0.5])):
        path = tmp_path / f"{Cell(learner, 'mirror-match').name}.json"
        path.write_text(json.dumps({"final": final}))
    assert list(compare(tmp_path, FOUND).values()) == [True, False]


CHEAPEST = ("--learner", "q-learning", "--game", "race-to-the-center", "--seeds", "1")


def test_the_command_fails_if_a_cell_fails_or_lies_outside(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    arguments = [str(tmp_path), *CHEAPEST, "--compare"]
    assert main([*arguments, "--settings", '{"updates": "many"}']) == 1
    assert capfd.readouterr().out == "q-learning race-to-the-center: failed with 1\n"
    assert main(arguments) == 0
    assert "within" in capfd.readouterr().out
    file = tmp_path / "q-learning-race-to-the-center.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"final": [0.5]}))
    assert main(arguments) == 1  # what is done is not done again
    assert "OUTSIDE" in capfd.readouterr().out


def test_ctrl_c_ends_the_command_without_a_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "q-learning-race-to-the-center.json").touch()  # done, so nothing is trained
    monkeypatch.setattr(sys, "argv", ["learning", str(tmp_path), *CHEAPEST, "--compare"])
    monkeypatch.setattr("studies.learning.report.compare", Mock(side_effect=KeyboardInterrupt))
    monkeypatch.delitem(sys.modules, "studies.learning.__main__")
    with pytest.raises(SystemExit) as ended:
        run_module("studies.learning", run_name="__main__")
    assert ended.value.code == 130


@pytest.mark.parametrize(
    "wrong",
    [
        ("--learner", "q"),
        ("--game", "chess"),
        ("--seeds", "0"),
        ("--processes", "0"),
        ("--settings", "{"),
        ("--settings", "[]"),
        ("--learner", "q-learning", "--game", "mirror-match"),
    ],
)
def test_rubbish_is_refused_in_one_line(
    wrong: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([str(tmp_path / "new"), *wrong])
    assert ended.value.code == 2
    assert "error: " in capsys.readouterr().err.splitlines()[-1]
    assert not (tmp_path / "new").exists()


def test_the_results_have_the_settings_of_the_study() -> None:
    for each in FOUND:
        asked = json.loads(json.dumps(Cell(each["learner"], each["game"]).settings))
        if "horizon" not in each["settings"]:  # which was not written at first
            asked.pop("horizon", None)
        assert asked.items() <= each["settings"].items(), each["game"]
