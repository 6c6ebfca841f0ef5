import type { RelayerEntity } from '../relayer.entity';

/** Checks that an instance has under way. */
const MAX_UNDER_WAY = 128;
/** What one network has under way when it is full: those that hang on it must not take the place of all others. */
const FULL_NETWORK = 16;

/** What a relayer names its network by. */
export type NetworkName = Pick<RelayerEntity, 'networkType' | 'network'>;

/** The checks that this instance has begun, and how many more it may begin. */
export class ChecksUnderWay {
  private readonly checks = new Map<Promise<void>, NetworkName>();

  get room(): number {
    return MAX_UNDER_WAY - this.checks.size;
  }

  /** Networks that are to begin no more checks now. */
  get fullNetworks(): NetworkName[] {
    const networks = new Map<string, { name: NetworkName; count: number }>();
    for (const { networkType, network } of this.checks.values()) {
      const key = `${networkType}:${network}`;
      const known = networks.get(key) ?? { name: { networkType, network }, count: 0 };
      known.count += 1;
      networks.set(key, known);
    }
    return [...networks.values()].filter(({ count }) => count >= FULL_NETWORK).map(({ name }) => name);
  }

  hasRoomFor({ networkType, network }: NetworkName): boolean {
    const isOfRelayer = (full: NetworkName) => full.networkType === networkType && full.network === network;
    return this.room > 0 && !this.fullNetworks.some(isOfRelayer);
  }

  /** @param check never rejects */
  add(on: NetworkName, check: Promise<void>): Promise<void> {
    this.checks.set(check, on);
    void check.then(() => this.checks.delete(check));
    return check;
  }

  async ended(): Promise<void> {
    await Promise.all(this.checks.keys());
  }
}
