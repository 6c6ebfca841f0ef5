/**
 * The number of repetitions for things that only show over time: kills, races, samples. With `TEST_ROUNDS=full`, as
 * before a release, it is the full number; otherwise few, so that `npm test` and `.ci/run` stay short.
 */
export const rounds = <T>(full: T, few: T): T => (process.env.TEST_ROUNDS === 'full' ? full : few);
