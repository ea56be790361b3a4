"""Tokens: who gets one, which are accepted, and what is stored of them."""

from pathlib import Path

import pytest

from tests.web.servers import Person, TestClient, WebSocketDenialResponse, client, code_of


def test_a_token_is_handed_out_once_and_never_stored(server: TestClient, tmp_path: Path) -> None:
    answer = server.post("/api/tables", json={"game": "bit-flip", "seat": 1})
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Path=/" in cookie
    assert "Secure" not in cookie
    assert "token" not in answer.json()
    token = server.cookies["perfectplay"]
    table = answer.json()["table"]["id"]
    assert server.get(f"/api/tables/{table}").json()["seat"] == 1
    assert "set-cookie" not in server.post("/api/tables", json={"game": "bit-flip"}).headers
    server.cookies.clear()
    assert server.get(f"/api/tables/{table}").json()["seat"] is None
    told = server.post("/api/tables", json={"game": "bit-flip"}, headers={"X-Client": "1"}).json()["token"]
    assert len(told) >= 32
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert token.encode() not in kept
    assert told.encode() not in kept


@pytest.mark.parametrize(
    "header", ["Basic abc", "Bearer short", "Bearer " + "x" * 200, "Bearer " + "é" * 40, ""]
)
def test_a_token_that_is_none_is_refused(server: TestClient, header: str) -> None:
    answer = server.post(
        "/api/tables", json={"game": "bit-flip"}, headers={b"Authorization": header.encode("latin-1")}
    )
    assert code_of(answer) == (400, "token")


def forged(token: str) -> list[str]:
    """Tokens that a client has made up, with what it knows of one that was issued."""
    last = "A" if token[-2] != "A" else "B"
    return ["x" * 43, "x" * 86, token[:43], f"{token[:-2]}{last}{token[-1]}", f"{token}A"]


def test_only_a_token_that_was_issued_is_taken(server: TestClient) -> None:
    issued = server.post("/api/tokens")
    assert issued.status_code == 201
    assert "set-cookie" not in issued.headers
    token = issued.json()["token"]
    ann = Person(server, token)
    table = ann.make()["table"]["id"]
    assert ann.table(table)["seat"] == 0
    for made_up in forged(token):
        answer = Person(server, made_up).post("/api/tables", {"game": "bit-flip"})
        assert code_of(answer) == (400, "token")
        with pytest.raises(WebSocketDenialResponse) as denied, Person(server, made_up).socket(table):
            pass
        assert (denied.value.status_code, denied.value.json()["error"]) == (400, "token")


def test_a_cookie_that_was_not_issued_is_replaced(server: TestClient) -> None:
    token = server.post("/api/tokens").json()["token"]
    for made_up in ("x", "a b", *forged(token)):
        cookie = {"Cookie": f"perfectplay={made_up}"}
        answer = server.post("/api/tables", json={"game": "bit-flip", "seat": 0}, headers=cookie)
        assert answer.status_code == 201
        table = answer.json()["table"]["id"]
        server.cookies.clear()
        assert server.get(f"/api/tables/{table}", headers=cookie).json()["seat"] is None
        given = {"Cookie": answer.headers["set-cookie"].split(";")[0]}
        assert given != cookie
        assert server.get(f"/api/tables/{table}", headers=given).json()["seat"] == 0
        # The one that was issued is kept.
        assert (
            "set-cookie" not in server.post("/api/tables", json={"game": "bit-flip"}, headers=given).headers
        )


def test_a_token_outlasts_the_server_but_is_for_no_other(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    with client(tmp_path / "a") as server:
        token = Person(server).token
    with client(tmp_path / "a") as server:
        assert Person(server, token).get("/api/seats").json() == {"tables": []}
    with client(tmp_path / "b") as server:
        assert code_of(Person(server, token).get("/api/seats")) == (400, "token")
