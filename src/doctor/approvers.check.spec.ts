import type { ApproverCount } from '../auth/api-keys/approver-count';
import { ApproversCheck } from './approvers.check';

const check = (needed: number, keys: number) =>
  new ApproversCheck({ needed, count: () => Promise.resolve(keys) } as ApproverCount).run();

describe('ApproversCheck', () => {
  it('finds nothing if no approvals are needed', async () => {
    expect(await check(0, 0)).toEqual([]);
  });

  it('warns if fewer keys may approve than the highest number of approvals', async () => {
    expect(await check(2, 1)).toEqual([
      {
        check: 'approvals',
        status: 'warning',
        detail: '1 API keys may approve, and APPROVALS needs up to 2 of them',
        advice: expect.stringContaining('npm run api-key -- create') as string,
      },
    ]);
  });

  it('is content with enough keys', async () => {
    expect(await check(2, 2)).toMatchObject([{ status: 'ok' }]);
  });
});
