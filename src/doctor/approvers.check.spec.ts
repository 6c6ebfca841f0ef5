import type { ConfigService } from '@nestjs/config';
import type { ApiKeyEntity } from '../auth/api-keys/api-key.entity';
import type { AppConfig } from '../config/app-config';
import type { NeededApprovals } from '../config/approvals-format';
import type { UnitOfWork } from '../database/unit-of-work';
import { ApproversCheck } from './approvers.check';

const APPROVER = { scopes: ['approve', 'relayers:read'], expiresAt: null };

const check = (needed: NeededApprovals, ...keys: object[]) => {
  const unitOfWork = { repository: () => ({ find: () => Promise.resolve(keys as ApiKeyEntity[]) }) };
  const config = { get: () => ({ needed }) };
  return new ApproversCheck(
    unitOfWork as unknown as UnitOfWork,
    config as unknown as ConfigService<AppConfig, true>,
  ).run();
};

describe('ApproversCheck', () => {
  it('finds nothing without APPROVALS', async () => {
    expect(await check({ transaction: 1 })).toEqual([]);
    expect(await check({ transaction: 2 })).toMatchObject([{ status: 'warning' }]);
  });

  it('warns if fewer keys may approve than the highest number of approvals', async () => {
    const expired = { ...APPROVER, expiresAt: new Date(0) };
    const other = { ...APPROVER, scopes: ['relayers:write'] };
    expect(await check({ unpause: 1, api_key_scope: 2 }, APPROVER, expired, other)).toEqual([
      {
        check: 'approvals',
        status: 'warning',
        detail: '1 API keys may approve, and APPROVALS needs up to 2 of them',
        advice: expect.stringContaining('npm run api-key -- create') as string,
      },
    ]);
  });

  it.each([[['*']], [['approve']]])('counts keys with %j that have not expired', async (scopes) => {
    const keys = [APPROVER, { scopes, expiresAt: new Date(Date.now() + 60_000) }];
    expect(await check({ unpause: 1, api_key_scope: 2 }, ...keys)).toMatchObject([{ status: 'ok' }]);
  });
});
