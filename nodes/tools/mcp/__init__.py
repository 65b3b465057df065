"""Offers tools of MCP servers (Model Context Protocol). Read-only tools run freely, others need approval."""

from nodes.tools.mcp.config import McpServer, read_servers
from nodes.tools.mcp.servers import McpServers

__all__ = ["McpServer", "McpServers", "read_servers"]
