"""A handwritten MCP server over stdio that violates parts of the protocol, which no library would allow."""

from __future__ import annotations

import json
import sys
from typing import Any

READS = {"readOnlyHint": True}
CITY = {"type": "object", "properties": {"city": {"type": "string"}}}
TOOLS: list[Any] = [
    {"name": "forecast", "inputSchema": CITY, "annotations": READS},
    {"name": "crooked", "inputSchema": {"type": "object", "properties": 5}},
    {"name": "shapeless"},
    {"inputSchema": CITY},
    "no tool",
    {"name": "reserve", "inputSchema": CITY},
]
ANSWERS: dict[str, dict[str, Any]] = {
    "closed": {"error": {"code": -32000, "message": "No <data> today"}},
    "params": {"error": {"code": -32602, "message": "No such city"}},
    "garbled": {"result": {"content": "no list"}},
    "sunny": {"result": {"content": [{"type": "text", "text": "Sunny"}]}},
}


def answer(method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a request; that to a call depends on its city."""
    if method == "initialize":
        about = {"capabilities": {"tools": {}}, "serverInfo": {"name": "raw", "version": "1"}}
        return {"result": {"protocolVersion": params["protocolVersion"], **about}}
    if method == "tools/list":
        return {"result": {"tools": TOOLS}}
    if method == "tools/call":
        sys.stdout.write("calling\n" * 50)
        return ANSWERS[params["arguments"]["city"]]
    return {"result": {}} if method == "ping" else {"error": {"code": -32601, "message": "Method not found"}}


if __name__ == "__main__":
    for line in sys.stdin:
        asked = json.loads(line)
        if "id" in asked:
            told = answer(asked["method"], asked.get("params", {}))
            sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **told}) + "\n")
            sys.stdout.flush()
