"""The pages of the API reference: one for each public module, with everything that can be reached from it."""

import inspect
import sys
import typing
from collections.abc import Iterable, Iterator
from importlib import import_module
from types import GenericAlias
from typing import Any

from sphinx.pycode import ModuleAnalyzer

from tools import SOURCES
from tools.public_api import names_of, public_names

PACKAGES = tuple(source.name for source in SOURCES)

SUBJECTS = {
    "Games": ("core", "online", "perfectplay_notebook"),
    "Players and puzzles": ("players", "coach"),
    "Auditing rules": ("audit",),
    "Games in arrays": ("simulate",),
    "Learning": ("learning",),
    "Environments": ("adapters",),
    "Evaluating, and charts of it": ("evals", "strength", "render", "perfectplay_mcp"),
}
"""The packages that a subject has; the first has the names of `perfectplay` itself too."""

PARTS = {
    "perfectplay": {
        "playing": ("Loading and playing games", "names load Match Side Action Outcome Result PASS other"),
        "records": ("Records and series", "Record read_records Series"),
        "solving": ("Solving games", "solve Oracle Value Theory"),
        "policies": ("Measuring policies", "measure_policy PolicyMeasure load_policy Policy"),
        "views": (
            "Showing positions and asking for moves",
            "View Cell Control Link Placed Dialogue TextField Refusal",
        ),
        "rules": ("Writing the rules of a game", "Game parameter Preset GameTexts"),
        "checking": ("Rules for arrays, and checks", "ArrayRules check_game check_env"),
    },
    "perfectplay.simulate": {
        "playing": (
            "Playing many games at once",
            "BatchedGame Batch SingleGame single_game Row OUTCOMES KINDS",
        ),
    },
    "perfectplay.simulate.jax_tables": {
        "games": ("Games as functions of JAX", "jax_game JaxGame JaxState NOBODY"),
    },
    "perfectplay.audit.report-objects": {
        "measures": (
            "Measures and strengths in an audit",
            "CrossTable Difference Rates Depth Lengths Measures Reading",
        ),
    },
}
"""Parts of a page that have one of their own: its title, and the names that it has."""


def reference() -> dict[str, str]:
    """The text of each page as reStructuredText, by the name of its module.

    Objects that public functions return are public too, wherever they are defined: they stand on the page
    of the first module that mentions them.
    """
    modules = {module: names_of(module, names) for module, names in public_names().items()}
    public = {
        module: [getattr(import_module(module), name) for name in names] for module, names in modules.items()
    }
    documented = {_locate(each) for objects in public.values() for each in objects}
    reached = {module: _find_reached(objects, documented) for module, objects in public.items()}
    pages: dict[str, str] = {}
    for module, names in modules.items():
        pages |= _pages(module, names, reached[module], documented)
    return {**pages, "index": _index(modules, list(pages))}


def _find_reached(objects: Iterable[Any], documented: set[str | None]) -> list[str]:
    """The classes that signatures mention, directly or not, and that are not documented yet."""
    waiting, seen, found = list(objects), set[int](), []
    while waiting:
        each = waiting.pop(0)
        if id(each) in seen:
            continue
        seen.add(id(each))
        for mentioned in _find_mentioned(each):
            name = _locate(mentioned)
            if name and name not in documented and not mentioned.__name__.startswith("_"):
                documented.add(name)
                found.append(name)
            waiting.append(mentioned)
    return sorted(found)


def _find_mentioned(each: Any) -> Iterator[type]:
    """The classes of the package in the annotations of a class or a function."""
    if inspect.isclass(each):
        parts = [vars(base)[name] for base in _bases(each) for name in public_members(base)]
        hints = [_hints(part) for part in [each, *map(_function, parts)]]
    else:
        hints = [_hints(each)]
    for annotation in (annotation for each in hints for annotation in each.values()):
        yield from _classes(annotation)


def _classes(annotation: Any) -> Iterator[type]:
    if isinstance(annotation, list):  # the arguments of a Callable
        parts = annotation
    else:
        parts = [typing.get_origin(annotation), *typing.get_args(annotation)]
        if inspect.isclass(annotation) and annotation.__module__.split(".")[0] in PACKAGES:
            yield annotation
    for part in parts:
        if part is not None:
            yield from _classes(part)


def _hints(each: Any) -> dict[str, Any]:
    try:
        return typing.get_type_hints(each)
    except (NameError, TypeError):  # a type that is imported for type checkers only; or no annotations at all
        return {}


def _function(member: Any) -> Any:
    """The function behind a member of a class."""
    if isinstance(member, property):
        return member.fget
    return getattr(member, "__func__", None) or getattr(member, "func", None) or member


def _bases(each: type) -> list[type]:
    """A class and those it inherits from, as far as they belong to the package."""
    return [base for base in each.__mro__ if base.__module__.split(".")[0] in PACKAGES]


def public_members(each: type) -> list[str]:
    """The names that a class itself defines."""
    return [name for name in vars(each) if not name.startswith("_")]


