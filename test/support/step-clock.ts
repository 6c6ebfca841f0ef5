/**
 * Moves the clock of the process, back if the step is negative; monotonic clocks and timers are unaffected. @returns a
 * function that undoes it
 */
export function stepClock(milliseconds: number): () => void {
  const Real = Date;
  class Stepped extends Real {
    constructor(...args: unknown[]) {
      super(...((args.length > 0 ? args : [Stepped.now()]) as [number]));
    }

    static override now(): number {
      return Real.now() + milliseconds;
    }

    static override [Symbol.hasInstance](value: unknown): boolean {
      return Object.prototype.toString.call(value) === '[object Date]';
    }
  }
  globalThis.Date = Stepped as DateConstructor;
  return () => {
    globalThis.Date = Real;
  };
}
