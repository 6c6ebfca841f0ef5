import type { ConfigService } from '@nestjs/config';
import type { AppConfig } from '../../config/app-config';
import type { NeededApprovals } from '../../config/approvals-format';
import type { UnitOfWork } from '../../database/unit-of-work';
import type { ApiKeyEntity } from './api-key.entity';
import { ApproverCount } from './approver-count';

const APPROVER = { scopes: ['approve', 'relayers:read'], relayers: null, groups: null, expiresAt: null };

const countOf = (needed: NeededApprovals, ...keys: object[]): ApproverCount => {
  const unitOfWork = { repository: () => ({ find: () => Promise.resolve(keys as ApiKeyEntity[]) }) };
  const config = { get: () => ({ needed }) };
  return new ApproverCount(
    unitOfWork as unknown as UnitOfWork,
    config as unknown as ConfigService<AppConfig, true>,
  );
};

describe('ApproverCount', () => {
  it.each<[NeededApprovals, number]>([
    [{}, 0],
    [{ transaction: 1 }, 0],
    [{ transaction: 2 }, 2],
    [{ unpause: 1, api_key_scope: 2 }, 2],
  ])('with %j needs %d', (approvals, needed) => {
    expect(countOf(approvals).needed).toBe(needed);
  });

  it('counts keys with the scope that have not expired', async () => {
    const keys = [
      APPROVER,
      { ...APPROVER, scopes: ['*'], expiresAt: new Date(Date.now() + 60_000) },
      { ...APPROVER, expiresAt: new Date(0) },
      { ...APPROVER, scopes: ['relayers:write'] },
    ];
    expect(await countOf({}, ...keys).count()).toEqual({ unlimited: 2, limited: 0 });
  });

  it('counts keys separately that cannot approve everything, because they reach only some relayers', async () => {
    const keys = [
      APPROVER,
      { ...APPROVER, relayers: ['treasury'] },
      { ...APPROVER, groups: ['payouts'] },
      { ...APPROVER, groups: ['payouts'], expiresAt: new Date(0) },
    ];
    expect(await countOf({}, ...keys).count()).toEqual({ unlimited: 1, limited: 2 });
  });
});
