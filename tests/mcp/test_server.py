"""Agents play as clients of MCP: in memory, and over standard input and output."""

import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import pytest
from click.testing import CliRunner
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.server.mcpserver import MCPServer

from perfectplay.cli import cli
from perfectplay.core.errors import ParseError
from perfectplay.evals.counts import SampleCounts
from perfectplay.evals.files import read_samples, save
from perfectplay.evals.report import report, report_text
from perfectplay.evals.samples import Sample, replay_sample
from perfectplay_mcp.server import GameServer
from perfectplay_mcp.tools import GameTools, Schedule
from tests.conftest import Run
from tests.evals.agents import LISTED, by_text, reference

TOOLS = ["games", "rules", "new_game", "look", "move", "resign"]
GAME = {"game": LISTED.game, "opponent": LISTED.opponent, "attempts": 2, "seed": 7, "moves": "listed"}


async def called(client: Client, tool: str, **arguments: Any) -> Any:
    found = await client.call_tool(tool, arguments)
    assert not found.is_error, found.content
    return found.structured_content


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    found = await client.call_tool(tool, arguments)
    assert found.is_error
    return str(found.content[0].text)


async def play_all(client: Client) -> None:
    """Twenty games, ten in each seat."""
    for number in range(10):
        for seat in (1, 2):
            shown = await called(client, "new_game", **GAME, seat=seat, number=number)
            while shown["question"] is not None:
                shown = await called(client, "move", table=shown["table"], answer=by_text(shown["question"]))


def counted(rows: list[Sample]) -> list[SampleCounts]:
    return [row.counts for row in rows]


def test_games_in_memory_are_counted_the_same() -> None:
    kept: list[list[Sample]] = []

    async def talk() -> None:
        async with Client(GameServer(GameTools(kept.append))) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == TOOLS
            await play_all(client)

    anyio.run(talk)
    assert counted(kept[-1]) == [play.counts for play in reference()]
    assert [row.texts for row in kept[-1]] == [tuple(play.texts) for play in reference()]
    assert [replay_sample(row) for row in kept[-1]] == kept[-1]


def test_games_over_stdio_are_counted_the_same_and_kept_in_a_file(tmp_path: Path) -> None:
    out = tmp_path / "games.parquet"
    words = ["-m", "perfectplay", "mcp", "--out", str(out), "--agent", "x"]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

    async def talk() -> None:
        async with Client(StdioServerParameters(command=sys.executable, args=words, env=env)) as client:
            await play_all(client)

    anyio.run(talk)
    rows = read_samples([out]).samples
    assert counted(rows) == [play.counts for play in reference()]
    assert {row.agent for row in rows} == {"x"}


def test_only_a_file_of_games_is_added_to(run: Run, tmp_path: Path) -> None:
    notes, games = tmp_path / "notes.txt", tmp_path / "games.parquet"
    notes.write_text("precious")
    refused = CliRunner().invoke(cli, ["mcp", "--out", str(notes)])
    assert isinstance(refused.exception, ParseError)
    assert str(refused.exception) == f"{notes} is damaged: it is not a Parquet file"
    assert notes.read_text() == "precious"
    kept: list[list[Sample]] = []
    tables = GameTools(kept.append, "first")
    tables.resign(str(tables.new_game("bit-flip")["table"]))
    save(kept[-1], games)
    assert [replay_sample(row) for row in kept[-1]] == kept[-1]  # a resignation, too
    assert run("mcp", "--out", str(games)).returncode == 0
    assert [row.agent for row in read_samples([games]).samples] == ["first"]


