"""Games of OpenSpiel for two, without chance and with perfect information."""

from collections.abc import Hashable, Mapping, Sequence

from perfectplay.core.errors import nearest
from perfectplay.core.formatting import quote
from perfectplay_foreign.adapter import Adapter, Move, Moves, Step, UnavailableError


class OpenSpielAdapter(Adapter):
    """A state of a game of OpenSpiel. A position is what it prints, with the player to move."""

    prefix = "openspiel"
    opaque = True
    refuses = False  # `apply_action` does not check its move, and may end the process

    @classmethod
    def fits(cls, env: object) -> bool:
        return callable(getattr(env, "new_initial_state", None))

    @classmethod
    def make(cls, name: str, arguments: Mapping[str, object]) -> object:
        import pyspiel

        bare = name.partition("(")[0]
        known = pyspiel.registered_names()
        if bare not in known:
            raise UnavailableError(f"OpenSpiel has no game {quote(bare)}{nearest(bare, known)}")
        try:
            return pyspiel.load_game(name, arguments) if arguments else pyspiel.load_game(name)
        except pyspiel.SpielError as error:  # its parameters
            raise UnavailableError(f"{quote(name, 200)}: {' '.join(str(error).split())[:200]}") from error

    def start(self, seed: int) -> None:
        kind = self.env.get_type()
        wanted = ("ChanceMode.DETERMINISTIC", "Information.PERFECT_INFORMATION", "Dynamics.SEQUENTIAL")
        found = tuple(str(each) for each in (kind.chance_mode, kind.information, kind.dynamics))
        if found != wanted or self.env.num_players() != 2:
            raise UnavailableError("only games for two without chance or secrets can be audited")
        self.state = self.env.new_initial_state()

    def key(self) -> Hashable:
        return self.state.current_player(), str(self.state)

    def clone(self) -> object:
        return self.state.clone()

    def restore(self, copied: object) -> None:
        assert isinstance(copied, type(self.state))
        self.state = copied.clone()

    def is_over_at_start(self) -> bool:
        return bool(self.state.is_terminal())

    def moves(self) -> Moves:
        return tuple(self.state.legal_actions())

    def step(self, move: Move) -> Step:
        mover = self.state.current_player()
        self.state.apply_action(move)
        over = bool(self.state.is_terminal())
        rewards = self.state.returns() if over else self.state.rewards()
        return self.result(float(rewards[mover]), rewards, over)

    def mover(self) -> Hashable:
        return int(self.state.current_player())

    def look(self) -> object:
        return str(self.state)

    def all_moves(self) -> Sequence[Move] | None:
        return range(self.env.num_distinct_actions())

    def title(self) -> str:
        return str(self.env.get_type().long_name)

    draw = look
