"""A playable board as a widget: the kernel keeps the match, the notebook draws it and sends moves."""

from base64 import b64encode
from html import escape
from typing import TYPE_CHECKING, Any

from perfectplay.coach.coach import STUCK
from perfectplay.core.errors import BadParameterError, PerfectplayError, needs
from perfectplay.core.game import Game
from perfectplay.core.match import Match
from perfectplay.core.outcome import Side, other
from perfectplay.games.registry import load
from perfectplay.players.base import DEFAULT_LEVEL
from perfectplay.players.registry import load_computer
from perfectplay.render.notebook import match_svg
from perfectplay.tables.position_serializers import serialize_position
from perfectplay_notebook.bundle import script, style

with needs("anywidget", "perfectplay-notebook", "anywidget", "traitlets", "IPython"):
    import anywidget
    import traitlets
    from IPython.display import DisplayHandle, display

if TYPE_CHECKING:
    from perfectplay.players.base import ComputerPlayer


class Board(anywidget.AnyWidget):  # type: ignore[misc]  # not everyone has anywidget
    """A board to play on in a notebook, against a computer player or for both sides.

    `game` is a game or its spec, and `opponent` the spec of a computer player; None to move for both
    sides. You play `side`. A random opponent plays the same game again for the same `seed`.

    >>> board = Board("bit-flip", opponent="perfect", side=1, seed=3)
    >>> board.moves
    ['7']
    >>> board.play("5")
    >>> board.moves, board.result
    (['7', '5', '3'], '')
    """

    _esm = script()
    _css = style()

    shown = traitlets.Dict().tag(sync=True)
    """What the notebook draws."""
    moves = traitlets.List(traitlets.Unicode(), read_only=True)
    """The moves so far, as text. It can be observed, like `record` and `result`."""
    record = traitlets.Unicode(read_only=True)
    """The game as a record."""
    result = traitlets.Unicode(read_only=True)
    """How the game ended, in words; empty while it goes on."""

    def __init__(
        self,
        game: Game[Any] | str,
        opponent: str | None = f"level:{DEFAULT_LEVEL}",
        *,
        side: Side = 0,
        seed: int = 0,
        **settings: Any,
    ) -> None:
        if side not in (0, 1):
            raise BadParameterError("side", side, "0 or 1")
        if isinstance(game, str):
            game = load(game)
        self._opponent: ComputerPlayer | None = None if opponent is None else load_computer(opponent)
        if self._opponent is not None:
            self._opponent.prepare(game)
        self._side = side
        self._pictures: list[DisplayHandle] = []
        self._match = self._begin(game, seed)
        super().__init__(**settings)
        self.on_msg(self._receive)
        self._reply()

    @property
    def match(self) -> Match[Any]:
        """The game in progress. Play through the board, so that it is drawn."""
        return self._match

    def play(self, move: str | int) -> None:
        """Play a move for the side to move, as `Match.play` does; the opponent replies."""
        self._match.play(move)
        self._reply()

    def undo(self) -> None:
        """Take back your last move, and what followed it: forced passes, and the reply."""
        self._match.undo(self._last_chooser())
        self._reply()

    def restart(self) -> None:
        """Begin a new game with another seed, so that a random opponent plays differently."""
        self._match = self._begin(self._match.game, self._match.seed + 1)
        self._reply()

    def _begin(self, game: Game[Any], seed: int) -> Match[Any]:
        spec = "human" if self._opponent is None else self._opponent.spec
        return Match(game, players=("human", spec) if self._side == 0 else (spec, "human"), seed=seed)

    def _reply(self) -> None:
        """Play forced passes, let the opponent move while it is to move, and draw the position."""
        match = self._match
        while match.result is None and (legal := match.game.legal_actions(match.state)):
            if match.game.is_forced_pass(match.state):
                match.play(legal[0])
            elif self._opponent is not None and match.side != self._side:
                match.play(self._opponent.move(match))
            else:
                break
        self.set_trait("moves", [match.line(entry).text for entry in match.history])
        self.set_trait("record", str(match.record()))
        self.set_trait("result", "" if match.result is None else match.status)
        self.shown = self._describe()
        for picture in self._pictures:
            picture.update(self._picture(), raw=True)

    def _ipython_display_(self) -> None:
        """Show a picture and the board, which hides the picture.

        The picture is what is left in an exported notebook where the code of widgets cannot be fetched.
        """
        self._pictures.append(display(self._picture(), raw=True, display_id=True))
        data, metadata = self._repr_mimebundle_()
        display(data, metadata=metadata, raw=True)

    def _picture(self) -> dict[str, str]:
        svg, shown = match_svg(self._match), self.shown
        source = f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"
        words = escape(f"{shown['title']}: {shown['status']}")
        return {
            "text/html": f'<img class="{shown["picture"]}" src="{source}" alt="{words}">',
            "image/svg+xml": svg,
            "text/plain": str(self._match),
        }

    def _last_chooser(self) -> Side | None:
        """The side whose last choice can be taken back."""
        if self._opponent is not None:
            return self._side
        match = self._match
        return next((entry.side for entry in reversed(match.history) if match.is_choice(entry)), None)

    def _describe(self) -> dict[str, Any]:
        match = self._match
        names = list(match.game.side_names)
        status = f"{names[match.side]} to move."
        if match.result is not None:
            status = f"{match.status}."
        elif not match.legal():
            status = STUCK
        elif self._opponent is not None:
            names[other(self._side)] = f"{names[other(self._side)]} ({self._opponent.spec})"
            status = f"Your turn: you are {names[self._side]}, against {names[other(self._side)]}."
        return {
            "position": serialize_position(match, match.plies, number=1),
            "owners": match.cell_owners(),
            "names": names,
            "status": status,
            "title": match.game.title,
            "playable": match.result is None,
            "picture": f"perfectplay-picture-{self.model_id}",
            "started": (side := self._last_chooser()) is not None and match.has_chosen(side),
        }

    def _receive(self, _: object, message: dict[str, Any], buffers: object) -> None:
        """A message from the notebook: a move, or a button."""
        try:
            if "play" in message:
                self.play(str(message["play"]))
            elif "back" in message:
                self.undo()
            elif "anew" in message:
                self.restart()
        except PerfectplayError as error:
            self.send({"problem": error.reason})
