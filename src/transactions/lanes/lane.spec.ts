import { Logger } from '@nestjs/common';
import { invalidRequest } from '../../common/errors/domain-error';
import { RpcUnavailableError } from '../../chains/rpc/endpoint-error';
import type { ChainView } from '../../chains/transaction-chain';
import type { AccountStep } from '../processing/account-step';
import type { LaneContext } from '../processing/lane-context';
import { AccountWaits } from '../processing/long-waits';
import { type FoundAccount, Lane } from './lane';
import type { LaneClaim, LaneRows } from './lane-rows';
import { NoEndpointError } from './no-endpoint.error';

const ACCOUNT = { id: 'evm:1:0x1', address: '0x1', nextNonce: 9, changes: 0 };
const CLAIM = { row: ACCOUNT, lease: new Date() } as unknown as LaneClaim;

/** A chain whose head is one block higher at each read. */
function growingChain() {
  let head = 0;
  const read = (): Promise<ChainView> => Promise.resolve({ head: ++head, nonce: 0, reported: 0 });
  return { read, next: read };
}

/** @param found the account, if it is found */
const laneOf = (rows: LaneRows, step: AccountStep, found?: FoundAccount): Lane =>
  new Lane(
    ...([CLAIM, rows, step, () => Promise.resolve(found)] as const),
    ...([() => undefined, new AccountWaits(), 60_000] as const),
  );

