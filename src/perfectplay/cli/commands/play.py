"""The command `play`."""

from pathlib import Path

import click

from perfectplay.cli.options import (
    Command,
    GameSpec,
    PlayerSpec,
    WholeNumber,
    board_option,
    console,
    line_option,
    seed_option,
)


@click.command(cls=Command)
@click.argument("game", type=GameSpec(), required=False)
@click.option("--p1", type=PlayerSpec(), default="human", show_default=True, help="The first player.")
@click.option("--p2", type=PlayerSpec(), default="human", show_default=True, help="The second player.")
@click.option(
    "--first", type=click.Choice(["1", "2", "random"]), help="The player who starts: p1, p2 or at random."
)
@click.option("--games", type=WholeNumber(1, 1000), default=1, help="Number of games in the series.")
@click.option("--no-alternate", is_flag=True, help="The same player starts every game of a series.")
@seed_option()
@board_option
@click.option(
    "--max-plies",
    type=WholeNumber(1, 10**9),
    help="Stop a game unfinished after this many moves (of either side).",
)
@click.option("--save", type=click.Path(path_type=Path), help="Save the game in this file.")
@click.option("--forgiving", is_flag=True, help="Ask again where an invalid move would forfeit the turn.")
@click.option("--table", metavar="URL", help="Join an online game by its link.")
@click.option("--name", help="Your name at a web table.")
@line_option
@click.pass_context
def play(
    ctx: click.Context,
    game: str | None,
    p1: str,
    p2: str,
    first: str | None,
    games: int,
    no_alternate: bool,
    seed: int | None,
    board: bool,
    max_plies: int | None,
    save: Path | None,
    forgiving: bool,
    table: str | None,
    name: str | None,
    line: bool,
) -> None:
    """Play a game.

    GAME is a name, a name with parameters, or a game file.

    \b
    perfectplay play bit-flip --p2 random
    perfectplay play inversion-race:passing=leapfrog,first=B
    perfectplay play ./tic_tac_toe.py
    perfectplay play --table http://HOST/join/TABLE/CODE --name Ann
    """
    from perfectplay.terminal.mode import full_screen

    fullscreen = full_screen(console(), line=line or board)
    if table is not None:
        for option in ctx.params:
            given = ctx.get_parameter_source(option) is not click.core.ParameterSource.DEFAULT
            if given and option not in ("table", "name", "board", "line", "debug"):
                raise click.UsageError(
                    "--table goes only with --name, --board and --line: the table has a game"
                )
        if fullscreen:
            from perfectplay.terminal.fullscreen.opening import show, table_screen

            return console().say(*show(table_screen(table, name or "")))
        from perfectplay.terminal.line.online import play_online

        return play_online(console(), table, name=name or "", show_board=board)
    if game is None:
        raise click.UsageError("Missing argument 'GAME'.")
    if name is not None:
        raise click.UsageError("--name goes with --table")
    from perfectplay.terminal.play import new_series, start

    new = new_series(
        game,
        players=(p1, p2),
        first=first,
        games=games,
        alternate=not no_alternate,
        seed=seed,
        max_plies=max_plies,
        forgiving=forgiving,
    )
    if fullscreen:
        from perfectplay.terminal.fullscreen.opening import play_screen, show
        from perfectplay.terminal.play import check_saved

        screen = play_screen(new, save)
        console().say(*show(screen))
        return check_saved(screen.session, save)
    start(console(), new, show_seed=seed is not None, show_board=board, save=save)
