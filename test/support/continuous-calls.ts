import { type Call, send } from './http';

/** Clients that send the same request again and again, each as soon as it has its response. */
export class ContinuousCalls {
  succeeded = 0;
  /** What went wrong, as a client sees it: a status, or the error of a connection. */
  readonly failures: string[] = [];
  private stopped = false;
  private readonly loops: Promise<void>[];

  constructor(
    private readonly url: string,
    private readonly call: Call,
    clients: number,
  ) {
    this.loops = Array.from({ length: clients }, () => this.loop());
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.loops);
  }

  private async loop(): Promise<void> {
    while (!this.stopped) {
      try {
        const { status, text } = await send(this.url, this.call);
        if (status === 200) this.succeeded += 1;
        else this.failures.push(`${status} ${text}`);
      } catch (error) {
        this.failures.push(String(error));
      }
    }
  }
}
