"""Builds the site and shows it on loopback: `PORT=9000 UNDER=games python -m tools.site.serve FOLDER`."""

import os
import re
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, NoReturn

from tools.site.__main__ import build

PORT = 8010
"""Next to that of `perfectplay serve`, so that both can run."""
HIGHEST_PORT = 65535
PATH = re.compile(r"/?((?!\.{1,2}(/|$))[\w.~-]+(/|$))*", re.ASCII)
"""Where the site may be shown: `.` and `..` would lead elsewhere, and addresses need no escapes."""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Requests are not listed."""


@contextmanager
def serve_folder(folder: Path, under: str = "", port: int = 0) -> Iterator[str]:
    """Serve a folder as a host of plain files does, without any header of its own; the site's address."""
    with TemporaryDirectory() as temporary:
        root, under = folder, under.strip("/")
        if under:
            root = Path(temporary)
            (root / under).parent.mkdir(parents=True, exist_ok=True)
            (root / under).symlink_to(folder.resolve(), target_is_directory=True)
            under += "/"
        with ThreadingHTTPServer(("127.0.0.1", port), partial(_Quiet, directory=str(root))) as server:
            thread = Thread(target=server.serve_forever, daemon=True)
            thread.start()
            try:
                yield f"http://127.0.0.1:{server.server_port}/{under}"
            finally:
                server.shutdown()
                thread.join()


def choices(given: Mapping[str, str]) -> tuple[str, int]:
    """The path and the port at which to show the site, from the variables UNDER and PORT.

    >>> choices({"UNDER": "games"})
    ('games', 8010)
    """
    under, port = given.get("UNDER", ""), given.get("PORT") or str(PORT)
    if not PATH.fullmatch(under):
        _refuse(f"UNDER={under}: must be a path such as games or some/path")
    if not re.fullmatch("[0-9]{1,5}", port) or int(port) > HIGHEST_PORT:
        _refuse(f"PORT={port}: must be a whole number from 0 to {HIGHEST_PORT}; 0 picks a free port")
    return under, int(port)


def main(folder: Path) -> None:
    """Build the site and show it until stopped. A port that is taken is noticed before anything is built."""
    under, port = choices(os.environ)
    with ExitStack() as stack:
        try:
            address = stack.enter_context(serve_folder(folder, under, port))
        except OSError as error:
            problem = f"cannot listen on 127.0.0.1 port {port}: {error.strerror}"
            _refuse(f"{problem}. To choose another port: make site-serve PORT=9000")
        build(folder)
        sys.stdout.write(f"{address} (Ctrl-C stops it)\n")
        sys.stdout.flush()
        while True:
            time.sleep(3600)


def _refuse(why: str) -> NoReturn:
    sys.stderr.write(f"{why}\n")
    sys.exit(2)


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]))
    except KeyboardInterrupt:
        sys.stdout.write("\n")
