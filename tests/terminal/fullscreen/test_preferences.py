"""The config file holds before what was chosen last, and one that is wrong is named in one line."""

import json
from pathlib import Path

import pytest

from perfectplay.terminal.fullscreen.screens.home import HomeScreen
from perfectplay.terminal.preferences import THEMES, Preferences, config_file
from tests.conftest import Run
from tests.terminal.fullscreen.screens import in_a_loop, playing, seen


@pytest.fixture
def config(home: Path) -> Path:
    config_file().parent.mkdir(parents=True, exist_ok=True)
    return config_file()


def test_the_file_holds_before_what_was_chosen_last(config: Path, run: Run) -> None:
    assert Preferences.load() == Preferences()
    Preferences(opponent="level:2", theme="nord").save()
    config.write_text('level = 7\nmotion = "none"\n')
    found = Preferences.load()
    assert (found.opponent, found.theme, found.motion) == ("level:7", "nord", "none")
    lines = run("config").stdout.splitlines()
    assert lines[0] == f"# {config}"
    assert lines[1:4] == [
        'opponent = "level:7"  # the file',
        'theme = "nord"  # chosen last',
        'motion = "none"  # the file',
    ]
    assert json.loads(run("config", "--json").stdout)["opponent"] == "level:7"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("level = 11", "level must be a number from 1 to 10"),
        ("level = true", "level must be"),
        ('opponent = "nobody"', "unknown player"),
        ("opponent = 3", "opponent must be a player"),
        ('theme = "pink"', "theme must be"),
        ("line = 1", "line must be true or false"),
        ("keys = 3", "keys must be"),
        ("keys = {z = 1}", "keys must be"),
        ("color = 1", 'there is no setting "color"'),
        ('level = 3\nopponent = "random"', "opponent and level exclude each other"),
        ('keys = {z = "nokey"}', 'there is no key "nokey"'),
        ('keys = {"ctrl+nokey" = "u"}', 'there is no key "ctrl+nokey"'),
        ("rubbish", "config.toml"),
        ("\xff", "config.toml"),
    ],
)
def test_a_wrong_file_is_named_in_one_line(text: str, problem: str, config: Path, run: Run) -> None:
    config.write_bytes(text.encode("latin-1"))
    for command in (["config"], ["demo", "bit-flip"]):
        done = run(*command)
        assert done.returncode == 2
        assert problem in done.stderr
        assert str(config) in done.stderr
        assert done.stderr.count("\n") == 1


@in_a_loop
async def test_a_key_stands_for_another_and_themes_follow_one_another(config: Path) -> None:
    config.write_text('theme = "ansi-light"\n[keys]\nz = "u"\n"!" = "?"\nf2 = "escape"\n')
    async with playing("bit-flip:bits=5") as found:
        assert found.app.theme == "ansi-light"
        await found.type("2")
        assert found.screen.match.plies == 1
        await found.press("z")
        assert found.screen.match.plies == 0
        assert "Step back" not in found.shown
        await found.press("exclamation_mark")
        assert "Step back" in found.shown  # among all keys
        await found.press("f2")
        shown = []
        for _ in THEMES:
            await found.press("ctrl+t")
            shown.append(found.app.theme)
        assert sorted(shown) == sorted(THEMES)
    async with seen(lambda app: HomeScreen()) as found:
        await found.press("t", "z")  # typed into a field, it is itself
        assert found.screen.focused.value == "z"
