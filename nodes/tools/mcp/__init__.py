"""Offers tools of other providers over the Model Context Protocol; those that read run freely, others ask first."""

from nodes.tools.mcp.config import McpServer, read_servers
from nodes.tools.mcp.servers import McpServers

__all__ = ["McpServer", "McpServers", "read_servers"]
