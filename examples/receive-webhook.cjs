// Receives events: SIGNING_KEY='whsec_…' PORT=9000 node examples/receive-webhook.cjs
const { createServer } = require('node:http');
const { Webhook, WebhookVerificationError } = require('standardwebhooks');

const MAX_LENGTH = 2 ** 21;
const MAX_SEEN = 10_000;
const { SIGNING_KEY: key = '', PORT: port = 9000 } = process.env;
const PREFIX = 'whsec_';
// After the prefix, the key is base64; the bytes of a key without the prefix are used as they are.
const bytes = key.startsWith(PREFIX) ? Buffer.from(key.slice(PREFIX.length), 'base64') : Buffer.from(key);
if (bytes.length < (key.startsWith(PREFIX) ? 24 : 32)) {
  console.error(key === '' ? 'SIGNING_KEY is missing' : 'SIGNING_KEY is too short');
  process.exit(1);
}
const webhook = new Webhook(bytes.toString('base64'));
// To remember ids across restarts, store them in the same transaction as the work.
const seen = new Set();

async function receive(request) {
  let body = '';
  // Leaving the loop must not destroy the connection, which has to carry the response.
  for await (const text of request.setEncoding('utf8').iterator({ destroyOnReturn: false }))
    if ((body += text).length > MAX_LENGTH) return 413;
  // Uses the raw body: JSON that is serialised again has a different signature. Requests older than five minutes are
  // refused.
  const { id, event, payload } = webhook.verify(body, request.headers);
  if (seen.has(id)) return 204;
  console.log(event, payload.payload_type);
  seen.add(id);
  if (seen.size > MAX_SEEN) seen.delete(seen.values().next().value);
  return 204;
}

function respond(response, status) {
  if (status !== 413) return response.writeHead(status).end();
  // Nothing more is read. The connection closes a little later, so that a client that is still sending gets the response.
  response.writeHead(status, { connection: 'close', 'content-length': 0 }).flushHeaders();
  setTimeout(() => response.end(), 1000);
}

createServer((request, response) => {
  receive(request)
    .catch((error) => (error instanceof WebhookVerificationError ? 401 : 500))
    .then((status) => respond(response, status));
}).listen(port);
