"""Tables on the web, for two players and any number of spectators. See docs/serving.md."""

import perfectplay

__version__ = "0.1.0"

if perfectplay.__version__ != __version__:  # it uses modules that are not public
    raise ImportError(f"perfectplay-server {__version__} is not for perfectplay {perfectplay.__version__}")
