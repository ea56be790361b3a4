"""Small windows over a screen: the keys, and questions with a line to type."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static

from perfectplay.core.errors import PerfectplayError
from perfectplay.terminal import messages

MOVING = (
    "Arrows, Tab    choose a move        Enter, Space   make it",
    "Digits, letters: type a move, Enter makes it. Click a cell to move there.",
    ": types a command of line mode, such as :why 4 or :save FILE",
)


class KeysDialog(ModalScreen[None]):
    """All keys of a screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,q,enter,space", "close", "Close"),
    ]

    def __init__(self, keys: Sequence[Binding], *, moves: bool = False) -> None:
        """`moves` is whether moves can be made on the screen."""
        super().__init__()
        self._keys = keys
        self._moving = (*MOVING, "") if moves else ()

    def compose(self) -> ComposeResult:
        from perfectplay.terminal.fullscreen.app import shown_key

        lines = [f"{shown_key(each):<14} {each.description}" for each in self._keys]
        lines += ["ctrl+p         All commands", "ctrl+t         Light or dark", "ctrl+c         Quit"]
        with VerticalScroll(id="box"):
            yield Static("\n".join((*self._moving, *lines)), markup=False)

    def action_close(self) -> None:
        """Close the window."""
        self.dismiss()


class Question(ModalScreen[Any]):
    """A question with lines to type. `read` gets the answers; what it raises is shown, and asked again."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "Close")]

    def __init__(
        self, title: str, fields: Sequence[tuple[str, str]], read: Callable[[list[str]], object]
    ) -> None:
        """`fields` are the questions, each with the answer that stands there already."""
        super().__init__()
        self._title = title
        self._fields = fields
        self._read = read

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="box", can_focus=False):
            yield Label(self._title, markup=False)
            for number, (question, answer) in enumerate(self._fields):
                yield Label(question, markup=False)
                yield Input(answer, id=f"field-{number}", compact=True)
            yield Static(id="problem", markup=False)
            yield Label("Enter goes on, Tab to the next line, Esc back.", markup=False)

    def on_input_submitted(self) -> None:
        """Take the answers, or say what is wrong with them."""
        try:
            found = self._read([field.value.strip() for field in self.query(Input)])
        except (PerfectplayError, OSError) as error:
            self.query_one("#problem", Static).update(messages.sentence(str(error)))
        else:
            self.dismiss(found)

    def action_close(self) -> None:
        """Go back without an answer."""
        self.dismiss(None)
