"""Spreads a collection over the machines of a Ray cluster."""

from collections.abc import Iterator, Sequence
from typing import Any

from perfectplay.core.errors import needs
from perfectplay.foreign.collection import Outcome, Runner, plain
from perfectplay.foreign.sandbox.client import AuditOptions

CHUNK = 50
"""How many environments a task audits, with a fork server of its own."""


def clustered(chunk: int = CHUNK) -> Runner:
    """Audits chunks of environments as tasks of Ray. Their files must be readable on every machine."""
    with needs("ray", "cluster"):
        import ray

    def run(names: Sequence[str], options: AuditOptions) -> Iterator[Outcome]:
        started = not ray.is_initialized()
        if started:
            ray.init(log_to_driver=False, include_dashboard=False, configure_logging=False)
        try:
            task: Any = ray.remote(_chunk)
            waiting = [
                task.remote(list(names[at : at + chunk]), options) for at in range(0, len(names), chunk)
            ]
            while waiting:
                ready, waiting = ray.wait(waiting)
                yield from ray.get(ready[0])
        finally:
            if started:
                ray.shutdown()

    return run


def _chunk(names: list[str], options: AuditOptions) -> list[Outcome]:
    return list(plain(names, options))