describe('Lane', () => {
  it('reads the latest state of the chain after a step has failed', async () => {
    const heads: number[] = [];
    const step = {
      send: () => Promise.resolve(false),
      follow: ({ view }: LaneContext) => {
        heads.push(view.head);
        return heads.length === 1 ? Promise.reject(new Error('no market')) : Promise.resolve(false);
      },
    } as unknown as AccountStep;
    const rows = { finish: () => Promise.resolve(true) } as unknown as LaneRows;
    const found = { ledger: ACCOUNT, chain: growingChain() } as unknown as FoundAccount;
    const lane = laneOf(rows, step, found);
    await lane.run();
    expect(heads).toEqual([1, 2]);
  });

  it('explains an outage after several failures in a row, and again while it lasts', async () => {
    jest.useFakeTimers();
    const outages: [number, unknown][] = [];
    let reads = 0;
    const step = {
      send: () => Promise.resolve(false),
      follow: () => Promise.resolve(false),
      explainOutage: (account: unknown) => {
        outages.push([reads, account]);
        return Promise.reject(new Error('The database is unavailable'));
      },
    } as unknown as AccountStep;
    const rows = { finish: () => Promise.resolve(true) } as unknown as LaneRows;
    const read = (): Promise<ChainView> => {
      reads += 1;
      return reads <= 7
        ? Promise.reject(new RpcUnavailableError('connection'))
        : Promise.resolve({ head: 1, nonce: 0, reported: 0 });
    };
    const found = { ledger: ACCOUNT, chain: { read, next: read } } as unknown as FoundAccount;
    const lane = laneOf(rows, step, found);
    const run = lane.run();
    await jest.advanceTimersByTimeAsync(10_000);
    await run;
    jest.useRealTimers();
    expect(outages).toEqual([
      [3, found],
      [6, found],
    ]);
  });

  it('explains why transactions wait without an endpoint that may be used, and warns once', async () => {
    jest.useFakeTimers();
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const account = { ledger: ACCOUNT, relayer: { id: 'r' } } as never;
    const cause = invalidRequest('Network evm:x has no RPC endpoint');
    const outages: [number, unknown][] = [];
    let finds = 0;
    const find = (): Promise<FoundAccount | undefined> => {
      finds += 1;
      return finds <= 4
        ? Promise.reject(new NoEndpointError(account, cause, finds === 1))
        : Promise.resolve(undefined);
    };
    const step = {
      explainOutage: (given: unknown) => Promise.resolve(outages.push([finds, given])),
    } as unknown as AccountStep;
    const rows = { finish: () => Promise.resolve(true) } as unknown as LaneRows;
    const seen = () => undefined;
    const run = new Lane(CLAIM, rows, step, find, seen, new AccountWaits(), 60_000).run();
    await jest.advanceTimersByTimeAsync(10_000);
    await run;
    jest.useRealTimers();
    expect(outages).toEqual([[3, account]]);
    expect(warn.mock.calls).toEqual([
      ['Transactions could not be processed', { account: ACCOUNT.id, cause: cause.detail }],
    ]);
    warn.mockRestore();
  });

  it('is released when its account is not found and new work was requested', async () => {
    const calls: string[] = [];
    const rows = {
      finish: () => Promise.resolve(calls.push('finish') === 0),
      release: () => Promise.resolve(calls.push('release')),
    } as unknown as LaneRows;
    const lane = laneOf(rows, {} as AccountStep);
    await lane.run();
    expect(calls).toEqual(['finish', 'release']);
  });

  it('inherits the waits of the previous lane of the account until no work is left', async () => {
    const waits = new AccountWaits();
    const run = async (isLeft: boolean): Promise<number> => {
      let unknownFor = -1;
      const step = {
        send: () => Promise.resolve(false),
        follow: ({ memory }: LaneContext) => {
          unknownFor = memory.waits.unknownFor('a');
          expect(memory.waits.mayLackAttempts(0, new Date())).toBe(true);
          return Promise.resolve(isLeft);
        },
      } as unknown as AccountStep;
      const rows = {
        finish: () => Promise.resolve(true),
        release: () => Promise.resolve(),
      } as unknown as LaneRows;
      const found = { ledger: ACCOUNT, chain: growingChain() } as unknown as FoundAccount;
      const seen = () => undefined;
      await new Lane(CLAIM, rows, step, () => Promise.resolve(found), seen, waits, 0).run();
      return unknownFor;
    };
    expect(await run(true)).toBe(0);
    expect(await run(true)).toBeGreaterThan(0);
    expect(await run(false)).toBeGreaterThan(0);
    expect(await run(false)).toBe(0);
  });

  it('gives the nonce that most endpoints report to one step after the one that has found out', async () => {
    const nonces: number[] = [];
    const step = {
      send: () => Promise.resolve(false),
      follow: ({ view, memory }: LaneContext) => {
        if (nonces.push(view.nonce) === 1) memory.limitNonce(2);
        return Promise.resolve(nonces.length < 3);
      },
    } as unknown as AccountStep;
    const rows = { finish: () => Promise.resolve(true) } as unknown as LaneRows;
    const read = (): Promise<ChainView> => Promise.resolve({ head: 1, nonce: 5, reported: 5 });
    const found = { ledger: ACCOUNT, chain: { read, next: read } } as unknown as FoundAccount;
    const seen = () => undefined;
    const waits = new AccountWaits();
    await new Lane(CLAIM, rows, step, () => Promise.resolve(found), seen, waits, 60_000).run();
    expect(nonces).toEqual([5, 2, 5]);
  });

  it('renews its lease once at a time, and releases the lease that it has then', async () => {
    jest.useFakeTimers();
    try {
      const released: unknown[] = [];
      const renewed = { ...CLAIM, lease: new Date(1) };
      const renew = jest.fn(
        () => new Promise<LaneClaim>((resolve) => void setTimeout(() => resolve(renewed), 9000)),
      );
      const rows = {
        renew,
        release: (claim: LaneClaim) => Promise.resolve(released.push(claim)),
      } as unknown as LaneRows;
      const step = { send: () => Promise.resolve(false), follow: () => Promise.resolve(true) };
      const chain = { ...growingChain(), next: () => new Promise(() => undefined) };
      const found = { ledger: ACCOUNT, chain } as unknown as FoundAccount;
      const lane = laneOf(rows, step as unknown as AccountStep, found);
      const run = lane.run();
      await jest.advanceTimersByTimeAsync(8000);
      lane.stop();
      await jest.advanceTimersByTimeAsync(1000);
      expect([renew.mock.calls.length, released]).toEqual([1, []]);
      await jest.advanceTimersByTimeAsync(3000);
      await run;
      expect([renew.mock.calls.length, released]).toEqual([1, [renewed]]);
    } finally {
      jest.useRealTimers();
    }
  });

  it.each([
    [9, 500, 9],
    [500, 500, 500],
    [500, 9, 9],
    [500, 3, 9],
    [500, 20, 20],
    // Everything that does not depend on it goes on.
    [500, 'too few endpoints respond', 9],
  ] as const)(
    'given a nonce of %d when most endpoints report %s, uses %d',
    async (nonce, agreed, believed) => {
      const nonces: number[] = [];
      const step = {
        send: () => Promise.resolve(false),
        follow: ({ view }: LaneContext) => Promise.resolve(nonces.push(view.nonce) === 0),
      } as unknown as AccountStep;
      const rows = {
        finish: () => Promise.resolve(true),
        release: () => Promise.resolve(),
      } as unknown as LaneRows;
      const view: ChainView = { head: 1, nonce, reported: nonce };
      const agreedNonce = (): Promise<number> =>
        typeof agreed === 'number'
          ? Promise.resolve(agreed)
          : Promise.reject(new RpcUnavailableError('timeout'));
      const chain = { read: () => Promise.resolve(view), next: () => Promise.resolve(view), agreedNonce };
      const found = { ledger: ACCOUNT, chain } as unknown as FoundAccount;
      const seen = jest.fn();
      await new Lane(CLAIM, rows, step, () => Promise.resolve(found), seen, new AccountWaits(), 500).run();
      expect(nonces).toEqual([believed]);
      // Others may use only what is certain and not beyond the ledger.
      expect(seen).toHaveBeenCalledTimes(typeof agreed === 'number' && believed <= ACCOUNT.nextNonce ? 1 : 0);
    },
  );
});
