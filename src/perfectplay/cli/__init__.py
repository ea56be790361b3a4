"""The command line. Only click is imported at the start; each command imports what it needs."""

from perfectplay.cli.app import cli, main

__all__ = ["cli", "main"]
