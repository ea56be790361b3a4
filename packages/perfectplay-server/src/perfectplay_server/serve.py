"""Starting the server: its address, its database and its processes."""

import gc
import ipaddress
import logging
import os
import socket
import sys
import threading
import webbrowser
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import click
import uvicorn
from uvicorn.supervisors import Multiprocess

from perfectplay import saves
from perfectplay.core.errors import BadParameterError, PerfectplayError
from perfectplay.tables.limits import LONGEST_MESSAGE
from perfectplay_server.http.api import make_app
from perfectplay_server.http.middleware import HOST
from perfectplay_server.protocols import (
    HttpProtocol,
    SocketProtocol,
    allow_connections,
    most_connections,
)
from perfectplay_server.settings import ServerSettings
from perfectplay_server.storage.database import NO_DATABASE, sqlite_url
from perfectplay_server.storage.schema import DatabaseError
from perfectplay_server.storage.store import Store
from perfectplay_server.throttling import Seldom

try:
    import fcntl
except ImportError:  # not on Windows: there, nothing stops two servers from sharing a file
    fcntl = None  # type: ignore[assignment]

VARIABLE = "PERFECTPLAY_SERVE"
"""The environment variable that carries the settings to the server's processes."""
PATIENCE = 10
"""Seconds that clients have to disconnect when the server stops."""
PINGS = 20.0
"""Seconds between two pings of a socket, and to wait for each answer."""


def serve(
    settings: ServerSettings,
    *,
    host: str,
    port: int,
    data: Path | None,
    database: str | None,
    workers: int,
    open_page: bool,
) -> None:
    """Serve until stopped. Raises PerfectplayError, before anything is started, if that cannot work."""
    if data is not None and database is not None:
        raise PerfectplayError("--data and --database exclude each other: give one of them")
    if database is not None and not database.startswith("postgresql"):
        raise DatabaseError(NO_DATABASE)
    names = (*map(_host_name, settings.allowed_hosts), host.lower())
    folder = data or saves.home() / "web"
    url = database if database is not None else sqlite_url(folder)
    lock = None
    if database is None:
        folder.mkdir(parents=True, exist_ok=True)
        lock = _hold(folder)
    # Opened once before the server starts: errors are then one line, and migrations are done.
    store = Store(url)
    store.close()
    if workers > 1 and not store.shared:
        raise BadParameterError("workers", workers, "1, unless --database names a PostgreSQL database")
    allow_connections()
    # No address may use up all connections.
    share = most_connections() // 2
    settings = replace(
        settings,
        database=url,
        allowed_hosts=names,
        connections_per_address=min(settings.connections_per_address, share),
        sockets_per_address=min(settings.sockets_per_address, share),
    )
    listener = _listen(host, port)
    _announce(listener, host, open_page)
    config = uvicorn.Config(
        "perfectplay_server.serve:app_from_environment",
        factory=True,
        http=HttpProtocol,
        ws=SocketProtocol,
        workers=workers,
        log_level="warning",
        access_log=False,
        proxy_headers=False,  # the middleware reads them, and only with --behind-proxy
        server_header=False,
        ws_max_size=LONGEST_MESSAGE,
        ws_ping_interval=PINGS,
        ws_ping_timeout=PINGS,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=PATIENCE,
    )
    os.environ[VARIABLE] = settings.dumps()
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s", stream=sys.stderr)
    try:
        if workers > 1:
            Multiprocess(config, sockets=[listener]).run()
        else:
            uvicorn.Server(config).run(sockets=[listener])
    except KeyboardInterrupt:
        click.echo("Stopped.")
    finally:
        del os.environ[VARIABLE]
        if lock is not None:
            os.close(lock)


def app_from_environment() -> object:
    """The application, with the settings from the environment variable."""
    app = make_app(ServerSettings.loads(os.environ[VARIABLE]))
    for name in ("asyncio", "uvicorn.error", "perfectplay_server"):
        logging.getLogger(name).addFilter(Seldom())
    # Everything loaded by now stays; freezing it keeps garbage collection short while moves wait.
    gc.collect()
    gc.freeze()
    # A full collection takes 0.1 s with a thousand clients; maintenance decides when.
    gc.set_threshold(5000, 20, 1_000_000)
    return app


def _host_name(text: str) -> str:
    """A name from --allowed-host, as it appears in requests."""
    found = HOST.fullmatch(text.lower())
    if found is None or found["name"] != text.lower():
        raise BadParameterError("allowed-host", text, "a name such as games.example, without scheme and port")
    return found["name"]


def _hold(folder: Path) -> int | None:
    """Lock a folder for this process, until it ends."""
    if fcntl is None:
        return None
    descriptor = os.open(folder / ".serve.lock", os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise DatabaseError(f"another server is using {folder}; choose another folder with --data") from None
    return descriptor


def _listen(host: str, port: int) -> socket.socket:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(found[0], socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            # A client that accepts nothing for this long is gone.
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(2000 * PINGS))
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        listener.bind(found[4])
        listener.listen(1024)  # clients that come before the server is ready wait
    except OSError as error:
        reason = error.strerror or str(error)
        raise PerfectplayError(f"cannot listen on {host} port {port}: {reason}") from error
    listener.set_inheritable(True)
    return listener


def _own_address() -> str:
    """The address of this machine for other machines; links to tables begin with it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # a reserved address; nothing is sent
        return str(probe.getsockname()[0])
    return "127.0.0.1"


def _announce(listener: socket.socket, host: str, open_page: bool) -> None:
    address, port = listener.getsockname()[:2]
    loopback = ipaddress.ip_address(address).is_loopback
    if ipaddress.ip_address(address).is_unspecified:
        host = _own_address()
    shown = f"[{host}]" if ":" in host else host
    page = f"http://{shown}:{port}/"
    reach = (
        "Only this machine can reach it; --host 0.0.0.0 lets others in."
        if loopback
        else "Anyone who can reach this machine can use it."
    )
    click.echo(f"Serving at {page}\n{reach}\nCtrl-C stops it.")
    sys.stdout.flush()
    # Without a screen, a browser in this terminal would open.
    screen = sys.platform in ("darwin", "win32") or {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys()
    if open_page and loopback and screen and sys.stdout.isatty():
        threading.Timer(1.0, webbrowser.open, [page]).start()
