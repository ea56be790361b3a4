"""Docstrings that are shown to people."""

import ast
import inspect
import sys
from collections.abc import Callable
from textwrap import dedent
from typing import Any


def docstring(thing: type[Any] | Callable[..., Any]) -> str:
    """The docstring of a class or a function. `python -OO` drops it, and then its source is read.

    >>> docstring(docstring).partition(".")[0]
    'The docstring of a class or a function'
    """
    if sys.flags.optimize < 2:
        return inspect.getdoc(thing) or ""
    for each in getattr(thing, "__mro__", (thing,)):
        try:
            [node] = ast.parse(dedent(inspect.getsource(each))).body
        except (OSError, TypeError, SyntaxError, ValueError):  # there is no source to read
            continue
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and (found := ast.get_docstring(node)):
            return found
    return ""


def summary(thing: type[Any]) -> str:
    """The first line of a class's docstring.

    >>> from perfectplay.games.registry import game_class
    >>> summary(game_class("bit-flip"))
    'Flip bits that have no flipped neighbor; the last to flip wins.'
    """
    return (docstring(thing) or thing.__name__).splitlines()[0]
