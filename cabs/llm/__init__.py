"""Any OpenAI-compatible server as a reader and a judge; nothing that it says is taken on trust."""

from cabs.llm.server import Server, server_from

__all__ = ["Server", "server_from"]
