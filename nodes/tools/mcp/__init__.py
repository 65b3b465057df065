"""Offers tools of other providers over the Model Context Protocol; those that read run freely, others ask first."""

from nodes.tools.mcp.config import McpServer, read_servers
from nodes.tools.mcp.servers import McpServers, open_servers

__all__ = ["McpServer", "McpServers", "open_servers", "read_servers"]
