import { isWithoutMacs } from './row-adoption';

interface Row {
  readonly mac: string | null;
}

const OLD: Row = { mac: null };
const NEW: Row = { mac: 'm1' };

describe('A database without MACs', () => {
  /** Tables to which `meanwhile` does something between any two reads. */
  const check = (tables: Row[][], meanwhile: (reads: number) => void = () => undefined): Promise<boolean> => {
    let reads = 0;
    const read = <T>(value: T): Promise<T> => {
      meanwhile((reads += 1));
      return Promise.resolve(value);
    };
    return isWithoutMacs(
      tables.map((rows) => ({
        isEmpty: () => read(rows.length === 0),
        hasMacs: () => read(rows.some(({ mac }) => mac !== null)),
      })),
    );
  };

  it.each<[string, Row[][], boolean]>([
    ['empty', [[], []], false],
    ['rows without MACs', [[], [OLD]], true],
    ['rows with and without MACs', [[OLD], [NEW]], false],
    ['rows with MACs', [[NEW], []], false],
  ])('is recognised: %s', async (_, tables, expected) => {
    await expect(check(tables)).resolves.toBe(expected);
  });

  it.each([1, 2, 3, 4, 5])(
    'is not one to which another instance adds its first rows (read %i)',
    async (at) => {
      const tables: Row[][] = [[], []];
      const insert = (reads: number): void => {
        if (reads === at) for (const rows of tables) rows.push(NEW);
      };
      await expect(check(tables, insert)).resolves.toBe(false);
    },
  );

  it.each([1, 2, 3, 4, 5])('is not one from which the last rows are deleted (read %i)', async (at) => {
    const tables: Row[][] = [[NEW], [NEW]];
    const remove = (reads: number): void => {
      if (reads === at) for (const rows of tables) rows.length = 0;
    };
    await expect(check(tables, remove)).resolves.toBe(false);
  });
});
