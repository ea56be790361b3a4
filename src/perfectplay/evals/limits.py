"""The limits of evaluations: what is read, asked, drawn and followed at most."""

MOST_PROBLEM = 300
"""The most characters of a problem that is kept with a sample."""
MOST_TEXT = 100_000
"""The most characters of an answer that is read: a longer one counts as silent, in every host."""
MOST_QUESTIONS = 100_000
"""The most single questions of a task."""
MOST_ARROWS = 400
"""The largest number of positions drawn as a graph."""
DEPTH, MOST_NEAR = 6, 3_000
"""In games that are not visited whole, one position of each class of symmetry is visited, within `DEPTH`
plies and at most `MOST_NEAR` in all."""
MOST_FOLLOWED, MOST_DECIDING = 100_000, 1_000
"""Beyond this many plies, points and the shares of decisions that levels keep no longer change visibly;
to follow whatever limit a log names could take forever."""
MOST_NAMED = 20
"""How many differences from the raw answers are shown in words; the data has them all."""
MOST_OPEN = 40
"""A chart with more rows, as the suite has them by size, is folded away."""
SHORTEST_SEED, LONGEST_SEED = 32, 1_000
"""The characters that a file with a held-out seed may have. A short one could be guessed from its digest."""
MOST_NUMBERED = 10**9
"""The numbers that a client may give its games are smaller."""
