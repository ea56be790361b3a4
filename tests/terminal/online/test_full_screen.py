"""A web table on the full screen."""

import pytest
from textual.widgets import Input

from perfectplay.online.client import read_link
from perfectplay.online.seat_tokens import keep_token
from perfectplay.terminal.fullscreen.screens.home import HomeScreen
from perfectplay.terminal.fullscreen.screens.online import OnlineScreen
from perfectplay.terminal.fullscreen.widgets.captions import Captions
from tests.terminal.fullscreen.screens import flowing, in_a_loop, seen
from tests.terminal.online.opponents import Opponent
from tests.web.servers import Server


@in_a_loop
async def test_a_game_with_offers_and_a_rematch(server: Server) -> None:
    ann = Opponent(server, "bit-flip:bits=5")
    async with seen(lambda app: OnlineScreen(ann.join, "Bob"), (80, 30)) as found:
        screen = found.screen
        await found.until(lambda: screen.is_ready)
        assert "Waiting for Ann" in found.text("status")
        assert "Make the last flip" in screen.query_one(Captions).longest  # there is room for the goal
        await found.press("3", "enter")
        assert ann.events("move") == []  # it is not Bob's turn
        ann.act("move", "0")
        await found.until(lambda: screen.asking.is_due)
        await found.type("1")
        assert "Bit 1 is next to bit 0" in found.text("message")
        await found.click(2)
        await found.until(lambda: screen.match.plies == 2)
        await found.press("u")
        await found.until(lambda: ann.events("offer"))
        ann.act("accept", "takeback")
        await found.until(lambda: screen.match.plies == 1)
        assert "accepted the takeback" in found.text("message")
        await found.type("3")
        await found.until(lambda: screen.match.result is not None)
        assert screen.match.result.winner == 1
        ann.act("offer", "rematch")
        await found.until(lambda: "offers a rematch" in found.text("message"))
        await found.press("y")
        await found.until(lambda: screen.remote.table.games == 2)
        assert "Bob (you) 1" in found.text("title")
        await found.press("x", "o", "x")  # another key says no: it is asked again
        assert found.screen.asking.confirming
        ann.act("offer", "abandon")
        await found.until(lambda: not screen.asking.confirming)  # the offer was said after the question
        await found.press("x")
        assert ann.events("resign") == []
        await found.press("x")
        await found.until(lambda: ann.events("resign"))
        await found.press("q")
    assert found.app.farewell[0].startswith("Your seat is kept.")


@in_a_loop
async def test_a_third_repetition_is_said_with_the_key_that_offers_to_end_it(server: Server) -> None:
    ann = Opponent(server, "dual-direction")
    async with seen(lambda app: OnlineScreen(ann.join, "Bob"), (80, 30)) as found:
        screen = found.screen
        for plies in (0, 2):
            await found.until(lambda: screen.is_ready)
            ann.act("move", "left")
            await found.until(lambda: screen.asking.is_due)
            assert "third time" not in found.text("message")
            await found.type("right")
            await found.until(lambda count=plies + 2: screen.match.plies == count)  # type: ignore[misc]
        said = "This position has come up for the third time. Press a to end the game unfinished."
        assert said in flowing(found.text("message"))
        await found.press("a")  # whether Ann agrees is the only question
        await found.until(lambda: ann.events("offer"))


@in_a_loop
async def test_a_computer_that_agrees_to_everything_is_offered_the_end_after_one_question(
    server: Server,
) -> None:
    ann = Opponent(server, "dual-direction", opponent="random")
    keep_token(read_link(ann.link), ann.person.token)
    async with seen(lambda app: OnlineScreen(ann.link), (80, 30)) as found:
        screen = found.screen
        await found.until(lambda: screen.is_ready and screen.asking.is_due)
        await found.press("a")
        assert "a again ends it" in found.text("message")
        assert ann.events("offer") == []
        await found.press("a")
        await found.until(lambda: screen.remote.table.status == "over")
        assert len(ann.events("offer")) == 1


