"""Receives events: SIGNING_KEY='whsec_…' PORT=9000 python3 examples/receive_webhook.py"""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MAX_LENGTH = 2**21
MAX_SEEN = 10_000
TOLERANCE_SECONDS = 300
PREFIX = "whsec_"

signing_key = os.environ.get("SIGNING_KEY", "")
# After the prefix, the key is base64; a key without the prefix is used as UTF-8.
key = base64.b64decode(signing_key[len(PREFIX) :]) if signing_key.startswith(PREFIX) else signing_key.encode()
if len(key) < (24 if signing_key.startswith(PREFIX) else 32):
    raise SystemExit("SIGNING_KEY is too short" if signing_key else "SIGNING_KEY is missing")
# To remember ids across restarts, store them in the same database transaction as the work.
seen = {}


def is_authentic(headers, body):
    """Whether the service sent this body at most five minutes ago."""
    event_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not (event_id and timestamp.isascii() and timestamp.isdigit()):
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    digest = hmac.digest(key, f"{event_id}.{timestamp}.".encode() + body, hashlib.sha256)
    expected = b"v1," + base64.b64encode(digest)
    # During a key change there are two signatures.
    signatures = headers.get("webhook-signature", "").encode("latin-1").split(b" ")
    return any([hmac.compare_digest(expected, signature) for signature in signatures])


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 10

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()):
            return self.respond(411)
        if int(length) > MAX_LENGTH:
            return self.respond(413)
        body = self.rfile.read(int(length))
        if not is_authentic(self.headers, body):
            return self.respond(401)
        event = json.loads(body)
        if event["id"] not in seen:
            print(event["event"], event["payload"]["payload_type"], flush=True)
            seen[event["id"]] = True
            if len(seen) > MAX_SEEN:
                del seen[next(iter(seen))]
        self.respond(204)

    def respond(self, status):
        self.send_response(status)
        if status >= 400:
            self.send_header("Connection", "close")
        if status != 204:
            self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("", int(os.environ.get("PORT", "9000"))), Receiver).serve_forever()
