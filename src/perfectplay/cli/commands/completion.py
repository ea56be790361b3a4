"""The command `completion`."""

import click
from click.shell_completion import get_completion_class

from perfectplay.cli.options import Command


@click.command(cls=Command)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script for SHELL.

    The shell must evaluate it when it starts:

    \b
    bash:  eval "$(perfectplay completion bash)"
    zsh:   eval "$(perfectplay completion zsh)"
    fish:  perfectplay completion fish | source
    """
    kind = get_completion_class(shell)
    assert kind is not None  # the three shells above are click's own
    click.echo(kind(ctx.find_root().command, {}, "perfectplay", "_PERFECTPLAY_COMPLETE").source())
