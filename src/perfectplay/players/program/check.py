"""Checks that a program keeps to the protocol, for the authors of one."""

from collections.abc import Sequence
from typing import Any

from perfectplay.core.errors import ForfeitError
from perfectplay.core.formatting import quote
from perfectplay.core.game import Game
from perfectplay.core.match import Match
from perfectplay.core.outcome import Side
from perfectplay.games.registry import load, names
from perfectplay.players.program.player import ProgramPlayer
from perfectplay.players.program.process import Program, ProgramError, UnableError, running
from perfectplay.players.random import RandomPlayer

CHECKED_PLIES = 30
"""The most plies in a game of `check_program`."""


def check_program(
    command: str, seconds: int = 10, *, seed: int = 0, games: Sequence[str] = (), environments: bool = False
) -> tuple[str, ...]:
    """Play short games with a program, from both seats, and check that it quits when told to.

    `games` are the specs of the games to play, by default all games; with `environments`, they may begin
    with `env:`. Returns the lines of a report. Raises ProgramError for the first problem.
    """
    rules = {game.spec: game for game in (load(spec, environments=environments) for spec in games or names())}
    player = ProgramPlayer.from_texts({"command": command, "seconds": str(seconds)})
    report: list[str] = []
    played = 0
    try:
        for name, game in rules.items():
            try:
                moves = sum(_check_game(player, game, seat, seed) for seat in (0, 1))
            except UnableError as error:
                report.append(f"{name}: {error}")
                continue
            except (ForfeitError, ProgramError) as error:
                raise ProgramError(f"{name}: {error}") from error
            played += 1
            report.append(f"{name}: 2 games, {moves} moves, all legal")
            _must_quit(running[player, game.spec])
        if not played:
            raise ProgramError(f"the program {quote(command, 80)} plays none of: {', '.join(rules)}")
        program = Program(player.command, player.seconds)
        try:
            if program.exit_code("", seconds) is None:
                raise ProgramError(f"{program.name} was still running {seconds} s after its input ended")
        finally:
            program.end()
    finally:
        player.close()
    return (*report, "quit, end of input: it ended each time")


def _check_game(player: ProgramPlayer, game: Game[Any], seat: Side, seed: int) -> int:
    """Play one game against random moves; returns how many moves the program made."""
    match = Match(game, seed=seed + seat, max_plies=CHECKED_PLIES)
    player.prepare(game)
    moves = 0
    while match.result is None:
        chooser = player if match.side == seat else RandomPlayer()
        moves += chooser is player
        match.play(chooser.choose(game, match.state, match.generator()))
    return moves


def _must_quit(program: Program) -> None:
    code = program.exit_code("quit\n", program.seconds)
    program.end()
    if code != 0:
        how = (
            f"ended with exit code {code}"
            if code is not None
            else f"was still running {program.seconds} s later"
        )
        raise ProgramError(f"{program.name} was told to quit and {how}")
