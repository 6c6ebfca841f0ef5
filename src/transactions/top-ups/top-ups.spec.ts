import { setImmediate } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Subject } from 'rxjs';
import type { InternalCall } from '../../chains/rpc/internal-call';
import type { JsonRpcResponse } from '../../chains/rpc/json-rpc';
import { RpcUnavailableError } from '../../chains/rpc/endpoint-error';
import { DomainError } from '../../common/errors/domain-error';
import type { RelayerChain } from '../../relayers/chain-access/relayer-chain';
import type { BalanceWatch, ReadBalance } from '../../relayers/checks/balance-watch';
import type { RelayerEntity } from '../../relayers/relayer.entity';
import type { RelayersService } from '../../relayers/relayers.service';
import type { Conditions } from '../accepting/submission';
import type { TransactionsService } from '../transactions.service';
import { AccountChangedError } from '../transaction.errors';
import type { Funds, SourceFunds } from './source-funds';
import type { TopUpMetrics } from './top-up.metrics';
import type { TopUpRows } from './top-up-rows';
import { TopUps } from './top-ups';

type Balances = ReadonlyMap<string, bigint>;

const balances = new Map<string, bigint>();
/**
 * The endpoints of a relayer, by its id: the false balances that each reports, or `silent`. Other relayers have one
 * endpoint, which is honest.
 */
const endpoints = new Map<string, (Balances | 'silent')[]>();

/** A pool that tries the first endpoint first. */
function poolOf(id: string) {
  const apart = (endpoints.get(id) ?? [new Map<string, bigint>()]).map((stated) => ({
    read: <T>({ params }: InternalCall, parse: (response: JsonRpcResponse) => T): Promise<T> => {
      if (stated === 'silent') return Promise.reject(new RpcUnavailableError('connection'));
      const [address = ''] = params as string[];
      const balance = stated.get(address) ?? balances.get(address) ?? 0n;
      return Promise.resolve(parse({ result: `0x${balance.toString(16)}` }));
    },
  }));
  return { ...apart[0], members: apart, apart: () => Promise.resolve(apart) };
}

const TOP_UP = { from_relayer: 'treasury', below: 10, to: 100 };

