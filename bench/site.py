"""The site from an empty browser profile: `python -m bench.site FOLDER`. Needs Chromium and `make site`."""

import gzip
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from threading import Thread
from time import perf_counter
from typing import Any

from playwright.sync_api import Browser, expect

from bench import BenchRow, report
from tests.web.browsers import Person, program, started

ROUNDS = 3
SECONDS = 6.0
"""From the first request to the computer's answer to the first move."""
MOST_BYTES = 7_500_000
"""Compressed, of everything that a first visit fetches, the editor of the workbench included."""
AGAIN = "/service-worker.js"
"""What browsers may ask for again, to see whether there is a new release."""


class Fetched:
    """What a host has sent, by path."""

    def __init__(self) -> None:
        self.times: Counter[str] = Counter()
        self.bytes: Counter[str] = Counter()

    @property
    def total(self) -> int:
        return sum(self.bytes.values())

    @property
    def repeated(self) -> list[str]:
        """The paths whose contents were sent more than once."""
        return sorted(path for path, times in self.times.items() if times > 1 and path != AGAIN)


@cache
def _pack(path: str) -> bytes:
    return gzip.compress(Path(path).read_bytes(), 9)


class _Host(SimpleHTTPRequestHandler):
    """A host of plain files that compresses them, as most do, and counts what it sends."""

    protocol_version = "HTTP/1.1"

    def __init__(self, fetched: Fetched, *args: Any, **settings: Any) -> None:
        self.fetched = fetched
        super().__init__(*args, **settings)

    def do_GET(self) -> None:
        file = Path(self.translate_path(self.path))
        if file.is_dir():
            file /= "index.html"
        if not file.is_file():
            self.send_error(404)
            return
        changed = self.date_time_string(int(file.stat().st_mtime))
        if self.headers.get("If-Modified-Since") == changed:
            self.send_response(304)
            self.end_headers()
            return
        body = _pack(str(file))
        path = self.path.partition("?")[0]
        self.fetched.times[path] += 1
        self.fetched.bytes[path] += len(body)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(file)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Last-Modified", changed)
        self.end_headers()
        with suppress(ConnectionError):  # the browser may have left the page
            self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Requests are counted, not listed."""


@contextmanager
def count_fetched(folder: Path) -> Iterator[tuple[str, Fetched]]:
    """Serve a site; its address, and what is fetched from it."""
    fetched = Fetched()
    handler = partial(_Host, fetched, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/", fetched
        finally:
            server.shutdown()


def first_visit(browser: Browser, address: str) -> Person:
    """Someone with an empty profile, who has made a move and got an answer."""
    visitor = Person(browser, address, "Ann", service_workers="allow", reduced_motion="no-preference")
    visitor.page.goto("app/index.html")
    visitor.page.locator('#hero-board [data-move="2"]').click()
    expect(visitor.listed()).to_have_count(2)
    return visitor


def keep_all(visitor: Person) -> None:
    """Wait until the service worker has everything that it needs offline."""
    visitor.page.evaluate("navigator.serviceWorker.ready.then(() => null)")


def rows(folder: Path) -> list[BenchRow]:
    """The time of a first visit, and what it fetches."""
    for file in folder.rglob("*"):
        if file.is_file():
            _pack(str(file))  # a host has its files compressed beforehand
    took = []
    with started() as browser:
        for _ in range(ROUNDS):
            with count_fetched(folder) as (address, fetched):
                start = perf_counter()
                visitor = first_visit(browser, address)
                took.append(perf_counter() - start)
                keep_all(visitor)
                visitor.context.close()
    middle, size = median(took), fetched.total
    times = ", ".join(f"{each:.1f} s" for each in sorted(took))
    most = fetched.bytes.most_common(1)[0]
    return [
        BenchRow(
            "site, empty profile to the first answer",
            f"{middle:.1f} s",
            f"at most {SECONDS:g} s",
            middle <= SECONDS,
            times,
        ),
        BenchRow(
            "site, bytes of a first visit, compressed",
            f"{size / 1e6:.2f} MB",
            f"at most {MOST_BYTES / 1e6:g} MB",
            size <= MOST_BYTES,
            f"{len(fetched.times)} files, {most[1] / 1e6:.2f} MB of them {most[0].rpartition('/')[2]}",
        ),
        BenchRow(
            "site, files fetched more than once",
            str(len(fetched.repeated)),
            "none",
            not fetched.repeated,
            " ".join(fetched.repeated),
        ),
    ]


def main() -> int:
    """Print the rows; 1 if a bound is missed."""
    folder = Path(sys.argv[1])
    if program() is None or not (folder / "service-worker.js").exists():
        sys.stdout.write("The site was not measured: that needs Chromium, and a site built by make site\n")
        return 0
    found = rows(folder)
    return report(found)


if __name__ == "__main__":
    sys.exit(main())