def test_a_second_server_with_the_same_file_is_refused(tmp_path: Path, run: Run) -> None:
    out = tmp_path / "games.parquet"
    words = ["-m", "perfectplay", "mcp", "--out", str(out)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

    async def talk() -> None:
        async with Client(StdioServerParameters(command=sys.executable, args=words, env=env)) as client:
            await called(client, "new_game", game="bit-flip")
            second = run("mcp", "--out", str(out))
            assert second.returncode == 2
            assert second.stderr == (
                f"perfectplay: another server writes {out}: give each a file of its own\n"
            )

    anyio.run(talk)
    assert run("mcp", "--out", str(out)).returncode == 0
    assert len(read_samples([out]).samples) == 1


def test_a_game_that_was_left_is_kept_as_an_error(tmp_path: Path, run: Run) -> None:
    kept: list[list[Sample]] = []
    tables = GameTools(kept.append)
    first = str(tables.new_game("bit-flip", seat=1)["table"])
    tables.new_game("bit-flip", seat=1)
    tables.move(first, "Move: 4")
    assert [(row.counts.result, row.counts.errors, row.texts) for row in kept[-1]] == [
        ("error", 1, ("Move: 4",)),
        ("error", 1, ()),
    ]
    assert tables.look(first)["result"] is None  # it can still go on


def test_a_measurement_is_played_once_in_order_and_every_game_is_recorded(tmp_path: Path, run: Run) -> None:
    out = tmp_path / "games.parquet"
    asked = ["--game", LISTED.game, "--opponent", LISTED.opponent, "--games", "10"]
    asked += ["--attempts", "2", "--moves", "listed", "--seed", "7", "--agent", "x", "--out", str(out)]
    words = ["-m", "perfectplay", "mcp", *asked]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

    async def talk(games: int, left: bool) -> None:
        async with Client(StdioServerParameters(command=sys.executable, args=words, env=env)) as client:
            tools = ["rules", "next_game", "look", "move", "resign"]
            assert [tool.name for tool in (await client.list_tools()).tools] == tools
            assert "there is no game yet" in await refused(client, "look")
            for _ in range(games):
                shown = await called(client, "next_game")
                while shown["question"] is not None:
                    assert "the game is not over" in await refused(client, "next_game")
                    shown = await called(client, "move", answer=by_text(shown["question"]))
            if left:
                await called(client, "next_game")
            else:
                assert "all 20 games have started" in await refused(client, "next_game")

    anyio.run(talk, 7, True)
    read = read_samples([out])
    assert (len(read.samples), read.missing, read.samples[-1].counts.result) == (8, 12, "error")
    assert "12 samples were never finished" in report_text(report(read))
    anyio.run(talk, 12, False)  # goes on, and does not repeat the game that was left
    read = read_samples([out])
    assert (len(read.samples), read.missing) == (20, 0)
    expected = [play.counts for play in reference()]
    found = counted(read.samples)
    assert found[:7] + found[8:] == expected[:7] + expected[8:]
    assert [(row.seat, row.number) for row in read.samples] == [(s, n) for n in range(10) for s in (1, 2)]
    for other in (["--out", str(out)], [*asked[:-2], "--seed", "8", "--out", str(out)]):
        done = run("mcp", *other)
        assert done.returncode == 2
        assert done.stderr == f"perfectplay: {out} has other games: give each measurement a file of its own\n"
    for bad, says in (
        (["--game", "bit-flip"], "--game needs --out"),
        (["--game", "bit-flip", "--oracle", "--out", "x.parquet"], "--game excludes --oracle"),
        (["--opponent", "perfect"], "--opponent needs --game"),
        (["--games", "3"], "--games needs --game"),
    ):
        done = run("mcp", *bad)
        assert done.returncode == 2
        assert says in done.stderr


def test_games_with_the_oracle_bear_another_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def play(tables: GameTools, **_: object) -> Any:
        return SimpleNamespace(run=lambda _: tables.resign(str(tables.new_game("bit-flip")["table"])))

    monkeypatch.setattr("perfectplay_mcp.server.GameServer", play)
    out = tmp_path / "games.parquet"
    for words in ([], ["--oracle"]):
        done = CliRunner().invoke(cli, ["mcp", "--out", str(out), *words])
        assert done.exit_code == 0
    assert [row.agent for row in read_samples([out]).samples] == ["client", "client, with the oracle"]


def test_unknown_arguments_are_refused() -> None:
    async def talk() -> None:
        for tables in (GameTools(), Schedule(LISTED, 1)):
            async with Client(GameServer(tables)) as client:
                text = await refused(client, "resign", tabel="1")
                assert text.startswith("tabel=1: no such parameter; resign takes")
        async with Client(GameServer(GameTools())) as client:
            text = await refused(client, "new_game", game="bit-flip", oponent="perfect")
            assert text.startswith("oponent=perfect: no such parameter; new_game takes game, ")
            assert text.endswith("(did you mean opponent?)")

    anyio.run(talk)


def test_the_library_alone_ignores_unknown_arguments_and_shows_pydantic() -> None:
    """Why `GameServer` calls tools itself. When this fails, look whether it still has to."""

    def double(number: int) -> int:
        """Twice a number."""
        return 2 * number

    async def talk() -> None:
        server = MCPServer("plain")
        server.add_tool(double)
        async with Client(server) as client:
            assert await called(client, "double", number=4, color="red") == {"result": 8}
            assert "pydantic" in await refused(client, "double", number="four")

    anyio.run(talk)


def test_a_client_names_no_opponent_that_thinks_for_long() -> None:
    for opponent in ("search:depth=8", "mcts", "program:cat"):
        with pytest.raises(ParseError, match="the opponent must be random, level:1 to level:10 or perfect"):
            GameTools().new_game("bit-flip:bits=100", opponent)


def test_nothing_is_played_again_where_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perfectplay_mcp.tools.replay_answers", pytest.fail)
    tables = GameTools()
    table = str(tables.new_game("bit-flip")["table"])
    assert tables.move(table, "Move: 4")["answer"] == "legal"


def test_what_a_client_may_not_do_is_refused_in_one_line() -> None:
    async def talk() -> None:
        async with Client(GameServer(GameTools())) as client:
            bad: list[tuple[dict[str, Any], str]] = [
                ({"game": "examples/tic_tac_toe.py"}, "a game file is not allowed here"),
                ({"game": "bit-flip:bits=101"}, "too large"),
                ({"game": "inversion-race:cells=5000"}, "too large"),
                ({"game": "race-to-the-center:steps=1-1000000"}, "too large"),
                ({"game": "bit-flip", "opponent": "program:cat"}, "the opponent must be"),
                ({"game": "bit-flip", "opponent": "mcts:simulations=1000000"}, "the opponent must be"),
                ({"game": "bit-flip", "opponent": "human"}, "the opponent must be"),
                ({"game": "bit-flip", "opponent": "model"}, "unknown player"),
                ({"game": "bit-flip", "seat": 3}, "seat=3: must be 1 or 2"),
                ({"game": "bit-flip", "disguise": "x"}, "disguise=x"),
                ({"game": "bit-flip", "number": -1}, "number=-1: must be"),
                ({"game": "chess"}, "unknown game"),
            ]
            for arguments, says in bad:
                text = await refused(client, "new_game", **arguments)
                assert says in text
                assert "\n" not in text
            assert await refused(client, "new_game") == "new_game needs game"
            assert await refused(client, "move") == "move needs table and answer"
            text = await refused(client, "new_game", game="bit-flip", seat="first")
            assert text.startswith("seat: input should be a valid integer")
            assert "\n" not in text
            assert "there is no game" in await refused(client, "look", table="77")
            assert "not allowed here" in await refused(client, "rules", game="/etc/x.py")
            await refused(client, "values", table="1")
            shown = await called(client, "new_game", game="bit-flip")
            table = shown["table"]
            assert await called(client, "look", table=table) == shown
            assert (await called(client, "resign", table=table))["result"] == "forfeit"
            assert "the game is over" in await refused(client, "resign", table=table)
            assert "the game is over" in await refused(client, "move", table=table, answer="Move: 1")

    anyio.run(talk)


def test_rules_games_and_values() -> None:
    async def talk() -> None:
        async with Client(GameServer(GameTools(), oracle=True)) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == [*TOOLS, "values"]
            games = (await called(client, "games"))["result"]
            assert "bit-flip" in [game["game"] for game in games]
            rules = (await called(client, "rules", game="bit-flip:bits=7"))["result"]
            assert "7 bits" in rules
            shown = await called(client, "new_game", game="bit-flip")
            values = (await called(client, "values", table=shown["table"]))["result"]
            assert {"move": "0", "value": "win in 5"} in values
            assert len(values) == 10

    anyio.run(talk)


def test_old_games_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perfectplay_mcp.tools.MOST_TABLES", 2)
    tables = GameTools()
    for _ in range(3):
        tables.new_game("bit-flip")
    with pytest.raises(ValueError, match='there is no game "1"'):
        tables.look("1")
    assert tables.look("3")["table"] == "3"


def test_a_host_starts_the_server_by_the_name_of_its_package() -> None:
    async def talk() -> None:
        async with Client(StdioServerParameters(command="perfectplay-mcp", args=["--oracle"])) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == [*TOOLS, "values"]

    anyio.run(talk)
