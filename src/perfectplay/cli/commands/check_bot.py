"""The command `check-bot`."""

import click

from perfectplay.cli.options import Command, WholeNumber, console, games_option, seed_option


@click.command("check-bot", cls=Command)
@click.argument("command", nargs=-1, required=True)
@click.option("--seconds", type=WholeNumber(1, 3600), default=10, show_default=True, help="Time per answer.")
@seed_option(default=0)
@games_option
def check_bot(command: tuple[str, ...], seconds: int, seed: int, games: tuple[str, ...]) -> None:
    """Check that a program can play here.

    The program that COMMAND starts must speak the protocol of docs/bots.md.

    \b
    perfectplay check-bot "python3 bot.py"
    perfectplay check-bot "python3 bot.py" --game bit-flip --game mirror-match:digits=3
    """
    from perfectplay.foreign.environment_game import load_environment
    from perfectplay.players.program import check_program

    said = check_program(" ".join(command), seconds, seed=seed, games=games, environments=load_environment)
    console().say(*said)
