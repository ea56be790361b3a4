"""The pages of the API reference: one for each public module, with everything that can be reached from it."""

import inspect
import sys
import typing
from collections.abc import Iterable, Iterator
from importlib import import_module
from types import GenericAlias
from typing import Any

from sphinx.pycode import ModuleAnalyzer

from tools.public_api import names_of, public_names

PACKAGE = "perfectplay"


def reference() -> dict[str, str]:
    """The text of each page as reStructuredText, by the name of its module.

    Objects that public functions return are public too, wherever they are defined: they stand on the page
    of the first module that mentions them.
    """
    modules = {module: names_of(module, names) for module, names in public_names().items()}
    public = {
        module: [getattr(import_module(module), name) for name in names] for module, names in modules.items()
    }
    documented = {_defined(each) for objects in public.values() for each in objects}
    reached = {module: _reached(objects, documented) for module, objects in public.items()}
    pages = {module: _page(module, names, reached[module], documented) for module, names in modules.items()}
    return {**pages, "index": _index(modules)}


def _reached(objects: Iterable[Any], documented: set[str | None]) -> list[str]:
    """The classes that signatures mention, directly or not, and that are not documented yet."""
    waiting, seen, found = list(objects), set[int](), []
    while waiting:
        each = waiting.pop(0)
        if id(each) in seen:
            continue
        seen.add(id(each))
        for mentioned in _mentioned(each):
            name = _defined(mentioned)
            if name and name not in documented and not mentioned.__name__.startswith("_"):
                documented.add(name)
                found.append(name)
            waiting.append(mentioned)
    return sorted(found)


def _mentioned(each: Any) -> Iterator[type]:
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
        if inspect.isclass(annotation) and annotation.__module__.split(".")[0] == PACKAGE:
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
    return [base for base in each.__mro__ if base.__module__.split(".")[0] == PACKAGE]


def public_members(each: type) -> list[str]:
    """The names that a class itself defines."""
    return [name for name in vars(each) if not name.startswith("_")]


def _defined(each: Any) -> str | None:
    """Where a class or a function of the package is defined; None for values and for names of other types."""
    if isinstance(each, GenericAlias) or getattr(each, "__module__", "").split(".")[0] != PACKAGE:
        return None
    return f"{each.__module__}.{each.__qualname__}"


def _page(module: str, names: list[str], reached: list[str], documented: set[str | None]) -> str:
    summary = (inspect.getdoc(import_module(module)) or "").strip()
    parts = [_heading(module, "="), f".. py:module:: {module}", summary]
    parts += [_entry(f"{module}.{name}", documented) for name in names]
    if reached:
        parts.append(_heading("Objects that you get from these", "-"))
        parts += [_entry(name, documented) for name in reached]
    return "\n\n".join(parts) + "\n"


def _heading(text: str, line: str) -> str:
    return f"{text}\n{line * len(text)}"


def _entry(name: str, documented: set[str | None]) -> str:
    module, _, last = name.rpartition(".")
    found = getattr(import_module(module), last)
    if inspect.isclass(found) and _defined(found):
        kind = "autoexception" if issubclass(found, BaseException) else "autoclass"
        members = dict.fromkeys(name for base in _bases(found) for name in _members(base))
        options = [f":members: {', '.join(members)}", ":undoc-members:"]
        parents = {_defined(base) for base in found.__bases__} - {None}
        if parents and parents <= documented:
            options.append(":show-inheritance:")
        return "\n   ".join([f".. {kind}:: {name}", *options])
    return f".. autofunction:: {name}" if _defined(found) else _value(name, found)


def _value(name: str, found: Any) -> str:
    """The entry of a constant, or of a name for a type, with the text below its definition."""
    last = name.rpartition(".")[2]
    for module in [each for each in sys.modules if each.split(".")[0] == PACKAGE]:
        texts = ModuleAnalyzer.for_module(module).find_attr_docs()
        if vars(sys.modules[module]).get(last) is found and ("", last) in texts:
            text = "\n   ".join(texts["", last])
            shown = found.__name__ if inspect.isclass(found) else str(found)
            return f".. py:data:: {last}\n   :value: {shown.replace('typing.', '')}\n\n   {text}"
    raise LookupError(f"{name} is public and has no text below its definition")


def _members(each: type) -> list[str]:
    annotated = [name for name in vars(each).get("__annotations__", {}) if not name.startswith("_")]
    return [*annotated, *public_members(each)]


def _index(modules: dict[str, list[str]]) -> str:
    rows = []
    for module in modules:
        summary = (inspect.getdoc(import_module(module)) or "").strip().splitlines()[0]
        rows.append(f"* - :py:mod:`{module}`\n  - {summary}")
    text = "\n".join(f"   {line}" for row in rows for line in row.splitlines())
    inside = "\n".join(f"   {module}" for module in modules)
    return "\n\n".join(
        [
            _heading("API reference", "="),
            "Everything in Python that is public, with the examples that the tests run."
            " :doc:`/docs/python` is the introduction, and says what public means.",
            f".. list-table::\n   :class: modules\n\n{text}",
            f".. toctree::\n   :hidden:\n\n{inside}\n",
        ]
    )
