"""A stand-in server on loopback for the failures that a real one cannot be made to show."""

import json
import queue
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[["Request"], None]


class Request(BaseHTTPRequestHandler):
    """One request; an answer is a function of it."""

    server: "StandIn"

    def do_GET(self) -> None:
        self._serve()

    def do_HEAD(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def log_message(self, *args: object) -> None:
        pass

    def _serve(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        self.body = json.loads(self.rfile.read(length)) if length else None
        self.server.requests.append(self)
        self.server.heard.put(self.path)
        try:
            self.server.answers.get(self.path.partition("?")[0], not_found)(self)
        except (BrokenPipeError, ConnectionResetError):
            self.server.client_left.set()

    def send(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def send_lines(self, *lines: str) -> None:
        self.wfile.write("".join(f"{line}\n" for line in lines).encode())
        self.wfile.flush()


class StandIn(ThreadingHTTPServer):
    """Answers by path, remembers what was asked, and notices when a client leaves half-way."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Request)
        self.answers: dict[str, Answer] = {}
        self.requests: list[Request] = []
        self.heard: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.client_left = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def wait_for(self, path: str) -> None:
        """Block until this path is asked for."""
        while self.heard.get(timeout=20) != path:
            pass

    def bodies(self, path: str) -> list[Any]:
        return [request.body for request in self.requests if request.path == path]


def not_found(request: Request) -> None:
    request.send(404, b'{"error": "not found"}')


def reply(value: object, status: int = 200) -> Answer:
    """Answer with JSON."""
    return lambda request: request.send(status, json.dumps(value).encode())


def stream(*values: object, prefix: str = "", end: str = "") -> Answer:
    """Answer with one JSON value a line, then close the connection."""

    def answer(request: Request) -> None:
        request.send(200)
        request.send_lines(*(f"{prefix}{json.dumps(value)}" for value in values), *([end] if end else []))

    return answer


def endless(value: object, prefix: str = "") -> Answer:
    """Answer with the same line until the client leaves."""

    def answer(request: Request) -> None:
        request.send(200)
        while True:
            request.send_lines(prefix + json.dumps(value))

    return answer


def silent(request: Request) -> None:
    """Accept the request and say nothing until the client leaves."""
    request.rfile.read(1)
    request.server.client_left.set()
