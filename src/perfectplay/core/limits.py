"""How large what is read, played and solved may be. Front ends have limits of their own beside these."""

LARGEST_NUMBER = 10**18
"""Numbers in specs, records and samples stay below this limit: files have no room for much larger ones."""
LARGEST_PLAYED = 10_000
"""The largest number in a game that data names, and that is played or replayed."""
LARGEST_SOLVED = 10_000_000
"""The largest parameter of a game that is solved or audited. Beyond it, one position takes gigabytes."""
LONGEST_SPEC = 1_000
"""The most characters of a spec that data names."""
LONGEST_LINE, MOST_LINES = 10_000, 1_000_000
"""The most bytes of a line, and the most lines, of a file of records."""
LONGEST_POSITION = 200
"""Longer positions are left out of records: they would hide the moves, and a replay computes them anyway."""
LONGEST_START = 9_000
"""The most bytes of a start position, so that its line stays shorter than a file may have."""
MOST_SOLVED = 2_000_000
"""The default limit on the number of positions explored."""
MOST_EXPLORED = 10_000
"""A game with a theory is also explored, for distances, up to this many positions."""
MOST_SEARCHED = 2_000
"""How many moves `may_win` tries before it gives up. At a web table that takes well under 50 ms."""
MOST_PLACED = 200
"""The most plies of a game in which pieces are told apart by who placed them."""
MOST_WORK = {"simulations": 10_000, "depth": 6}
"""The largest numbers in a player that data names: beyond them, one move can take many minutes."""
