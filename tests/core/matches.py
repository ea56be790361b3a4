"""A match by its moves, and what an error says."""

from collections.abc import Callable
from typing import Any

import pytest

import perfectplay as pp


def played(spec: str, *moves: str, **settings: Any) -> pp.Match[Any]:
    """A match after these moves."""
    match = pp.Match(pp.load(spec), **settings)
    for move in moves:
        match.play(move)
    return match


def error_of(action: Callable[[], object]) -> str:
    """The message with which something is refused."""
    with pytest.raises(pp.PerfectplayError) as caught:
        action()
    return str(caught.value)
