"""The games as tools of the Model Context Protocol: any agent sits down as a client."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from functools import wraps
from inspect import signature
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import ValidationError

from perfectplay import __version__
from perfectplay.core.docstrings import docstring
from perfectplay.core.errors import PerfectplayError, UnknownParameterError
from perfectplay.core.wording import join_words
from perfectplay.evals.mcp_tools import GameTools
from perfectplay.evals.schedule import Schedule


def server(tables: GameTools | Schedule, *, oracle: bool = False) -> MCPServer:
    """The server with its tools; `values` is there only with `oracle`, and never in a measurement."""
    made = MCPServer(
        "perfectplay", version=__version__, instructions=tables.instructions, log_level="WARNING"
    )
    tools = [*tables.tools, *([tables.values] if isinstance(tables, GameTools) and oracle else [])]
    taken = {tool.__name__: list(signature(tool).parameters) for tool in tools}
    made.call_tool = _plain(made.call_tool, taken)
    for tool in tools:
        made.add_tool(_explained(tool))
    return made


def _plain(
    call_tool: Callable[..., Awaitable[Any]], taken: Mapping[str, Collection[str]]
) -> Callable[..., Awaitable[Any]]:
    """The same call of a tool, which says in one sentence which arguments are missing, unknown or wrong."""

    async def called(name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        known = taken.get(name, arguments)
        for each in arguments:
            if each not in known:
                raise ToolError(str(UnknownParameterError(name, each, str(arguments[each]), known)))
        try:
            return await call_tool(name, arguments, context)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            found = [(".".join(map(str, each["loc"])), each) for each in error.__cause__.errors()]
            missing = [where for where, each in found if each["type"] == "missing"]
            said = [f"{name} needs {join_words(missing, 'and')}"] if missing else []
            said += [f"{where}: {each['msg'].lower()}" for where, each in found if where not in missing]
            raise ToolError("; ".join(said)) from error

    return called


def _explained(tool: Callable[..., Any]) -> Callable[..., Any]:
    """The same tool, which tells the client what was wrong with a call."""

    @wraps(tool)
    def called(*args: Any, **settings: Any) -> Any:
        try:
            return tool(*args, **settings)
        except PerfectplayError as error:
            raise ToolError(str(error)) from error

    called.__doc__ = docstring(tool)  # what the client is told about the tool
    return called
