/** Causes events over HTTP: each call gives a relayer a unique name, which the event contains. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet } from './fleet';

const CALLERS = 16;
const REST_MS = 20;

export class Changes {
  /** The names that were acknowledged. */
  readonly acknowledged = new Set<string>();
  private sent = 0;

  constructor(
    private readonly fleet: Fleet,
    private readonly relayers: string[],
  ) {}

  /** Sends changes until `count` are acknowledged in total. Calls that fail or get no response do not count. */
  async make(count: number): Promise<void> {
    await Promise.all(
      Array.from({ length: CALLERS }, async () => {
        while (this.acknowledged.size < count) await this.one();
      }),
    );
  }

  private async one(): Promise<void> {
    const number = this.sent;
    this.sent += 1;
    const name = `change ${number}`;
    const index = number % this.fleet.instances.length;
    const id = this.relayers[number % this.relayers.length]!;
    try {
      const status = await this.fleet.call(index, 'PATCH', `/api/v1/relayers/${id}`, { name });
      if (status === 200) this.acknowledged.add(name);
      else await sleep(REST_MS);
    } catch {
      await sleep(REST_MS);
    }
  }
}
