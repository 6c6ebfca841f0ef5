import { Registry } from 'prom-client';
import { Column, type DataSource, Entity, PrimaryColumn } from 'typeorm';
import { Secret } from '../../common/secrets/secret';
import { RowMacs } from '../../secrets/row-macs';
import { createDataSource, dataSourceOptions } from '../data-source';
import { UnitOfWork } from '../unit-of-work';
import { RevisedRows } from './revised-rows';
import { RowIntegrity } from './row-integrity';

@Entity('doors')
class DoorEntity {
  @PrimaryColumn('varchar', { length: 8 })
  id!: string;

  @Column('varchar')
  lock!: string;

  @Column('int')
  uses!: number;

  @Column('int', { nullable: true })
  revision!: number | null;

  @Column('varchar', { length: 80, nullable: true })
  mac!: string | null;

  @Column('datetime', { name: 'created_at' })
  createdAt!: Date;
}

const MACS = new RowMacs(
  [new Secret(Buffer.alloc(32, 1).toString('base64'))],
  [
    {
      table: 'doors',
      columns: {
        id: 'protected',
        lock: 'protected',
        uses: 'unprotected',
        revision: 'protected',
        createdAt: 'unprotected',
      },
    },
  ],
);
const HALL = { id: 'hall', lock: 'closed', uses: 0, revision: null, createdAt: new Date(1) };

describe('RevisedRows', () => {
  let dataSource: DataSource;
  let unitOfWork: UnitOfWork;
  let doors: RevisedRows<DoorEntity>;

  beforeEach(async () => {
    dataSource = createDataSource({
      ...dataSourceOptions({ type: 'sqlite', file: ':memory:' }, [DoorEntity]),
      synchronize: true,
    });
    await dataSource.initialize();
    unitOfWork = new UnitOfWork(dataSource);
    doors = new RevisedRows(unitOfWork, new RowIntegrity(MACS, new Registry()), DoorEntity);
    await doors.insert(HALL);
  });

  afterEach(() => dataSource.destroy());

  /** The revision and the fingerprint of the stored row after a change. */
  const change = async (changes: Partial<DoorEntity>): Promise<[number | null, string]> => {
    const find = () => unitOfWork.run(() => doors.findToChange('hall'));
    await unitOfWork.run(async () => doors.update((await doors.findToChange('hall'))!, changes));
    const after = (await find())!;
    return [after.revision, doors.fingerprintOf(after)];
  };

  it('count changes of protected columns, so that no state returns', async () => {
    const [, before] = await change({});
    const states = [await change({ lock: 'open' }), await change({ lock: 'closed' })];
    expect(states.map(([revision]) => revision)).toEqual([1, 2]);
    expect(new Set([before, ...states.map(([, state]) => state)]).size).toBe(3);
  });

  it('do not count the same values again, nor changes of other columns', async () => {
    const before = await change({});
    expect(before[0]).toBeNull();
    expect(await change({ lock: 'closed' })).toEqual(before);
    expect(await change({ uses: 7 })).toEqual(before);
  });

  it('count a revision that is set explicitly once', async () => {
    expect((await change({ revision: 1 }))[0]).toBe(1);
  });

  it('can be changed even if somebody has overwritten the time, which is not protected', async () => {
    await dataSource.query("UPDATE doors SET created_at = 'some day'");
    expect((await change({ lock: 'open' }))[0]).toBe(1);
  });

  it('differ after a row was deleted and created again', async () => {
    const [, before] = await change({});
    await doors.delete('hall');
    await doors.insert({ ...HALL, createdAt: new Date(2) });
    expect((await change({}))[1]).not.toBe(before);
  });
});
