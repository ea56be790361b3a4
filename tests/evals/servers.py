"""A chat-completions server on loopback that can fail."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Literal

from tests.evals.agents import by_text


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    requests = 0
    fails: Literal["never", "twice", "always"] = "twice"
    says: Callable[[str], str] = staticmethod(by_text)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        type(self).requests += 1
        if self.fails == "twice" and self.requests == 3:  # too busy
            self.send_response(503)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if self.fails == "always" or (self.fails == "twice" and self.requests == 5):  # the connection breaks
            self.close_connection = True
            return
        content = body["messages"][-1]["content"]
        text = content if isinstance(content, str) else content[0]["text"]
        choice = {
            "index": 0,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": type(self).says(text)},
        }
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        reply = {"id": "1", "object": "chat.completion", "created": 0, "model": body["model"]}
        data = json.dumps({**reply, "choices": [choice], "usage": usage}).encode()
        kind = "application/json"
        if body.get("stream"):
            kind, delta = (
                "text/event-stream",
                {"index": 0, "delta": choice["message"], "finish_reason": "stop"},
            )
            chunk = {**reply, "object": "chat.completion.chunk", "choices": [delta], "usage": usage}
            data = f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@contextmanager
def chat_server(
    fails: Literal["never", "twice", "always"] = "never", says: Callable[[str], str] = by_text
) -> Iterator[str]:
    """Its address, while it runs. It fails never, twice or always."""
    Handler.requests, Handler.fails, Handler.says = 0, fails, staticmethod(says)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
