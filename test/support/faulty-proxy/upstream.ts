import type { Reply, RpcCall } from './fault';

const TIMEOUT_MS = 20_000;

/** The node behind a proxy. */
export class Upstream {
  private calls = 0;

  constructor(readonly url: string) {}

  /** @throws Error if the node does not respond */
  async call({ method, params }: RpcCall): Promise<Reply> {
    this.calls += 1;
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: this.calls, method, params }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = (await response.json()) as { result?: unknown } & Partial<
      Extract<Reply, { error: unknown }>
    >;
    return body.error ? { error: body.error } : { result: body.result ?? null };
  }
}
