"""The bounds of options: no command is asked for more than it could ever do."""

LARGEST_SEED = 10**18 - 1
MOST_SOLVED = 2_000_000
"""Positions explored by default: as in `core/limits.py`, which `--help` does not load."""
MOST_SAMPLED_GAMES = 10**6
"""Games of a pair of players, or of an agent in each seat."""
MOST_PLIES = 10**9
"""The limit of a game; those of measurements and datasets are at most `MOST_MEASURED_PLIES`."""
MOST_MEASURED_PLIES = 10**6
MOST_ATTEMPTS = 1000
"""Answers of an agent that may fail."""
MOST_SECONDS = 3600
"""Seconds for an answer of a bot."""
MOST_WORKERS = 256
"""Processes of a pool."""
MOST_PROCESSES = 64
"""Processes that share a search or a server."""
MOST_UPDATES = 10**6
"""Updates of a learner."""
