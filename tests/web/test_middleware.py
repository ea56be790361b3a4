"""What every request passes through first: host, origin, proxy and policy."""

from pathlib import Path

import pytest

from perfectplay_server.http import middleware
from tests.web.servers import Person, TestClient, WebSocketDenialResponse, client, code_of


def test_pages_of_other_servers_may_not_act(server: TestClient) -> None:
    ann = Person(server)
    for origin in (
        "http://evil.test",
        "https://testserver",
        "http://testserver:81",
        "null",
        "http://testserver.evil.test",
    ):
        assert code_of(ann.post("/api/tables", {"game": "bit-flip"}, Origin=origin)) == (403, "origin")
    assert ann.post("/api/tables", {"game": "bit-flip"}, Origin="http://testserver").status_code == 201
    table = ann.make()["table"]["id"]
    for origin in ("http://evil.test", "null"):
        with (
            pytest.raises(WebSocketDenialResponse) as denied,
            server.websocket_connect(f"/api/tables/{table}/socket", headers={"Origin": origin}),
        ):
            pass
        assert denied.value.status_code == 403
    with server.websocket_connect(
        f"/api/tables/{table}/socket", headers={"Origin": "http://testserver"}
    ) as socket:
        assert socket.receive_json()["type"] == "table"


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST:80",
        "games.localhost",
        "127.0.0.1:8000",
        "192.0.2.7",
        "[::1]:8000",
        "games.example",
    ],
)
def test_a_server_goes_by_its_own_names(tmp_path: Path, host: str) -> None:
    for proxy in (False, True):
        (tmp_path / str(proxy)).mkdir()
        changes = {"allowed_hosts": ("games.example",), "behind_proxy": proxy}
        with client(tmp_path / str(proxy), **changes) as server:
            said = {"Host": host, "Origin": f"http://{host}"}
            assert server.get("/healthz", headers=said).status_code == 200
            answer = server.post("/api/tables", json={"game": "bit-flip"}, headers=said)
            assert answer.status_code == 201
            table = answer.json()["table"]["id"]
            with server.websocket_connect(f"/api/tables/{table}/socket", headers=said) as socket:
                assert socket.receive_json()["type"] == "table"


@pytest.mark.parametrize(
    ("host", "status", "text"),
    [
        ("evil.test", 403, "unknown host evil.test; allow it with --allowed-host evil.test"),
        ("games.example.evil.test", 403, None),
        ("127.0.0.1.evil.test:80", 403, None),
        ("localhost.evil.test", 403, None),
        ("evil.test@127.0.0.1", 400, "Host: must be a name or an address, with an optional port"),
        ("a b", 400, None),
        ("", 400, None),
    ],
)
def test_a_server_goes_by_no_other_name(tmp_path: Path, host: str, status: int, text: str | None) -> None:
    for proxy in (False, True):
        (tmp_path / str(proxy)).mkdir()
        changes = {"allowed_hosts": ("games.example",), "behind_proxy": proxy}
        with client(tmp_path / str(proxy), **changes) as server:
            said = {"Host": host, "Origin": f"http://{host}", "X-Forwarded-Host": "games.example"}
            for answer in (
                server.get("/", headers=said),
                server.get("/static/style.css", headers=said),
                server.post("/api/tables", json={"game": "bit-flip"}, headers=said),
            ):
                assert code_of(answer) == (status, "host")
                assert text in (None, answer.json()["text"])
                assert answer.headers["content-security-policy"] == middleware.POLICY
            with (
                pytest.raises(WebSocketDenialResponse) as denied,
                server.websocket_connect("/api/tables/none/socket", headers=said),
            ):
                pass
            assert (denied.value.status_code, denied.value.json()["error"]) == (status, "host")


def test_a_proxy_is_believed_only_when_there_is_one(tmp_path: Path) -> None:
    said = {
        "X-Forwarded-Proto": "https",
        "X-Forwarded-For": "6.6.6.6, 10.1.1.1",
        "Origin": "https://testserver",
    }
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    with client(tmp_path / "a") as server:
        answer = server.post("/api/tables", json={"game": "bit-flip"}, headers=said)
        assert code_of(answer) == (403, "origin")
    with client(tmp_path / "b", behind_proxy=True, tables_per_minute=1) as server:
        answer = server.post("/api/tables", json={"game": "bit-flip"}, headers=said)
        assert answer.status_code == 201
        assert "Secure" in answer.headers["set-cookie"]
        assert answer.headers["set-cookie"].startswith("__Host-perfectplay=")
        own = server.get("/api/seats", headers={**said, "Cookie": answer.headers["set-cookie"].split(";")[0]})
        assert len(own.json()["tables"]) == 1
        # What stands first came from the client itself and may be anything.
        said["X-Forwarded-For"] = "7.7.7.7, 10.1.1.1"
        assert code_of(server.post("/api/tables", json={"game": "bit-flip"}, headers=said)) == (429, "slow")
        said["X-Forwarded-For"] = "6.6.6.6, 10.1.1.2"
        assert server.post("/api/tables", json={"game": "bit-flip"}, headers=said).status_code == 201


def test_every_answer_carries_the_policy(server: TestClient) -> None:
    for path in ("/api/games", "/healthz", "/nothing", "/api/tables/none", "/static/nothing.js"):
        headers = server.get(path).headers
        assert headers["content-security-policy"] == middleware.POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    ("path", "said", "status"),
    [
        ("/api/tables/none/socket", {}, 404),
        ("/api/tables/none/socket", {"Origin": "http://evil.test"}, 403),
        ("/api/tables/none/socket", {"Authorization": "Bearer x"}, 400),
        ("/api/tables/none/socket?after=x", {}, 400),
        ("/nowhere", {}, 404),
        ("/static/style.css", {}, 404),
    ],
)
def test_a_denied_socket_carries_the_policy(
    server: TestClient, path: str, said: dict[str, str], status: int
) -> None:
    with (
        pytest.raises(WebSocketDenialResponse) as denied,
        server.websocket_connect(path, headers=said),
    ):
        pass
    assert denied.value.status_code == status
    assert denied.value.json()["text"]
    for name, value in middleware.SAFETY.items():
        assert denied.value.headers[name] == value
