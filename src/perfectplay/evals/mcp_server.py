"""The games as tools of the Model Context Protocol: any agent sits down as a client."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import ValidationError

from perfectplay import __version__
from perfectplay.core.docstrings import docstring
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.wording import listed
from perfectplay.evals.tables import Tables

INSTRUCTIONS = """\
Small games of pure strategy. Start one with new_game, then answer each question with move until there is
a result. The last line of an answer that has the form "Move: ..." is the move."""


def server(tables: Tables, *, oracle: bool = False) -> MCPServer:
    """The server with its tools; `values` is there only with `oracle`."""
    made = MCPServer("perfectplay", version=__version__, instructions=INSTRUCTIONS, log_level="WARNING")
    made.call_tool = _plain(made.call_tool)
    tools: list[Callable[..., Any]] = [tables.games, tables.rules, tables.new_game]
    tools += [tables.look, tables.move, tables.resign]
    if oracle:
        tools.append(tables.values)
    for tool in tools:
        made.add_tool(_explained(tool))
    return made


def _plain(call_tool: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """The same call of a tool, which says in one sentence which arguments are missing or wrong."""

    async def called(name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        try:
            return await call_tool(name, arguments, context)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            found = [(".".join(map(str, each["loc"])), each) for each in error.__cause__.errors()]
            missing = [where for where, each in found if each["type"] == "missing"]
            said = [f"{name} needs {listed(missing, 'and')}"] if missing else []
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