def _locate(each: Any) -> str | None:
    """Where a class or a function of the package is defined; None for values and for names of other types."""
    if isinstance(each, GenericAlias) or getattr(each, "__module__", "").split(".")[0] not in PACKAGES:
        return None
    return f"{each.__module__}.{each.__qualname__}"


def _pages(module: str, names: list[str], reached: list[str], documented: set[str | None]) -> dict[str, str]:
    """The page of a module; its parts, what it returns, and last its errors, on pages of their own."""
    errors = [name for name in names if _is_error(getattr(import_module(module), name))]
    summary = (inspect.getdoc(import_module(module)) or "").strip()
    others = {
        f"{module}-objects": (f"Objects that you get from {module}", reached),
        f"{module}-errors": (f"Errors of {module}", [f"{module}.{name}" for name in errors]),
    }
    entries = [f"{module}.{name}" for name in names if name not in errors]
    first, contents = _split(module, entries)
    for name, (title, found) in others.items():
        rest, parts = _split(name, found)
        contents |= ({name: (title, rest)} if rest else {}) | parts
    links = "\n".join(f"- :doc:`{name}`" for name in contents)
    current = f".. py:currentmodule:: {module}"
    pages = {
        module: [
            _heading(module, "="),
            f".. py:module:: {module}",
            summary,
            links,
            *_entries(first, documented),
        ]
    }
    for name, (title, found) in contents.items():
        pages[name] = [_heading(title, "="), current, *_entries(found, documented)]
    return {name: "\n\n".join(parts) + "\n" for name, parts in pages.items()}


def _split(page: str, entries: list[str]) -> tuple[list[str], dict[str, tuple[str, list[str]]]]:
    """The entries that stay on a page, and its parts."""
    by_name = {entry.rpartition(".")[2]: entry for entry in entries}
    parts = {
        f"{page}-{end}": (title, [by_name.pop(name) for name in names.split()])
        for end, (title, names) in PARTS.get(page, {}).items()
    }
    return list(by_name.values()), parts


def _entries(names: Iterable[str], documented: set[str | None]) -> list[str]:
    return [_entry(name, documented) for name in names]


def _is_error(found: Any) -> bool:
    return inspect.isclass(found) and issubclass(found, BaseException)


def _heading(text: str, line: str) -> str:
    return f"{text}\n{line * len(text)}"


def _entry(name: str, documented: set[str | None]) -> str:
    module, _, last = name.rpartition(".")
    found = getattr(import_module(module), last)
    if inspect.isclass(found) and _locate(found):
        kind = "autoexception" if _is_error(found) else "autoclass"
        members = dict.fromkeys(name for base in _bases(found) for name in _members(base))
        options = [f":members: {', '.join(members)}", ":undoc-members:"]
        parents = {_locate(base) for base in found.__bases__} - {None}
        if parents and parents <= documented:
            options.append(":show-inheritance:")
        return "\n   ".join([f".. {kind}:: {name}", *options])
    return f".. autofunction:: {name}" if _locate(found) else _value(name, found)


def _value(name: str, found: Any) -> str:
    """The entry of a constant, or of a name for a type, with the text below its definition."""
    last = name.rpartition(".")[2]
    for module in [each for each in sys.modules if each.split(".")[0] in PACKAGES]:
        texts = ModuleAnalyzer.for_module(module).find_attr_docs()
        if vars(sys.modules[module]).get(last) is found and ("", last) in texts:
            text = "\n   ".join(texts["", last])
            shown = found.__name__ if inspect.isclass(found) else str(found)
            return f".. py:data:: {last}\n   :value: {shown.replace('typing.', '')}\n\n   {text}"
    raise LookupError(f"{name} is public and has no text below its definition")


def _members(each: type) -> list[str]:
    annotated = [name for name in vars(each).get("__annotations__", {}) if not name.startswith("_")]
    return [*annotated, *public_members(each)]


def _index(modules: Iterable[str], pages: list[str]) -> str:
    parts = [
        _heading("API reference", "="),
        "Everything in Python that is public, with the examples that the tests run."
        " :doc:`/docs/python` is the introduction, and says what public means.",
    ]
    found: dict[str, list[str]] = {subject: [] for subject in SUBJECTS}
    for module in modules:
        distribution, package = (*module.split("."), "core")[:2]
        package = package if distribution == "perfectplay" else distribution
        [subject] = (subject for subject, packages in SUBJECTS.items() if package in packages)
        found[subject].append(_row(module))
    for subject, rows in found.items():
        table = "\n".join(rows)
        parts += [_heading(subject, "-"), f".. list-table::\n   :class: modules\n\n{table}"]
    inside = "\n".join(f"   {page}" for page in pages)
    return "\n\n".join([*parts, f".. toctree::\n   :hidden:\n\n{inside}\n"])


def _row(module: str) -> str:
    summary = (inspect.getdoc(import_module(module)) or "").strip().splitlines()[0]
    titles = [f":doc:`{title} <{module}-{end}>`" for end, (title, _) in PARTS.get(module, {}).items()]
    more = f" {', '.join(titles)}" if titles else ""
    return f"   * - :py:mod:`{module}`\n     - {summary}{more}"
