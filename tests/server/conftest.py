"""A real Chroma server for tests of servers that share one."""

from tests.stores.conftest import chroma_server

__all__ = ["chroma_server"]
