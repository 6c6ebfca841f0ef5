import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SeededRandom } from '../seeded-random';
import { CallRecord } from './call-record';
import { type Ending, type Fault, isReply, nameOf, type Outcome, type Reply, type RpcCall } from './fault';
import { type FaultRule, FaultRules, type When } from './fault-rules';
import { Upstream } from './upstream';

interface Asked {
  id: unknown;
  method: string;
  params?: readonly unknown[];
}

/** A call and its outcome. */
interface Done {
  id: unknown;
  call: RpcCall;
  outcome: Outcome;
  fault: string | undefined;
  forwarded: boolean;
}

/**
 * A JSON-RPC proxy on the loopback interface, in front of a node. It forwards everything it receives, call by call and
 * in order, unless a fault applies. If a fault ends the exchange of a call in a batch, the other calls fail too; those
 * before it may have been forwarded. If the node cannot be reached, the response is HTTP 502.
 *
 * With equal seeds, equal sequences of calls meet the same faults.
 */
export class FaultyProxy {
  readonly record = new CallRecord();
  /** If false, a batch gets a single error, as from a node without support for batches. */
  batches = true;
  private readonly rules: FaultRules;
  private readonly upstream: Upstream;
  private readonly server: Server;

  private constructor(upstream: string, seed: string) {
    this.upstream = new Upstream(upstream);
    this.rules = new FaultRules(new SeededRandom(seed));
    this.server = createServer((request, response) => void this.serve(request, response));
  }

  /** @param upstream the URL of the node */
  static async start(upstream: string, { seed = 'proxy' } = {}): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(upstream, seed);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /**
   * Adds a fault after the existing ones. @returns an argument for `remove`, which contains the number of calls it
   * applied to
   */
  add(fault: Fault, when: When = {}): FaultRule {
    return this.rules.add(fault, when);
  }

  remove(rule: FaultRule): void {
    this.rules.remove(rule);
  }

  /** Removes all faults. Calls that hang continue to hang. */
  clear(): void {
    this.rules.clear();
  }

  /** Closes all connections. */
  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      this.record.requests += 1;
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Asked | Asked[];
      if (!Array.isArray(body)) await this.respond([body], ([reply]) => reply, response);
      else if (this.batches) await this.respond(body, (replies) => replies, response);
      else respond(response, { jsonrpc: '2.0', id: null, error: NO_BATCHES });
    } catch {
      // The caller has disconnected, or did not send JSON.
      response.destroy();
    }
  }

  private async respond(
    asked: Asked[],
    bodyOf: (replies: object[]) => unknown,
    response: ServerResponse,
  ): Promise<void> {
    const number = this.record.requests;
    const done: Done[] = [];
    for (const call of asked) done.push(await this.treat(call));
    const ending = done.map(({ outcome }) => outcome).find(isEnding);
    for (const { call, outcome, fault, forwarded } of done) {
      const became = nameOf(ending ?? outcome);
      const error = isReply(outcome) && 'error' in outcome ? outcome.error : undefined;
      const at = Date.now();
      this.record.add({ ...call, at, request: number, fault, forwarded, outcome: became, error });
    }
    if (ending === undefined) respond(response, bodyOf(done.map(toResponse)));
    else if (ending === 'drop') response.destroy();
    else if (ending !== 'hang') response.writeHead(ending.status).end();
  }

  private async treat({ id, method, params = [] }: Asked): Promise<Done> {
    const call = { method, params };
    let forwarded = false;
    try {
      const treated = await this.rules.treat(call, async (other = call) => {
        const reply = await this.upstream.call(other);
        forwarded ||= other.method === method;
        return reply;
      });
      return { id, call, ...treated, forwarded };
    } catch {
      return { id, call, outcome: { status: 502 }, fault: undefined, forwarded };
    }
  }
}

const NO_BATCHES = { code: -32600, message: 'Batch requests are not supported' };

const isEnding = (outcome: Outcome): outcome is Ending => !isReply(outcome);

const toResponse = ({ id, outcome }: Done): object => ({ jsonrpc: '2.0', id, ...(outcome as Reply) });

function respond(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
