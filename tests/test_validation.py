"""What comes from elsewhere runs nothing: every way in which data can name a game or a player."""

import ast
import json
import re
import shlex
from collections.abc import Callable
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import pytest

import perfectplay as pp
from perfectplay import saves
from perfectplay.core.errors import PerfectplayError
from perfectplay.evals.files import read_samples, save
from perfectplay.evals.page import report_page
from perfectplay.evals.play import replay_answers
from perfectplay.evals.report import report, report_text
from perfectplay.evals.samples import Sample, game_sample, replay_sample
from perfectplay.evals.setup import Setup
from perfectplay.terminal.commands.show import replay
from perfectplay.terminal.commands.solve import show_analysis
from perfectplay.terminal.console import Console
from perfectplay.terminal.saved_games import describe, read_series
from perfectplay.validation import Trusted, validate_game, validate_player
from perfectplay_mcp.tools import GameTools
from tab.bridge import answer
from tests.conftest import ROOT
from tests.evals.agents import change
from tools import SOURCES


class Hostile(NamedTuple):
    """A game and a player that leave a file behind if anything runs them."""

    game: str
    opponent: str


GAME_FILE = """
from dataclasses import dataclass
from pathlib import Path
from perfectplay.games.bit_flip import BitFlip

Path({marker!r}).touch()

@dataclass(frozen=True)
class Evil(BitFlip):
    name = "evil"
"""


def row(game: str, opponent: str) -> Sample:
    played = game_sample(replay_answers(Setup("bit-flip", "level:3"), 0, 0, ["Move: 4"]), 0, "me")
    return change(played, game=game, opponent=opponent)


def log_of(folder: Path, metadata: dict[str, Any], store: dict[str, Any] | None = None) -> Path:
    """A log of Inspect with one sample that was never scored."""
    from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSample, EvalSpec, write_eval_log

    sample = EvalSample(id=1, epoch=1, input="", target="", metadata=metadata, store=store or {})
    dataset = EvalDataset(samples=1, sample_ids=[1])
    about = EvalSpec(
        created="2026-01-01T00:00:00+00:00",
        task="play",
        model="mockllm/model",
        dataset=dataset,
        config=EvalConfig(),
    )
    path = folder / "log.eval"
    write_eval_log(EvalLog(eval=about, samples=[sample]), str(path))
    return path


def read_log(folder: Path, hostile: Hostile, where: str) -> None:
    setup = {"game": hostile.game, "opponent": hostile.opponent}
    usual = {"game": "bit-flip", "opponent": "level:3"}
    metadata: dict[str, Any] = {"seat": 0, "number": 0, "setup": setup if where == "metadata" else usual}
    if where == "item":
        metadata["item"] = ["choose", hostile.game, "0000000000 1", "c"]
    store = {"perfectplay:answers": ["Move: 4"]} | ({"perfectplay:setup": setup} if where == "store" else {})
    samples = read_samples([log_of(folder, metadata, store)])
    [row] = samples.samples  # it stays in the denominator
    assert (row.counts.errors, "not allowed here" in str(row.problem)) == (1, True)
    data = report(samples)
    json.dumps(data.as_dict())
    report_text(data)
    report_page(data)


def score_log(folder: Path, hostile: Hostile) -> None:
    from inspect_ai import score
    from inspect_ai.log import read_eval_log

    from perfectplay.evals.inspect_tasks import exact

    setup = {"game": hostile.game, "opponent": hostile.opponent}
    log = read_eval_log(str(log_of(folder, {"seat": 0, "number": 0, "setup": setup})))
    score(log, exact(), action="overwrite", display="none")


def read_rows(folder: Path, hostile: Hostile) -> None:
    save([row(hostile.game, "level:3"), row("bit-flip", hostile.opponent)], folder / "rows.parquet")
    data = report(read_samples([folder]))
    report_text(data)
    report_page(data)


def play_again(folder: Path, hostile: Hostile) -> None:
    for each in (row(hostile.game, "level:3"), row("bit-flip", hostile.opponent)):
        assert "not allowed here" in str(replay_sample(change(each, replies=None)).problem)


def play_episode(folder: Path, hostile: Hostile) -> None:
    from perfectplay.evals.episode import Episode

    for columns in ({"game": hostile.game}, {"opponent": hostile.opponent}):
        with pytest.raises(PerfectplayError, match="not allowed here"):
            Episode().reset(**columns)


def call_tools(folder: Path, hostile: Hostile) -> None:
    from mcp import Client

    from perfectplay_mcp.server import GameServer

    async def talk() -> None:
        async with Client(GameServer(GameTools(), oracle=True)) as client:
            calls: list[tuple[str, dict[str, Any]]] = [
                ("rules", {"game": hostile.game}),
                ("new_game", {"game": hostile.game}),
                ("new_game", {"game": "bit-flip", "opponent": hostile.opponent}),
            ]
            for tool, arguments in calls:
                assert (await client.call_tool(tool, arguments)).is_error

    anyio.run(talk)


