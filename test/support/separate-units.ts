import type { SharedUnits } from '../../src/database/shared-units';

/** Stores each item separately, and without a database transaction. */
export const separateUnits = {
  of:
    <T, R>(store: (items: readonly T[]) => Promise<readonly R[]>) =>
    async (item: T): Promise<R | undefined> =>
      (await store([item]))[0],
} as unknown as SharedUnits;
