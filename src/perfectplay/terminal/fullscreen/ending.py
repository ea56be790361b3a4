"""How a game ended, said to whoever played it."""

from perfectplay.core import endings
from perfectplay.core.dialogue import Lines
from perfectplay.core.outcome import Side
from perfectplay.terminal.contestants import YOU
from perfectplay.terminal.session import Session

COMPUTER = "the computer"


def name(session: Session, side: Side) -> str:
    """What a side is called in the middle of a sentence: you, the computer, or its own name.

    >>> import perfectplay as pp
    >>> from perfectplay.players.registry import load_players
    >>> series = pp.Series(pp.load("bit-flip"), players=("human", "random"))
    >>> session = Session(series, load_players(series.players))
    >>> session.begin()
    >>> name(session, 0), name(session, 1)
    ('you', 'the computer')
    """
    if len(session.contestants.people) != 1:
        return session.match.game.side_names[side]
    return YOU if side in session.contestants.people else COMPUTER


def verdict(session: Session) -> str:
    """Who won, in two words; empty while the game goes on."""
    result, people = session.match.result, session.contestants.people
    if result is None:
        return ""
    viewer = next(iter(people)) if len(people) == 1 else None
    return endings.verdict(result, session.match.game.side_names, viewer)


def reason(session: Session) -> Lines:
    """Why the game ended as it did."""
    match = session.match
    if match.result is None:
        return ()
    return (endings.explain(match, match.result, (name(session, 0), name(session, 1))),)
