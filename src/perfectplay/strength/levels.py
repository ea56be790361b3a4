"""Which of the levels 1 to 10 an agent plays like, from its kept decisions corrected for guessing."""

from collections.abc import Mapping, Sequence

BELOW = "below random"
"""What an agent comes to that guesses better than it plays."""


def compare_levels(
    scale: Mapping[int, float], value: float, interval: tuple[float, float]
) -> tuple[int | str, int | str, int | str]:
    """What an agent with a corrected score plays like, and what the ends of its interval do.

    A score below 0 is below random, whatever the levels score. Levels may have the same score.
    """

    def nearest(score: float) -> list[int]:
        off = {level: abs(each - max(score, 0.0)) for level, each in scale.items()}
        return [level for level, each in off.items() if each - min(off.values()) < 1e-9]

    low, high = interval
    near = [*nearest(value), *nearest(high), *nearest(low)]
    return (
        BELOW if value < 0 else near[0],
        BELOW if low < 0 else min(near),
        BELOW if high < 0 else max(near),
    )


def plays_like(found: Sequence[int | str] | str | None) -> str:
    """What an agent plays like and its interval, in words."""
    if found is None or isinstance(found, str):
        return found or "-"
    like, low, high = found
    if like == BELOW:
        return BELOW if high == BELOW else f"{BELOW} (up to level {high})"
    return f"level {like} ({low} to {high})"
