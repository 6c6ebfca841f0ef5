// Receives events: SIGNING_KEY='…' PORT=9000 node examples/receive-webhook.cjs
const { createHmac, timingSafeEqual } = require('node:crypto');
const { createServer } = require('node:http');
const { buffer } = require('node:stream/consumers');

const text = process.env.SIGNING_KEY;
if (!text) throw new Error('SIGNING_KEY is required');
const key = text.startsWith('whsec_') ? Buffer.from(text.slice(6), 'base64') : Buffer.from(text, 'utf8');
// One that is to survive a restart keeps the ids in the transaction in which it does what the event asks for.
const seen = new Set();

function isGenuine({ 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures }, body) {
  if (!(Math.abs(Date.now() / 1000 - Number(time)) < 300)) return false;
  const expected = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest();
  return String(signatures)
    .split(' ')
    .some((each) => {
      const [version, signature = ''] = each.split(',');
      const bytes = Buffer.from(signature, 'base64');
      return version === 'v1' && bytes.length === 32 && timingSafeEqual(bytes, expected);
    });
}

async function receive(request) {
  // The bytes as they came: JSON that is written anew has another signature.
  const body = await buffer(request);
  if (!isGenuine(request.headers, body)) return 401;
  const { id, event, payload } = JSON.parse(body);
  if (!seen.has(id)) console.log(event, payload.payload_type);
  seen.add(id);
  return 204;
}

createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    () => response.destroy(),
  );
}).listen(process.env.PORT ?? 9000);
