/**
 * How often a test does what only shows in the long run: kills, races, samples. `TEST_ROUNDS=full`, as in `.ci/run`, takes
 * the whole number; without it a test takes few, so that `npm test` stays short.
 */
export const rounds = (full: number, few: number): number =>
  process.env.TEST_ROUNDS === 'full' ? full : few;
