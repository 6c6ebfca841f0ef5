import type { AuditChain } from './audit-chain';

/** Holds a chain that one transaction at a time can write to. */
export interface ChainSlot {
  /** Undefined before a chain is begun, and after its head became unknown. */
  chain: AuditChain | undefined;
}

/**
 * Lets the transactions of this process take turns at its chains. A turn lasts from the first appended row to the end
 * of the transaction, because the head is known only then. With several chains, as many transactions can commit at the
 * same time; others wait.
 */
export class ChainTurns {
  private readonly free: ChainSlot[] = [];
  private readonly waiting: ((slot: ChainSlot) => void)[] = [];
  private slots = 0;

  constructor(private readonly size: number) {}

  /**
   * Takes a slot, which belongs to the caller until {@link give}. The most recently used one is preferred, so most
   * slots stay empty.
   */
  take(): Promise<ChainSlot> {
    const slot = this.free.pop();
    if (slot) return Promise.resolve(slot);
    if (this.slots < this.size) {
      this.slots += 1;
      return Promise.resolve({ chain: undefined });
    }
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  give(slot: ChainSlot): void {
    const next = this.waiting.shift();
    if (next) next(slot);
    else this.free.push(slot);
  }
}
