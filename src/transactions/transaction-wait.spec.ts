import type { ConfigService } from '@nestjs/config';
import type { OngoingAccess } from '../access/ongoing-access';
import { asPrincipal, ROOT } from '../access/principal';
import { runWithRequest } from '../common/http/request-context';
import type { AppConfig } from '../config/app-config';
import type { TransactionQueries } from './transaction-queries';
import type { TransactionStatus } from './transaction-status';
import { Stopping } from '../lifecycle/stopping';
import { TransactionWait } from './transaction-wait';

describe('TransactionWait', () => {
  /**
   * Waits for a transaction that has these statuses one after the other. @returns the final status, and how often the
   * whole transaction was read
   */
  async function wait(
    statuses: TransactionStatus[],
    wanted: TransactionStatus,
    timeoutMs: number,
    stopping = new Stopping(),
  ): Promise<[string, number]> {
    let reads = 0;
    let status = statuses[0]!;
    const next = () => Promise.resolve((status = statuses.shift() ?? status));
    const queries = {
      statusOf: next,
      getOrThrow: () => Promise.resolve((reads += 1) && { status }),
    } as unknown as TransactionQueries;
    const access = { recheck: () => undefined } as unknown as OngoingAccess;
    const config = { get: () => ({ requestTimeoutMs: 30_000 }) } as unknown as ConfigService<AppConfig, true>;
    const shown = await new TransactionWait(queries, access, stopping, config).until(
      ...(['r', 't', wanted, timeoutMs] as const),
    );
    return [shown.status, reads];
  }

  it.each([
    [['pending', 'sent', 'submitted', 'mined'], 'submitted', 'submitted', 20_000],
    [['mined'], 'submitted', 'mined', 20_000],
    [['pending', 'failed'], 'mined', 'failed', 20_000],
    [['submitted'], 'confirmed', 'submitted', 200],
  ] as [TransactionStatus[], TransactionStatus, TransactionStatus, number][])(
    'with the statuses %j and waiting for %s, reads the full transaction once, as %s',
    async (statuses, wanted, status, timeoutMs) => {
      expect(await wait([...statuses], wanted, timeoutMs)).toEqual([status, 1]);
    },
  );

  it('ends when the service begins to stop, so that it is not cut off', async () => {
    const stopping = new Stopping();
    const waited = wait(['submitted'], 'confirmed', 20_000, stopping);
    setTimeout(() => {
      stopping.begin();
    }, 200);
    expect(await waited).toEqual(['submitted', 1]);
  });

  describe('if too many requests wait', () => {
    let waits: TransactionWait;

    beforeEach(() => {
      const queries = {
        statusOf: () => Promise.resolve('sent'),
        getOrThrow: () => Promise.resolve({ status: 'sent' }),
      } as unknown as TransactionQueries;
      const access = { recheck: () => undefined } as unknown as OngoingAccess;
      const config = { get: () => ({ requestTimeoutMs: 30_000 }) } as unknown as ConfigService<
        AppConfig,
        true
      >;
      waits = new TransactionWait(queries, access, new Stopping(), config);
    });

    const until = () => waits.until('r', 't', 'mined', 300);
    const as = (id: string): Promise<unknown> =>
      new Promise((resolve, reject) => {
        runWithRequest('id', () => {
          asPrincipal({ ...ROOT, kind: 'api_key', id }, () => void until().then(resolve, reject));
        });
      });
    const refusal = (of: string) => ({
      code: 'overloaded',
      detail: `too many requests${of} wait for transactions`,
      retryAfterSeconds: 1,
    });

    it('says when to retry', async () => {
      const all = ['one', 'other'].flatMap((id) => Array.from({ length: 250 }, () => as(id)));
      await expect(as('third')).rejects.toMatchObject(refusal(''));
      await expect(until()).rejects.toMatchObject(refusal(''));
      await Promise.all(all);
      await as('third');
    });

    it('lets the root key use all places', async () => {
      const all = Array.from({ length: 500 }, () => until());
      await expect(until()).rejects.toMatchObject(refusal(''));
      await Promise.all(all);
    });

    it('refuses further ones of a key that uses half of the places, but not of others', async () => {
      const all = Array.from({ length: 250 }, () => as('one'));
      await expect(as('one')).rejects.toMatchObject(refusal(' of this API key'));
      await expect(as('other')).resolves.toEqual({ status: 'sent' });
      await Promise.all(all);
      await as('one');
    });
  });
});
