import { type Call, send } from './http';

/** Clients that send the same request repeatedly, each as soon as it has the response to the previous one. */
export class ContinuousCalls {
  succeeded = 0;
  /** Failures as a client sees them: a status, or a connection error. */
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
