"""Games at a console, line by line: here, at a web table, and from a menu."""