def record_of(hostile: Hostile) -> str:
    text = str(pp.Match(pp.load("bit-flip"), players=("human", "random")).record())
    return text.replace("game: bit-flip", f"game: {hostile.game}").replace(
        "p2: random", f"p2: {hostile.opponent}"
    )


GAME_REFUSED = "unknown game|there is no game called|has no puzzles"
PLAYER_REFUSED = "is not allowed here: it would run a program|must be level:1 to level:10"
LATE = {"tables.act": "this would be event 99"}
UNFINISHED = {
    **LATE,
    "study.played": "this game is still being played",
    "study.journal": "this game is still being played",
}


def ask_the_tab(folder: Path, hostile: Hostile) -> None:
    """Every request of the bridge that takes a game, a player, a table or a record."""
    made = {"table_id": "t", "seed": 1, "game": "bit-flip", "opponent": "random", "seat": 1}
    table = json.loads(answer(json.dumps({"id": 1, "ask": "tables.make", "with": made})))["answer"]["stored"]
    refused = None if hostile.game == "bit-flip" else GAME_REFUSED
    requests: list[tuple[str, dict[str, Any], str | None]] = [
        ("tables.make", {**made, "game": hostile.game}, refused),
        ("tables.make", {**made, "opponent": hostile.opponent}, PLAYER_REFUSED),
        ("tables.rules", {"name": hostile.game}, refused),
        ("tables.take_records", {"text": record_of(hostile)}, refused),
        ("study.board", {"game": hostile.game}, refused),
        ("study.audit", {"game": hostile.game}, refused),
        ("study.mistakes", {"game": hostile.game, "player": "random"}, refused),
        ("study.mistakes", {"game": "bit-flip", "player": hostile.opponent}, PLAYER_REFUSED),
        ("puzzles.attempt", {"date": "2026-01-01", "game": hostile.game, "moves": []}, refused),
        ("puzzles.answer", {"date": "2026-01-01", "game": hostile.game}, refused),
    ]
    # A table, why all of it is refused, and else what of it is.
    tables: list[tuple[dict[str, Any], str | None, dict[str, str]]] = [
        ({**table, "game": hostile.game}, refused, UNFINISHED),
        (
            {**table, "players": [hostile.opponent, None]},
            None,
            {**UNFINISHED, "tables.think": PLAYER_REFUSED},
        ),
        ({**table, "record": record_of(hostile)}, refused, LATE),
    ]
    for each, whole, parts in tables:
        asked: list[tuple[str, dict[str, Any]]] = [
            ("tables.show", {}),
            ("tables.act", {"number": 99, "kind": "move", "text": "4"}),
            ("tables.think", {}),
            ("tables.game", {"number": 1}),
            ("tables.position", {"number": 1, "ply": 0}),
            ("tables.record", {"number": 1}),
            ("study.played", {"number": 1, "ply": 0}),
            ("study.hint", {}),
            ("study.journal", {"number": 1, "day": "2026-01-01"}),
        ]
        requests += [(ask, {"table": each, **given}, whole or parts.get(ask)) for ask, given in asked]
    new = {"table_id": "n", "seed": 1, "number": 1, "ply": 0}
    requests.append(("tables.play_on", {**new, "table": table, "level": hostile.opponent}, PLAYER_REFUSED))
    for ask, given, problem in requests:
        reply = json.loads(answer(json.dumps({"id": 1, "ask": ask, "with": given})))
        if problem is None:
            assert "answer" in reply, (ask, reply)
        else:
            assert re.search(problem, reply["problem"]["text"]), (ask, reply)
    from tab import puzzles, study
    from tab import tables as played

    known = {
        f"{module}.{name}"
        for module, found in (("tables", played), ("study", study), ("puzzles", puzzles))
        for name in found.REQUESTS
    }
    assert known - {ask for ask, _, _ in requests} == {"tables.games", "tables.opponents", "puzzles.day"}


def read_record(folder: Path, hostile: Hostile) -> None:
    path = folder / "record.txt"
    path.write_text(f"{record_of(hostile)}\n")
    console = Console(StringIO(), StringIO())
    describe(path)
    for read in (
        lambda: replay(console, str(path), None, verify=True),
        lambda: read_series(path, trust=False),
        lambda: show_analysis(console, "bit-flip", path, limit=1000, as_json=False),
        lambda: saves.read(path),
    ):
        with suppress(PerfectplayError):
            read()


def make_environments(folder: Path, hostile: Hostile) -> None:
    import gymnasium

    import perfectplay.adapters.gymnasium  # noqa: F401

    with pytest.raises(PerfectplayError, match="not allowed here"):
        gymnasium.make("perfectplay/BitFlip-v0", opponent=hostile.opponent)


def ask_the_server(folder: Path, hostile: Hostile) -> None:
    from perfectplay.tables.validation import load_small_game, validate_opponent
    from perfectplay.workers.worker import choose
    from perfectplay_server.http.routes import playable_moves

    for ask in (
        lambda: load_small_game(hostile.game),
        lambda: validate_opponent(hostile.opponent, pp.load("bit-flip")),
        lambda: playable_moves(hostile.game, []),
        lambda: choose(pp.read_records(record_of(hostile))[0], "perfect"),
        lambda: choose(pp.Match(pp.load("bit-flip")).record(), hostile.opponent),
    ):
        with pytest.raises(PerfectplayError):
            ask()


