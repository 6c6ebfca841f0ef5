import { once } from 'node:events';
import { join } from 'node:path';
import { WITH_TYPESCRIPT } from '../test/support/run-typescript';
import type { BareResponse } from './bare-server';
import type { BenchRequest, Target } from './load';
import { start } from './process';

/** A bare server whose response to every request is identical to the response of `service` to `request`. */
export async function createBareServer(
  service: Target,
  { method, path, body }: BenchRequest,
): Promise<Target & { destroy: () => Promise<void> }> {
  const result = await fetch(service.url + path, {
    method,
    headers: service.headers,
    ...(body !== undefined && { body }),
  });
  const text = await result.text();
  // Node writes these headers itself.
  const headers = Object.fromEntries(
    [...result.headers].filter(([name]) => !['connection', 'date', 'keep-alive'].includes(name)),
  );
  const running = start([...WITH_TYPESCRIPT, join(__dirname, 'bare-server.ts')], {}, 'inherit');
  const response: BareResponse = { status: result.status, headers, body: text };
  running.child.send(response);
  const [port] = (await once(running.child, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    headers: service.headers,
    relayerIds: service.relayerIds,
    notifiedIds: service.notifiedIds,
    pid: running.pid,
    destroy: running.stop,
  };
}
