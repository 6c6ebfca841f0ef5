import type { RelayerEntity } from '../relayer.entity';

/** Checks in progress of an instance. @limit Relayer checks */
const MAX_UNDER_WAY = 128;
/**
 * Checks in progress of one network: relayers on a network that hangs must not hold up all others.
 * @limit Relayer checks
 */
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
    const networks = new Map([...this.checks.values()].map((name) => [keyOf(name), name]));
    const counts = this.countByNetwork();
    return [...networks].filter(([key]) => isFull(counts.get(key))).map(([, name]) => name);
  }

  hasRoomFor(relayer: NetworkName): boolean {
    return this.room > 0 && !isFull(this.countByNetwork().get(keyOf(relayer)));
  }

  /** Those of them that can begin together without more on a network than it may have; the first ones go first. */
  choose<T extends NetworkName>(relayers: readonly T[]): T[] {
    const counts = this.countByNetwork();
    return relayers.filter((relayer) => {
      const key = keyOf(relayer);
      if (isFull(counts.get(key))) return false;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return true;
    });
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

  private countByNetwork(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const name of this.checks.values()) counts.set(keyOf(name), (counts.get(keyOf(name)) ?? 0) + 1);
    return counts;
  }
}

const keyOf = ({ networkType, network }: NetworkName): string => `${networkType}:${network}`;

const isFull = (count = 0): boolean => count >= FULL_NETWORK;
