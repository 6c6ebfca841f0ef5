/** What a node says to a method: its result, an error, or nothing at all. */
type Saying = string | { code: number; message: string };

export class ScriptedNode {
  /** Starts a node that is well: it answers for its chain, the nonce 0 and a balance of 10^18 wei. */
  static start(chainId: number): Promise<ScriptedNode>;
  readonly url: string;
  /** Calls that have come so far. */
  readonly calls: number;
  /** Sayings by method, where they differ from those of a node that is well; 'hang' for no answer; and an HTTP status. */
  be(behaviour: { status?: number; [method: string]: Saying | number | undefined }): void;
  stop(): Promise<void>;
}
