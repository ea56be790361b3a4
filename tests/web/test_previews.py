"""Previews of links: their tags, and pictures of positions."""

import re
from html import unescape
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageColor

import perfectplay as pp
from perfectplay.render.colors import SIDES
from perfectplay.render.png import BOARD, HEIGHT, WIDTH, Picture, png
from perfectplay.tables.illustration import illustration
from perfectplay_server.http import previews
from tests.web.servers import Person, TestClient, client, code_of, two
from tools import icons


def tags(server: TestClient, path: str) -> dict[str, str]:
    """The Open Graph tags of a page."""
    found = re.findall(r'<meta property="og:([a-z:_]+)" content="([^"]*)">', server.get(path).text)
    return {name: unescape(value) for name, value in found}


def picture(server: TestClient, address: str) -> Image.Image:
    """The picture at an address, which must be on the server itself."""
    answer = server.get(address.removeprefix("http://testserver"))
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
    assert "max-age" in answer.headers["cache-control"]
    image = Image.open(BytesIO(answer.content))
    assert image.size == (WIDTH, HEIGHT)
    return image


def test_an_invitation_has_a_preview(server: TestClient) -> None:
    ann = Person(server)
    made = ann.make("race-to-the-center", name='Ann "<b>"')
    table = made["table"]["id"]
    found = tags(server, f"/join/{table}/{made['join']}")
    assert found["title"] == 'Ann "<b>" invites you to play Race to the Center'
    assert found["description"].startswith("Run towards the center")
    assert found["url"] == f"http://testserver/join/{table}/{made['join']}"
    assert found["image"] == f"http://testserver/picture/{table}/0/0.png"
    picture(server, found["image"])
    assert tags(server, "/join/nowhere/x") == tags(server, "/t/nowhere") == {}


def test_a_link_shows_the_position_at_the_time_when_it_is_pasted(server: TestClient) -> None:
    ann, _, table = two(server, "bit-flip:bits=3")
    start = tags(server, f"/t/{table}")
    assert (start["title"], start["description"]) == ("Bit Flip: Ann against Bob", "Start: Ann to move")
    ann.act(table, 3, "move", "0")
    later = tags(server, f"/t/{table}")
    assert later["description"] == "Move 1: Bob to move"
    assert later["image"].endswith(f"/picture/{table}/1/1.png")
    before, after = picture(server, start["image"]), picture(server, later["image"])
    assert before.tobytes() != after.tobytes()
    assert picture(server, start["image"]).tobytes() == before.tobytes()


def test_a_finished_game_has_a_picture_of_its_own(server: TestClient) -> None:
    ann, bob, table = two(server, "bit-flip:bits=3")
    ann.act(table, 3, "move", "0")
    bob.act(table, 4, "move", "2")
    found = tags(server, f"/t/{table}/g/1")
    assert found["description"] == "Bob won. Bob made the last flip, and no bit was left for Ann."
    assert found["image"].endswith("/1/2.png")
    assert tags(server, f"/t/{table}/g/2") == tags(server, f"/t/{table}/g/last") == {}
    ended = picture(server, found["image"])
    ann.act(table, 5, "offer", "rematch")
    bob.act(table, 6, "accept", "rematch")
    assert tags(server, f"/t/{table}")["image"].endswith("/2/0.png")
    assert picture(server, found["image"]).tobytes() == ended.tobytes()


def test_there_is_no_picture_of_what_was_not_played(server: TestClient) -> None:
    _, _, table = two(server)
    for path in (f"{table}/1/1", f"{table}/2/0", f"{table}/0/0", "nowhere/0/0", "nowhere/1/0"):
        assert code_of(server.get(f"/picture/{path}.png")) == (404, "missing")
    assert code_of(server.get(f"/picture/{table}/-1/0.png")) == (400, "bad")


def test_drawing_is_limited_and_what_was_drawn_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[Picture] = []

    def counted(wanted: Picture) -> bytes:
        drawn.append(wanted)
        return b"png"

    monkeypatch.setattr(previews, "png", counted)
    with client(tmp_path, pictures_per_minute=2) as server:
        ann, bob, table = two(server, "bit-flip:bits=9")
        ann.act(table, 3, "move", "0")
        bob.act(table, 4, "move", "2")
        address = f"/picture/{table}/1"
        for ply in (0, 0, 1):
            assert server.get(f"{address}/{ply}.png").content == b"png"
        assert len(drawn) == 2
        assert code_of(server.get(f"{address}/2.png")) == (429, "slow")
        assert server.get(f"{address}/0.png").status_code == 200  # kept
    monkeypatch.setattr(previews, "MOST_PICTURES", 1)
    with client(tmp_path) as server:
        for ply in (0, 1, 1, 0):
            assert server.get(f"{address}/{ply}.png").status_code == 200
    assert len(drawn) == 2 + 3


@pytest.mark.parametrize("name", pp.names())
def test_every_game_is_drawn_from_its_view(name: str) -> None:
    """Both sides' colors, and more than paper in the place of the board."""
    shown = illustration(pp.load(name))
    match: pp.Match[object] = pp.Match(pp.load(name))
    view = match.game.view(match.state)
    image = Image.open(BytesIO(png(Picture(view, (), match.game.title, "A line", ("Ann", "Bob")))))
    assert len(image.convert("RGB").crop(BOARD).getcolors(100_000) or ()) > (1 if view.cells else 0)
    colors = {color for _, color in image.convert("RGB").getcolors(1_000_000) or ()}
    assert {ImageColor.getrgb(color) for color, _ in SIDES} <= colors
    # The picture on the home page shows pieces, and is always the same.
    cells = [cell for row in shown["view"]["rows"] for cell in row]
    assert any(cell["pieces"] for cell in cells)
    assert shown == illustration(pp.load(name))


@pytest.mark.parametrize("spec", ["inversion-race:cells=200", "bit-flip:bits=200", "bit-flip:bits=1"])
def test_any_length_fits_into_a_picture(spec: str) -> None:
    game: pp.Game[object] = pp.load(spec)
    names = ("Ann", "x" * 40)
    image = Image.open(
        BytesIO(png(Picture(game.view(game.initial()), (), game.title, "y" * 300, names)))
    ).convert("RGB")
    ground = image.getpixel((30, HEIGHT // 2))
    for x in range(26, BOARD[0] - 14):
        assert image.getpixel((x, HEIGHT // 2)) == ground


def test_nobody_waits_behind_too_many_pictures(server: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, table = two(server)
    monkeypatch.setattr(previews, "MOST_PICTURES_WAITING", 0)
    assert code_of(server.get(f"/picture/{table}/1/0.png")) == (503, "busy")


def test_the_icons_are_those_that_the_tool_draws(tmp_path: Path) -> None:
    icons.write(tmp_path)
    for name, (size, _) in icons.ICONS.items():
        new, kept = Image.open(tmp_path / name), Image.open(icons.FOLDER / name)
        assert kept.size == (size, size)
        assert new.tobytes() == kept.tobytes()
