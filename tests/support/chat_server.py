# SPDX-License-Identifier: Apache-2.0
"""A local server that speaks the protocol of chat completions, faults included.

``python -m tests.support.chat_server`` starts one that judges by a rule, for trying the
command line by hand.
"""

from __future__ import annotations

import json
import re
import socket
import struct
import sys
import threading
import time
from collections import Counter
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

_TRANSLATION = re.compile(r"<translation>(.*?)</translation>", re.DOTALL)
_SOURCE = re.compile(r"<source>(.*?)</source>", re.DOTALL)


def shown(body):
    """Return source and translation of a request."""
    text = body["messages"][-1]["content"]
    source, hyp = _SOURCE.search(text), _TRANSLATION.search(text)
    return source[1] if source else "", hyp[1] if hyp else ""


def rule(body):
    """Judge a translation: every word of the source that is left in it is an error."""
    source, hyp = shown(body)
    words = [word for word in source.split() if len(word) > 3 and word in hyp.split()]
    errors = [
        {
            "text": word,
            "occurrence": 1,
            "side": "translation",
            "category": "Accuracy/Untranslated text",
            "severity": "major" if number else "minor",
        }
        for number, word in enumerate(dict.fromkeys(words))
    ]
    score = max(0, 95 - 9 * len(errors) - 2 * (len(hyp) % 7))
    return json.dumps({"errors": errors, "score": score}, ensure_ascii=False)


def completion(text, *, finish="stop", usage=True, **message):
    """Return a response with a text."""
    content = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": text, **message},
            }
        ],
    }
    if usage:
        tokens = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
        content["usage"] = tokens
    return content


# ------------------------------------------------------------------------- faults
# A fault gets the handler and the request, and returns whether it has answered.


def status(code, *, text="busy", **headers):
    """Answer with an error."""

    def act(handler, body):
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        handler.reply(code, {"error": {"message": text}}, **named)

    return act


def slow(seconds):
    """Answer too late."""

    def act(handler, body):
        time.sleep(seconds)
        handler.reply(200, completion(rule(body)))

    return act


def dribble(handler, body):
    """Send a byte at a time, so that no single read takes long."""
    handler.send_response(200)
    handler.end_headers()
    for _ in range(40):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.05)


def reset(handler, body):
    """Break the connection without a word."""
    linger = struct.pack("ii", 1, 0)
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    handler.connection.close()


def cut(handler, body):
    """Promise more bytes than are sent."""
    data = json.dumps(completion(rule(body))).encode()
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data[: len(data) // 2])
    handler.close_connection = True


def raw(data):
    """Answer with any bytes."""

    def act(handler, body):
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    return act


def echo(handler, body):
    """Say what should be kept secret."""
    handler.reply(400, {"error": {"message": handler.headers["Authorization"]}})


def says(text, **about):
    """Answer with a text of the model."""

    def act(handler, body):
        handler.reply(200, completion(text, **about))

    return act


class Handler(BaseHTTPRequestHandler):
    """Answers requests as the server's script says."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server = self.server
        with server.lock:
            server.seen.append(body)
            server.headers.append(dict(self.headers))
            server.open += 1
            self.inside = True
            server.most = max(server.most, server.open)
            number = server.asked[json.dumps(body, sort_keys=True)]
            server.asked[json.dumps(body, sort_keys=True)] += 1
        try:
            if self.path != server.path:
                self.reply(404, {"error": {"message": f"nothing at {self.path}"}})
                return
            act = server.script(body, number) or server.usual
            act(self, body)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            self.leave()

    def leave(self):
        """Count a request as done, once."""
        with self.server.lock:
            self.server.open -= self.inside
            self.inside = False

    def reply(self, code, content, **headers):
        data = json.dumps(content).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.leave()  # Whoever has the answer may ask again before we are back.
        self.wfile.write(data)

    def log_message(self, *arguments):
        """Be quiet."""


class ChatServer(ThreadingHTTPServer):
    """A server with a script.

    `script(body, number)` returns a fault for the attempt of that number at a request,
    or None to answer by `usual`.
    """

    daemon_threads = True
    block_on_close = False

    def __init__(self, script=None, usual=None, port=0):
        super().__init__(("127.0.0.1", port), Handler)
        self.path = "/v1/chat/completions"
        self.script = script or (lambda body, number: None)
        self.usual = usual or (
            lambda handler, body: handler.reply(200, completion(rule(body)))
        )
        self.lock = threading.Lock()
        self.seen, self.headers = [], []
        self.asked = Counter()
        self.open = self.most = 0

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request, address):
        """Be quiet about clients that hang up."""


@contextmanager
def chat_server(script=None, usual=None):
    """Run a server during a block."""
    server = ChatServer(script, usual)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def first(*faults):
    """Return a script: these faults at the first attempts at every request."""
    return lambda body, number: faults[number] if number < len(faults) else None


if __name__ == "__main__":
    example = ChatServer(port=8000)
    sys.stderr.write(f"judging at {example.url}; end with Ctrl-C\n")
    example.serve_forever()
