import { setTimeout as sleep } from 'node:timers/promises';

/** Delegations are rare, and nodes refuse what they do not allow meanwhile. */
const KNOWN_MS = 60_000;
/** Sending does not wait longer than this for a node that does not respond. */
const PATIENCE_MS = 500;
const MAX_KNOWN = 10_000;

interface Known {
  at: number;
  value: Promise<boolean>;
}

/** Whether accounts have code (EIP-7702), read once a minute for each account that sends. */
export class AccountCode {
  private readonly known = new Map<string, Known>();

  /** @param now milliseconds of a monotonic clock */
  constructor(
    private readonly read: (address: string) => Promise<boolean>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** False also if no node can tell, or not soon: a node that limits the account then refuses what is too much. */
  has(address: string): Promise<boolean> {
    const known = this.known.get(address);
    if (known && this.now() - known.at < KNOWN_MS) return known.value;
    const read = this.read(address).catch(() => false);
    const value = Promise.race([read, sleep(PATIENCE_MS, false, { ref: false })]);
    this.known.delete(address);
    this.known.set(address, { at: this.now(), value });
    const oldest = this.known.keys().next();
    if (this.known.size > MAX_KNOWN && !oldest.done) this.known.delete(oldest.value);
    return value;
  }
}