describe('TopUps', () => {
  const balanceRead = new Subject<ReadBalance>();
  const claim = jest.fn<Promise<string | undefined>, [string, string]>();
  const isClaimed = jest.fn<Promise<boolean>, [string, string]>();
  const submit = jest.fn<Promise<unknown>, unknown[]>();
  const count = jest.fn<undefined, [string]>();
  const fundsOf = jest.fn<Promise<Funds>, unknown[]>();
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

  /** Simulates a check that has read this balance. Resolves once everything that follows has ended. */
  const read = async (balance: bigint, id = 'poor'): Promise<void> => {
    balanceRead.next({ relayer: stored.get(id)!, balance });
    await topUps.onModuleDestroy();
    topUps.onModuleInit();
  };

  beforeEach(() => {
    stored = new Map();
    endpoints.clear();
    balances.clear();
    balances.set('0xpoor', 3n);
    fundsOf.mockReset().mockResolvedValue({ free: 1000n, ledgerChanges: 5 });
    add(relayer('poor', { policies: { top_up: TOP_UP } }), relayer('treasury'));
    claim.mockReset().mockResolvedValue('key');
    isClaimed.mockReset().mockResolvedValue(true);
    submit.mockReset().mockResolvedValue({ transaction: { id: 't' }, isReplay: false });
    count.mockReset();
    topUps = new TopUps(
      { balanceRead } as unknown as BalanceWatch,
      { find: (id: string) => Promise.resolve(stored.get(id) ?? null) } as unknown as RelayersService,
      {
        getOrThrow: ({ id }: RelayerEntity) => Promise.resolve({ pool: poolOf(id) }),
      } as unknown as RelayerChain,
      { claim, isClaimed } as unknown as TopUpRows,
      { of: fundsOf } as unknown as SourceFunds,
      { submit } as unknown as TransactionsService,
      { count } as unknown as TopUpMetrics,
    );
    topUps.onModuleInit();
  });

  afterEach(() => topUps.onModuleDestroy());

  it('submits the missing amount, computed from the balance read after the claim', async () => {
    claim.mockImplementation(() => {
      balances.set('0xpoor', 7n);
      return Promise.resolve('key');
    });
    await read(3n);
    const body = {
      ...{ to: '0xpoor', value: '93', speed: 'average', metadata: { top_up: 'poor' } },
      valid_until: expect.any(String),
    };
    expect(submit.mock.calls).toEqual([
      ['treasury', body, 'key', { ledgerChanges: 5, confirm: expect.any(Function) }],
    ]);
    expect(count.mock.calls).toEqual([['accepted']]);
  });

  it('names the relayer as relayer_id in the log', async () => {
    const logged: unknown[] = [];
    const note = (...[message, fields]: unknown[]): void =>
      void logged.push([message, (fields as { relayer_id?: string }).relayer_id]);
    for (const level of ['log', 'warn'] as const)
      jest.spyOn(Logger.prototype, level).mockImplementation(note);
    await read(3n);
    submit.mockRejectedValueOnce(new DomainError('invalid_request', 'Bad Request', 'no'));
    await read(3n);
    submit.mockRejectedValueOnce(new Error('no'));
    await read(3n);
    jest.restoreAllMocks();
    expect(logged).toEqual([
      ['A relayer is topped up', 'poor'],
      ['A top-up was rejected', 'poor'],
      ['A relayer could not be topped up', 'poor'],
    ]);
  });

  it('does nothing when the balance is sufficient, or has become so by the time of the claim', async () => {
    await read(10n);
    expect(claim).not.toHaveBeenCalled();
    balances.set('0xpoor', 10n);
    await read(3n);
    expect([submit.mock.calls, count.mock.calls]).toEqual([[], []]);
  });

  it('does nothing for a relayer whose balance is low only according to its own endpoints', async () => {
    balances.set('0xpoor', 50n);
    endpoints.set('poor', [new Map([['0xpoor', 0n]])]);
    await read(0n);
    expect([submit.mock.calls, count.mock.calls]).toEqual([[], []]);
  });

  it.each([0, 1])(
    'sends one top-up, even if endpoint %d of two keeps reporting a balance of 0',
    async (stalled) => {
      const stated = [new Map<string, bigint>(), new Map<string, bigint>()];
      stated[stalled]?.set('0xpoor', 0n);
      endpoints.set('treasury', stated);
      submit.mockImplementation(() => {
        balances.set('0xpoor', 100n);
        return Promise.resolve({ transaction: { id: 't' }, isReplay: false });
      });
      for (let check = 0; check < 5; check += 1) await read(0n);
      expect(submit.mock.calls.map(([, body]) => body)).toEqual([expect.objectContaining({ value: '97' })]);
      expect(count.mock.calls).toEqual([['accepted']]);
    },
  );

  it.each([
    [[0n, 0n, 10n], 1],
    [[0n, 10n, 10n], 0],
  ])(
    'follows what most endpoints report: with balances %p, it sends %d top-ups',
    async (stated, expected) => {
      endpoints.set(
        'treasury',
        stated.map((balance) => new Map([['0xpoor', balance]])),
      );
      await read(0n);
      expect(submit).toHaveBeenCalledTimes(expected);
    },
  );

  it('does nothing while fewer than half of the endpoints respond', async () => {
    const honest = new Map<string, bigint>();
    endpoints.set('treasury', [honest, 'silent', 'silent']);
    await read(3n);
    expect(submit).not.toHaveBeenCalled();
    expect(count.mock.calls).toEqual([['failed']]);
    endpoints.set('treasury', [honest, honest, 'silent']);
    await read(3n);
    expect(submit).toHaveBeenCalledTimes(1);
  });

  it.each<[string, () => void]>([
    ['it is not claimed', () => claim.mockResolvedValue(undefined)],
    ['the policy was removed', () => stored.set('poor', relayer('poor'))],
    ['the relayer was paused', () => (stored.get('poor')!.paused = true)],
  ])('does nothing if, in the meantime, %s', async (_what, change) => {
    const before = relayer('poor', { policies: { top_up: TOP_UP } });
    change();
    balanceRead.next({ relayer: before, balance: 3n });
    await topUps.onModuleDestroy();
    expect([submit.mock.calls, count.mock.calls]).toEqual([[], []]);
  });

  it.each<[string, () => unknown]>([
    ['has too little', () => fundsOf.mockResolvedValue({ free: 96n, ledgerChanges: 5 })],
    ['is being used all the time', () => submit.mockRejectedValue(new AccountChangedError())],
    ['does not exist', () => stored.delete('treasury')],
    ['is on another network', () => (stored.get('treasury')!.network = 'other')],
    ['may not', () => submit.mockRejectedValue(new DomainError('transaction_not_allowed', 'no'))],
  ])('counts a top-up as rejected when the sender %s', async (_what, change) => {
    change();
    await read(3n);
    expect(count.mock.calls).toEqual([['rejected']]);
  });

  const CHANGES: [string, () => unknown][] = [
    ['the relayer is paused', () => add(relayer('poor', { paused: true, policies: { top_up: TOP_UP } }))],
    ['the rule is removed', () => add(relayer('poor'))],
    ['the rule is changed', () => add(relayer('poor', { policies: { top_up: { ...TOP_UP, to: 50 } } }))],
    [
      'the relayer gets another account',
      () => add(relayer('poor', { address: '0xother', policies: { top_up: TOP_UP } })),
    ],
    ['the relayer is deleted', () => stored.delete('poor')],
    ['another instance begins another top-up', () => isClaimed.mockResolvedValue(false)],
  ];

  it.each(CHANGES)('is refused if %s while its transfer is simulated', async (_what, change) => {
    submit.mockImplementation(async (_from, _body, _key, conditions) => {
      const { confirm } = conditions as Conditions;
      await confirm();
      change();
      await confirm();
      return { transaction: { id: 't' }, isReplay: false };
    });
    await read(3n);
    expect(submit).toHaveBeenCalledTimes(1);
    expect(count.mock.calls).toEqual([['rejected']]);
  });

  it.each(CHANGES)('sends nothing if %s while the funds are read', async (_what, change) => {
    fundsOf.mockImplementation(() => {
      change();
      return Promise.resolve({ free: 1000n, ledgerChanges: 5 });
    });
    await read(3n);
    expect(submit).not.toHaveBeenCalled();
    expect(count).not.toHaveBeenCalled();
  });

  it('does not count a top-up that another instance has sent', async () => {
    submit.mockRejectedValueOnce(new DomainError('idempotency_conflict', 'used'));
    await read(3n);
    submit.mockResolvedValueOnce({ transaction: { id: 't' }, isReplay: true });
    await read(3n);
    expect(submit).toHaveBeenCalledTimes(2);
    expect(count).not.toHaveBeenCalled();
  });

  it('counts an unexpected error as failed, and continues with the next balance', async () => {
    submit.mockRejectedValueOnce(new Error('no database'));
    await read(3n);
    await read(3n);
    expect(count.mock.calls).toEqual([['failed'], ['accepted']]);
  });

  it('is valid for an hour', async () => {
    const before = Date.now();
    await read(3n);
    const { valid_until } = submit.mock.calls[0]![1] as { valid_until: string };
    expect(Date.parse(valid_until) - before).toBeGreaterThanOrEqual(3_600_000);
    expect(Date.parse(valid_until) - Date.now()).toBeLessThanOrEqual(3_600_000);
  });

  it('reads the funds again if the account of the sender was used meanwhile', async () => {
    fundsOf.mockResolvedValueOnce({ free: 1000n, ledgerChanges: 4 });
    submit.mockRejectedValueOnce(new AccountChangedError());
    await read(3n);
    expect(submit.mock.calls.map(([, , , conditions]) => conditions)).toMatchObject([
      { ledgerChanges: 4 },
      { ledgerChanges: 5 },
    ]);
    expect(count.mock.calls).toEqual([['accepted']]);
  });

  it('requests top-ups from the same relayer one after the other', async () => {
    let free = 150n;
    fundsOf.mockImplementation(() => Promise.resolve({ free, ledgerChanges: 5 }));
    submit.mockImplementation(async () => {
      await setImmediate();
      free -= 97n;
      return { transaction: { id: 't' }, isReplay: false };
    });
    balances.set('0xother', 3n);
    add(relayer('other', { policies: { top_up: TOP_UP } }));
    balanceRead.next({ relayer: stored.get('poor')!, balance: 3n });
    await read(3n, 'other');
    expect(submit).toHaveBeenCalledTimes(1);
    expect(count.mock.calls).toEqual([['accepted'], ['rejected']]);
  });

  it('runs one top-up at a time per relayer, and 32 in total', async () => {
    let release = (_key: string): void => undefined;
    const held = new Promise<string>((resolve) => {
      release = resolve;
    });
    claim.mockReturnValue(held);
    for (let i = 0; i < 40; i += 1) {
      const each = relayer(`r${i}`, { policies: { top_up: TOP_UP } });
      add(each);
      balances.set(each.address, 1n);
      balanceRead.next({ relayer: each, balance: 1n });
      balanceRead.next({ relayer: each, balance: 1n });
    }
    release('key');
    await topUps.onModuleDestroy();
    expect(submit).toHaveBeenCalledTimes(32);
    expect(new Set(claim.mock.calls.map(([id]) => id)).size).toBe(32);
  });
});
