import { setTimeout as sleep } from 'node:timers/promises';
import { setNewest } from '../../../common/set-newest';

/** Delegations are rare, and nodes refuse what they do not allow meanwhile. */
const KNOWN_MS = 60_000;
/** Sending does not wait longer than this for a node that does not respond. */
const PATIENCE_MS = 500;
/** After this time, an account is read again that no node could read. */
const UNKNOWN_MS = 5_000;
const MAX_KNOWN = 10_000;

interface Known {
  at: number;
  /** Undefined until a node has responded. */
  hasCode: boolean | undefined;
  hasFailed: boolean;
  /** Resolves once a node has responded, or is too slow. */
  settled: Promise<unknown>;
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
  async has(address: string): Promise<boolean> {
    const known = this.current(address);
    await known.settled;
    return known.hasCode ?? false;
  }

  private current(address: string): Known {
    const known = this.known.get(address);
    if (known && this.now() - known.at < (known.hasFailed ? UNKNOWN_MS : KNOWN_MS)) return known;
    const next: Known = { at: this.now(), hasCode: undefined, hasFailed: false, settled: Promise.resolve() };
    const read = this.read(address).then(
      (hasCode) => (next.hasCode = hasCode),
      () => (next.hasFailed = true),
    );
    next.settled = Promise.race([read, sleep(PATIENCE_MS, undefined, { ref: false })]);
    setNewest(this.known, address, next, MAX_KNOWN);
    return next;
  }
}
