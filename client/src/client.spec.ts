import { scriptedFetch, success } from '../../test/support/scripted-fetch';
import { RelayerClient } from './client';

const OPTIONS = { url: 'https://relayer.example.com', apiKey: 'key' };

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const item of items) read.push(item);
  return read;
}

describe('A list', () => {
  it('is read to its end by cursor', async () => {
    const { fetch, requests } = scriptedFetch(
      success([{ id: 'a' }, { id: 'b' }], { pagination: { next_cursor: 'c+1', per_page: 2 } }),
      success([], { pagination: { next_cursor: 'c+2', per_page: 2 } }),
      success([{ id: 'c' }], { pagination: { next_cursor: null, per_page: 2 } }),
    );
    const client = new RelayerClient({ ...OPTIONS, fetch });
    const filters = { status: 'confirmed', per_page: 2, 'metadata.order': '42' } as const;
    const items = await all(client.relayer('demo').transactions(filters));
    expect(items.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(requests.map(({ target }) => target)).toEqual(
      ['', 'c%2B1', 'c%2B2'].map(
        (cursor) =>
          `/api/v1/relayers/demo/transactions?per_page=2&status=confirmed&metadata.order=42&cursor=${cursor}`,
      ),
    );
  });

  it('is read only as far as the caller iterates', async () => {
    const { fetch, requests } = scriptedFetch(
      success([{ id: 'a' }, { id: 'b' }], { pagination: { next_cursor: 'x', per_page: 2 } }),
    );
    for await (const { id } of new RelayerClient({ ...OPTIONS, fetch }).list('/api/v1/relayers'))
      if (id === 'b') break;
    expect(requests).toHaveLength(1);
  });

  it('is read by page until all items were returned', async () => {
    const pagination = { current_page: 1, per_page: 2, total_items: 3 };
    const { fetch, requests } = scriptedFetch(
      success([{ id: 'a' }, { id: 'b' }], { pagination }),
      success([{ id: 'c' }], { pagination }),
    );
    const client = new RelayerClient({ ...OPTIONS, fetch });
    const pages = await all(client.pages('/api/v1/relayers', { query: { per_page: 2 } }));
    expect(pages).toEqual([
      { items: [{ id: 'a' }, { id: 'b' }], page: 1, total: 3 },
      { items: [{ id: 'c' }], page: 2, total: 3 },
    ]);
    expect(requests.map(({ target }) => target)).toEqual(
      [1, 2].map((page) => `/api/v1/relayers?per_page=2&page=${page}`),
    );
  });

  it('ends at an empty page if items were deleted meanwhile', async () => {
    const { fetch, requests } = scriptedFetch(
      success([{ id: 'a' }], { pagination: { total_items: 3 } }),
      success([], { pagination: { total_items: 1 } }),
    );
    const pages = await all(new RelayerClient({ ...OPTIONS, fetch }).pages('/api/v1/relayers'));
    expect([pages.length, requests.length]).toEqual([2, 2]);
  });
});

describe('Plugins', () => {
  it('have routes that can be called without types, and events and scopes that the types allow', async () => {
    const { fetch, requests } = scriptedFetch(success({ id: 'first' }), success({}), success({}));
    const client = new RelayerClient({ ...OPTIONS, fetch });
    const note = { path: { id: 'a/b' }, query: { full: true }, body: { text: 'hi' } };
    const { data } = await client.send('put', '/api/v1/acme-ledger/notes/{id}', note);
    expect(data).toEqual({ id: 'first' });
    const scopes = ['relayers:read', 'acme-ledger.write'] as const;
    await client.post('/api/v1/api-keys', { body: { name: 'ledger', scopes } });
    const events = ['acme-ledger.noted'] as const;
    await client.patch('/api/v1/notifications/{notification_id}', {
      ...{ path: { notification_id: 'hook' }, body: { events } },
    });
    expect(requests.map(({ target, body }) => [target, body])).toEqual([
      ['/api/v1/acme-ledger/notes/a%2Fb?full=true', note.body],
      ['/api/v1/api-keys', { name: 'ledger', scopes }],
      ['/api/v1/notifications/hook', { events }],
    ]);
  });
});
