"""How many moves of an environment are tried, and how much of what it says and draws is read and kept."""

MOVES = 30_000
"""How many moves of an environment are tried by default."""
MOST_MOVES = 10**8
MOST_STARTS = 1000
"""The largest numbers that options may ask for: moves to try, and starts of an environment."""
LARGEST_SOURCE = 4 << 20
"""How many bytes of an environment and the modules beside it are searched for the names of others."""
MOST_LISTED = 100_000
"""A larger action space is not listed: its moves are numbered as they are met."""

SMALLEST_MESSAGE, BYTES_PER_MOVE = 16 << 20, 64
"""How long a message may be: pictures and findings of any game, and the moves that may be tried."""
BYTES_PER_PART = 40
"""How many bytes there must be for each list and object: `[]` takes far more memory than it is long."""
MOST_BYTES = 1 << 30
"""How much a job may say in all."""
LONGEST_TEXT, LONGEST_WITNESS, DEEPEST_MOVE, MOST_NOTICED = 5_000, 20_000, 8, 100

WIDEST_PICTURE, TALLEST_PICTURE = 120, 40
"""The most characters of a line, and the most lines, that are kept of a picture."""
LARGEST_PICTURES = 12 << 20
"""The most bytes of all pictures of a game together, as they are sent, with more for what looks like a list:
a message may not have more. Positions beyond that have none."""
LONGEST_RULES = 20_000
LONGEST_ERROR = 200
"""The most characters of an error that are shown."""
LONGEST_SHOWN = 60
"""Longer witnesses are not shown move by move on the pages."""
