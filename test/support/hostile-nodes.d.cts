interface Way {
  atOnce?: boolean;
  slow?: boolean;
  lies?: boolean;
}

interface RpcNodeOptions {
  way?: string;
  chainId?: number;
  tellsChain?: boolean;
}

export class RpcNode {
  static start(options?: RpcNodeOptions): Promise<RpcNode>;
  readonly url: string;
  /** Calls that reached it. */
  readonly asked: number;
  /** Those of them that asked for more than its chain. */
  readonly others: number;
  close(): Promise<void>;
}

export const WAYS: Readonly<Record<string, Way>>;
