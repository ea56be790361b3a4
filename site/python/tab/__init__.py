"""The games in a browser tab: Python in a worker takes the place of the server. Standard library only."""
