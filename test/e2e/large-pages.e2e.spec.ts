import { randomUUID } from 'node:crypto';
import { ChangeEntity } from '../../src/approvals/change.entity';
import { ProtectedRows } from '../../src/database/integrity/protected-rows';
import { RowIntegrity } from '../../src/database/integrity/row-integrity';
import { UnitOfWork } from '../../src/database/unit-of-work';
import { DeliveryEntity } from '../../src/notifications/deliveries/delivery.entity';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';

/** A quarter of a MiB; MySQL writes a space after the colon. */
const LARGE = { data: 'x'.repeat(256 * 1024 - 12) };
const ALL = 100;
const START = Date.now();

describeService('A list of', ({ service }) => {
  async function pagesOf(path: string): Promise<{ ids: string[]; lengths: number[] }> {
    const pages = { ids: [] as string[], lengths: [] as number[] };
    for (let cursor: string | null = ''; cursor !== null;) {
      const start: string = cursor === '' && path.includes('deliveries') ? '' : `&cursor=${cursor}`;
      const { status, body } = await service.get(`${path}?per_page=1000${start}`);
      expect(status).toBe(200);
      pages.ids.push(...body.data.map(({ id }: { id: string }) => id));
      pages.lengths.push(body.data.length as number);
      cursor = body.pagination.next_cursor as string | null;
    }
    return pages;
  }

  it('deliveries with large payloads is complete, in pages of limited size', async () => {
    await service.post('/api/v1/notifications', { id: 'hook', url: 'http://127.0.0.1:9/hook' });
    const ids = Array.from({ length: ALL }, () => randomUUID());
    for (const [i, id] of ids.entries())
      await service.app
        .get(UnitOfWork)
        .repository(DeliveryEntity)
        .insert({
          ...{ id, notificationId: 'hook', relayerId: null, event: 'test', payload: LARGE, state: 'dead' },
          ...{ attempts: 1, giveUpAt: new Date(START), nextAttemptAt: null, lastStatus: null },
          ...{ lastFailure: null, finishedAt: new Date(START), traceContext: null },
          createdAt: new Date(START + i),
        });
    const pages = await pagesOf('/api/v1/notifications/hook/deliveries');
    expect(pages.ids).toEqual(ids.toReversed());
    expect(pages.lengths).toEqual([64, 36]);
  });

  it('relayers with large policies is complete by cursor, and refused by page number', async () => {
    // 261 kB; MySQL writes spaces.
    const one = { verifying_contract: `0x${'1'.repeat(40)}`, primary_type: 'T'.repeat(120) };
    const fields = { amount: { max: '1'.repeat(24) } };
    const policies = { typed_data: { allowed: Array.from({ length: 1000 }, () => ({ ...one, fields })) } };
    const ids: string[] = [];
    for (let i = 0; i < ALL; i += 1) ids.push((await addRelayer(service, { policies })).id);
    const pages = await pagesOf('/api/v1/relayers');
    expect(pages.ids).toEqual(ids);
    expect([
      [64, 36],
      [62, 38],
    ]).toContainEqual(pages.lengths);
    const { status, body } = await service.get('/api/v1/relayers?per_page=1000');
    expect([status, body.error]).toEqual([
      400,
      'the page has more than 16 MiB: request a smaller per_page, or page by cursor',
    ]);
    for (const [query, count] of [
      ['per_page=60', 60],
      ['per_page=60&page=2', 40],
      ['', 10],
      ['per_page=0', 0],
    ] as const) {
      const page = await service.get(`/api/v1/relayers?${query}`);
      expect([page.status, page.body.data.length, page.body.pagination.total_items]).toEqual([
        200,
        count,
        ALL,
      ]);
    }
  });

  it('changes with large requests is complete by cursor, and refused by page number', async () => {
    const unitOfWork = service.app.get(UnitOfWork);
    const rows = new ProtectedRows(unitOfWork, service.app.get(RowIntegrity), ChangeEntity);
    const ids = Array.from({ length: ALL }, () => randomUUID());
    for (const [i, id] of ids.entries())
      await rows.insert({
        ...{ id, kinds: ['transaction'], operation: 'send_transaction', request: LARGE, secrets: null },
        ...{ base: '0', relayerId: null, relayerGroup: null, requestedBy: 'root', needed: 1, approvals: [] },
        ...{ status: 'rejected', idempotencyKey: null, requestDigest: null, code: null },
        ...{ expiresAt: new Date(START), finishedAt: new Date(), finishedBy: 'root' },
        createdAt: new Date(START + i),
      });
    expect(await pagesOf('/api/v1/changes')).toEqual({ ids, lengths: [64, 36] });
    const { status, body } = await service.get('/api/v1/changes?per_page=1000');
    expect([status, body.error]).toEqual([
      400,
      'the page has more than 16 MiB: request a smaller per_page, or page by cursor',
    ]);
  });
});
