import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { outboundHttp } from '../../test/support/outbound';
import { rawResponse, RawServer } from '../../test/support/raw-server';

const NAME = 'node.test';
/** Longer than Node's default for an attempt. */
const BLOCKED_MS = 400;

/** Blocks the event loop while the first attempt to connect is in progress. */
function blockFirstAttempt(): { stop: () => void; attempts: string[] } {
  const attempts: string[] = [];
  const onSocket = (message: unknown): void => {
    (message as { socket: Socket }).socket.on('connectionAttempt', (address: string) => {
      attempts.push(address);
      if (attempts.length > 1) return;
      // Node starts its timer after this event.
      process.nextTick(() => {
        const end = performance.now() + BLOCKED_MS;
        while (performance.now() < end);
      });
    });
  };
  subscribe('net.client.socket', onSocket);
  return { attempts, stop: () => unsubscribe('net.client.socket', onSocket) };
}

describe('A name with several addresses', () => {
  it('is called at the first, even if the event loop is blocked meanwhile', async () => {
    const server = await RawServer.start((socket) => socket.write(rawResponse('ok')), { host: '127.0.0.2' });
    // Nothing listens at the second address.
    const http = outboundHttp({ allow: NAME, lookup: () => Promise.resolve(['127.0.0.2', '127.0.0.9']) });
    const { attempts, stop } = blockFirstAttempt();
    try {
      const { status } = await http.post({
        url: `http://${NAME}:${server.port}`,
        purpose: 'rpc',
        body: '{}',
        timeoutMs: 20_000,
        maxBytes: 100,
        onTooLarge: 'fail',
      });
      expect(status).toBe(200);
      expect(attempts).toEqual(['127.0.0.2']);
    } finally {
      stop();
      await http.onApplicationShutdown();
      await server.close();
    }
  });
});
