"""What was measured, printed: arenas, cross-tables, and reports on agents."""

from pathlib import Path
from typing import Literal

import click

from perfectplay.evals.arena import PLAYERS, Arena, play
from perfectplay.evals.files import read_samples, save, verify_samples
from perfectplay.evals.page import report_page
from perfectplay.evals.report import report, report_text
from perfectplay.evals.samples import Sample
from perfectplay.evals.standings import results, results_text
from perfectplay.evals.suite.leaderboard import leaderboard, leaderboard_page, leaderboard_text
from perfectplay.evals.suite.questions import read_seed_file
from perfectplay.games.registry import environment_tool, names
from perfectplay.output import is_standard_output, write_whole
from perfectplay.players.learned import LearnedPlayer
from perfectplay.strength.crosstable import OPPONENTS, cross_tables, tables_data, tables_text
from perfectplay.strength.points import PLIES
from perfectplay.terminal.console import Console
from perfectplay.terminal.markdown import show_found
from perfectplay.terminal.progress import waiting
from perfectplay.validation import Trusted


def show_arena(
    console: Console,
    players: tuple[str, ...],
    games: tuple[str, ...],
    *,
    opponents: tuple[str, ...],
    table: bool,
    best_response: bool,
    count: int,
    plies: int | None,
    out: Path | None,
    on: Literal["here", "pool", "ray"],
    workers: int,
    seed: int,
    as_json: bool,
) -> None:
    """Let players meet in both seats of every game, and print what they scored."""
    if table:
        contestants, length = players or OPPONENTS, plies or None
        with waiting("Playing"):
            tables = cross_tables(
                contestants, games, samples=count, plies=length, seed=seed, environments=True
            )
        return show_found(console, tables_data(tables) if as_json else tables_text(tables))
    if out is not None and len(games) != 1:
        raise click.UsageError("--out needs exactly one --game")
    limit = PLIES if plies is None else plies or None
    found = []
    meetings = [
        Arena(game, players or PLAYERS, opponents, count, seed, limit, environments=True)
        for game in games or names()
    ]
    for meeting in meetings:  # a player of another game is refused before anything is played
        for each in meeting.contestants.values():
            if isinstance(each.player, LearnedPlayer):
                each.player.prepare(meeting.rules)
    for meeting in meetings:
        with waiting(f"Playing {meeting.game}") as progress:
            total, samples = sum(job.games for job in meeting.jobs()), list[Sample]()
            progress(0, total)
            for _, job in play(meeting, out, on=on, workers=workers):
                samples += job
                progress(len(samples), total)
            found.append(results(meeting, samples, best_response=best_response))
        if not as_json:  # each game at once: others may take long
            console.say(*[""] * (len(found) > 1))
            show_found(console, results_text(found[-1]))
        if out is not None and not meeting.jobs():
            kind = "exact" if all(each["interval"] is None for each in found[-1]["scores"]) else "sampled"
            click.echo(f"All results are {kind}; nothing was played, so no files were written.", err=True)
    if as_json:
        show_found(console, found, indent=2)


def show_report(
    console: Console,
    logs: tuple[Path, ...],
    *,
    as_json: bool,
    html: Path | None,
    parquet: Path | None,
    verify: bool,
    files: tuple[Path, ...],
) -> int:
    """Print what was measured in logs, or write it to files; returns the exit code."""
    trusted = Trusted([str(file.resolve()) for file in files])
    samples = read_samples(logs, trusted)
    for folder in filter(Path.is_dir, files):
        named = {sample.setup.game for sample in samples.samples}
        trusted.games.update(environment_tool("offer-named")(folder, named))
        samples = read_samples(logs, trusted)
    if verify:
        samples = verify_samples(samples)
    found = report(samples)
    aside = as_json or any(path is not None and is_standard_output(path) for path in (html, parquet))
    if html is not None:
        write_whole(html, report_page(found))
        click.echo(f"The report is in {html}", err=aside)
    if parquet is not None:
        save(samples.samples, parquet, samples.missing and len(samples.samples) + samples.missing)
        click.echo(f"The samples are in {parquet}", err=aside)
    if as_json or (html is None and parquet is None):
        show_found(console, found.as_dict() if as_json else report_text(found), indent=2)
    return 1 if samples.verification is not None and samples.verification.differences else 0


def show_leaderboard(
    console: Console, folder: Path, *, seed_files: tuple[Path, ...], as_json: bool, html: Path | None
) -> int:
    """Print the table of the models in a folder of logs, or write it to a file; returns the exit code."""
    found = leaderboard(read_samples([folder]), [read_seed_file(file) for file in seed_files])
    if html is not None:
        write_whole(html, leaderboard_page(found))
        click.echo(f"The table is in {html}", err=as_json or is_standard_output(html))
    if as_json or html is None:
        show_found(console, found.as_dict() if as_json else leaderboard_text(found), indent=2)
    return 1 if found.refused else 0
