interface HostileNodeOptions {
  shape: string;
  bytes?: number;
  chainId?: number;
}

export class HostileNode {
  static start(options: HostileNodeOptions): Promise<HostileNode>;
  readonly url: string;
  /** Calls that reached it. */
  readonly asked: number;
  close(): Promise<void>;
}

export const SHAPES: readonly string[];
