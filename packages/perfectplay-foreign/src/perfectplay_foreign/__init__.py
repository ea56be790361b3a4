"""Audits games and environments that others wrote. See docs/foreign.md.

Foreign code runs in a sandbox, and a table of numbers comes out. Everything after that works on the table.
"""

import perfectplay

__version__ = "0.1.0"

if perfectplay.__version__ != __version__:  # it uses modules that are not public
    raise ImportError(f"perfectplay-foreign {__version__} is not for perfectplay {perfectplay.__version__}")
