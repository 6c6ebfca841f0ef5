import type { AuditChain } from './audit-chain';

/** Holds a chain that one transaction at a time writes to. */
export interface ChainSlot {
  /** Undefined until one is begun, and after its head became unknown. */
  chain: AuditChain | undefined;
}

/**
 * Lets transactions of this process take turns at its chains. A turn lasts from the first appended row to the end of
 * the transaction, because the head is known only then. With a few chains, as many transactions can commit at the same
 * time; others wait.
 */
export class ChainTurns {
  private readonly free: ChainSlot[] = [];
  private readonly waiting: ((slot: ChainSlot) => void)[] = [];
  private slots = 0;

  constructor(private readonly size: number) {}

  /** A slot that belongs to the caller until {@link give}. The one that was used last comes first, so most stay empty. */
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
