"""The players of an arena, which may be given names."""

from typing import NamedTuple

from perfectplay.core.errors import ParseError
from perfectplay.core.wording import quote
from perfectplay.evals.setup import MODEL
from perfectplay.players.base import ComputerPlayer, KnownPlayer
from perfectplay.players.registry import load_computer, player_names


class Contestant(NamedTuple):
    """A player of an arena and what it is called there."""

    name: str
    player: ComputerPlayer

    @property
    def known(self) -> KnownPlayer | None:
        """The player, if its move probabilities are known."""
        return self.player if isinstance(self.player, KnownPlayer) else None


def contestant(text: str) -> Contestant:
    """The player that a spec names, or that is written as NAME=SPEC.

    >>> contestant("mine=mcts:simulations=5").name, contestant("mcts:simulations=5").name
    ('mine', 'mcts:simulations=5')
    """
    name, equals, spec = text.partition("=")
    if not equals or ":" in name:
        return Contestant(text, load_computer(text))
    found = Contestant(name.strip(), load_computer(spec))
    if found.known:
        raise ParseError(f"{quote(text)}: a player with known move probabilities keeps its own name")
    if not found.name or found.name in (*player_names(), MODEL):
        raise ParseError(f"{quote(text)}: {quote(found.name)} is not a name for a bot")
    return found
