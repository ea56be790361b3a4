"""`python -m perfectplay` is the command."""

from perfectplay.cli import main

main()
