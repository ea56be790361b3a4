"""Starts a thread."""

from threading import Event, Thread
from typing import Any

from sound import Nim


class Env(Nim):
    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        Thread(target=Event().wait, args=(0.3,), daemon=True).start()
        return super().reset(seed=seed)
