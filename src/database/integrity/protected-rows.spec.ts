import { Registry } from 'prom-client';
import { Column, type DataSource, Entity, PrimaryColumn } from 'typeorm';
import { type ProtectedTable, RowMacs } from '../../secrets/row-macs';
import { Secret } from '../../common/secrets/secret';
import { createDataSource, dataSourceOptions } from '../data-source';
import { ProtectedRows } from './protected-rows';
import { RowAlteredError } from './row-altered.error';
import { RowIntegrity } from './row-integrity';
import { RowLookup } from './row-lookup';
import { UnitOfWork } from '../unit-of-work';

@Entity('lamps')
class LampEntity {
  @PrimaryColumn('varchar', { length: 8 })
  id!: string;

  @Column('boolean', { name: 'is_on' })
  isOn!: boolean;

  @Column('json', { nullable: true })
  settings!: object | null;

  @Column('varchar', { nullable: true })
  note!: string | null;

  @Column('int', { default: 0 })
  uses!: number;

  @Column('varchar', { length: 80, nullable: true })
  mac!: string | null;

  @Column('datetime', { name: 'created_at' })
  createdAt!: Date;
}

const LAMPS: ProtectedTable<LampEntity> = {
  table: 'lamps',
  columns: {
    id: 'protected',
    isOn: 'protected',
    settings: 'protected',
    note: 'protected',
    uses: 'unprotected',
    createdAt: 'protected',
  },
};
const KEY = new Secret(Buffer.alloc(32, 1).toString('base64'));
const HALL = {
  id: 'hall',
  isOn: true,
  settings: { b: 1, a: [{ d: null, c: 'x' }] },
  note: null,
  uses: 0,
  createdAt: new Date('2026-01-02T03:04:05.678Z'),
};

