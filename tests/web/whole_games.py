"""Whole games, for tests of the server, the pages and the tab."""

LINES = {
    "bit-flip:bits=7": ("2", "0", "6", "4"),
    "dual-direction:positions=7": ("right", "left", "left", "left", "left"),
    "inversion-race:cells=7": ("left", "right", "right", "right", "left", "left", "left", "left", "left"),
    "mirror-match:digits=3": ("1 B", "1 E", "2 B", "2 E"),
    "race-to-the-center": ("1", "1", "2", "1", "1", "2", "1", "1"),
}
"""A whole game of each kind."""
