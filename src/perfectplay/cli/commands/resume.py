"""The command `resume`."""

import click

from perfectplay.cli.options import Command, board_option, console, line_option


@click.command(cls=Command)
@click.argument("which", required=False)
@board_option
@click.option("--trust", is_flag=True, help="Allow a file from elsewhere to run its game file or program.")
@click.option("--forget", metavar="NUMBER", help="Remove this game from the list; its file is kept.")
@line_option
def resume(which: str | None, board: bool, trust: bool, forget: str | None, line: bool) -> None:
    """Continue a saved game.

    WHICH is its file, or its number in the list of open games.
    """
    from perfectplay.terminal.mode import full_screen
    from perfectplay.terminal.play import resume as go_on
    from perfectplay.terminal.saved_games import choose_game
    from perfectplay.terminal.saved_games import forget as take_off

    if forget is not None:
        if which is not None or board or trust:
            raise click.UsageError("--forget takes no other argument or option")
        return take_off(console(), forget)
    if full_screen(console(), line=line or board):
        from perfectplay.terminal.fullscreen.opening import resume_screen, show

        path = choose_game(console(), which)
        return None if path is None else console().say(*show(resume_screen(path, trust=trust)))
    go_on(console(), which, show_board=board, trust=trust)
