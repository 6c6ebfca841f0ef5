import { TestApplication } from '../support/application';
import { addRelayer } from '../support/builders';
import { describeOnDatabases, type TestDatabase } from '../support/databases';

const ITEMS = 25;
const PER_PAGE = 7;
const LISTS = ['relayers', 'signers', 'notifications', 'networks'];

describeOnDatabases('Lists', (createDatabase) => {
  let database: TestDatabase;
  let service: TestApplication;

  beforeAll(async () => {
    database = await createDatabase();
    service = await TestApplication.start(database);
    // Created in another order than that of their ids.
    for (let i = 0; i < ITEMS; i += 1) {
      const id = `item-${(i * 7) % ITEMS}`;
      await addRelayer(service, { id, signerId: id });
      await service.post('/api/v1/notifications', { id, url: 'https://hooks.example.com/in' });
      await service.post('/api/v1/networks', { name: id, network_type: 'solana' });
    }
  });

  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const list = async (path: string): Promise<{ ids: string[]; pagination: Record<string, unknown> }> => {
    const { status, body } = await service.get(`/api/v1/${path}`);
    expect(status).toBe(200);
    return { ids: body.data.map(({ id }: { id: string }) => id), pagination: body.pagination };
  };

  /** Ids by cursor from the beginning; `between` runs after each response but the last. */
  const walk = async (name: string, between = (_ids: string[]): Promise<void> => Promise.resolve()) => {
    const walked: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { ids, pagination } = await list(`${name}?cursor=${cursor}&per_page=${PER_PAGE}`);
      expect(pagination).toEqual({ next_cursor: pagination.next_cursor, per_page: PER_PAGE });
      walked.push(...ids);
      cursor = pagination.next_cursor as string | null;
      if (cursor !== null) expect(ids).toHaveLength(PER_PAGE);
      if (cursor !== null) await between(ids);
    }
    return walked;
  };

  describe.each(LISTS)('of %s', (name) => {
    it('have the same order by cursor and by page', async () => {
      const { ids, pagination } = await list(`${name}?per_page=1000`);
      expect(ids.length).toBeGreaterThanOrEqual(ITEMS);
      expect(pagination).toEqual({ current_page: 1, per_page: 1000, total_items: ids.length });
      expect(await walk(name)).toEqual(ids);
      for (const page of [1, 2, 4])
        expect(await list(`${name}?page=${page}&per_page=${PER_PAGE}`)).toEqual({
          ids: ids.slice((page - 1) * PER_PAGE, page * PER_PAGE),
          pagination: { current_page: page, per_page: PER_PAGE, total_items: ids.length },
        });
    });

    it('end with the item that the whole list ends with', async () => {
      const { ids } = await list(`${name}?per_page=1000`);
      const one = await list(`${name}?cursor=&per_page=${ids.length - 1}`);
      const rest = await list(`${name}?cursor=${String(one.pagination.next_cursor)}&per_page=1`);
      expect(rest).toEqual({ ids: ids.slice(-1), pagination: { next_cursor: null, per_page: 1 } });
    });

    it('have 10 items by default, and none for per_page=0', async () => {
      const { ids, pagination } = await list(`${name}?cursor=`);
      expect([ids.length, pagination.per_page]).toEqual([10, 10]);
      const farFuture = Buffer.from('253402300799999:x').toString('base64url');
      expect((await list(`${name}?cursor=${farFuture}`)).ids).toEqual([]);
      const cursor = String(pagination.next_cursor);
      expect(await list(`${name}?cursor=${cursor}&per_page=0`)).toEqual({
        ids: [],
        pagination: { next_cursor: cursor, per_page: 0 },
      });
    });

    it.each([
      ['cursor=x', 'cursor must be given once, as next_cursor of an earlier response'],
      ['cursor=start', 'cursor must be given once, as next_cursor of an earlier response'],
      ['cursor=&cursor=', 'cursor must be given once, as next_cursor of an earlier response'],
      ['cursor[]=x', undefined],
      ['cursor=&page=1', 'page and cursor must not be given together'],
      ['cursor=&per_page=1001', 'per_page must be given once, as an integer from 0 to 1000'],
    ])('validate the query %s: %s', async (query, error) => {
      const { status, body } = await service.get(`/api/v1/${name}?${query}`);
      // Another name, so not a parameter of this list.
      if (error === undefined) expect(status).toBe(200);
      else expect([status, body.message, body.error]).toEqual([400, 'Bad Request', error]);
    });

    it('are read without a gap while items are deleted', async () => {
      const { ids: before } = await list(`${name}?per_page=1000`);
      const deletable = new Set(before.filter((id) => id.includes('item-')));
      const walked = await walk(name, async (ids) => {
        // Items already seen can be deleted, including the one that the cursor refers to.
        for (const id of ids.filter((seen) => deletable.has(seen))) {
          if (name === 'signers') await service.call({ method: 'DELETE', path: `/api/v1/relayers/${id}` });
          const { status } = await service.call({ method: 'DELETE', path: `/api/v1/${name}/${id}` });
          expect(status).toBe(200);
        }
      });
      expect(walked).toEqual(before);
      expect((await list(`${name}?per_page=1000`)).ids.length).toBeLessThan(before.length);
    });
  });
});
