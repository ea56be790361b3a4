"""A table is made from the terminal, and its game is reviewed and counted."""

import re

import pytest

import perfectplay as pp
from perfectplay.online.client import read_link, read_server
from perfectplay.online.seat_tokens import make_table
from perfectplay.terminal import journal_file
from perfectplay.terminal.fullscreen.screens.online import OnlineScreen
from perfectplay.terminal.fullscreen.screens.review import ReviewScreen
from tests.conftest import Run
from tests.terminal.fullscreen.screens import flowing, in_a_loop, seen
from tests.terminal.online.opponents import Opponent
from tests.terminal.terminals import Terminal
from tests.web.servers import Server


def test_a_table_is_made_and_its_link_printed(server: Server) -> None:
    with Terminal("play", "bit-flip:bits=5", "--host", f"{server.address}/", "--name", "Ann") as terminal:
        terminal.expect(r"Send this link to your opponent:\s+(\S+)\r\n")
        found = re.search(r"opponent:\s+(http\S+)", terminal.output)
        assert found
        terminal.expect("The other seat is free.")
        link = read_link(found[1])
        bob = server.person()
        bob.post(f"/api/tables/{link.table}/join", {"code": link.code, "name": "Bob"})
        terminal.expect("Bob sits down")


@pytest.mark.parametrize(
    "host", ["rubbish", "ftp://localhost", "http://localhost:99999", "http://local host"]
)
def test_what_is_not_a_server_is_one_clear_line(host: str, run: Run) -> None:
    done = run("play", "bit-flip", "--host", host)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "https://HOST" in done.stderr
    with pytest.raises(pp.BadParameterError):
        read_server(host)


def test_a_server_that_refuses_the_game_is_quoted(server: Server, run: Run) -> None:
    done = run("play", "bit-flip:bits=5000", "--host", server.address)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


@in_a_loop
async def test_sentences_name_the_player_and_the_review_follows(server: Server) -> None:
    ann = Opponent(server, "bit-flip:bits=5")
    async with seen(lambda app: OnlineScreen(ann.join, "Bob"), (80, 30)) as found:
        screen = found.screen
        await found.until(lambda: screen.is_ready)
        await found.press("i")
        assert "The review comes after the game." in found.text("message")
        ann.act("move", "2")
        await found.until(lambda: screen.asking.is_due)
        assert "Ann: 2" in found.text("message")
        await found.type("0")
        await found.until(lambda: screen.match.plies == 2)
        assert "Bob (you): 0" in found.text("message")
        ann.act("move", "4")
        await found.until(lambda: screen.match.result is not None)
        await found.until(lambda: "i reviews the game" in flowing(found.text("status")))
        for half in ("You flipped", "Updated Bits", "Welcome"):
            assert half not in found.text("message")
        await found.press("i")
        assert isinstance(found.screen, ReviewScreen)
        await found.until(lambda: "Ann's accuracy" in flowing(found.text("message")))
        assert "You had no critical" in flowing(found.text("message"))
    [game] = journal_file.load().games
    assert (game.opponent, game.side, game.result) == ("human", 1, "lost")


@in_a_loop
async def test_only_keys_that_do_something_now_stand_at_the_foot_of_a_table(server: Server) -> None:
    ann = Opponent(server, "bit-flip:bits=5")

    def offered() -> set[str]:
        named = {"Take back", "Rematch", "Accept", "Decline", "Resign", "Claim", "Close table"}
        return named & {key.description for key in found.screen.keys}

    async with seen(lambda app: OnlineScreen(ann.join, "Bob"), (80, 30)) as found:
        await found.until(lambda: found.screen.is_ready)
        assert offered() == {"Take back", "Resign", "Claim", "Close table"}
        await found.press("y", "n")
        assert "The other player offers nothing." in found.text("message")
        assert "A rematch comes after the game." in found.text("message")
        await found.press("7", "7")
        assert found.text("message").count("It is not your turn yet.") == 1
        ann.act("offer", "abandon")
        await found.until(lambda: {"Accept", "Decline"} < offered())
        await found.press("y")
        await found.until(lambda: found.screen.remote.table.status == "over")
        await found.until(lambda: offered() == {"Rematch"})
    watched = Opponent(server, "bit-flip:bits=5")
    async with seen(lambda app: OnlineScreen(watched.link), (80, 30)) as found:
        await found.until(lambda: found.screen.is_ready)
        assert offered() == set()
        await found.press("n")
        assert "You are watching" in found.text("message")


@pytest.mark.parametrize("size", [(80, 24), (40, 15)])
@in_a_loop
async def test_the_whole_link_is_in_view_until_somebody_comes(server: Server, size: tuple[int, int]) -> None:
    made = make_table(server.address, "bit-flip", "Ann")
    async with seen(lambda app: OnlineScreen(made.link, "Ann", made), size) as found:
        await found.until(lambda: found.screen.is_ready)
        await found.until(lambda: made.invitation in "".join(found.shown.split()))
        assert "k copies it" in flowing(found.text("status"))
        await found.press("q")
        assert made.invitation in found.app.farewell[0]
