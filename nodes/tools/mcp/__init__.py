"""Tools of other providers over the Model Context Protocol: what is read runs freely, all else asks first."""

from nodes.tools.mcp.config import McpServer, read_servers
from nodes.tools.mcp.servers import McpServers, open_servers

__all__ = ["McpServer", "McpServers", "open_servers", "read_servers"]
