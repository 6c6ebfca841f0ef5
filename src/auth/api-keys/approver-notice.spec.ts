import { Logger } from '@nestjs/common';
import type { ApproverCount, CountedApprovers } from './approver-count';
import { ApproverNotice } from './approver-notice';

describe('ApproverNotice', () => {
  let warn: jest.SpyInstance;

  beforeEach(() => {
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  });

  afterEach(() => jest.restoreAllMocks());

  const start = (needed: number, count: () => Promise<CountedApprovers>): Promise<void> =>
    new ApproverNotice({ needed, count } as ApproverCount).onApplicationBootstrap();

  it('warns if fewer keys may approve than are needed', async () => {
    await start(2, () => Promise.resolve({ unlimited: 1, limited: 4 }));
    expect(warn.mock.calls).toEqual([
      [
        'Fewer API keys may approve all changes than APPROVALS needs',
        { unlimited: 1, limited: 4, needed: 2 },
      ],
    ]);
  });

  it('says nothing if there are enough, or none is needed', async () => {
    await start(2, () => Promise.resolve({ unlimited: 2, limited: 0 }));
    await start(0, () => Promise.resolve({ unlimited: 0, limited: 0 }));
    expect(warn).not.toHaveBeenCalled();
  });

  it('does not prevent the start if the database fails', async () => {
    await start(1, () => Promise.reject(new Error('gone')));
    expect(warn.mock.calls).toEqual([
      [expect.any(String), { cause: expect.stringContaining('gone') as string }],
    ]);
  });
});
