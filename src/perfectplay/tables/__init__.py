"""A game between two clients: its events, its clocks, and what clients are told of it."""
