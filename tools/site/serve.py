"""Shows the built site on loopback, at the root or under a path: `python -m tools.site.serve FOLDER PATH`."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

PORT = 8010
"""Next to that of `perfectplay serve`, so that both can run."""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Requests are not listed."""


@contextmanager
def served(folder: Path, under: str = "", port: int = 0) -> Iterator[str]:
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


if __name__ == "__main__":
    with served(Path(sys.argv[1]), "/".join(sys.argv[2:]), PORT) as address:
        sys.stdout.write(f"{address} (Ctrl-C stops it)\n")
        sys.stdout.flush()
        try:
            while True:
                time.sleep(3600)
        except KeyboardInterrupt:
            sys.stdout.write("\n")
