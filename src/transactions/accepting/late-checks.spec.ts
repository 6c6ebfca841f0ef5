import type { ActingRelayer } from '../../relayers/relayer.entity';
import { relayerPaused } from '../../relayers/relayer.errors';
import { checkLate, MAX_WAIT_MS } from './late-checks';
import type { Waiting } from './submission';

const relayerWith = (changes: object = {}): ActingRelayer =>
  ({ id: 'r', signerId: 's', address: '0x', network: 'n', networkType: 'evm', ...changes }) as ActingRelayer;

describe('checkLate', () => {
  let checks: number;

  beforeEach(() => {
    checks = 0;
  });

  /** @param result what a new check returns or throws */
  const waiting = (ageMs: number, result: unknown = relayerWith(), keyId = 'key'): Waiting =>
    ({
      ...{ relayer: relayerWith(), checkedAt: performance.now() - ageMs, caller: { keyId } },
      check: () => {
        checks += 1;
        return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
      },
    }) as Waiting;

  it('checks only requests that have waited for long, and once for each API key and relayer', async () => {
    const now = relayerWith({ policies: {} });
    const late = Array.from({ length: 3 }, () => waiting(MAX_WAIT_MS + 10, now));
    const other = waiting(MAX_WAIT_MS + 10, relayerPaused(), 'other');
    const early = waiting(0, relayerPaused());
    await checkLate([...late, other, early]);
    expect(checks).toBe(2);
    for (const { relayer, refusal } of late) expect([relayer, refusal]).toEqual([now, undefined]);
    expect([other.refusal?.code, early.refusal]).toEqual(['relayer_paused', undefined]);
  });

  it('refuses requests for an account that the relayer no longer has', async () => {
    const item = waiting(MAX_WAIT_MS + 10, relayerWith({ signerId: 'another' }));
    await checkLate([item]);
    expect(item.refusal?.code).toBe('relayer_not_found');
  });

  it('decides again when the unit of work is repeated', async () => {
    const item = { ...waiting(MAX_WAIT_MS + 10), refusal: relayerPaused() };
    await checkLate([item]);
    expect(item.refusal).toBeUndefined();
  });

  it('refuses nothing because the database failed', async () => {
    const item = waiting(MAX_WAIT_MS + 10, new Error('Deadlock'));
    await expect(checkLate([item])).rejects.toThrow('Deadlock');
    expect(item.refusal).toBeUndefined();
  });
});
