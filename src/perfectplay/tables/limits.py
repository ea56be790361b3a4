"""Fixed limits of what clients send, of clocks, tables and their boards, and of what is computed for them."""

import re
from typing import Any

from perfectplay.core.game import Game

TOKEN = re.compile("[A-Za-z0-9_-]{86}")
"""The secret that stands for a client: half of it is random, the rest is the server's signature."""
LONGEST_MESSAGE = 4096
"""Bytes of a message or request."""
LONGEST_MOVES = 65_536
"""Bytes of a request that carries the moves of a whole game."""
LONGEST_NAME = 40
LONGEST_TEXT = 100
LONGEST_TABLE_SPEC = 64
"""Characters."""
SHORTEST_MOVE, LONGEST_MOVE = 5, 7 * 86_400
SHORTEST_GAME, LONGEST_GAME = 15, 86_400
LONGEST_INCREMENT = 600
"""Bounds of clocks, in seconds."""
SHORTEST_AWAY, LONGEST_AWAY = 30, 14 * 86_400
"""Bounds of the seconds that a player may be away from a table without a clock."""
MOST_MISSED = 32
"""Events that a returning client gets one at a time; after more, it gets the whole table."""
MOST_GAMES = 1000
"""The most games at one table."""
MOST_EVENTS = 5000
"""Events at one table. After that, a game can only be ended."""
ALWAYS = ("resign", "time", "claim", "close")
"""What can happen after that."""
MOST_PLIES = 1000
"""The most plies in one game, which then stays unfinished: some games never have to end."""
MOST_CELLS = 200
"""The most cells on a board, at the start and, if it grows with the moves, at the end."""
MOST_POSITIONS = 200_000
"""Positions of the largest game that is solved."""
MOST_ILLUSTRATED = 60
"""Plies of a random game that are played to show a won game."""
MOST_MEMORY = 4 * 2**30
"""Bytes of memory that a worker may use."""
LONGEST_ANSWER = 2**23
"""Bytes of an answer of a worker."""
MOST_TEXTS = 1024
"""Positions whose JSON is kept: few positions come up at many tables."""


def most_plies(game: Game[Any]) -> int:
    """The most plies in a game, fewer if its board grows, so that it can always be drawn."""
    start = game.initial()
    actions = game.legal_actions(start)
    grown = cells(game, game.apply(start, actions[0])) - cells(game, start) if actions else 0
    return min(MOST_PLIES, MOST_CELLS // grown) if grown > 0 else MOST_PLIES


def cells(game: Game[Any], state: Any) -> int:
    """The number of cells in a position."""
    return sum(map(len, game.view(state).rows))
