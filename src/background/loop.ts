import { Pause } from '../common/event-loop/pause';

/** Repeats a step until it is stopped. The pause after each step can be ended early. */
export class Loop {
  private readonly pause = new Pause();
  private running: Promise<void> | undefined;
  private stopped = false;

  /** @param step must not reject; resolves to the length of the following pause, in milliseconds */
  constructor(private readonly step: () => Promise<number>) {}

  /** Starts the loop; does nothing if it is already running. */
  start(): void {
    this.running ??= this.run();
  }

  /** Ends the pause, or the next one if a step is in progress. */
  wake(): void {
    this.pause.end();
  }

  /** Stops the loop. Resolves when the step in progress has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopped) await this.pause.take(await this.step());
  }
}
