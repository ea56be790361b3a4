"""Golden playthroughs still play the same, and every game and reading has one."""

import pytest

import perfectplay as pp
from tools.environments import PAGE, page
from tools.golden import FOLDER, file_of, playthrough, specs


def test_every_game_and_reading_has_a_golden_file_and_no_file_is_left_over() -> None:
    assert {file_of(spec) for spec in specs()} == set(FOLDER.iterdir())


@pytest.mark.parametrize("spec", list(specs()))
def test_a_golden_game_plays_the_same(spec: str) -> None:
    text = file_of(spec).read_text()
    assert playthrough(spec) == text
    [record] = pp.read_records(text)
    assert f"{pp.Match.replay(record, pp.load(record.spec)).record()}\n" == text


def test_the_table_of_observations_actions_and_rewards_is_true() -> None:
    assert PAGE.read_text("utf-8") == page()
