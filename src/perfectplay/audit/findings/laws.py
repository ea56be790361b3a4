"""The laws of `Game` that a game breaks."""

from collections.abc import Iterator
from typing import Any

from perfectplay.audit.case import Case
from perfectplay.audit.findings.finding import Finding, finds
from perfectplay.core.formatting import join_words
from perfectplay.core.game import Game
from perfectplay.core.laws.conformance import STOPPED, Violation, by_problem, place
from perfectplay.core.match import Match
from perfectplay.core.walks import move_texts


@finds("broken-law", "the game breaks a law that everything else relies on; the witness leads there")
def broken_law(case: Case) -> Iterator[Finding]:
    for laws, each in by_problem(case.broken):
        if laws != ("dead-end",):  # has its own code
            names = join_words([f'"{law}"' for law in laws])
            text = f"The game breaks the {'law' if len(laws) == 1 else 'laws'} {names}: {each}."
            yield Finding("broken-law", "problem", text, witness_moves(case.game, each))


def witness_moves(game: Game[Any], broken: Violation) -> tuple[str, ...]:
    """The moves to the position where a law is broken; empty if replaying them does not lead there."""
    try:
        match: Match[Any] = Match(game)
        moves = move_texts(game, broken.path)
        for action, move in zip(broken.path, moves, strict=True):
            match.forfeit() if action is None else match.play(move)
    except Exception:  # noqa: BLE001 - a faulty game can raise anything
        return ()
    return moves if broken.where in (place(game, match.state), STOPPED) else ()
