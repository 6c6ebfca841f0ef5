import {
  BadRequestException,
  type CanActivate,
  ConflictException,
  Controller,
  Get,
  Module,
  NotFoundException,
  Param,
  Post,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common';
import {
  NotificationsApi,
  outsideRequests,
  Public,
  type Relayer,
  RelayerPlugin,
  RelayersApi,
  SigningApi,
  TransactionsApi,
} from '../../src/public';
import { isReachable } from '../../src/access/relayer-reach';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';

const PATH = '/api/v1/acme-open';
const PAGE = { page: 1, per_page: 10 };

class Closed implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

@Public()
@Controller('api/v1/acme-open')
class OpenController {
  constructor(
    private readonly relayers: RelayersApi,
    private readonly signing: SigningApi,
    private readonly transactions: TransactionsApi,
    private readonly notifications: NotificationsApi,
  ) {}

  @Post(':relayer_id/sign')
  sign(@Param('relayer_id') id: string): Promise<unknown> {
    return this.signing.signMessage(id, { message: 'from nobody' });
  }

  @Post(':relayer_id/send')
  send(@Param('relayer_id') id: string): Promise<unknown> {
    return this.transactions.submit(id, { to: `0x${'35'.repeat(20)}`, value: '1', speed: 'fast' });
  }

  @Post(':relayer_id/loosen')
  loosen(@Param('relayer_id') id: string): Promise<unknown> {
    return this.relayers.update(id, { policies: { messages: null } });
  }

  @Post(':relayer_id/delete')
  delete(@Param('relayer_id') id: string): Promise<unknown> {
    return this.relayers.delete(id);
  }

  @Get('relayers')
  async list(): Promise<unknown> {
    return (await this.relayers.list(PAGE)).items;
  }

  @Get('notifications')
  async webhooks(): Promise<unknown> {
    return (await this.notifications.list(PAGE)).items;
  }

  @Get('reach')
  reach(): boolean {
    return isReachable({ id: 'any', group: null });
  }

  @Get('closed')
  @UseGuards(Closed)
  closed(): string {
    return 'never';
  }

  @Get('missing')
  missing(): never {
    throw new NotFoundException('Note 5 not found');
  }

  @Get('malformed')
  malformed(): never {
    throw new BadRequestException('amount is missing');
  }

  @Get('unauthorized')
  unauthorized(): never {
    throw new UnauthorizedException('second factor');
  }

  @Get('conflict')
  conflict(): never {
    throw new ConflictException('Note 5 exists');
  }

  @Get('as-service')
  asService(): Promise<readonly Relayer[]> {
    return outsideRequests(async () => (await this.relayers.list(PAGE)).items);
  }
}

@RelayerPlugin({ name: 'acme-open', compatibility: '^1' })
@Module({ controllers: [OpenController] })
class OpenModule {}

describeService('A public route of a plugin', { modules: [OpenModule], onlySqlite: true }, ({ service }) => {
  let id: string;

  beforeAll(async () => {
    ({ id } = await addRelayer(service, { policies: { messages: { allow: 'any' } } }));
  });

  const calls: [string, string, string][] = [
    ['POST', '/sign', 'sign:messages'],
    ['POST', '/send', 'transactions:write'],
    ['POST', '/loosen', 'relayers:write or relayers:pause'],
    ['POST', '/delete', 'relayers:write'],
    ['GET', '/relayers', 'relayers:read'],
    ['GET', '/notifications', 'notifications:read'],
  ];

  it.each(calls)('has no right to call a port, even with a token (%s %s)', async (method, path, scope) => {
    for (const headers of [{ authorization: undefined }, {}]) {
      const prefix = method === 'POST' ? `${PATH}/${id}` : PATH;
      const response = await service.call({ method, path: prefix + path, headers });
      expect([response.status, response.body.error]).toEqual([
        403,
        `a request on a public route does not have the scope ${scope}`,
      ]);
    }
    expect((await service.get(`/api/v1/relayers/${id}`)).body.data.policies).toEqual({
      messages: { allow: 'any' },
    });
  });

  it('reaches no relayer', async () => {
    expect((await service.get(`${PATH}/reach`, { authorization: undefined })).body.data).toBe(false);
  });

  it('can call a port as the service itself', async () => {
    const { body } = await service.get(`${PATH}/as-service`, { authorization: undefined });
    expect(body.data).toEqual([expect.objectContaining({ id })]);
  });

  it.each([
    ['/closed', 403, 'Forbidden', 'Forbidden resource'],
    ['/missing', 404, 'Not Found', 'Note 5 not found'],
    ['/malformed', 400, 'Bad Request', 'amount is missing'],
    ['/unauthorized', 401, 'Unauthorized', 'second factor'],
    ['/conflict', 409, 'Conflict', 'Note 5 exists'],
    ['/no-such-route', 404, 'Not Found', 'no such route'],
  ])("can fail with Nest's exceptions (%s)", async (path, status, message, error) => {
    const response = await service.get(PATH + path);
    expect([response.status, response.body.message, response.body.error]).toEqual([status, message, error]);
    expect(response.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
  });
});
