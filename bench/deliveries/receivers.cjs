/** Receivers of events, each on a port of its own, that remember what they were sent. */
const { Buffer } = require('node:buffer');
const { createServer } = require('node:http');

class Receivers {
  /** The first `hanging` of them never answer. */
  static async create(count, hanging = 0) {
    const receivers = new Receivers();
    /** By the id of the event: when it arrived, in milliseconds since 1970, and to which receiver. */
    receivers.received = new Map();
    receivers.servers = await Promise.all(
      Array.from({ length: count }, (_, index) => receivers.listen(index, index < hanging)),
    );
    receivers.urls = receivers.servers.map((server) => `http://127.0.0.1:${server.address().port}/events`);
    return receivers;
  }

  listen(index, hangs) {
    const server = createServer((request, response) => {
      const chunks = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        this.keep(index, JSON.parse(Buffer.concat(chunks).toString()));
        if (!hangs) response.end();
      });
      request.on('error', () => {});
    });
    return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
  }

  keep(index, { id, timestamp }) {
    const known = this.received.get(id);
    if (known) known.arrivals.push(Date.now());
    else this.received.set(id, { index, madeAt: Date.parse(timestamp), arrivals: [Date.now()] });
  }

  async destroy() {
    for (const server of this.servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }
}

module.exports = { Receivers };
