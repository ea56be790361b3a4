"""A module for each command, which holds a click command of the same name."""
