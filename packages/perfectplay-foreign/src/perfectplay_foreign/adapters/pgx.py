"""Environments of pgx for two. Their states are immutable, so a copy is the state itself."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache

from perfectplay.core.errors import nearest
from perfectplay.core.formatting import quote
from perfectplay_foreign.adapter import Adapter, Move, Moves, StartError, Step, UnavailableError
from perfectplay_foreign.protocol import describe_error

NOT_STATE = ("_step_count", "_rng_key", "observation")
"""Fields of a state that do not belong to the position."""


@cache
def _compile(function: Callable[..., object]) -> Callable[..., object]:
    import jax

    compiled: Callable[..., object] = jax.jit(function)
    return compiled


class PgxAdapter(Adapter):
    """A state of an environment of pgx. JAX does not survive a fork, so it gets a process of its own."""

    prefix = "pgx"
    forks = False
    opaque = True

    @classmethod
    def fits(cls, env: object) -> bool:
        return type(env).__module__.startswith("pgx") and callable(getattr(env, "init", None))

    @classmethod
    def make(cls, name: str, arguments: Mapping[str, object]) -> object:
        import pgx

        known = pgx.available_envs()
        if name not in known:
            raise UnavailableError(f"pgx has no environment {quote(name)}{nearest(name, known)}")
        return pgx.make(name, **arguments)

    def start(self, seed: int) -> None:
        try:
            import jax

            init, self._step = _compile(self.env.init), _compile(self.env.step)
            if self.env.num_players != 2:
                raise UnavailableError("only games for two can be audited")
            self.random = jax.random.PRNGKey(seed)
            self._read(init(self.random))
        except StartError:
            raise
        except Exception as error:
            raise StartError("construct-fails", describe_error(error)) from error

    def _read(self, state: object) -> None:
        """Fetch a state from the device at once: reading it field by field takes far longer."""
        import jax

        self.state, self.fields = state, jax.device_get(vars(state))

    def key(self) -> Hashable:
        import jax

        kept = {name: value for name, value in self.fields.items() if name not in NOT_STATE}
        return tuple(leaf.tobytes() for leaf in jax.tree_util.tree_leaves(kept))

    def clone(self) -> object:
        return self.state, self.fields

    def restore(self, copied: object) -> None:
        assert isinstance(copied, tuple)
        self.state, self.fields = copied

    def is_over_at_start(self) -> bool:
        return bool(self.fields["terminated"])

    def moves(self) -> Moves:
        return tuple(self.fields["legal_action_mask"].nonzero()[0].tolist())

    def step(self, move: Move) -> Step:
        mover = int(self.fields["current_player"])
        self._read(self._step(self.state, move, self.random))
        over, cut = bool(self.fields["terminated"]), bool(self.fields["truncated"])
        rewards = self.fields["rewards"].tolist()
        return self.result(rewards[mover], rewards, over, cut)

    def mover(self) -> Hashable:
        return int(self.fields["current_player"])

    def look(self) -> object:
        return self.fields["observation"]

    def all_moves(self) -> Sequence[Move] | None:
        return range(int(self.env.num_actions))
