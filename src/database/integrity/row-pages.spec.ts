import { Registry } from 'prom-client';
import { Column, type DataSource, Entity, PrimaryColumn } from 'typeorm';
import type { ListPage } from '../../common/pagination/list-page';
import { type ProtectedTable, RowMacs } from '../../secrets/row-macs';
import { Secret } from '../../common/secrets/secret';
import { createDataSource, dataSourceOptions } from '../data-source';
import { UnitOfWork } from '../unit-of-work';
import { ProtectedRows } from './protected-rows';
import { RowIntegrity } from './row-integrity';
import { RowPages } from './row-pages';

@Entity('lamps')
class LampEntity {
  @PrimaryColumn('varchar', { length: 8 })
  id!: string;

  @Column('varchar', { length: 80, nullable: true })
  mac!: string | null;

  @Column('datetime', { name: 'created_at' })
  createdAt!: Date;
}

const LAMPS: ProtectedTable<LampEntity> = {
  table: 'lamps',
  columns: { id: 'protected', createdAt: 'protected' },
};
const KEY = new Secret(Buffer.alloc(32, 1).toString('base64'));

describe('RowPages', () => {
  let dataSource: DataSource;
  let unitOfWork: UnitOfWork;
  let pages: RowPages<LampEntity>;

  beforeEach(async () => {
    dataSource = createDataSource({
      ...dataSourceOptions({ type: 'sqlite', file: ':memory:' }, [LampEntity]),
      synchronize: true,
    });
    await dataSource.initialize();
    unitOfWork = new UnitOfWork(dataSource);
    const integrity = new RowIntegrity(new RowMacs([KEY], [LAMPS]), new Registry());
    // b, d and f have the same creation time.
    const times = { e: 1, b: 2, f: 2, d: 2, a: 3, c: 4 };
    await new ProtectedRows(unitOfWork, integrity, LampEntity).insertAll(
      Object.entries(times).map(([id, time]) => ({ id, createdAt: new Date(time) })),
    );
    pages = new RowPages(unitOfWork, LampEntity, integrity);
  });

  afterEach(() => dataSource.destroy());

  const idsOf = ({ items }: ListPage<LampEntity>): string => items.map(({ id }) => id).join('');

  const statements = async (work: () => Promise<unknown>): Promise<number> => {
    const query = jest.spyOn(dataSource, 'query');
    await work();
    const { length } = query.mock.calls;
    query.mockRestore();
    return length;
  };

  it.each([
    [1, 6, 'ebdfac'],
    [1, 4, 'ebdf'],
    [2, 4, 'ac'],
    [3, 2, 'ac'],
    [7, 1, ''],
    [1, 0, ''],
    [Number.MAX_SAFE_INTEGER, 1000, ''],
  ])('contain the expected rows for page %d of %d rows each', async (page, per_page, ids) => {
    const found = await pages.list({ page, per_page });
    expect([idsOf(found), found]).toEqual([
      ids,
      expect.objectContaining({ page, perPage: per_page, total: 6 }),
    ]);
  });

  it.each([
    [new Date(2), 'b', 'dfac'],
    [new Date(2), 'c', 'dfac'],
    [new Date(2), 'f', 'ac'],
    [new Date(1), 'z', 'bdfac'],
    [new Date(4), 'c', ''],
  ])('continue after cursor %p %s', async (createdAt, id, ids) => {
    expect(idsOf(await pages.list({ page: 1, per_page: 10, cursor: { createdAt, id } }))).toBe(ids);
  });

  it('share statements among concurrent requests', async () => {
    const ask = (page: number) => pages.list({ page, per_page: 2 });
    expect(await statements(() => Promise.all([ask(1), ask(2), ask(1), ask(2)]))).toBe(3);
    expect(await statements(() => ask(1))).toBe(2);
  });

  it('do not count the total if requested by cursor', async () => {
    expect(await statements(() => pages.list({ page: 1, per_page: 2, cursor: null }))).toBe(1);
  });

  it('are not cached', async () => {
    expect(idsOf(await pages.list({ page: 1, per_page: 2 }))).toBe('eb');
    await dataSource.query("DELETE FROM lamps WHERE id = 'e'");
    expect(idsOf(await pages.list({ page: 1, per_page: 2 }))).toBe('bd');
  });

  it('reflect the changes of the current unit of work', async () => {
    await unitOfWork.run(async () => {
      await unitOfWork.manager.query("DELETE FROM lamps WHERE id = 'e'");
      expect(await pages.list({ page: 1, per_page: 2 })).toMatchObject({ total: 5 });
    });
  });

  it('fail only if one of their rows was altered', async () => {
    await dataSource.query("UPDATE lamps SET mac = 'm1.0' WHERE id = 'd'");
    for (const cursor of [undefined, null])
      expect(idsOf(await pages.list({ page: 1, per_page: 2, ...(cursor === null && { cursor }) }))).toBe(
        'eb',
      );
    for (const query of [{ page: 2 }, { page: 1, cursor: { createdAt: new Date(2), id: 'b' } }])
      await expect(pages.list({ per_page: 2, ...query })).rejects.toMatchObject({
        code: 'row_altered',
        id: 'd',
      });
  });
});
