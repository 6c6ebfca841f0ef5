import { RelayersService } from '../../src/relayers/relayers.service';
import { UnitOfWork } from '../../src/database/unit-of-work';
import { newTransaction } from '../../src/transactions/new-transaction';
import { TransactionRows } from '../../src/transactions/transaction-rows';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';

/** A quarter of a MiB per transaction, as hex. */
const DATA = `0x${'00'.repeat(128 * 1024)}`;
const LARGE = 100;
const ALL = LARGE + 50;

describeService('A list of transactions with large data', ({ service }) => {
  const ids: string[] = [];

  beforeAll(async () => {
    await addRelayer(service, { id: 'r', signerId: 's' });
    const relayer = await service.app.get(RelayersService).getOrThrow('r');
    const start = Date.now();
    for (let i = 0; i < ALL; i += 1) {
      const row = newTransaction({
        ...{ accountId: 'evm:1:0x', relayerId: 'r', sender: relayer.address, nonce: i },
        ...{ request: { value: '0', data: i < LARGE ? DATA : '0x' }, createdAt: new Date(start + i) },
      });
      ids.push(row.id);
      await service.app
        .get(UnitOfWork)
        .run(() =>
          service.app.get(TransactionRows).insert([{ rows: [row], audience: { notificationId: null } }]),
        );
    }
  });

  const list = (query: string) => service.get(`/api/v1/relayers/r/transactions?${query}`);
  const idsOf = (items: { id: string }[]) => items.map(({ id }) => id);

  it('is complete by cursor, in pages of limited size', async () => {
    const listed: string[] = [];
    const lengths: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { status, text, body } = await list(`per_page=1000&cursor=${cursor}`);
      expect(status).toBe(200);
      expect(text.length).toBeLessThan(17 * 1024 * 1024);
      const { items, pagination } = { items: idsOf(body.data), pagination: body.pagination };
      expect(pagination.per_page).toBe(1000);
      listed.push(...items);
      lengths.push(items.length);
      cursor = pagination.next_cursor as string | null;
    }
    expect(listed).toEqual(ids);
    expect(lengths).toEqual([63, 87]);
  });

  it('is refused by page number if the page is too large', async () => {
    const { status, body } = await list('per_page=1000');
    expect([status, body.message, body.error]).toEqual([
      400,
      'Bad Request',
      'the page has more than 16 MiB: request a smaller per_page, or page by cursor',
    ]);
  });

  it.each([
    [1, 50, 0],
    [2, 50, 50],
    [3, 50, 100],
    [1, 10, 0],
  ])('has page %d with %d items per page', async (page, perPage, from) => {
    const { status, body } = await list(`page=${page}&per_page=${perPage}`);
    expect(status).toBe(200);
    expect(idsOf(body.data)).toEqual(ids.slice(from, from + perPage));
    expect(body.pagination).toEqual({ current_page: page, per_page: perPage, total_items: ALL });
  });

  it('counts only items that match the filter towards the size of a page', async () => {
    expect((await list('per_page=1000&status=confirmed')).body.data).toEqual([]);
    const first = await list('per_page=1000&status=pending&metadata.a=b&cursor=');
    expect([first.status, first.body.data]).toEqual([200, []]);
  });
});
