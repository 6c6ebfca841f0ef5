/**
 * A node that never mines anything although there are new blocks, so that every transaction waits. It counts the calls.
 */
import { keccak256 } from 'ethers';
import { NodeServer } from './node-server';

export class IdleNode extends NodeServer {
  readonly calls = new Map<string, number>();
  requests = 0;

  private constructor(
    chainId: number,
    private readonly blockMs: number,
  ) {
    super(chainId);
  }

  static start(chainId: number, blockMs: number): Promise<IdleNode> {
    return new IdleNode(chainId, blockMs).listen();
  }

  clear(): void {
    this.calls.clear();
    this.requests = 0;
  }

  protected get head(): number {
    return Math.floor(Date.now() / this.blockMs);
  }

  protected nonceOf(): number {
    return 0;
  }

  protected send(raw: string): string {
    return keccak256(raw);
  }

  protected override observe(methods: string[]): void {
    this.requests += 1;
    for (const method of methods) this.calls.set(method, (this.calls.get(method) ?? 0) + 1);
  }
}
