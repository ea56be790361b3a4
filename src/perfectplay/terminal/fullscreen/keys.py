"""The keys that screens share."""

from textual.binding import Binding

HINT = Binding("h", "coach('hint')", "Hint", tooltip="A good move")
COACH_KEYS = (
    HINT,
    Binding("w", "coach('why')", "Why", tooltip="The reason for it"),
    Binding("v", "coach('values')", "Values", tooltip="What every move is worth"),
)
