"""The command line. Only click is imported at the start; a command imports the rest when it is called."""

from perfectplay.cli.app import cli, main

__all__ = ["cli", "main"]
