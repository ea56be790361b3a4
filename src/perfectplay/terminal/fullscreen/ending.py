"""How a game ended, said to whoever played it."""

from perfectplay.core.dialogue import Lines
from perfectplay.core.outcome import Side, other
from perfectplay.terminal import messages
from perfectplay.terminal.contestants import YOU, capital
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
    result = session.match.result
    if result is None:
        return ""
    if not result.finished:
        return "Unfinished"
    if result.winner is None:
        return "A tie"
    winner = name(session, result.winner)
    return "You lost" if winner == COMPUTER else f"{capital(winner)} won"


def reason(session: Session) -> Lines:
    """Why the game ended as it did."""
    match = session.match
    result = match.result
    if result is None or result.winner is None:
        return tuple(line for line in session.result() if line)
    winner, loser = name(session, result.winner), name(session, other(result.winner))
    if result.reason == "resignation":
        return (capital(f"{loser} resigned."),)
    said = match.game.texts().endings.get(result.reason)
    if said is None or match.game.outcome(match.state) is None:
        return messages.ending(session.dialogue, match)
    return (capital(said.format(winner=winner, loser=loser)),)
