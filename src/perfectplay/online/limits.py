"""The limits of the client of web tables: what is read and waited for at most."""

LARGEST_ANSWER = 20_000_000
"""The most bytes of an answer or a message that is read."""
LONGEST_WAIT = 5.0
"""The most seconds between two attempts to connect again."""
