/** How much the clocks of two instances may differ, in milliseconds. */
export const CLOCK_DIFFERENCE_MS = 60_000;
