/** Attempts under way to one host at most, once it has shown that it answers. */
const MAX_PER_HOST = 16;
/** What a host begins with. */
const FIRST = 2;
const MAX_IN_ALL = 256;
const MAX_HOSTS = 10_000;

interface Host {
  limit: number;
  used: number;
}

/**
 * How many attempts may be under way, to each host and in all. A host earns more by answering and falls back to one
 * when it fails, so that hosts which hang keep few of the slots that all share.
 */
export class HostSlots {
  private used = 0;
  private readonly hosts = new Map<string, Host>();

  get free(): number {
    return MAX_IN_ALL - this.used;
  }

  /** Hosts that take no more for now. */
  get full(): string[] {
    return [...this.hosts].flatMap(([name, { used, limit }]) => (used >= limit ? [name] : []));
  }

  /** Takes a slot; false where there is none. Whoever has it gives it back by {@link release}. */
  take(name: string): boolean {
    const host = this.hosts.get(name) ?? { limit: FIRST, used: 0 };
    if (this.free <= 0 || host.used >= host.limit) return false;
    host.used += 1;
    this.used += 1;
    this.hosts.set(name, host);
    return true;
  }

  /** @param answered whether the host took what it was sent; undefined where it was not asked */
  release(name: string, answered: boolean | undefined): void {
    const host = this.hosts.get(name);
    if (!host) return;
    host.used -= 1;
    this.used -= 1;
    if (answered !== undefined) host.limit = answered ? Math.min(host.limit + 1, MAX_PER_HOST) : 1;
    if (this.hosts.size > MAX_HOSTS) this.forgetIdle();
  }

  private forgetIdle(): void {
    for (const [name, { used }] of this.hosts) if (used === 0) this.hosts.delete(name);
  }
}
