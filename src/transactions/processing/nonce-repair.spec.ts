import type { FindOperator } from 'typeorm';
import { RpcUnavailableError } from '../../chains/rpc/endpoint-error';
import type { SendCause } from '../../chains/send-cause';
import type { UnitOfWork } from '../../database/unit-of-work';
import type { NotificationEvents } from '../../notifications/events/notification-events';
import type { AccountLedger } from '../accepting/account-ledger';
import { NonceEvents } from '../nonce-events';
import { newTransaction } from '../new-transaction';
import type { TransactionEntity } from '../transaction.entity';
import type { TransactionMetrics } from '../transaction.metrics';
import type { NewTransactions, TransactionRows } from '../transaction-rows';
import type { LaneContext } from './lane-context';
import { LaneMemory } from './lane-memory';
import { NonceRepair } from './nonce-repair';
import type { UnownedNonces } from './unowned-nonces';

const ADDRESS = '0x0000000000000000000000000000000000000001';
const LEDGER = {
  id: `evm:10:${ADDRESS}`,
  address: ADDRESS,
  chainId: '10',
  nextNonce: 4,
  lowerings: 0,
  relayerId: 'r',
};
const PAYLOAD = {
  ...{ payload_type: 'relayer_nonce_repaired', relayer_id: 'r', address: ADDRESS, chain_id: 10 },
  ...{ from: null, to: null, nonces: [] },
};

const final = (nonce: number, given: Partial<TransactionEntity> = {}): TransactionEntity =>
  newTransaction({
    ...{ id: `t${nonce}`, accountId: LEDGER.id, relayerId: 'r', sender: ADDRESS, nonce, request: {} },
    ...{ status: 'confirmed', attempt: { hash: `0x${nonce}`, kind: 'request' } as never },
    inclusion: { hash: `0x${nonce}` } as never,
    ...given,
  });

interface Range {
  nonce: FindOperator<number | number[]>;
}

const isIn = ({ value }: Range['nonce'], nonce: number): boolean => {
  const [first = 0, last = Infinity] = [value].flat();
  return first <= nonce && nonce <= last;
};

/** An account whose ledger is at 4, and whose nonces have these owners, none of which is open. */
function start(owners: TransactionEntity[] = [], notificationId: string | null = 'hook') {
  const recorded: [string, string, object[], object, boolean][] = [];
  const counted: [string, number][] = [];
  const filled: number[] = [];
  const freed: number[] = [];
  const assigned: number[] = [];
  const sent: string[] = [];
  const sends: { cause: SendCause } = { cause: 'accepted' };
  const agreed: { nonce: number | undefined } = { nonce: 0 };
  let isInUnit = false;
  let counts = 0;
  const locked = { ...LEDGER };
  const unitOfWork = {
    run: async <T>(work: () => Promise<T>): Promise<T> => {
      isInUnit = true;
      try {
        return await work();
      } finally {
        isInUnit = false;
      }
    },
  } as UnitOfWork;
  const rows = {
    repository: {
      countBy: ({ nonce }: Range) => {
        counts += 1;
        return Promise.resolve(filled.filter((each) => isIn(nonce, each)).length);
      },
      find: ({ where }: { where: Range }) =>
        Promise.resolve(filled.filter((each) => isIn(where.nonce, each)).map((nonce) => ({ nonce }))),
    },
    find: () => Promise.resolve(owners),
    bytesOf: (id: string, hash: string) => Promise.resolve(hash === id.replace('t', '0x') ? '0x02' : null),
    findToChange: (id: string) => Promise.resolve(owners.find((row) => row.id === id) ?? null),
    freeNonce: (row: TransactionEntity) => {
      expect([isInUnit, filled]).toEqual([true, []]);
      return Promise.resolve(freed.push(row.nonce));
    },
    insert: (groups: NewTransactions[]) =>
      Promise.resolve(filled.push(...groups.flatMap(({ rows }) => rows.map(({ nonce }) => nonce)))),
  } as unknown as TransactionRows;
  const ledger = {
    findToChange: () => Promise.resolve(locked),
    assign: (changes: { nextNonce: number }[]) =>
      Promise.resolve(assigned.push(...changes.map(({ nextNonce }) => nextNonce))),
  } as unknown as AccountLedger;
  const notifications = {
    record: (id: string, event: string, payloads: object[], details: object) => {
      recorded.push([id, event, payloads, details, isInUnit]);
      return Promise.resolve([]);
    },
  } as unknown as NotificationEvents;
  const metrics = {
    countRepair: (_chain: string, kind: string, by = 1) => counted.push([kind, by]),
    countSend: () => undefined,
  } as unknown as TransactionMetrics;
  const unowned = { areTooMany: () => Promise.resolve(false) } as unknown as UnownedNonces;
  const repair = new NonceRepair(unitOfWork, rows, ledger, new NonceEvents(notifications), metrics, unowned);
  let now = 0;
  let head = 0;
  const memory = new LaneMemory(() => now);
  const at = (nonce: number): LaneContext =>
    ({
      ...{ ledger: LEDGER, memory, isFrozen: false },
      relayer: { id: 'r', notificationId, policies: {} },
      chain: {
        agreedCurrentNonce: () =>
          agreed.nonce === undefined
            ? Promise.reject(new RpcUnavailableError('connection'))
            : Promise.resolve(agreed.nonce),
        send: (attempts: { hash: string }[]) => {
          sent.push(...attempts.map(({ hash }) => hash));
          return Promise.resolve([sends.cause]);
        },
      },
      view: { head, nonce, reported: nonce },
    }) as unknown as LaneContext;
  /** A pause that is long enough for an observation to be trusted. */
  const pass = (): void => {
    now += 10_000;
    head += 10;
  };
  const lasting = async (step: () => Promise<unknown>): Promise<void> => {
    for (let i = 0; i < 2; i += 1) {
      await step();
      pass();
    }
  };
  const payloads = (): object[] => recorded.flatMap(([, , each]) => each);
  const countsOf = async (step: () => Promise<unknown>): Promise<number> => {
    const before = counts;
    await step();
    return counts - before;
  };
  return {
    ...{ locked, repair, at, lasting, recorded, payloads, counted, sends, agreed, filled, freed, sent },
    ...{ countsOf, pass, assigned },
  };
}

