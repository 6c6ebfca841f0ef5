import type { AuditChain } from './audit-chain';

/** A place for a chain that one transaction writes at a time. */
export interface ChainSlot {
  /** Undefined until one is begun, and after its head became unknown. */
  chain: AuditChain | undefined;
}

/**
 * Lets transactions of this process take turns at its chains: from the row they append until they are over, since only
 * then the head is known. A few chains let as many transactions commit at the same time; the others wait.
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
