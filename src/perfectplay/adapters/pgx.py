"""The games as environments of pgx, on the JAX form of the tables.

Player 0 is always the first side of the game and player 1 the second; pgx itself would draw lots.
`current_player` is the player to move. Games are deterministic, so keys change nothing.
"""

from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from perfectplay.core.errors import BadParameterError, needs

with needs("pgx", "jax", "pgx", "jax", "numpy"):
    import jax
    import numpy as np
    from jax import Array
    from jax import numpy as jnp
    from pgx import core
    from pgx._src.visualizer import global_config

from perfectplay.adapters.settings import library_name
from perfectplay.core.game import Game
from perfectplay.core.view import View
from perfectplay.render.shapes import Label, Rounded, Shape
from perfectplay.render.svg import write_shape
from perfectplay.simulate.jax_tables import JaxGame, JaxState, jax_game

WRITTEN_FOR = "2.6"
"""The pgx whose `_src` was read: what `set_visualization_config` has set can be read only there."""
CELL = 40
"""The width and height of a cell in pixels, before scaling."""
COLORS = {"light": ("white", "black"), "dark": ("#1e1e1e", "gainsboro")}
"""The background color of each theme, and the color of lines and text."""


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class PgxState(core.State):  # type: ignore[misc]
    """A pgx state, with the game in progress in `_x`.

    - `current_player`: int32, shape `()`
    - `observation`: bool, shape `observer.shape`
    - `rewards`: float32, shape `(2,)`
    - `terminated`, `truncated`: bool, shape `()`
    - `legal_action_mask`: bool, shape `(num_actions,)`

    Under `vmap`, every array has a leading axis.
    """

    current_player: Array
    observation: Array
    rewards: Array
    terminated: Array
    truncated: Array
    legal_action_mask: Array
    _step_count: Array
    _x: JaxState
    _game: Game[Any] = field(metadata={"static": True})

    @property
    def env_id(self) -> str:
        """The id of the environment."""
        return library_name(self._game)

    def to_svg(
        self, *, color_theme: Literal["light", "dark"] | None = None, scale: float | None = None
    ) -> str:
        """Return the board as SVG; the boards of several games are stacked vertically."""
        theme = global_config.color_theme if color_theme is None else color_theme
        if theme not in COLORS:
            raise BadParameterError("color_theme", theme, " or ".join(COLORS))
        game = jax_game(self._game)
        numbers = np.ndindex(self.current_player.shape)
        views = [self._game.view(game.rules_state(self._x, number)) for number in numbers]
        return _draw(views, *COLORS[theme], global_config.scale if scale is None else scale)

    def save_svg(
        self,
        filename: str | PathLike[str],
        *,
        color_theme: Literal["light", "dark"] | None = None,
        scale: float | None = None,
    ) -> None:
        """Write the SVG to a file."""
        Path(filename).write_text(self.to_svg(color_theme=color_theme, scale=scale), "utf-8")


class PgxEnvironment(core.Env):  # type: ignore[misc]
    """A game as a pgx environment. `make` makes one."""

    def __init__(self, game: JaxGame) -> None:
        super().__init__()
        self._game = game

    def step(self, state: PgxState, action: Array, key: Array | None = None) -> PgxState:
        """Return the state after an action. As everywhere in pgx, an illegal action loses the game.

        So does an action out of range, which pgx itself would take for the last action. At the horizon a
        game is truncated, not terminated. Further steps change nothing and give no reward, but also set
        `terminated`, so that loops that check only this flag end.
        """
        chosen, inside = self._game.read_actions(state._x, action)
        over = state.terminated | state.truncated
        mask = over | (inside & state.legal_action_mask)
        after = super().step(state.replace(legal_action_mask=mask), jnp.where(inside, chosen, -1), key)
        late = state.truncated & ~state.terminated
        late_too: PgxState = after.replace(
            terminated=after.terminated | late, _step_count=after._step_count + late
        )
        return late_too

    def _init(self, key: Array) -> PgxState:
        # A key changes nothing, but a mistake is better reported here than elsewhere.
        good = isinstance(key, Array) and (
            jnp.issubdtype(key.dtype, jax.dtypes.prng_key)
            if key.ndim == 0
            else key.dtype == jnp.uint32 and key.ndim == 1
        )
        if not good:
            raise BadParameterError("key", repr(key), "a key of jax.random")
        return self._make_state(self._game.init(), jnp.int32(0))

    def _step(self, state: PgxState, action: Array, key: Array | None) -> PgxState:
        return self._make_state(self._game.step(state._x, action), state._step_count)

    def _make_state(self, now: JaxState, steps: Array) -> PgxState:
        game = self._game
        return PgxState(
            current_player=game.side(now),
            observation=game.observe(now),
            rewards=game.reward(now),
            terminated=game.terminated(now),
            truncated=game.truncated(now),
            legal_action_mask=game.legal(now),
            _step_count=steps,
            _x=now,
            _game=game.game,
        )

    def _observe(self, state: PgxState, player_id: Array) -> Array:
        """The whole position; both players see everything."""
        return self._game.observe(state._x)

    @property
    def id(self) -> str:
        """The pgx name of the game."""
        return library_name(self._game.game)

    @property
    def spec(self) -> str:
        """The game with its parameters."""
        return self._game.game.spec

    @property
    def horizon(self) -> int | None:
        """The number of plies after which a game is truncated; None if it always ends."""
        return self._game.horizon

    @property
    def version(self) -> str:
        """The version. It changes whenever the same actions would give different results."""
        return "v0"

    @property
    def num_players(self) -> int:
        """Two."""
        return 2


def make(game: Game[Any] | str, horizon: int | None = None) -> PgxEnvironment:
    """Return a game as a pgx environment.

    A game that need not end is truncated after `horizon` plies; `perfectplay.simulate.horizon_for` gives
    the default.

    >>> env = make("bit-flip:bits=3")
    >>> state = env.step(env.init(jax.random.key(0)), jnp.int32(1))
    >>> state.rewards.tolist(), bool(state.terminated), env.id
    ([1.0, -1.0], True, 'perfectplay_bit_flip')
    """
    return PgxEnvironment(jax_game(game, horizon))


def _draw(views: list[View], background: str, ink: str, scale: float) -> str:
    """Draw a square for each cell of each board, with its pieces or, if empty, its label in small print."""
    rows = [row for view in views for row in (*view.rows, ())]  # a space after each board
    width, height = CELL * max(1, *map(len, rows)), CELL * len(rows)
    shapes: list[Shape] = [Rounded((0, 0, width, height), 0, background)]
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            left, top = x * CELL, y * CELL
            text, size = ("".join(cell.pieces), 20) if cell.pieces else (cell.label, 10)
            shapes.append(Rounded((left, top, left + CELL, top + CELL), 0, None, ink, 1))
            shapes.append(Label(left + CELL / 2, top + CELL / 2, text, size, ink))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale:g}" height="{height * scale:g}"'
        f' viewBox="0 0 {width} {height}">{"".join(map(write_shape, shapes))}</svg>\n'
    )