describe('NonceRepair.raise', () => {
  it('raises the ledger once the higher nonce has lasted', async () => {
    const { repair, at, lasting, assigned } = start();
    expect(await repair.raise(at(7))).toBe(false);
    const results: boolean[] = [];
    await lasting(async () => results.push(await repair.raise(at(7))));
    expect(results).toEqual([false, true]);
    expect(assigned).toEqual([7]);
  });

  it('begins to wait again if the chain has been at the ledger in between', async () => {
    const { repair, at, pass, assigned } = start();
    for (const nonce of [7, 4, 7]) {
      expect(await repair.raise(at(nonce))).toBe(false);
      pass();
    }
    expect(assigned).toEqual([]);
    expect(await repair.raise(at(7))).toBe(true);
  });

  it.each<[string, object]>([
    ['has been lowered since the chain was read', { lowerings: 1 }],
    ['has been raised to it by another instance', { nextNonce: 7 }],
    ['has been raised further by another instance', { nextNonce: 8 }],
  ])('leaves a ledger that %s', async (_what, change) => {
    const { locked, repair, at, lasting, assigned, recorded, counted } = start();
    Object.assign(locked, change);
    await lasting(async () => expect(await repair.raise(at(7))).toBe(false));
    expect({ assigned, recorded, counted }).toEqual({ assigned: [], recorded: [], counted: [] });
  });
});

describe('NonceRepair events', () => {
  it('report a raised ledger, in the unit of work that raises it', async () => {
    const { repair, at, lasting, recorded, counted } = start();
    await lasting(() => repair.raise(at(7)));
    const payload = { ...PAYLOAD, kind: 'raised', from: 4, to: 7 };
    expect(recorded).toEqual([['hook', 'relayer_nonce_repaired', [payload], { relayerId: 'r' }, true]]);
    expect(counted).toEqual([['raised', 1]]);
  });

  it('count the owners in the database only if the step does not know all of them', async () => {
    const { repair, at, countsOf, filled } = start();
    expect(await countsOf(() => repair.compare(at(2), [2, 3]))).toBe(0);
    expect(await countsOf(() => repair.compare(at(4)))).toBe(0);
    expect(await countsOf(() => repair.compare(at(2), [1, 2, 4]))).toBe(1);
    filled.push(2, 3);
    expect(await countsOf(() => repair.compare(at(2)))).toBe(1);
  });

  it('report which nonces were filled', async () => {
    const { repair, at, lasting, recorded } = start();
    await lasting(() => repair.compare(at(2)));
    const payload = { ...PAYLOAD, kind: 'gap_filled', nonces: [2, 3] };
    expect(recorded).toEqual([['hook', 'relayer_nonce_repaired', [payload], { relayerId: 'r' }, true]]);
  });

  it('report resent transactions once until the chain has caught up', async () => {
    const { repair, at, lasting, payloads } = start([final(2), final(3)]);
    for (let i = 0; i < 3; i += 1) await lasting(() => repair.compare(at(2)));
    const payload = { ...PAYLOAD, kind: 'resent', nonces: [2, 3] };
    expect(payloads()).toEqual([payload]);
    await repair.compare(at(4));
    await lasting(() => repair.compare(at(2)));
    expect(payloads()).toEqual([payload, payload]);
  });

  it('report neither transactions that no node accepted nor a ledger that matches the chain', async () => {
    const { repair, at, lasting, payloads, sends } = start([final(2), final(3)]);
    sends.cause = 'insufficient_funds';
    await lasting(() => repair.compare(at(2)));
    await lasting(() => repair.raise(at(4)));
    await lasting(() => repair.compare(at(4)));
    expect(payloads()).toEqual([]);
  });

  it('are not recorded for a relayer without a notification', async () => {
    const { repair, at, lasting, recorded, counted } = start([], null);
    await lasting(() => repair.raise(at(7)));
    expect(recorded).toEqual([]);
    expect(counted).toEqual([['raised', 1]]);
  });
});

