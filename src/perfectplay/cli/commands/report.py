"""The command `report`."""

from pathlib import Path

import click

from perfectplay.cli.options import Command, console, json_option


@click.command(cls=Command)
@click.argument("logs", type=click.Path(path_type=Path), nargs=-1, required=True)
@json_option
@click.option("--html", type=click.Path(path_type=Path), help="Write a page with pictures to this file.")
@click.option("--parquet", type=click.Path(path_type=Path), help="Write the samples to this file.")
@click.option("--verify", is_flag=True, help="Play every raw answer again; exit with 1 if counts differ.")
@click.option(
    "--game",
    "files",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    multiple=True,
    help="A game file that the logs name and that may be run; may be repeated.",
)
@click.pass_context
def report(
    ctx: click.Context,
    logs: tuple[Path, ...],
    as_json: bool,
    html: Path | None,
    parquet: Path | None,
    verify: bool,
    files: tuple[Path, ...],
) -> None:
    """Print what was measured in LOGS.

    They are logs of Inspect, folders of an arena, or files of perfectplay mcp. What they hold is data: they
    start no program, and no game file but those you name with --game.

    \b
    perfectplay report logs
    perfectplay report logs --json
    perfectplay report logs --verify
    perfectplay report logs --html report.html --parquet samples.parquet
    """
    import json

    from perfectplay.evals.files import read_samples, save
    from perfectplay.evals.page import report_page
    from perfectplay.evals.report import report as report_on
    from perfectplay.evals.report import report_text
    from perfectplay.evals.verify import verify_samples
    from perfectplay.output import is_standard_output, write_whole

    trusted = [str(file.resolve()) for file in files]
    samples = read_samples(logs, trusted)
    if verify:
        samples = verify_samples(samples, trusted)
    found = report_on(samples)
    aside = as_json or any(path is not None and is_standard_output(path) for path in (html, parquet))
    if html is not None:
        write_whole(html, report_page(found))
        click.echo(f"The report is in {html}", err=aside)
    if parquet is not None:
        save(samples.samples, parquet, samples.missing and len(samples.samples) + samples.missing)
        click.echo(f"The samples are in {parquet}", err=aside)
    if as_json or (html is None and parquet is None):
        console().say(json.dumps(found.as_dict(), indent=2) if as_json else report_text(found))
    if samples.verification is not None and samples.verification.differences:
        ctx.exit(1)
