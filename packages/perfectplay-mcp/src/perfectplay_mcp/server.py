"""The games as tools of the Model Context Protocol: any agent sits down as a client."""

from inspect import signature

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, InputRequiredResult
from pydantic import ValidationError

from perfectplay import __version__
from perfectplay.core.errors import PerfectplayError, UnknownParameterError
from perfectplay.core.formatting import join_words
from perfectplay.core.texts import docstring
from perfectplay_mcp.tools import GameTools, Schedule


class GameServer(MCPServer):
    """A server with the tools of some games; `values` is there only with `oracle`, never in a measurement."""

    def __init__(self, games: GameTools | Schedule, *, oracle: bool = False) -> None:
        super().__init__(
            "perfectplay", version=__version__, instructions=games.instructions, log_level="WARNING"
        )
        tools = [*games.tools, *([games.values] if isinstance(games, GameTools) and oracle else [])]
        self._parameters = {tool.__name__: list(signature(tool).parameters) for tool in tools}
        for tool in tools:
            self.add_tool(tool, description=docstring(tool))

    async def call_tool(
        self, name: str, arguments: dict[str, object], context: Context | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool. An error in a call is explained in one sentence.

        mcp 2.3 ignores unknown arguments, and shows several lines about pydantic for bad ones.
        """
        known = self._parameters.get(name, arguments)
        for each in arguments:
            if each not in known:
                raise ToolError(str(UnknownParameterError(name, each, str(arguments[each]), known)))
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, PerfectplayError):
                raise ToolError(str(error.__cause__)) from error
            if not isinstance(error.__cause__, ValidationError):
                raise
            found = [(".".join(map(str, each["loc"])), each) for each in error.__cause__.errors()]
            missing = [where for where, each in found if each["type"] == "missing"]
            said = [f"{name} needs {join_words(missing, 'and')}"] if missing else []
            said += [f"{where}: {each['msg'].lower()}" for where, each in found if where not in missing]
            raise ToolError("; ".join(said)) from error
