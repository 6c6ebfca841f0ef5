/** Declares tests that all start before the first one is awaited, because most of their time is waiting. */
export function together(tests: Readonly<Record<string, () => Promise<void>>>, timeoutMs?: number): void {
  const running = new Map<string, Promise<void>>();
  beforeAll(() => {
    for (const [title, test] of Object.entries(tests)) {
      const run = test();
      // The test itself reports the failure.
      run.catch(() => undefined);
      running.set(title, run);
    }
  });
  for (const title of Object.keys(tests)) it(title, async () => running.get(title), timeoutMs);
}
