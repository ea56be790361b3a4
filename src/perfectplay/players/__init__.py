"""Who can play: a module for each kind of player."""
