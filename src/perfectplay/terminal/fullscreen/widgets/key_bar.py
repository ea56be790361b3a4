"""The keys of a screen: at its foot, in a window of their own, and why one does nothing now."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.events import Click, Key, Resize
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from perfectplay.terminal.fullscreen.dialogs import Dialog

if TYPE_CHECKING:
    from perfectplay.terminal.fullscreen.app import FullScreen

ALWAYS = ("help", "leave")
"""What stands at the foot even where there is room for little else."""
GAP = 2
IDLE = ("left", "right", "up", "down", "tab", "shift+tab", "enter", "space", "backspace", "escape")
"""Keys that type nothing, but from which something is expected."""
EVERYWHERE = (("^p", "Commands"), ("^t", "Theme"), ("^z", "Suspend"), ("^c", "Quit"))
BETWEEN = " · "
KEY_WIDTH = 5
"""Columns for the name of a key, in a list of keys."""


class KeyedScreen(Screen[None]):
    """A screen that says what its keys do, and why one of them does nothing now."""

    def why_not(self, action: str) -> str:
        """Why an action does nothing now; empty if it does something."""
        return ""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Whether an action does something now; `on_key` sees no key typed before the screen came."""
        name = next((each for each in parameters if isinstance(each, str)), action)
        return self.is_mounted and not self.why_not(name)

    def say(self, *lines: str) -> None:
        """Show lines to the person at the keyboard."""
        raise NotImplementedError

    def describe_leaving(self) -> list[str]:
        """What to say to a player who leaves."""
        return []

    def action_leave(self) -> None:
        self.fullscreen.leave(self)

    def say_why(self, why: str) -> None:
        """Say why a key does nothing."""
        self.say(why)

    def explain_key(self, key: str) -> str:
        """What to say about a key that has no meaning here."""
        return f"{key} does nothing here; ? shows the keys."

    @property
    def fullscreen(self) -> "FullScreen":
        """The application."""
        from perfectplay.terminal.fullscreen.app import FullScreen

        assert isinstance(self.app, FullScreen)
        return self.app

    @property
    def bound_keys(self) -> dict[str, Binding]:
        """The keys that have a meaning on this screen, those of the class itself before its bases'."""
        listed = [key for kind in type(self).__mro__ for key in kind.__dict__.get("BINDINGS", ())]
        found: dict[str, Binding] = {}
        for binding in Binding.make_bindings(listed):
            if "." not in binding.action:  # as in app.focus_next, of the library's own screens
                found.setdefault(binding.key, binding)
        return found

    @property
    def keys(self) -> list[Binding]:
        """The keys that do something now, each action once."""
        each: dict[str, Binding] = {}
        for binding in self.bound_keys.values():
            if binding.description and not self.why_not(_name(binding.action)):
                each.setdefault(binding.action, binding)
        return list(each.values())

    def on_key(self, event: Key) -> None:
        bound = self.bound_keys.get(event.key)
        character = event.character if event.is_printable else None
        said = ""
        if bound is not None:
            said = self.why_not(_name(bound.action))
        elif event.key not in self.active_bindings and (event.key in IDLE or character):
            said = self.explain_key(character if character and character != " " else event.key.capitalize())
        if said:
            self.say_why(said)
            event.stop()
            event.prevent_default()

    def show_keys(self) -> None:
        """Show the keys that do something now, at the foot."""
        self.query_one(KeyBar).show(self.keys)

    def action_help(self) -> None:
        self.app.push_screen(KeysDialog(self.keys, self.help_lines()))

    def help_lines(self) -> Sequence[tuple[str, str]]:
        """Keys that are not bindings, and what they do."""
        return ()


def fit(parts: Sequence[str], width: int) -> str:
    """The first part, and each of the others that still fits beside those before it."""
    found = parts[0]
    for part in parts[1:]:
        if part and len(found) + len(BETWEEN) + len(part) <= width:
            found += BETWEEN + part
    return found


def _name(action: str) -> str:
    """An action as `why_not` names it: by its argument, where that is a word."""
    name, _, argument = action.partition("(")
    return argument.strip("')") if argument.startswith("'") else name


def name_key(binding: Binding) -> str:
    """A key as people call it."""
    return binding.key_display or binding.key.capitalize() if len(binding.key) > 1 else binding.key


def fit_keys(keys: Iterable[Binding], width: int) -> list[Binding]:
    """As many keys as fit into a line, with those that always stand there at its end."""
    shown = [key for key in keys if key.show]
    last = [key for key in shown if key.action in ALWAYS]
    last.sort(key=lambda key: ALWAYS.index(key.action))
    left = width - sum(map(_width, last))
    found = []
    for key in shown:
        if key not in last and _width(key) <= left:
            found.append(key)
            left -= _width(key)
    return [*found, *last]


def _width(binding: Binding) -> int:
    return len(f"{name_key(binding)} {binding.description}") + GAP


class KeyBar(Widget):
    """The keys at the foot, as many as fit. A click on one presses it."""

    def __init__(self) -> None:
        super().__init__(id="keys")
        self._keys: list[Binding] = []

    def show(self, keys: list[Binding]) -> None:
        """Show these keys."""
        if keys != self._keys:
            self._keys = keys
            self.refresh()

    def on_resize(self, event: Resize) -> None:
        self.refresh()

    def render(self) -> Text:
        parts = [
            ((name_key(key), "bold reverse"), f" {key.description}{' ' * GAP}")
            for key in fit_keys(self._keys, self.size.width + GAP)
        ]
        return Text.assemble(*(piece for part in parts for piece in part), no_wrap=True)

    async def on_click(self, event: Click) -> None:
        x = event.x
        for key in fit_keys(self._keys, self.size.width + GAP):
            x -= _width(key)
            if x < 0:
                await self.screen.run_action(key.action)
                return


class KeysDialog(Dialog):
    """All keys that do something on a screen now, in as many columns as fit."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,q,enter,space", "dismiss", "Close"),
    ]

    def __init__(self, keys: Sequence[Binding], more: Sequence[tuple[str, str]] = ()) -> None:
        """`more` are keys that are not bindings, to be listed first."""
        super().__init__()
        self._entries = [
            *((key, words, words) for key, words in more),
            *((name_key(key), key.tooltip or key.description, key.description) for key in keys),
            *((key, words, words) for key, words in EVERYWHERE),
        ]

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="box", classes="keys", can_focus=False):
            yield Static(id="listed", markup=False)

    def on_resize(self, event: Resize) -> None:
        """Show every key at once: in columns, and in fewer words where these do not fit."""
        width, height = event.size.width - 2, event.size.height - 2
        in_full = _columns([(key, words) for key, words, _ in self._entries], width)
        in_short = _columns([(key, words) for key, _, words in self._entries], width)
        lines = in_full if len(in_full) <= height else in_short
        self.query_one("#box").set_class(len(lines) > height, "crowded")
        self.query_one("#listed", Static).update("\n".join(lines))


def _columns(entries: Sequence[tuple[str, str]], width: int) -> list[str]:
    widest = max(len(words) for _, words in entries) + KEY_WIDTH + 2
    columns = max(1, (width + 1) // widest)
    rows = -(-len(entries) // columns)
    return [
        "".join(f"{key:<{KEY_WIDTH}} {words}".ljust(widest) for key, words in entries[row::rows]).rstrip()
        for row in range(rows)
    ]
