"""Limits of the workbench in a tab; those of its tables are the server's."""

MOST_DRAWN = 400
"""The largest board that is drawn, in cells and in buttons."""
MOST_STEPS = 200
"""The most moves of a witness that are played on a board."""
MOST_PRINTED = 10_000
"""The most characters of what a file prints during one request that are shown."""
MOST_COMPARED = 10_000
"""A theory is compared with the values of a game that has at most this many positions."""
MOST_PAIRED = 20_000
"""The most positions of two games that are compared with each other."""
MOST_CHANGED = 20
"""The most positions whose value changed that are listed."""
