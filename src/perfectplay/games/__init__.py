"""The games, each in a folder or a file of its own."""
