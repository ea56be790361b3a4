"""The full screen: the games in a terminal with a board, keys and a mouse. Needs the extra `tui`."""
