"""The games as tools of the Model Context Protocol."""

import perfectplay

__version__ = "0.1.0"

if perfectplay.__version__ != __version__:  # it uses modules that are not public
    raise ImportError(f"perfectplay-mcp {__version__} is not for perfectplay {perfectplay.__version__}")
