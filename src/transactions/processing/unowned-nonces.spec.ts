import type { ConfigService } from '@nestjs/config';
import type { AppConfig } from '../../config/app-config';
import type { NonceLowering } from '../nonce-lowering';
import type { TransactionRows } from '../transaction-rows';
import type { LaneContext } from './lane-context';
import { LaneMemory } from './lane-memory';
import { UnownedNonces } from './unowned-nonces';

const CONFIG = { get: () => ({ unknownUseMs: 600_000 }) } as unknown as ConfigService<AppConfig, true>;
const CHAIN_NONCE = 5;

/** An account whose ledger is this far ahead of the chain, with this many transactions in between. */
function start(ahead: number, owned = 0, canBeLowered = true) {
  const lowered: number[] = [];
  const explained: unknown[] = [];
  const state = { now: 0, highest: CHAIN_NONCE as number | undefined };
  const rows = {
    repository: { countBy: () => Promise.resolve(owned) },
    find: () => Promise.resolve([{ id: 't' }]),
    explain: (silent: object[], statusReason: string) =>
      Promise.resolve(explained.push(...silent.map(() => ({ statusReason })))),
  } as unknown as TransactionRows;
  const lowering = {
    lower: (_id: string, _relayer: object, nonce: number) =>
      Promise.resolve(lowered.push(nonce) > 0 && canBeLowered),
  } as unknown as NonceLowering;
  const unowned = new UnownedNonces(rows, lowering, CONFIG);
  const context = {
    ledger: { id: 'a', address: '0x', nextNonce: CHAIN_NONCE + ahead },
    relayer: { id: 'r' },
    view: { head: 1, nonce: CHAIN_NONCE, reported: CHAIN_NONCE },
    chain: { highestNonce: () => Promise.resolve(state.highest) },
    memory: new LaneMemory(() => state.now),
  } as unknown as LaneContext;
  /** Whether there are too many, then and ten minutes later. */
  const results = async (): Promise<boolean[]> => {
    const before = await unowned.areTooMany(context);
    state.now += 600_000;
    return [before, await unowned.areTooMany(context)];
  };
  return { results, lowered, explained, state };
}

describe('UnownedNonces', () => {
  it.each([
    [100, 0],
    [150, 50],
    [10_000, 9_900],
  ])('lets nonces be filled if the ledger is %d ahead, with %d transactions', async (ahead, owned) => {
    const { results, lowered } = start(ahead, owned);
    expect(await results()).toEqual([false, false]);
    expect(lowered).toEqual([]);
  });

  it('lowers the ledger after ten minutes, and says meanwhile why transactions wait', async () => {
    const { results, lowered, explained, state } = start(101);
    state.highest = 7;
    expect(await results()).toEqual([true, true]);
    expect(lowered).toEqual([7]);
    expect(explained).toEqual([
      { statusReason: 'Waiting: the nonce is far above that of the account, as nodes report it' },
    ]);
  });

  it('does not lower it while endpoints do not respond or do not follow the chain', async () => {
    const { results, lowered, state } = start(101);
    state.highest = undefined;
    expect(await results()).toEqual([true, true]);
    expect(lowered).toEqual([]);
  });

  it.each([
    [1000, false],
    [1001, true],
  ])('lets %d nonces below signed ones be filled after ten minutes: not %j', async (ahead, areTooMany) => {
    const { results } = start(ahead, 0, false);
    expect(await results()).toEqual([true, areTooMany]);
  });
});