ENTRIES: dict[str, Callable[[Path, Hostile], None]] = {
    "the metadata of a log": lambda folder, hostile: read_log(folder, hostile, "metadata"),
    "the store of a log": lambda folder, hostile: read_log(folder, hostile, "store"),
    "a question in a log": lambda folder, hostile: read_log(folder, hostile, "item"),
    "inspect score": score_log,
    "rows in a file": read_rows,
    "a row played again": play_again,
    "a column of a dataset": play_episode,
    "a tool of MCP": call_tools,
    "a request of the tab": ask_the_tab,
    "a record": read_record,
    "a setting of an environment": make_environments,
    "a request to the server": ask_the_server,
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("game", ["./game.py", "./game.py:bits=4", "env:./game.py"])
@pytest.mark.parametrize("entry", ENTRIES)
def test_nothing_that_data_names_is_run(
    entry: str, game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # a whole path may be too long for a spec
    marker = tmp_path / "was-run"
    (tmp_path / "game.py").write_text(GAME_FILE.format(marker=str(marker)))
    folder = tmp_path / "data"
    folder.mkdir()
    ENTRIES[entry](folder, Hostile(game, f"program:touch {shlex.quote(str(marker))}"))
    assert not marker.exists()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "entry",
    ["the metadata of a log", "the store of a log", "inspect score", "a request of the tab", "a record"],
)
def test_no_program_is_started_for_a_game_that_is_allowed(entry: str, tmp_path: Path) -> None:
    marker = tmp_path / "was-run"
    ENTRIES[entry](tmp_path, Hostile("bit-flip", f"program:touch {shlex.quote(str(marker))}"))
    assert not marker.exists()


def test_what_you_name_yourself_runs(tmp_path: Path) -> None:
    """The trap above works: both specs leave their file behind where they are allowed."""
    marker, file = tmp_path / "was-run", tmp_path / "game.py"
    file.write_text(GAME_FILE.format(marker=str(marker)))
    assert validate_game(str(file), trusted=Trusted([str(file)])).name == "evil"
    assert marker.exists()
    marker.unlink()
    with suppress(PerfectplayError):
        replay_answers(
            Setup("bit-flip", f"program:seconds=1,touch {shlex.quote(str(marker))}"), 0, 0, ["Move: 4"]
        )
    assert marker.exists()


TYPED = """
    __init__
    audit.case
    audit.readings
    audit.sweep
    evals.arena
    evals.inspect_tasks
    evals.setup
    games.examples
    perfectplay_mcp.serve
    perfectplay_mcp.tools
    perfectplay_notebook.board
    players.program.check
    simulate.arguments
    strength.crosstable
    tab.game_file
    tab.stored
    tables.validation
    terminal.commands.arena
    terminal.commands.audit
    terminal.commands.compare
    terminal.commands.show
    terminal.commands.solve
    terminal.commands.train
    terminal.contestants
    terminal.fullscreen.opening
    terminal.fullscreen.screens.home
    terminal.fullscreen.screens.set_up
    terminal.fullscreen.worker
    terminal.line.menu
    terminal.play
    terminal.preferences
    terminal.saved_games
    validation
"""
"""The modules that load whatever a spec names: someone has typed it, or it was admitted before."""


def test_only_known_modules_load_whatever_a_spec_names() -> None:
    """A new module that reads what comes from elsewhere uses `perfectplay.validation` instead."""
    games = {"load", "load_any", "load_bounded", "environment_tool"}
    loaders = games | {"load_player", "load_players", "load_computer"}
    found = set()
    homes = (SOURCES[0], *(source.parent for source in SOURCES[1:]), ROOT / "site" / "python")
    for source, path in ((each, path) for each in homes for path in each.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            registry = isinstance(node, ast.ImportFrom) and str(node.module).endswith(".registry")
            if registry and loaders & {each.name for each in node.names}:  # type: ignore[attr-defined]
                found.add(".".join(path.relative_to(source).with_suffix("").parts))
    assert sorted(found) == TYPED.split()


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        (None, "expected a spec"),
        ("bit-flip:bits=10001", "too large"),
        ("bit-flip" * 200, "at most 1,000 characters"),
        ("bit-flip\n", "one line"),
        ("chess", "unknown game"),
        ("env:x", "an environment is not allowed here"),
    ],
)
def test_a_game_is_refused_in_one_line(spec: object, says: str) -> None:
    with pytest.raises(PerfectplayError, match=says) as caught:
        validate_game(spec)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        (3, "expected a spec"),
        ("human", "not a computer player"),
        ("x", "unknown player"),
        ("learned:policy.json", "would read a file"),
        ("mcts:simulations=10001", "at most 10,000 here"),
        ("search:depth=7", "at most 6 here"),
    ],
)
def test_a_player_is_refused_in_one_line(spec: object, says: str) -> None:
    with pytest.raises(PerfectplayError, match=says):
        validate_player(spec)
