import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Module, Param, Post, Query } from '@nestjs/common';
import {
  NotificationsApi,
  RelayerPlugin,
  RelayersApi,
  RequireScope,
  TransactionsApi,
} from '../../src/public';
import { bearer, createApiKey } from '../support/api-keys';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';

const PATH = '/api/v1/acme-late';
const PAGE = { page: 1, per_page: 10 };

/** Its handlers wait before they call a port. */
@RequireScope('relayers:read')
@Controller('api/v1/acme-late')
class LateController {
  constructor(
    private readonly relayers: RelayersApi,
    private readonly transactions: TransactionsApi,
    private readonly notifications: NotificationsApi,
  ) {}

  @Post(':relayer_id/pause')
  async pause(@Param('relayer_id') id: string): Promise<unknown> {
    await sleep(500);
    return this.relayers.update(id, { paused: true });
  }

  @Post(':relayer_id/get')
  async get(@Param('relayer_id') id: string): Promise<unknown> {
    await sleep(500);
    return this.relayers.get(id);
  }

  @Post(':relayer_id/transactions')
  async sent(@Param('relayer_id') id: string): Promise<unknown> {
    await sleep(500);
    return (await this.transactions.list(id, PAGE)).items;
  }

  @Post(':relayer_id/notifications')
  async webhooks(): Promise<unknown> {
    await sleep(500);
    return (await this.notifications.list(PAGE)).items;
  }

  @Post('page')
  async page(@Query() query: Record<string, string>): Promise<unknown> {
    return (await this.relayers.list({ page: Number(query.page), per_page: Number(query.per_page) })).items;
  }
}

@RelayerPlugin({ name: 'acme-late', compatibility: '^1' })
@Module({ controllers: [LateController] })
class LateModule {}

describeService('A route of a plugin', { modules: [LateModule], onlySqlite: true }, ({ service }) => {
  let id: string;

  beforeAll(async () => {
    ({ id } = await addRelayer(service));
  });

  it.each(['pause', 'get', 'transactions', 'notifications'])(
    'cannot %s for a key that has been revoked meanwhile',
    async (action) => {
      const scopes = ['relayers:read', 'relayers:write', 'transactions:read', 'notifications:read'];
      const { id: keyId, key } = await createApiKey(service, { scopes });
      const late = service.call({
        method: 'POST',
        path: `${PATH}/${id}/${action}`,
        body: {},
        headers: bearer(key),
      });
      await sleep(100);
      await service.call({ method: 'DELETE', path: `/api/v1/api-keys/${keyId}` });
      expect((await late).status).toBe(401);
      expect((await service.get(`/api/v1/relayers/${id}`)).body.data).toMatchObject({ paused: false });
    },
  );

  it.each([
    ['page=-1&per_page=10', 'page must be given once, as an integer from 0 to 9007199254740991'],
    ['page=1&per_page=1001', 'per_page must be given once, as an integer from 0 to 1000'],
    ['page=1&per_page=x', 'per_page must be given once, as an integer from 0 to 1000'],
  ])('gets no list for %s', async (query, error) => {
    const response = await service.post(`${PATH}/page?${query}`, {});
    expect([response.status, response.body.error]).toEqual([400, error]);
  });

  it('takes page 0 for the first page', async () => {
    const { body } = await service.post(`${PATH}/page?page=0&per_page=10`, {});
    expect(body.data).toEqual([expect.objectContaining({ id })]);
  });
});
