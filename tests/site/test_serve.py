"""Showing the site on loopback: where it is, and what is said if that cannot be."""

from pathlib import Path

import pytest

from tools.site import serve
from tools.site.serve import choices, main, serve_folder


@pytest.mark.parametrize("under", ["", "/", "games", "/games/", "some/sub/path", "a.b/~c"])
def test_a_path_is_taken_with_slashes_around_it_or_without(under: str) -> None:
    assert choices({"UNDER": under, "PORT": "0"}) == (under, 0)


@pytest.mark.parametrize(
    "under", [".", "..", "../out", "a/../../b", "a//b", "a b", "a?b", "a#b", "a%20b", "ä", "a\n"]
)
def test_a_path_that_leads_elsewhere_is_refused(under: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        choices({"UNDER": under})
    assert raised.value.code == 2
    assert capsys.readouterr().err == f"UNDER={under}: must be a path such as games or some/path\n"


@pytest.mark.parametrize("port", ["x", "-1", "80.5", "65536", " 80", "٣", "9" * 5000])
def test_a_port_that_is_none_is_refused(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        choices({"PORT": port})
    assert raised.value.code == 2
    said = capsys.readouterr().err
    assert said == f"PORT={port}: must be a whole number from 0 to 65535; 0 picks a free port\n"


def test_a_taken_port_is_one_line_before_anything_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    built: list[Path] = []
    monkeypatch.setattr(serve, "build", built.append)
    with serve_folder(tmp_path) as address:
        port = address.rstrip("/").rpartition(":")[2]
        monkeypatch.setenv("PORT", port)
        with pytest.raises(SystemExit) as raised:
            main(tmp_path)
    assert raised.value.code == 2
    assert capsys.readouterr().err == (
        f"cannot listen on 127.0.0.1 port {port}: Address already in use."
        " To choose another port: make site-serve PORT=9000\n"
    )
    assert built == []
