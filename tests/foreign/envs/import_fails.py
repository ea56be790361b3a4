"""Cannot be imported."""

from sound import Chess  # type: ignore[attr-defined]  # there is no such game

Env = Chess
