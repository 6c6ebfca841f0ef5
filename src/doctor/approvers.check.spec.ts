import type { ApproverCount } from '../auth/api-keys/approver-count';
import { ApproversCheck } from './approvers.check';

const check = (needed: number, unlimited: number, limited = 0) =>
  new ApproversCheck({ needed, count: () => Promise.resolve({ unlimited, limited }) } as ApproverCount).run();

describe('ApproversCheck', () => {
  it('finds nothing if no approvals are needed', async () => {
    expect(await check(0, 0)).toEqual([]);
  });

  it('warns if fewer keys may approve than the highest number of approvals', async () => {
    expect(await check(2, 1)).toEqual([
      {
        check: 'approvals',
        status: 'warning',
        detail: '1 API keys may approve all changes, and APPROVALS needs up to 2',
        advice: expect.stringContaining('npm run api-key -- create') as string,
      },
    ]);
  });

  it('warns if only keys that reach some relayers are enough', async () => {
    expect(await check(2, 1, 3)).toMatchObject([
      {
        status: 'warning',
        detail:
          '1 API keys may approve all changes, and APPROVALS needs up to 2; 3 more approve only changes of some relayers',
      },
    ]);
  });

  it('is content with enough keys', async () => {
    expect(await check(2, 2)).toMatchObject([{ status: 'ok' }]);
  });
});
