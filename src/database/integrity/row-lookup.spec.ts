import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm';
import { createDataSource, dataSourceOptions } from '../data-source';
import { RowLookup } from './row-lookup';
import type { UnitOfWork } from '../unit-of-work';

@Entity('lamps')
class LampEntity {
  @PrimaryColumn('varchar', { length: 8 })
  id!: string;

  @Column('boolean', { name: 'is_on' })
  isOn!: boolean;

  @Column('json', { nullable: true })
  settings!: object | null;

  @Column('datetime')
  since!: Date;
}

const SINCE = new Date('2026-01-02T03:04:05.678Z');

describe('RowLookup', () => {
  let dataSource: DataSource;
  let statements: number;
  let inProgress: boolean;
  let unitOfWork: UnitOfWork;
  let lookup: RowLookup<LampEntity>;

  beforeEach(async () => {
    statements = 0;
    inProgress = false;
    dataSource = createDataSource({
      ...dataSourceOptions({ type: 'sqlite', file: ':memory:' }, [LampEntity]),
      synchronize: true,
    });
    await dataSource.initialize();
    await lamps().insert([
      { id: 'hall', isOn: true, settings: { watts: 5 }, since: SINCE },
      { id: 'attic', isOn: false, settings: null, since: SINCE },
    ]);
    const manager = {
      dataSource,
      query: (statement: string, values: string[]) => {
        statements += 1;
        return dataSource.manager.query(statement, values);
      },
    };
    unitOfWork = {
      manager,
      get inProgress() {
        return inProgress;
      },
    } as unknown as UnitOfWork;
    lookup = new RowLookup(unitOfWork, LampEntity);
  });

  afterEach(() => dataSource.destroy());

  const lamps = () => dataSource.getRepository(LampEntity);

  it('finds the same rows as the repository', async () => {
    for (const id of ['hall', 'attic'])
      expect(await lookup.find(id)).toEqual(Object.assign({}, await lamps().findOneBy({ id })));
    expect(await lookup.find('cellar')).toBeNull();
  });

  it('reads one row per id, known or unknown, if unknown ids must stay hidden', async () => {
    const hiding = new RowLookup(unitOfWork, LampEntity, undefined, { hidesUnknown: true });
    const query = jest.spyOn(unitOfWork.manager, 'query');
    const ids = ['cellar', 'hall', 'garage', 'attic', 'hall'];
    const found = await Promise.all(ids.map((id) => hiding.find(id)));
    expect(found.map((row) => row?.id)).toEqual([undefined, 'hall', undefined, 'attic', 'hall']);
    expect(await hiding.find('cellar')).toBeNull();
    const results = await Promise.all(query.mock.results.map(({ value }) => value as Promise<unknown[]>));
    expect(results.map(({ length }) => length)).toEqual([4, 1]);
  });

  it('selects only the configured properties', async () => {
    const some = new RowLookup(unitOfWork, LampEntity, ['id', 'settings']);
    expect(await some.find('hall')).toEqual({ id: 'hall', settings: { watts: 5 } });
  });

  it('selects current computed values in the same statement', async () => {
    const counting = new RowLookup(unitOfWork, LampEntity, ['id'], {
      computed: {
        burning: '(SELECT COUNT(*) FROM lamps WHERE is_on = 1)',
        nothing: '(SELECT id FROM lamps WHERE id = 0)',
      },
    });
    expect(await counting.find('hall')).toEqual({ id: 'hall', burning: 1, nothing: null });
    await lamps().update({ id: 'hall' }, { isOn: false });
    expect(await counting.find('attic')).toEqual({ id: 'attic', burning: 0, nothing: null });
    expect(statements).toBe(2);
  });

  it('shares one statement among concurrent lookups', async () => {
    const found = await Promise.all(['hall', 'cellar', 'attic', 'hall'].map((id) => lookup.find(id)));
    expect(found.map((lamp) => lamp?.id)).toEqual(['hall', undefined, 'attic', 'hall']);
    expect(statements).toBe(1);
  });

  it('does not cache rows', async () => {
    expect(await lookup.find('hall')).toMatchObject({ isOn: true });
    await lamps().update({ id: 'hall' }, { isOn: false });
    expect(await lookup.find('hall')).toMatchObject({ isOn: false });
    expect(statements).toBe(2);
  });

  it('runs one more statement for all lookups that arrive while another runs', async () => {
    const first = lookup.find('hall');
    await new Promise((resolve) => setImmediate(resolve));
    expect(statements).toBe(1);
    const second = lookup.find('hall');
    await Promise.all([first, second, lookup.find('attic')]);
    expect(statements).toBe(2);
  });

  it('does not share statements inside a unit of work', async () => {
    inProgress = true;
    expect(await Promise.all([lookup.find('hall'), lookup.find('cellar')])).toEqual([
      expect.objectContaining({ id: 'hall' }),
      null,
    ]);
    expect(statements).toBe(2);
  });

  it('rejects every lookup that shared a failed statement', async () => {
    await dataSource.query('DROP TABLE lamps');
    const outcomes = await Promise.allSettled([lookup.find('hall'), lookup.find('attic')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
