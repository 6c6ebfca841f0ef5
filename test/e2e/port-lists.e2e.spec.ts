import { NotificationsApi, RelayersApi, TransactionsApi } from '../../src/public';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';

/** What the types of the package say about a part of a list. */
type Part = Pick<Awaited<ReturnType<RelayersApi['list']>>, 'total' | 'nextCursor'> & {
  readonly items: readonly { id: string }[];
};

describeService('Lists of ports', {}, ({ service }) => {
  const port = <T>(token: abstract new () => T): T => service.app.get<T>(token, { strict: false });
  let relayers: string[];

  beforeAll(async () => {
    relayers = [];
    for (const id of ['first', 'second', 'third']) relayers.push((await addRelayer(service, { id })).id);
    for (const id of ['one', 'two'])
      await service.post('/api/v1/notifications', { id, url: 'https://hooks.example/' });
  });

  /** The ids in each part of a list that is read to its end. */
  const readAll = async (list: (cursor: string | null) => Promise<Part>): Promise<string[][]> => {
    const parts: string[][] = [];
    let cursor: string | null | undefined = null;
    do {
      const part: Part = await list(cursor);
      parts.push(part.items.map(({ id }) => id));
      cursor = part.nextCursor;
    } while (cursor);
    expect(cursor).toBeNull();
    return parts;
  };

  it('are read to their end by cursor', async () => {
    expect(await readAll((cursor) => port(RelayersApi).list({ per_page: 2, cursor }))).toEqual([
      ['first', 'second'],
      ['third'],
    ]);
    expect(await readAll((cursor) => port(NotificationsApi).list({ per_page: 1, cursor }))).toEqual([
      ['one'],
      ['two'],
    ]);
    const id = 'first';
    expect(await readAll((cursor) => port(TransactionsApi).list(id, { status: 'mined', cursor }))).toEqual([
      [],
    ]);
  });

  it('have a total if they are read by page', async () => {
    const { items, total, nextCursor } = await port(RelayersApi).list({ page: 2, per_page: 2 });
    expect([items.length, total, nextCursor]).toEqual([1, 3, undefined]);
    expect(await port(RelayersApi).list({})).toMatchObject({ total: 3, items: { length: 3 } });
  });

  it.each([{ cursor: 'x' }, { cursor: '', per_page: 1001 }, { page: 1.5 }])(
    'refuse what the routes refuse: %j',
    async (request) => {
      await expect(port(RelayersApi).list(request)).rejects.toMatchObject({ code: 'invalid_request' });
    },
  );
});
