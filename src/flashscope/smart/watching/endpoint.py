"""Prometheus' endpoint: GET /metrics on a loopback address, from the standard library's server.

It answers with a text that the watch gives it; a slow client does not delay the watch or other clients.
There is no password and no encryption: on an address that others can reach, put a reverse proxy before it.
"""

from __future__ import annotations

import re
import socket
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from flashscope.errors import WrongUse
from flashscope.smart.watching.exposition import CONTENT_TYPE

_ADDRESS = re.compile(r"(?:(?P<host>\[[0-9a-fA-F:.]+\]|[^:\[\]\s]*):)?(?P<port>\d{1,5})")
_CLIENT_TIMEOUT_S = 10.0
LOOPBACK = "127.0.0.1"


def parse_address(text: str) -> tuple[str, int]:
    """(host, port) of "9633", ":9633", "10.0.0.5:9633" or "[::1]:9633"; without a host the loopback address.

    Raises WrongUse for anything else. Port 0 lets the system choose.
    """
    match = _ADDRESS.fullmatch(text.strip())
    if match is None or int(match["port"]) > 65535:
        raise WrongUse(f"--prometheus is {text!r}", accepted="PORT or ADDRESS:PORT, such as 9633 or [::1]:9633")
    return (match["host"] or LOOPBACK).strip("[]"), int(match["port"])


class Endpoint:
    """The server, in threads of its own, from `Endpoint(...)` to `close()`. Raises WrongUse when the address is taken.

    host, port: as `parse_address` gives them; `port` is the port that the system chose for 0.
    """

    def __init__(self, host: str, port: int) -> None:
        self._text = b""
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            timeout = _CLIENT_TIMEOUT_S
            server_version, sys_version = "flashscope", ""

            def do_GET(self) -> None:
                endpoint._answer(self)

            do_HEAD = do_GET

            def log_message(self, format: str, *args: Any) -> None:
                """Nothing: every scrape would be a line."""

        class Server(ThreadingHTTPServer):
            address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
            daemon_threads = True

            def handle_error(self, request: Any, client_address: Any) -> None:
                """Nothing: a client that disconnects is no error."""

        try:
            self._server = Server((host, port), Handler)
        except (OSError, OverflowError) as error:
            raise WrongUse(
                f"--prometheus cannot listen on {host} port {port}: {error}",
                accepted="an address of this machine and a port that is free",
                advice="name another port, or end the program that holds it",
            ) from None
        self.host, self.port = host, int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.1,), name="prometheus", daemon=True)
        self._thread.start()

    def show(self, text: str) -> None:
        """Answer with this text from now on."""
        self._text = text.encode()

    def close(self) -> None:
        """Stop listening; returns when the port is free."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _answer(self, request: BaseHTTPRequestHandler) -> None:
        path = request.path.partition("?")[0]
        known = path == "/metrics"
        body = self._text if known else b"flashscope smart watch: the metrics are at /metrics\n"
        request.send_response(HTTPStatus.OK if known or path == "/" else HTTPStatus.NOT_FOUND)
        request.send_header("Content-Type", CONTENT_TYPE if known else "text/plain; charset=utf-8")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        if request.command != "HEAD":
            request.wfile.write(body)
