import type { AuditLog } from '../../audit/audit-log';
import type { UnitOfWork } from '../../database/unit-of-work';
import type { ActingRelayer } from '../../relayers/relayer.entity';
import type { LaneWorker } from '../lanes/lane-worker';
import { type AccountSpendingEntity } from '../spending/account-spending.entity';
import { bucketAt, SpendLimits } from '../spending/spend-limits';
import type { TransactionRows } from '../transaction-rows';
import type { TransactionEntity } from '../transaction.entity';
import type { AccountLedger } from './account-ledger';
import { TransactionAcceptance } from './transaction-acceptance';

const ACCOUNT = { networkType: 'evm', chainId: '1', address: '0x' } as const;
const FIVE_MINUTES = 300_000;

const relayerWith = (transactions: object): ActingRelayer =>
  ({ id: 'r', policies: { transactions } }) as unknown as ActingRelayer;

const LIMITED = relayerWith({ spend_limits: [{ per: '1h', max_value: '10' }] });

describe('TransactionAcceptance', () => {
  let spent: AccountSpendingEntity[];
  let inserted: TransactionEntity[];
  let whileSpendingIsRead: () => void;
  let acceptance: TransactionAcceptance;

  beforeEach(() => {
    [spent, inserted] = [[], []];
    whileSpendingIsRead = () => undefined;
    const spending = {
      findBy: () => {
        whileSpendingIsRead();
        return Promise.resolve([...spent]);
      },
      findOne: () => Promise.resolve(null),
      insert: (row: AccountSpendingEntity) => Promise.resolve(spent.push(row)),
    };
    const unitOfWork = {
      run: <T>(work: () => Promise<T>) => work(),
      runOnce: (work: () => Promise<void>) => work().then(() => true),
      repository: () => spending,
      locksRows: false,
    } as unknown as UnitOfWork;
    acceptance = new TransactionAcceptance(
      unitOfWork,
      {
        lock: () => Promise.resolve({ id: 'evm:1:0x', nextNonce: 0 }),
        assign: () => Promise.resolve(),
      } as unknown as AccountLedger,
      {
        repository: { countBy: () => Promise.resolve(0) },
        insert: (rows: TransactionEntity[]) => Promise.resolve(inserted.push(...rows)),
      } as unknown as TransactionRows,
      { wake: () => undefined } as unknown as LaneWorker,
      new SpendLimits(unitOfWork),
      { recordAll: () => Promise.resolve() } as unknown as AuditLog,
    );
  });

  afterEach(() => jest.useRealTimers());

  const submit = async (relayer: ActingRelayer, value: string) => {
    const isCounted = relayer === LIMITED;
    const request = { value, max_fee: null, ...(isCounted && { is_counted: true }) };
    const none = { idempotencyKey: null, digest: null, validUntil: null, metadata: null };
    const requests = [{ ...none, request }];
    const [result] = await acceptance.submit({
      relayer,
      account: ACCOUNT,
      floor: 0,
      requests,
      atomic: false,
    });
    return 'error' in result! ? 'refused' : 'accepted';
  };

  it('counts spending in the five-minute bucket of the stored creation time', async () => {
    const end = FIVE_MINUTES * bucketAt(Date.now());
    jest.useFakeTimers({ now: end - 1, doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    whileSpendingIsRead = () => {
      jest.setSystemTime(end + 1);
    };
    expect(await submit(LIMITED, '10')).toBe('accepted');
    expect(spent.map(({ bucket }) => bucket)).toEqual(
      inserted.map(({ createdAt }) => bucketAt(createdAt.getTime())),
    );
  });

  it('applies to each request the limits it was checked with, whatever else shares its database transaction', async () => {
    const unlimited = relayerWith({});
    const results = [submit(unlimited, '1'), submit(unlimited, '11'), submit(LIMITED, '11')];
    expect(await Promise.all(results)).toEqual(['accepted', 'accepted', 'refused']);
    const others = [submit(unlimited, '1'), submit(LIMITED, '10'), submit(unlimited, '11')];
    expect(await Promise.all(others)).toEqual(['accepted', 'accepted', 'accepted']);
  });
});
