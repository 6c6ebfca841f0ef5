/** An account with code is read again after this time: delegations are rare, and nodes refuse what they do not allow meanwhile. */
const KNOWN_MS = 60_000;
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

  /** @throws as `read`; the next call then reads again */
  has(address: string): Promise<boolean> {
    const known = this.known.get(address);
    if (known && this.now() - known.at < KNOWN_MS) return known.value;
    const fresh = { at: this.now(), value: this.read(address) };
    this.known.delete(address);
    this.known.set(address, fresh);
    fresh.value.catch(() => {
      if (this.known.get(address) === fresh) this.known.delete(address);
    });
    const oldest = this.known.keys().next();
    if (this.known.size > MAX_KNOWN && !oldest.done) this.known.delete(oldest.value);
    return fresh.value;
  }
}