describe('NonceRepair fillers', () => {
  it('are limited to 100 pending nonces, however far the ledger is ahead', async () => {
    const { locked, repair, at, lasting, filled } = start();
    locked.nextNonce = 1_000_000;
    const ahead = (nonce: number) =>
      Object.assign(at(nonce), { ledger: { ...LEDGER, nextNonce: 1_000_000 } });
    for (let i = 0; i < 5; i += 1) await lasting(() => repair.compare(ahead(2)));
    expect(filled).toEqual(Array.from({ length: 100 }, (_, i) => 2 + i));
    for (let i = 0; i < 5; i += 1) await lasting(() => repair.compare(ahead(12)));
    expect(filled).toHaveLength(110);
  });

  it('are not created above a ledger that has been lowered in the meantime', async () => {
    const { locked, repair, at, lasting, filled } = start();
    locked.nextNonce = 3;
    await lasting(() => repair.compare(at(2)));
    expect(filled).toEqual([2]);
  });
});

describe('NonceRepair, if the endpoint that is called lags behind the others,', () => {
  it('fills only nonces that most endpoints report as unused', async () => {
    const { repair, at, lasting, agreed, filled, payloads } = start();
    agreed.nonce = 4;
    await lasting(() => repair.compare(at(2)));
    expect([filled, payloads()]).toEqual([[], []]);
    agreed.nonce = 3;
    await lasting(() => repair.compare(at(2)));
    expect(filled).toEqual([3]);
  });

  it('resends only transactions whose nonces most endpoints report as unused', async () => {
    const { repair, at, lasting, agreed, sent } = start([final(2), final(3)]);
    agreed.nonce = 3;
    await lasting(() => repair.compare(at(2)));
    expect(sent).toEqual(['0x3']);
  });

  it('waits while too few endpoints respond', async () => {
    const { repair, at, lasting, agreed, filled } = start();
    agreed.nonce = undefined;
    await lasting(async () => expect(await repair.compare(at(2))).toBe(false));
    expect(filled).toEqual([]);
  });
});

describe('NonceRepair, for final transactions that the chain has lost,', () => {
  const noop = { hash: '0x2', kind: 'noop' } as never;

  it.each<SendCause>(['accepted', 'fee_too_low', 'invalid'])(
    'gives up the next one if it is not mined for ten minutes, although it is sent again: %s',
    async (cause) => {
      const { repair, at, lasting, sends, freed, filled } = start([final(2), final(3)]);
      sends.cause = cause;
      for (let i = 0; i < 30; i += 1) await lasting(() => repair.compare(at(2)));
      expect([freed, filled]).toEqual([[], []]);
      for (let i = 0; i < 2; i += 1) await lasting(() => repair.compare(at(2)));
      expect([freed, filled]).toEqual([[2], [2]]);
    },
  );

  it.each<[string, Partial<TransactionEntity>]>([
    ['was mined', {}],
    ['was mined under a hash of the chain', { inclusion: { hash: '0x9' } as never }],
    ['was canceled by a no-op that was never mined', { status: 'canceled', attempt: noop, inclusion: null }],
  ])('resends a transaction that %s', async (_what, given) => {
    const { repair, at, lasting, sent, freed, filled } = start([final(2, given), final(3)]);
    await lasting(() => repair.compare(at(2)));
    expect(sent).toEqual(['0x2', '0x3']);
    expect([freed, filled]).toEqual([[], []]);
  });

  it.each<[string, Partial<TransactionEntity>]>([
    ['a request that was never mined', { status: 'canceled', inclusion: null }],
    ['nothing that was signed', { status: 'canceled', attempt: null, inclusion: null }],
    ['no bytes any more', { id: 'purged' }],
    ['reverted on the chain', { status: 'failed', inclusion: { hash: '0x2', succeeded: false } as never }],
  ])('does not resend a transaction that has %s, but fills its nonce', async (_what, given) => {
    const { repair, at, lasting, sent, freed, filled } = start([final(2, given), final(3)]);
    await lasting(() => repair.compare(at(2)));
    expect(sent).toEqual(['0x3']);
    expect([freed, filled]).toEqual([[2], [2]]);
  });

  it('keeps the nonces that most endpoints report as used, although one endpoint lags', async () => {
    const canceled = { status: 'canceled', inclusion: null } as const;
    const { repair, at, lasting, agreed, freed, filled } = start([final(2, canceled), final(3, canceled)]);
    agreed.nonce = 4;
    await lasting(() => repair.compare(at(2)));
    expect([freed, filled]).toEqual([[], []]);
    agreed.nonce = 3;
    await lasting(() => repair.compare(at(2)));
    expect([freed, filled]).toEqual([[3], [3]]);
  });
});
