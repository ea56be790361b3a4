"""The command `replay-env`."""

import click

from perfectplay.cli.commands.audit_env import making_options
from perfectplay.cli.options import Command, console, seed_option


@click.command("replay-env", cls=Command)
@click.argument("what")
@click.option("--moves", default="", help="The moves to play: words, or a list in JSON.")
@seed_option(0)
@making_options
@click.option("--trust", is_flag=True, help="Run the environment even where the sandbox lacks a layer.")
@click.pass_context
def replay_env(
    ctx: click.Context,
    what: str,
    moves: str,
    seed: int,
    kwargs: dict[str, object],
    legal: str,
    mover: str,
    trust: bool,
) -> None:
    """Play moves in an environment, step by step.

    WHAT is named as for audit-env. The moves may be the witness of a finding.

    \b
    perfectplay replay-env ./env.py --moves "0 2 1" --seed 0
    """
    from perfectplay.foreign.adapter import MethodNames
    from perfectplay.foreign.sandbox.request import AuditOptions
    from perfectplay.terminal.audit_env import show_steps
    from perfectplay.terminal.fail_on import translate_errors

    options = AuditOptions(seed=seed, trust=trust, kwargs=kwargs, names=MethodNames(legal, mover))
    with translate_errors():
        code = show_steps(console(), what, moves, options)
    ctx.exit(code)
