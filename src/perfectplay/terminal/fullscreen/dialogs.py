"""Small windows over a screen: questions with lines to type, and the rules of a game."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static

from perfectplay.terminal import messages


class Dialog(ModalScreen[None]):
    """A window over a screen. Subclasses may add keys that close it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "Close")]


class Field(NamedTuple):
    """A line to type: the question, its default, and choices to step through with the arrows."""

    question: str
    answer: str
    choices: Sequence[str] = ()


class QuestionWindow(Dialog):
    """A question with lines to type. `read` gets the answers; what it raises is shown, and asked again."""

    def __init__(
        self,
        title: str,
        fields: Sequence[Field],
        read: Callable[[list[str]], Any],
        then: Callable[[Any], object],
    ) -> None:
        """`then` gets what `read` makes of the answers."""
        super().__init__()
        self._title = title
        self._fields = fields
        self._read = read
        self._then = then

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="box", can_focus=False):
            yield Label(self._title, markup=False)
            for number, (question, answer, choices) in enumerate(self._fields):
                yield Label(f"{question} (↑ ↓)" if choices else question, markup=False)
                yield Input(answer, id=f"field-{number}", compact=True)
            yield Static(id="problem", markup=False)
            tab = "Tab: next field, " if len(self._fields) > 1 else ""
            yield Label(f"Enter: continue, {tab}Esc: cancel", markup=False)

    def on_key(self, event: Key) -> None:
        """Step through the choices of a field; anything else can still be typed."""
        field = self.focused
        if event.key not in ("up", "down") or not isinstance(field, Input) or field.id is None:
            return
        choices = self._fields[int(field.id.removeprefix("field-"))].choices
        if choices:
            event.stop()
            known = [each.casefold() for each in choices]
            now, by = field.value.strip().casefold(), 1 if event.key == "down" else -1
            at = (known.index(now) + by) % len(known) if now in known else 0
            field.value = choices[at]
            field.cursor_position = len(field.value)

    def on_input_submitted(self) -> None:
        """Take the answers, or say what is wrong with them."""
        try:
            found = self._read([field.value.strip() for field in self.query(Input)])
        except Exception as error:  # noqa: BLE001 - those that nobody here can mend are raised again
            self.query_one("#problem", Static).update(messages.problem(error))
        else:
            self.dismiss()
            self.app.call_later(self._then, found)
