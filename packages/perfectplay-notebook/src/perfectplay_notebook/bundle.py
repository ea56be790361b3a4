"""The board of the web pages as one JavaScript module and one style sheet, which is what a widget takes.

Each module becomes a function that returns what it exports. The modules are plain enough for that: one
import or export per line, and nothing is exported that changes. A bundler such as esbuild would need Node
wherever a notebook runs: the modules are those of the installed `perfectplay`, and are joined there.
"""

import re
from graphlib import TopologicalSorter
from importlib.resources import files
from importlib.resources.abc import Traversable

STATIC = files("perfectplay.web") / "static"
HERE = files("perfectplay_notebook")
WIDGET = HERE / "widget.js"
SHEETS = ("colors.css", "board.css", "pieces.css", "controls.css", "forms.css")
ROOT = ".perfectplay-board"
"""All rules of the style sheet apply inside this only."""

_IMPORT = re.compile(r'^import \{ ([^}]*) \} from "[^"]*?(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)


def script() -> str:
    """The widget and the modules it imports, in one module that imports nothing."""
    sources: dict[str, str] = {}
    imports: dict[str, set[str]] = {}

    def collect(name: str, file: Traversable) -> None:
        sources[name] = file.read_text("utf-8")
        imports[name] = {found for _, found in _IMPORT.findall(sources[name])}
        for each in imports[name] - sources.keys():
            collect(each, STATIC / f"{each}.js")

    collect("widget", WIDGET)
    *order, last = TopologicalSorter(imports).static_order()
    return "\n".join([*(_wrap(name, sources[name]) for name in order), _bind(sources[last])])


def _wrap(name: str, source: str) -> str:
    exported = ", ".join(_EXPORT.findall(source))
    body = _EXPORT.sub("", _bind(source))
    return f"const ${name} = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();"


def _bind(source: str) -> str:
    return _IMPORT.sub(r"const { \1 } = $\2;", source)


def style() -> str:
    """The rules of the board, which apply to nothing else in a notebook."""
    colors, *sheets = [(STATIC / name).read_text("utf-8") for name in SHEETS]
    # The notebook's theme decides, which may differ from the system's.
    colors = colors.replace("@media (prefers-color-scheme: dark) {", "&.dark {").replace(":root", "&")
    own = (HERE / "widget.css").read_text("utf-8")
    return "\n".join([f"{ROOT} {{", colors, *sheets, own, "}"])
