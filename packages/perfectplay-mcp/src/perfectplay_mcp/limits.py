"""The limits of the MCP server."""

MOST_TABLES = 1_000
"""How many games a server keeps; the oldest make room."""