describe('ProtectedRows', () => {
  let dataSource: DataSource;
  let unitOfWork: UnitOfWork;
  let integrity: RowIntegrity;
  let lamps: ProtectedRows<LampEntity>;

  beforeEach(async () => {
    dataSource = createDataSource({
      ...dataSourceOptions({ type: 'sqlite', file: ':memory:' }, [LampEntity]),
      synchronize: true,
    });
    await dataSource.initialize();
    unitOfWork = new UnitOfWork(dataSource);
    integrity = new RowIntegrity(new RowMacs([KEY], [LAMPS]), new Registry());
    lamps = new ProtectedRows(unitOfWork, integrity, LampEntity);
    await lamps.insertAll([HALL, { ...HALL, id: 'attic' }]);
  });

  afterEach(() => dataSource.destroy());

  /** The rows as a later version declares them. */
  const since = (declared: Partial<ProtectedTable<LampEntity>>) =>
    new ProtectedRows(
      unitOfWork,
      new RowIntegrity(new RowMacs([KEY], [{ ...LAMPS, ...declared }]), new Registry()),
      LampEntity,
    );

  const change = (isOn: boolean) =>
    unitOfWork.run(async () => {
      const row = await lamps.findToChange('hall');
      return lamps.update(row!, { isOn });
    });

  it('finds the rows it inserted', async () => {
    expect(await lamps.findOneBy({ id: 'hall' })).toEqual({ ...HALL, mac: expect.stringMatching(/^m1\./) });
    expect(await lamps.findOneBy({ id: 'cellar' })).toBeNull();
  });

  it('inserts more rows than fit in one statement', async () => {
    const rows = Array.from({ length: 6000 }, (_, i) => ({ ...HALL, id: `lamp${i}` }));
    expect(await unitOfWork.run(() => lamps.insertAll(rows))).toHaveLength(6000);
    expect(await lamps.findOneBy({ id: 'lamp5999' })).toMatchObject({ isOn: true });
  });

  it('finds the rows it updated', async () => {
    const after = await change(false);
    expect(await lamps.findOneBy({ id: 'hall' })).toEqual(after);
    expect(after).toMatchObject({ ...HALL, isOn: false });
  });

  it('ignores the order of JSON members and null in newly added columns', async () => {
    await dataSource.query(
      `UPDATE lamps SET settings = '{ "a": [{"c":"x", "d":null}], "b":1 }' WHERE id = 'hall'`,
    );
    expect(await lamps.findOneBy({ id: 'hall' })).toMatchObject({ settings: HALL.settings });
    await dataSource.query("UPDATE lamps SET note = '' WHERE id = 'hall'");
    await expect(lamps.findOneBy({ id: 'hall' })).rejects.toMatchObject({ code: 'row_altered' });
  });

  it('separates altered rows from intact ones', async () => {
    await dataSource.query("UPDATE lamps SET is_on = 0 WHERE id = 'hall'");
    const { intact, altered } = await lamps.findIntact({});
    expect([intact.map(({ id }) => id), altered]).toEqual([['attic'], ['hall']]);
    await expect(lamps.find({})).rejects.toMatchObject({ table: 'lamps', id: 'hall' });
    expect(await lamps.exists({ id: 'hall' })).toBe(true);
  });

  it('refuses to return or update an altered row', async () => {
    await dataSource.query("UPDATE lamps SET note = 'x' WHERE id = 'hall'");
    await expect(change(false)).rejects.toMatchObject({ code: 'row_altered' });
    await expect(lamps.findOneBy({ id: 'hall' })).rejects.toMatchObject({ code: 'row_altered' });
  });

  it('detects a row that was altered during its update', async () => {
    await unitOfWork.run(async () => {
      const row = await lamps.findToChange('hall');
      await unitOfWork.manager.query("UPDATE lamps SET note = 'x' WHERE id = 'hall'");
      await lamps.update(row!, { isOn: false });
    });
    await expect(lamps.findOneBy({ id: 'hall' })).rejects.toMatchObject({ code: 'row_altered' });
  });

  it('does not update a row that was changed after it was read', async () => {
    const stale = await unitOfWork.run(() => lamps.findToChange('hall'));
    await change(false);
    await expect(unitOfWork.run(() => lamps.update(stale!, { note: 'x' }))).rejects.toThrow(
      'although it was locked',
    );
    expect(await lamps.findOneBy({ id: 'hall' })).toMatchObject({ isOn: false, note: null });
  });

  it('updates a row without a lock only if it is unchanged since it was read', async () => {
    const read = await lamps.findById('hall');
    const after = await unitOfWork.runStatement(() => lamps.updateUnchanged(read!, { isOn: false }));
    expect(await lamps.findById('hall')).toEqual(Object.assign({}, after));
    expect(after).toMatchObject({ ...HALL, isOn: false });
    expect(await lamps.updateUnchanged(read!, { note: 'x' })).toBeNull();
    await lamps.delete('hall');
    expect(await lamps.updateUnchanged(after!, { note: 'x' })).toBeNull();
  });

  it('locks rows only within a unit of work', async () => {
    await expect(lamps.findToChange('hall')).rejects.toThrow('in the unit of work that read it');
  });

  it('deletes altered rows as well', async () => {
    await dataSource.query("UPDATE lamps SET note = 'x' WHERE id = 'hall'");
    expect([await lamps.delete('hall'), await lamps.delete('hall')]).toEqual([true, false]);
  });

  it('lists rows in pages', async () => {
    const { items } = await lamps.list({ page: 1, per_page: 1 });
    expect(items.map(({ id }) => id)).toEqual(['attic']);
  });

  describe('with RowLookup', () => {
    let lookup: RowLookup<LampEntity, 'id' | 'isOn'>;

    beforeEach(() => {
      lookup = new RowLookup(unitOfWork, LampEntity, ['id', 'isOn'], { integrity });
    });

    const check = async (): Promise<number> => {
      const checked = jest.spyOn(integrity, 'isIntact');
      await Promise.all([lookup.find('hall'), lookup.find('attic')]);
      const calls = checked.mock.calls.length;
      checked.mockRestore();
      return calls;
    };

    it('verifies a row again only after one of its protected columns has changed', async () => {
      expect([await check(), await check()]).toEqual([2, 0]);
      await dataSource.query("UPDATE lamps SET uses = 7 WHERE id = 'hall'");
      expect(await check()).toBe(0);
      await change(false);
      expect([await check(), await check()]).toEqual([1, 0]);
      expect(await lookup.find('hall')).toMatchObject({ isOn: false });
    });

    it.each([
      "note = 'x'",
      'is_on = 0',
      "settings = '{}'",
      'mac = NULL',
      "created_at = '2020-01-01 00:00:00'",
    ])('rejects only a row that was altered after it was verified: %s', async (set) => {
      await check();
      await dataSource.query(`UPDATE lamps SET ${set} WHERE id = 'hall'`);
      const [hall, attic] = await Promise.allSettled([lookup.find('hall'), lookup.find('attic')]);
      expect(hall).toMatchObject({ status: 'rejected', reason: { code: 'row_altered', id: 'hall' } });
      expect(attic).toMatchObject({ status: 'fulfilled', value: { id: 'attic' } });
      await expect(unitOfWork.run(() => lookup.find('hall'))).rejects.toMatchObject({ code: 'row_altered' });
    });
  });

  it('reads rows from before a column was protected, and protects it from their next change on', async () => {
    const newer = since({ columns: { ...LAMPS.columns, uses: 'protected_since_m2' } });
    await dataSource.query('UPDATE lamps SET uses = 1');
    const changed = await unitOfWork.run(async () => {
      const row = await newer.findToChange('hall');
      return newer.update(row!, { uses: 2 });
    });
    expect([changed.uses, changed.mac?.slice(0, 3)]).toEqual([2, 'm2.']);
    expect((await newer.find({})).map(({ uses }) => uses).sort()).toEqual([1, 2]);
    await dataSource.query('UPDATE lamps SET uses = 3');
    expect(await newer.findIntact({})).toMatchObject({ intact: [{ id: 'attic' }], altered: ['hall'] });
  });

  it('does not accept the MAC of one format as one of another', async () => {
    const newer = since({ columns: { ...LAMPS.columns, note: 'protected_since_m2' } });
    await newer.insert({ ...HALL, id: 'new' });
    await dataSource.query("UPDATE lamps SET mac = REPLACE(mac, 'm2.', 'm1.') WHERE id = 'new'");
    await expect(newer.findOneBy({ id: 'new' })).rejects.toThrow(RowAlteredError);
    await dataSource.query("UPDATE lamps SET mac = REPLACE(mac, 'm1.', 'm2.') WHERE id = 'attic'");
    await expect(newer.findOneBy({ id: 'attic' })).rejects.toThrow(RowAlteredError);
  });

  it('does not use a row whose columns contradict each other', async () => {
    const consistent = since({ isConsistent: ({ isOn, uses }) => isOn || uses === 0 });
    await dataSource.query('UPDATE lamps SET uses = 5');
    expect(await consistent.findOneBy({ id: 'hall' })).toMatchObject({ uses: 5 });
    const { id } = await consistent.insert({ ...HALL, id: 'off', isOn: false });
    await dataSource.query('UPDATE lamps SET uses = 5');
    await expect(consistent.findOneBy({ id })).rejects.toThrow(RowAlteredError);
  });
});
