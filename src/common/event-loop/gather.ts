/**
 * Waits for what comes in the same turn of the event loop, and in the next ones as long as each of them brings some: under
 * load a larger group costs less for each of its members, and without load nothing waits for long.
 *
 * @param count how many have come
 * @param most how many are enough, and how many turns are waited at most
 */
export async function gather(count: () => number, most: { members: number; turns: number }): Promise<void> {
  let before: number;
  let turns = 0;
  do {
    before = count();
    await new Promise(setImmediate);
    turns += 1;
  } while (count() > before && count() < most.members && turns < most.turns);
}
