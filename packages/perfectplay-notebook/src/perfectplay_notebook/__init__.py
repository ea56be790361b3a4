"""A board to play on in a notebook."""

import perfectplay

__version__ = "0.1.0"

if perfectplay.__version__ != __version__:  # it uses modules that are not public
    raise ImportError(f"perfectplay-notebook {__version__} is not for perfectplay {perfectplay.__version__}")

from perfectplay_notebook.board import Board

__all__ = ["Board"]
