import { RpcUnavailableError } from '../../chains/rpc/endpoint-error';
import type { RollupFees } from '../../chains/transaction-chain';
import type { RelayerEntity } from '../../relayers/relayer.entity';
import type { AccountLedger } from '../accepting/account-ledger';
import type { TransactionChains } from '../chains/transaction-chains';
import type { TransactionRows } from '../transaction-rows';
import type { TransactionEntity } from '../transaction.entity';
import { SourceFunds } from './source-funds';

const SOURCE = { id: 'treasury', networkType: 'evm', address: '0x1' } as RelayerEntity;
const PRICE = 10n;
const NOTHING = { isFiller: false, abandonedAs: null, attempt: null };

describe('SourceFunds', () => {
  let open: Partial<TransactionEntity>[];
  let balance: bigint;
  let rollupFees: RollupFees;
  let transferGas: string | null;
  let changes: number;
  let funds: SourceFunds;

  const requested = (request: object, more: object = {}): Partial<TransactionEntity> => ({
    ...NOTHING,
    ...{ id: `t${open.length}`, relayerId: 'treasury', nonce: open.length, request: { ...request } },
    ...more,
  });

  beforeEach(() => {
    [open, balance, transferGas, changes] = [[], 1_000_000n, '100', 7];
    rollupFees = { data: 0n, operator: 0n };
    const chain = {
      spendableBalance: () => {
        // What follows the balance is newer.
        changes += 1;
        return Promise.resolve(balance);
      },
      complete: (_sender: string, request: object) => Promise.resolve({ ...request, gas_limit: transferGas }),
      priceAt: ({ gas_price }: { gas_price?: string | null }) => Promise.resolve(BigInt(gas_price ?? PRICE)),
      rollupFeesOf: () => Promise.resolve(rollupFees),
    };
    const selection = { setFindOptions: () => selection, ...countedBy(() => open.length) };
    const rows = {
      repository: { createQueryBuilder: () => selection },
      find: ({ where, take }: { where: { nonce: { value: number } }; take: number }) =>
        Promise.resolve(open.filter(({ nonce }) => nonce! > where.nonce.value).slice(0, take)),
    };
    funds = new SourceFunds(
      { find: () => Promise.resolve({ changes }) } as unknown as AccountLedger,
      rows as unknown as TransactionRows,
      {
        accessOf: () => Promise.resolve({ chain, network: { chainId: '1' } }),
      } as unknown as TransactionChains,
    );
  });

  /** What `funds` needs of a query that reads sizes. */
  const countedBy = (length: () => number) => ({
    alias: 'open',
    clone: () => ({
      select: () => ({
        limit: (limit: number) => ({
          getRawMany: () => Promise.resolve(Array(Math.min(limit, length())).fill({ size: 1 })),
        }),
      }),
    }),
  });

  /** What is not free of the balance. */
  const used = async (): Promise<bigint> => balance - (await funds.of(SOURCE, '0x2')).free;

  it('has the fees of the transfer less than the balance, on rollups also theirs', async () => {
    expect(await used()).toBe(1000n);
    rollupFees = { data: 5n, operator: 3n };
    expect(await used()).toBe(1008n);
  });

  it('are those of the ledger before the balance was read', async () => {
    expect(await funds.of(SOURCE, '0x2')).toMatchObject({ ledgerChanges: 7 });
  });

  it.each<[string, object, object, bigint]>([
    ['a value and fees at the market', { value: '50', gas_limit: '30' }, {}, 350n],
    ['fees of its own', { value: '50', gas_limit: '30', gas_price: '2' }, {}, 110n],
    ['no value of a no-op', { value: '50', gas_limit: '30' }, { abandonedAs: 'canceled' }, 1000n],
    ['a filler', {}, { isFiller: true }, 1000n],
    [
      'an attempt that offers more',
      { value: '50', gas_limit: '30' },
      { attempt: { value: '50', gas_limit: '30', gas_price: null, max_fee_per_gas: '20' } },
      650n,
    ],
    [
      'an attempt that offers less',
      { value: '50', gas_limit: '30' },
      { attempt: { value: '50', gas_limit: '30', gas_price: '1', max_fee_per_gas: null } },
      350n,
    ],
    [
      'gas that only its attempt has',
      { value: '50', gas_limit: null },
      { attempt: { value: '50', gas_limit: '30', gas_price: '1', max_fee_per_gas: null } },
      350n,
    ],
  ])('does not have what an open transaction costs: %s', async (_what, request, more, cost) => {
    open.push(requested(request, more));
    expect(await used()).toBe(1000n + cost);
  });

  it('counts all open transactions, and their data on rollups', async () => {
    for (let i = 0; i < 250; i += 1) open.push(requested({ value: '1', gas_limit: '1' }));
    expect(await used()).toBe(1000n + 250n * 11n);
    open = [requested({ value: '0', gas_limit: '0', data: `0x${'00'.repeat(300)}` })];
    rollupFees = { data: 5n, operator: 0n };
    expect(await used()).toBe(1005n + 20n);
  });

  it.each([
    ['1000000', 30_000n],
    ['101', 4n],
    ['100', 3n],
    ['1', 3n],
    [null, 3n],
  ])('counts the operator fee of rollups by gas: for %s it is %s', async (gas_limit, fee) => {
    rollupFees = { data: 0n, operator: 3n };
    const isNoop = gas_limit === null;
    open = [requested({ value: '0', gas_limit, gas_price: '0' }, { isFiller: isNoop })];
    expect(await used()).toBe(1003n + (isNoop ? 1000n : 0n) + fee);
  });

  it('are negative if the balance does not cover open transactions', async () => {
    balance = 10n;
    open.push(requested({ value: '50', gas_limit: '30' }));
    expect((await funds.of(SOURCE, '0x2')).free).toBe(-1340n);
  });

  it('are not known while fees are not known', async () => {
    open.push(requested({ value: '50', gas_limit: null }));
    await expect(funds.of(SOURCE, '0x2')).rejects.toMatchObject({ code: 'invalid_request' });
    [open, transferGas] = [[], null];
    await expect(funds.of(SOURCE, '0x2')).rejects.toThrow(RpcUnavailableError);
  });
});
