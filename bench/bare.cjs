const { once } = require('node:events');
const { join } = require('node:path');
const { start } = require('./process.cjs');

/** A bare server that answers every request as `service` answers `request`, byte for byte. */
async function createBareServer(service, { method, path, body }) {
  const answer = await fetch(service.url + path, { method, headers: service.headers, body });
  const text = await answer.text();
  // Node writes these itself.
  const headers = Object.fromEntries(
    [...answer.headers].filter(([name]) => !['connection', 'date', 'keep-alive'].includes(name)),
  );
  const running = start([join(__dirname, 'bare-server.cjs')], {}, 'inherit');
  running.child.send({ status: answer.status, headers, body: text });
  const [port] = await once(running.child, 'message');
  return {
    url: `http://127.0.0.1:${port}`,
    headers: service.headers,
    pid: running.pid,
    destroy: running.stop,
  };
}

module.exports = { createBareServer };
