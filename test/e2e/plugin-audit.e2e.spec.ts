import { Body, Controller, Module, Param, Post } from '@nestjs/common';
import { IsIn } from 'class-validator';
import {
  AuditApi,
  DomainError,
  type PluginAuditRecord,
  RelayerPlugin,
  RequireScope,
  UnitOfWork,
} from '../../src/public';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import { KeyHolder } from '../support/key-holders';
import { UNALTERED, verifyAuditLog } from '../support/verify-audit-log';

const ACTION = 'acme-desk.order.update';

class OrderDto {
  @IsIn(['placed', 'refused', 'rolled-back'])
  outcome!: string;
}

@Controller('api/v1/acme-desk')
class DeskController {
  constructor(
    private readonly audit: AuditApi,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  @Post('relayers/:relayer_id/orders')
  @RequireScope('acme-desk.orders:write')
  async order(@Param('relayer_id') relayerId: string, @Body() { outcome }: OrderDto): Promise<string> {
    const order = { action: ACTION, relayerId, id: 'order-1' } as const;
    if (outcome === 'refused') {
      await this.audit.record({ ...order, code: 'limit_exceeded' });
      throw new DomainError('forbidden', 'Forbidden', 'The desk is closed');
    }
    await this.unitOfWork.run(async () => {
      await this.audit.record({
        ...order,
        before: { amount: '1', venue: 'x' },
        after: { amount: '2', venue: 'x' },
      });
      if (outcome !== 'placed') throw new DomainError('conflict', 'Conflict', 'The order is gone');
    });
    return outcome;
  }
}

@RelayerPlugin({
  name: 'acme-desk',
  compatibility: '^1',
  scopes: ['acme-desk.orders:write'],
  actions: [ACTION],
})
@Module({ controllers: [DeskController] })
class DeskModule {}

interface Event {
  key_id: string | null;
  request_id: string | null;
  client_ip: string | null;
  [member: string]: unknown;
}

describeService('The audit log of a plugin', { modules: [DeskModule] }, ({ service }) => {
  let id: string;
  let clerk: KeyHolder;

  beforeAll(async () => {
    ({ id } = await addRelayer(service, { group: 'desk' }));
    clerk = await KeyHolder.add(service, {
      scopes: ['acme-desk.orders:write', 'audit:read'],
      groups: ['desk'],
    });
  });

  const order = (outcome: string) =>
    clerk.call('POST', `/api/v1/acme-desk/relayers/${id}/orders`, { outcome });
  const events = async (holder = clerk): Promise<Event[]> =>
    (await holder.call('GET', `/api/v1/audit-events?action=${ACTION}&per_page=100`)).body.data as Event[];
  const record = (record: Partial<PluginAuditRecord>): Promise<void> =>
    service.app.get(AuditApi).record({ action: ACTION, ...record });

  it('has what its route changed and refused, with the caller', async () => {
    expect((await order('placed')).status).toBe(201);
    expect((await order('refused')).status).toBe(403);
    const of = { action: ACTION, relayer_id: id, signer_id: null, key_id: clerk.id, client_ip: '127.0.0.1' };
    const [refused, placed, ...others] = await events();
    expect(others).toEqual([]);
    expect(placed).toMatchObject({
      ...{ ...of, outcome: 'success', code: null, request_id: expect.stringMatching(/./) as string },
      changes: { id: { before: 'order-1', after: 'order-1' }, amount: { before: '1', after: '2' } },
    });
    expect(placed?.changes).not.toHaveProperty('venue');
    expect(refused).toMatchObject({
      ...{ ...of, outcome: 'failure', code: 'limit_exceeded' },
      changes: { id: { before: 'order-1', after: 'order-1' } },
    });
  });

  it('has nothing of a unit of work that is rolled back', async () => {
    const before = await events();
    expect((await order('rolled-back')).status).toBe(409);
    expect(await events()).toEqual(before);
  });

  it('shows a key only what concerns its relayers', async () => {
    const other = await KeyHolder.add(service, { scopes: ['audit:read'], groups: ['other'] });
    await record({ id: 'of-nobody' });
    expect(await events(other)).toEqual([]);
    expect((await events()).every(({ relayer_id }) => relayer_id === id)).toBe(true);
  });

  it('can be verified whatever the fields contain', async () => {
    const nested = (levels: number): unknown => (levels === 0 ? 'end' : [nested(levels - 1)]);
    const after = {
      wei: 2n ** 200n,
      at: new Date(0),
      sum: 0.1 + 0.2,
      huge: 1e300,
      tiny: 5e-324,
      unsafe: 2 ** 64,
      zero: -0,
      undefined,
      none: null,
      half: 'x\ud800',
      zeros: 'a\u0000b',
      ['half\udc00']: { b: 1, a: [] },
      names: { ['__proto__']: { admin: true }, ['']: 1 },
      nested: nested(13),
    };
    await record({ id: 'many', after });
    const root = await service.get(`/api/v1/audit-events?action=${ACTION}&per_page=1`);
    const [{ changes }] = root.body.data as [{ changes: Record<string, { after: unknown }> }];
    const shown = Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, change.after]));
    expect(shown).toEqual({
      ...{ id: 'many', wei: String(2n ** 200n), at: '1970-01-01T00:00:00.000Z', sum: '0.30000000000000004' },
      ...{
        huge: 1e300,
        tiny: 5e-324,
        unsafe: '18446744073709552000',
        zero: 0,
        half: 'x\ufffd',
        zeros: 'a\u0000b',
      },
      ...{
        ['half\ufffd']: { a: [], b: 1 },
        names: { ['__proto__']: { admin: true }, ['']: 1 },
        nested: nested(13),
      },
    });
    expect(await verifyAuditLog(service)).toMatch(UNALTERED);
  });

  it.each<[string, Partial<PluginAuditRecord>]>([
    ['No plugin declares the action acme-desk.order.delete', { action: 'acme-desk.order.delete' }],
    ['relayerId must match', { relayerId: 'a relayer' }],
    ['signerId must match', { signerId: '' }],
    ['code must match', { code: 'Not a code' }],
    ['more than 16 levels', { after: { deep: JSON.parse(`${'['.repeat(15)}${']'.repeat(15)}`) as unknown } }],
    ['longer than 65536 characters', { after: { long: 'x'.repeat(65_536) } }],
  ])('refuses what it could not store: %s', async (reason, faulty) => {
    const before = await events();
    await expect(record(faulty)).rejects.toThrow(reason);
    expect(await events()).toEqual(before);
  });
});
