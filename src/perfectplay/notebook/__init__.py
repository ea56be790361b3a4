"""A board to play on in a notebook. It needs the extra `notebook`."""

from perfectplay.notebook.board import Board

__all__ = ["Board"]
