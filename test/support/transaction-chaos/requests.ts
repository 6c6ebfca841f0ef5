import { setTimeout as sleep } from 'node:timers/promises';
import { execute } from '../contracts/calls';
import type { HttpResponse } from '../http';
import type { SeededRandom } from '../seeded-random';
import { type Client, requestTransaction, type SendingRelayer } from '../transactions';

const CALLERS = 8;
const REST_MS = 50;
/** The maximum pause of a caller before a request. */
const PAUSE_MS = 1000;
const PATIENCE_MS = 120_000;
/** One of this many requests is sent twice at the same time. */
const TWICE_ONE_IN = 8;

/**
 * Requests the execution of 0, 1, 2 … by a `COUNTER`, each with a key of its own, and repeats it until there is a
 * response.
 */
export class Requests {
  /** The ids of the transactions, by the number that they execute. */
  readonly accepted = new Map<number, string>();
  private next = 0;
  private failure: unknown;

  /** @param clients instances of the service, any of which may be unavailable at times */
  constructor(
    private readonly clients: readonly Client[],
    private readonly relayer: SendingRelayer,
    private readonly counter: string,
    private readonly random: SeededRandom,
  ) {}

  /** Sends requests until there are `count` in total. @throws Error if a request is refused, or one key has two ids */
  async make(count: number): Promise<void> {
    const caller = async (): Promise<void> => {
      while (this.next < count && this.failure === undefined)
        await this.one(this.next++).catch((error: unknown) => (this.failure ??= error));
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
    if (this.failure !== undefined) throw this.failure as Error;
  }

  /** Repeats each request. @returns those whose response is not the first record */
  async replayed(): Promise<number[]> {
    const others: number[] = [];
    for (const [number, id] of this.accepted) {
      const { status, body } = await this.post(number);
      if (status !== 200 || body?.data?.id !== id) others.push(number);
    }
    return others;
  }

  private async one(number: number): Promise<void> {
    await sleep(this.random.below(PAUSE_MS));
    const copies = this.random.below(TWICE_ONE_IN) === 0 ? 2 : 1;
    const ids = await Promise.all(Array.from({ length: copies }, () => this.idOf(number)));
    if (new Set(ids).size > 1) throw new Error(`Request ${number} has the ids ${ids.join(' and ')}`);
    this.accepted.set(number, ids[0]!);
  }

  private async idOf(number: number): Promise<string> {
    const end = Date.now() + PATIENCE_MS;
    while (Date.now() < end && this.failure === undefined) {
      const response = await this.post(number).catch(() => undefined);
      if (response?.status === 201 || response?.status === 200) return response.body.data.id as string;
      if (response && response.status < 500 && response.status !== 429)
        throw new Error(`Request ${number}: ${response.status} ${response.text}`);
      await sleep(REST_MS);
    }
    throw new Error(`Request ${number} has no response`);
  }

  private post(number: number): Promise<HttpResponse> {
    const client = this.clients[this.random.below(this.clients.length)]!;
    const body = {
      to: this.counter,
      value: '0',
      data: execute(number),
      speed: 'fast',
      gas_limit: 200_000,
    };
    return requestTransaction(client, this.relayer, body, `execution-${number}`);
  }
}