@pytest.mark.parametrize("size", [(80, 24), (40, 24), (40, 15)])
@in_a_loop
async def test_what_was_said_last_is_in_view(server: Server, size: tuple[int, int]) -> None:
    ann = Opponent(server, "bit-flip:bits=7")
    async with seen(lambda app: OnlineScreen(ann.join, "Bob"), size) as found:
        screen = found.screen

        async def in_view(*texts: str) -> None:
            await found.until(lambda: all(text in found.shown for text in texts))

        await found.until(lambda: screen.is_ready)
        ann.act("move", "0")
        await found.until(lambda: screen.asking.is_due)
        await found.press("h")
        await in_view("h does nothing here; ? shows the keys.")
        await found.type("9")
        await in_view('"9" is not a move here.')
        await found.type("3")
        await found.until(lambda: screen.match.plies == 2)
        ann.act("offer", "abandon")
        await in_view("Ann offers to end the game", "y accepts, d declines.")
        ann.act("offer", "takeback")
        await in_view("Ann offers to take back the last move.", "y accepts, d declines.")
        await found.press("d")  # answers the last offer
        await in_view("Bob (you) declined the")
        await found.press("pageup")
        ann.act("resign")
        await in_view(f"/t/{ann.table}/g/1" if size[0] == 80 else "The game with all its moves:")
        assert "Y O U   W O N" in found.shown


@in_a_loop
async def test_a_line_that_costs_the_turn_is_asked_about(server: Server) -> None:
    ann = Opponent(server, "mirror-match")
    async with seen(lambda app: OnlineScreen(ann.join, "Bob")) as found:
        screen = found.screen
        await found.until(lambda: screen.is_ready)
        ann.act("move", "3 E")
        await found.until(lambda: screen.asking.is_due)
        await found.type("0")
        assert "Sending it costs you the turn" in found.shown
        ann.act("offer", "takeback")
        await found.until(lambda: "Ann offers" in found.shown)  # and nothing is asked any more
        await found.press("enter")
        await found.type("0")
        assert ann.events("forfeit") == []
        await found.press("enter")
        await found.until(lambda: [seat for seat, *_ in ann.events("forfeit")] == [1])


@in_a_loop
async def test_a_table_is_opened_from_home_by_its_link(server: Server) -> None:
    ann = Opponent(server, "bit-flip")
    async with seen(lambda app: HomeScreen(), (80, 30)) as found:
        await found.press("t")
        link, name = found.screen.query(Input)
        link.value, name.value = "nonsense", "Bob"
        await found.press("enter")
        assert found.text("problem").startswith("This is not the link of a table, as in http://")
        link.value = f"{server.address}/join/{ann.table}/wrong"
        await found.press("enter")
        await found.until(lambda: isinstance(found.screen, HomeScreen))
        assert found.app.farewell == []  # said here, and not again on the shell
        await found.press("t")
        link, name = found.screen.query(Input)
        link.value, name.value = ann.join, "Bob"
        await found.press("enter")
        await found.until(lambda: isinstance(found.screen, OnlineScreen) and found.screen.is_ready)
        assert found.text("title").startswith("Bit Flip · ")
        assert found.text("title").endswith("web table")


@in_a_loop
async def test_clocks_run_in_the_title_and_a_claim_that_comes_too_early_is_refused(server: Server) -> None:
    ann = Opponent(server, "bit-flip:bits=5", clock={"per": "game", "seconds": 3600})
    async with seen(lambda app: OnlineScreen(ann.join, "Bob"), (100, 30)) as found:
        await found.until(lambda: "Bob (you) 1:00:00" in found.text("title"))
        await found.until(
            lambda: "Ann 59:5" in found.text("title")
        )  # it is her turn, and nothing was pressed
        await found.press("c")
        await found.until(lambda: "The clock decides at this table." in found.text("message"))
