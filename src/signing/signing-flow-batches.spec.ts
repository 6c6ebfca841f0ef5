import { type Principal, ROOT } from '../access/principal';
import {
  asRequestOf,
  PAUSED,
  SIGNATURE,
  signedDigest,
  SigningFixture,
  TASK,
} from '../../test/support/signing-fixture';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_DECISION_AGE_MS } from '../access/ongoing-access';
import { DomainError } from '../common/errors/domain-error';
import { currentRequest } from '../common/http/request-context';

const KEY: Principal = { ...ROOT, id: 'key', kind: 'api_key' };

describe('SigningFlow in batches', () => {
  let fixture: SigningFixture;

  beforeEach(() => {
    fixture = new SigningFixture();
  });

  it('records the items signed before the client disconnected', async () => {
    fixture.whileSigning = () => {
      const request = currentRequest();
      if (request) request.isOver = true;
      // Longer than a turn on the event loop.
      for (const end = performance.now() + 10; performance.now() < end;);
    };
    await expect(asRequestOf(ROOT, () => fixture.batch(300))).rejects.toThrow('Service Unavailable');
    const signed = fixture.log.filter((entry) => entry === 'sign').length;
    expect(signed).toBeLessThan(300);
    expect(fixture.audit).toHaveBeenCalledTimes(1);
    expect(fixture.audit.mock.calls[0]?.[0]).toHaveLength(signed);
    expect(fixture.record.mock.calls).toEqual([['r', 'n', Array(signed).fill(signedDigest)]]);
  });

  it.each([
    ['is removed', null, [3]],
    ['is replaced', 'b', [3, 2]],
  ])('reports signatures made before the notification %s to that one', async (_what, next, counts) => {
    fixture.row.notificationId = 'a';
    let read = 0;
    fixture.whileReading = () => {
      read += 1;
      // The first read opens the batch.
      if (read === 5) fixture.row.notificationId = next;
    };
    const results = await fixture.batch(5);
    expect(results.filter((result) => 'value' in result)).toHaveLength(5);
    expect(fixture.record.mock.calls).toEqual(
      counts.map((count, i) => ['r', ['a', 'b'][i], Array(count).fill(signedDigest)]),
    );
    expect(fixture.audit.mock.calls.map(([entries]) => entries.length)).toEqual([5]);
  });

  it('reads the relayer before each item, and its chain once', async () => {
    const results = await fixture.batch(20, { ...TASK, checkChain: () => undefined });
    expect(results).toEqual(Array.from({ length: 20 }, () => ({ value: SIGNATURE })));
    expect(fixture.log.filter((step) => step === 'read')).toHaveLength(21);
    expect(fixture.log.filter((step) => step === 'chain')).toHaveLength(1);
  });

  it('signs no more than the items in progress after a pause', async () => {
    fixture.whileSigning = () => (fixture.failure = PAUSED);
    const results = await fixture.batch(300);
    const signed = results.filter((result) => 'value' in result);
    expect(signed.length).toBeLessThanOrEqual(8);
    expect(results.at(-1)).toEqual({ error: 'Relayer paused', code: 'relayer_paused' });
    expect(fixture.record.mock.calls[0]?.[2]).toHaveLength(signed.length);
    expect(fixture.audit).toHaveBeenCalledTimes(1);
    const codes = fixture.audit.mock.calls[0]?.[0].map(({ code }) => code ?? 'success').sort();
    expect(codes).toEqual([
      ...Array<string>(300 - signed.length).fill('relayer_paused'),
      ...Array<string>(signed.length).fill('success'),
    ]);
  });

  it.each([
    ['the relayer is paused', (made: SigningFixture) => (made.failure = PAUSED), 'relayer_paused'],
    [
      'the API key is revoked',
      (made: SigningFixture) => {
        made.recheck = () => {
          throw new DomainError('unauthorized', 'Unauthorized');
        };
      },
      'unauthorized',
    ],
    [
      'the policies forbid it',
      (made: SigningFixture) => (made.row.policies = { transactions: {} }),
      'typed_data_not_allowed',
    ],
    [
      'another relayer gets the id',
      (made: SigningFixture) => (made.row.signerId = 'other'),
      'relayer_not_found',
    ],
  ])('withholds what a key service signed before %s', async (_what, change, code) => {
    fixture.isRemote = true;
    let signed = 0;
    fixture.whileSigning = async () => {
      signed += 1;
      if (signed <= 8) return;
      await sleep(2 * MAX_DECISION_AGE_MS);
      change(fixture);
    };
    const results = await asRequestOf(KEY, () => fixture.batch(9));
    expect(results).toEqual(Array(9).fill(expect.objectContaining({ code })));
    expect(fixture.record).not.toHaveBeenCalled();
    const codes = fixture.audit.mock.calls.flatMap(([entries]) => entries.map((entry) => entry.code));
    expect(codes).toEqual(code === 'relayer_not_found' ? [] : Array(9).fill(code));
    const withheld = `signatures_withheld_total{reason="${code}"} 9`;
    expect(await fixture.registry.metrics()).toContain(withheld);
  });

  it('returns what a key in memory signed before a pause', async () => {
    let signed = 0;
    fixture.whileSigning = async () => {
      signed += 1;
      if (signed <= 8) return;
      await sleep(2 * MAX_DECISION_AGE_MS);
      fixture.failure = PAUSED;
    };
    expect(await fixture.batch(9)).toEqual(Array(9).fill({ value: SIGNATURE }));
  });

  it('fails as a whole if the relayer may not sign at the start', async () => {
    fixture.failure = PAUSED;
    await expect(fixture.batch(3)).rejects.toBe(PAUSED);
    fixture.failure = undefined;
    fixture.row.networkType = 'solana';
    await expect(fixture.batch(3)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(fixture.record).not.toHaveBeenCalled();
  });

  it('does not count the items of a batch that fails as a whole', async () => {
    fixture.record.mockRejectedValueOnce(new Error('The database is away'));
    await expect(fixture.batch(1)).rejects.toThrow('The database is away');
    expect(await fixture.registry.metrics()).toContain('signing_batch_items_total{outcome="success"} 0');
    await fixture.batch(1);
    expect(await fixture.registry.metrics()).toContain('signing_batch_items_total{outcome="success"} 1');
  });
});
