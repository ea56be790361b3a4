"""The limits of the terminal: what is read, kept, listed and waited for at most."""

SMALLEST_SCREEN = (40, 15)
"""The columns and lines that the full screen needs."""
LONGEST_INPUT = 2_000_000
"""Characters of a line that are kept."""
LONGEST_ECHO = 200
"""Characters of a piped line that are shown after its prompt."""
LONGEST_PREFERENCE = 200
"""Characters of a remembered choice."""
LONGEST_THOUGHT = 24 * 3600.0
"""Seconds for a move or an answer on the full screen, where a person can interrupt it sooner."""
MOST_SERIES_GAMES = 1000
"""Games of a series that is set up from a menu."""
MOST_COMPUTER_PLIES = 1000
"""Plies of a game between two computers by default: some games never end."""
MOST_DEMO_PLIES = 24
MOST_SMALL_BOARD_PLIES = 14
"""Plies of a game on a small board at home, before it starts again."""
MOST_SAVED_GAMES = 20
"""Open games, and finished games, in the list at home."""
MOST_TABLE_LINES = 6
"""Lines about a web table that stay on the full screen."""
MOST_JSON_MOVES = 1000
"""Moves of a position in JSON."""
MOST_PRINTED_MOVES = 40
"""Moves of a position in a printed table."""
MOST_EXPLAINED_MOVES = 4
"""Moves for which the full screen says what to type."""
MOST_TYPED_MOVES = 2000
"""Moves that are looked at to learn which letters begin one."""
