/**
 * Waits for items that arrive in the current turn of the event loop, and in further turns as long as each of them
 * brings more. Under load, a larger group costs less per item; without load, nothing waits for long.
 *
 * @param count returns how many items have arrived
 * @param most the number of items that is sufficient, and the maximum number of turns
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
