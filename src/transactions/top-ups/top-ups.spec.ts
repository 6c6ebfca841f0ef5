import { Subject } from 'rxjs';
import { DomainError } from '../../common/errors/domain-error';
import type { RelayerChain } from '../../relayers/chain-access/relayer-chain';
import type { BalanceWatch, ReadBalance } from '../../relayers/checks/balance-watch';
import type { RelayerEntity } from '../../relayers/relayer.entity';
import type { RelayersService } from '../../relayers/relayers.service';
import type { TransactionsService } from '../transactions.service';
import type { TopUpMetrics } from './top-up.metrics';
import type { TopUpRows } from './top-up-rows';
import { TopUps } from './top-ups';

jest.mock('../../chains/evm/account', () => ({
  readBalance: (pool: string, address: string) =>
    Promise.resolve(mockLies.get(pool)?.get(address) ?? mockBalances.get(address)),
}));
const mockBalances = new Map<string, bigint>();
/** False balances that the endpoints of a relayer report, by its id and the address. */
const mockLies = new Map<string, Map<string, bigint>>();

const TOP_UP = { from_relayer: 'treasury', below: 10, to: 100 };

describe('TopUps', () => {
  const balanceRead = new Subject<ReadBalance>();
  const claim = jest.fn<Promise<string | undefined>, [string, string]>();
  const submit = jest.fn<Promise<unknown>, unknown[]>();
  const count = jest.fn<undefined, [string]>();
  let stored: Map<string, RelayerEntity>;
  let topUps: TopUps;

  const relayer = (id: string, more: Partial<RelayerEntity> = {}): RelayerEntity =>
    ({
      id,
      address: `0x${id}`,
      network: 'n',
      networkType: 'evm',
      paused: false,
      policies: {},
      ...more,
    }) as RelayerEntity;

  const add = (...relayers: RelayerEntity[]): void => {
    for (const each of relayers) stored.set(each.id, each);
  };

  /** Simulates a check that has read this balance. @returns once everything that follows has ended */
  const read = async (balance: bigint, id = 'poor'): Promise<void> => {
    balanceRead.next({ relayer: stored.get(id)!, balance });
    await topUps.onModuleDestroy();
    topUps.onModuleInit();
  };

  beforeEach(() => {
    stored = new Map();
    mockLies.clear();
    mockBalances.clear();
    mockBalances.set('0xpoor', 3n).set('0xtreasury', 1000n);
    add(relayer('poor', { policies: { top_up: TOP_UP } }), relayer('treasury'));
    claim.mockReset().mockResolvedValue('key');
    submit.mockReset().mockResolvedValue({ transaction: { id: 't' }, isReplay: false });
    count.mockReset();
    topUps = new TopUps(
      { balanceRead } as unknown as BalanceWatch,
      { find: (id: string) => Promise.resolve(stored.get(id) ?? null) } as unknown as RelayersService,
      { getOrThrow: ({ id }: RelayerEntity) => Promise.resolve({ pool: id }) } as unknown as RelayerChain,
      { claim } as unknown as TopUpRows,
      { submit } as unknown as TransactionsService,
      { count } as unknown as TopUpMetrics,
    );
    topUps.onModuleInit();
  });

  afterEach(() => topUps.onModuleDestroy());

  it('submit what is missing, with the balance that was read after the claim', async () => {
    claim.mockImplementation(() => {
      mockBalances.set('0xpoor', 7n);
      return Promise.resolve('key');
    });
    await read(3n);
    const body = { to: '0xpoor', value: '93', speed: 'average', metadata: { top_up: 'poor' } };
    expect(submit.mock.calls).toEqual([['treasury', body, 'key']]);
    expect(count.mock.calls).toEqual([['accepted']]);
  });

  it('do nothing where the balance is enough, or was raised by the time of the claim', async () => {
    await read(10n);
    expect(claim).not.toHaveBeenCalled();
    mockBalances.set('0xpoor', 10n);
    await read(3n);
    expect([submit.mock.calls, count.mock.calls]).toEqual([[], []]);
  });

  it('do nothing for a relayer that is poor by its own endpoints only', async () => {
    mockBalances.set('0xpoor', 50n);
    mockLies.set('poor', new Map([['0xpoor', 0n]]));
    await read(0n);
    expect([submit.mock.calls, count.mock.calls]).toEqual([[], []]);
  });

  it.each<[string, () => void]>([
    ['it is not claimed', () => claim.mockResolvedValue(undefined)],
    ['the policy was removed', () => stored.set('poor', relayer('poor'))],
    ['the relayer was paused', () => (stored.get('poor')!.paused = true)],
  ])('do nothing where %s meanwhile', async (_what, change) => {
    const before = relayer('poor', { policies: { top_up: TOP_UP } });
    change();
    balanceRead.next({ relayer: before, balance: 3n });
    await topUps.onModuleDestroy();
    expect([submit.mock.calls, count.mock.calls]).toEqual([[], []]);
  });

  it.each<[string, () => unknown]>([
    ['has too little', () => mockBalances.set('0xtreasury', 97n)],
    ['does not exist', () => stored.delete('treasury')],
    ['is on another network', () => (stored.get('treasury')!.network = 'other')],
    ['may not', () => submit.mockRejectedValue(new DomainError('transaction_not_allowed', 'no'))],
  ])('are rejected where the sender %s', async (_what, change) => {
    change();
    await read(3n);
    expect(count.mock.calls).toEqual([['rejected']]);
  });

  it('that another instance has sent are not counted again', async () => {
    submit.mockRejectedValueOnce(new DomainError('idempotency_conflict', 'used'));
    await read(3n);
    submit.mockResolvedValueOnce({ transaction: { id: 't' }, isReplay: true });
    await read(3n);
    expect(submit).toHaveBeenCalledTimes(2);
    expect(count).not.toHaveBeenCalled();
  });

  it('fail with what does not respond, and go on with the next balance', async () => {
    submit.mockRejectedValueOnce(new Error('no database'));
    await read(3n);
    await read(3n);
    expect(count.mock.calls).toEqual([['failed'], ['accepted']]);
  });

  it('are one at a time for each relayer, and 32 in all', async () => {
    let release = (_key: string): void => undefined;
    const held = new Promise<string>((resolve) => {
      release = resolve;
    });
    claim.mockReturnValue(held);
    for (let i = 0; i < 40; i += 1) {
      const each = relayer(`r${i}`, { policies: { top_up: TOP_UP } });
      add(each);
      mockBalances.set(each.address, 1n);
      balanceRead.next({ relayer: each, balance: 1n });
      balanceRead.next({ relayer: each, balance: 1n });
    }
    release('key');
    await topUps.onModuleDestroy();
    expect(submit).toHaveBeenCalledTimes(32);
    expect(new Set(claim.mock.calls.map(([id]) => id)).size).toBe(32);
  });
});
