"""Learners: episodes for trainers, and the example that learns."""

import inspect
import json
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from perfectplay.evals.episode import ASK as TOOL_ASK
from perfectplay.evals.episode import Episode
from perfectplay.evals.files import read_samples
from perfectplay.evals.play import ASK
from perfectplay.evals.report import report
from tests.conftest import ROOT
from tests.evals.agents import LISTED, by_text, reference


def probe(factory: Callable[[], Any]) -> tuple[Any, bool, list[Callable[..., str]]]:
    """What GRPOTrainer of TRL 1.16 looks for in what an `environment_factory` makes.

    These are its rules, written down again: TRL itself needs torch, which the tests do not install.
    """
    made = factory()
    members = dict(inspect.getmembers(type(made), inspect.isfunction))
    assert "reset" in members
    tools = [name for name in members if name not in ("reset", "get_reward") and not name.startswith("_")]
    return made, "get_reward" in members, [getattr(made, name) for name in tools]


def test_a_trainer_resets_offers_one_tool_and_asks_for_the_reward() -> None:
    episode, owns_reward, [move] = probe(Episode)
    assert owns_reward
    assert not inspect.iscoroutinefunction(episode.get_reward)
    # A row of the dataset goes to `reset` whole, and what it returns is added to the last message.
    row: dict[str, Any] = {
        "prompt": [{"role": "user", "content": "Play."}],
        "game": "bit-flip:bits=3",
        "opponent": "perfect",
    }
    for _ in range(2):  # made once, reset often
        assert "You are Player 1." in row["prompt"][-1]["content"] + episode.reset(**row)
        assert episode.get_reward() == 0
        assert move(move="1") == "The game is over: win."
        assert episode.get_reward() == 1


def test_the_tool_of_an_episode_describes_its_argument() -> None:
    episode = Episode()
    assert "move: The move" in (inspect.getdoc(episode.move) or "")
    assert inspect.signature(episode.move).parameters["move"].annotation is str
    assert inspect.signature(episode.move).return_annotation is str
    assert episode.get_reward() == 0.0
    assert isinstance(episode.reset(prompt="ignored", game="bit-flip"), str)
    with pytest.raises(ValueError, match="there is no game yet: reset begins one"):
        Episode().move("1")
    said = episode.reset(attempts=2)
    for text in (said, episode.move("99")):  # only calls of the tool count
        assert text.endswith("call the tool move with your move.")
        assert "Move:" not in text
    with pytest.raises(ValueError, match="seat=3: must be 1 or 2"):
        episode.reset(seat=3)


@pytest.mark.parametrize("luck_free", [True, False])
def test_episodes_are_counted_like_any_other_game(luck_free: bool) -> None:
    expected = reference(games=5)
    for place, play in enumerate(expected):
        episode = Episode(luck_free=luck_free)
        options = {
            "game": LISTED.game,
            "opponent": LISTED.opponent,
            "moves": "listed",
            "attempts": 2,
            "seed": 7,
        }
        episode.reset(**options, seat=place % 2 + 1, number=place // 2)  # type: ignore[arg-type]
        assert episode.play is not None
        for text in play.texts:  # the same texts as they came
            assert episode.play.question is not None
            assert text == by_text(episode.play.question.text.replace(TOOL_ASK, ASK))
            episode.play.answer(text)
        assert episode.play.counts == play.counts
        points, luck = play.counts.points, play.counts.luck
        assert points is not None
        assert luck is not None
        assert episode.get_reward() == (points - luck if luck_free else points)


def test_the_example_learns_and_is_measured_by_the_report(tmp_path: Path) -> None:
    spec = spec_from_file_location("train_tabular", ROOT / "examples" / "train_tabular.py")
    assert spec is not None
    assert spec.loader is not None
    example = module_from_spec(spec)
    spec.loader.exec_module(example)
    example.main(tmp_path)
    summary = {each["agent"]: each for each in report(read_samples([tmp_path])).as_dict()["summary"]}
    assert summary["trained"]["corrected"] > summary["untrained"]["corrected"] + 0.3
    assert summary["trained"]["answers"]["legal"] == sum(summary["trained"]["answers"].values())
    json.dumps(summary)
