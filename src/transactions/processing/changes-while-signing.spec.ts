import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { RpcUnavailableError } from '../../chains/rpc/endpoint-error';
import { readTransaction } from '../../chains/evm/transaction/unsigned-transaction';
import type { AuditLog } from '../../audit/audit-log';
import type { SignatureEvents } from '../../signing/signature-events';
import type { SigningMetrics } from '../../signing/signing.metrics';
import type { TransactionMetrics } from '../transaction.metrics';
import type { SignerKeys } from '../../signers/opening/signer-keys';
import type { UnitOfWork } from '../../database/unit-of-work';
import { separateUnits } from '../../../test/support/separate-units';
import { newTransaction } from '../new-transaction';
import type { TransactionEntity } from '../transaction.entity';
import type { TransactionChanges, TransactionRows } from '../transaction-rows';
import { AttemptSigner } from './attempt-signer';
import type { LaneContext } from './lane-context';
import { LaneMemory } from './lane-memory';

const FIELDS = { type: 0, chain_id: 1, nonce: 0, gas_price: 1, gas_limit: 21_000, to: null };
const READ_AGE_MS = 30;

/**
 * Signs transactions of a relayer that changes while they are processed.
 *
 * @param change what happens `during` the draft or the signature of the transaction with this index
 * @param before the state of the relayer at the start, if it is another one
 * @returns the nonces that were signed and stored, the reasons of those that were abandoned, by nonce, and the reasons of
 * the signatures that were withheld
 */
async function signDuring(
  change: {
    during: 'draft' | 'sign';
    of: number;
    takesMs?: number;
    to: object;
    fails?: Error;
    happens?: () => void;
  },
  given: Partial<TransactionEntity> | ((nonce: number) => Partial<TransactionEntity>) = {},
  before: object = {},
) {
  const result = {
    ...{ signed: [] as number[], stored: [] as number[] },
    ...{ abandoned: {} as Record<number, unknown>, withheld: [] as unknown[] },
  };
  const state = { isFrozen: false, isGone: false, address: '0x', policies: { gas_price_cap: '1000' } };
  Object.assign(state, before);
  const found = () => ({
    relayer: { id: 'r', address: state.address, policies: state.policies, notificationId: null },
    ...{ isFrozen: state.isFrozen, readAt: performance.now() },
  });
  const happens = async (during: string, nonce: number) => {
    if (during !== change.during || nonce !== change.of) return;
    Object.assign(state, change.to);
    change.happens?.();
    await sleep(change.takesMs ?? READ_AGE_MS);
    if (change.fails) throw change.fails;
  };
  const list = [0, 1, 2].map((nonce) =>
    newTransaction({
      ...{ accountId: 'a', relayerId: 'r', sender: '0x', nonce, request: {} },
      ...(typeof given === 'function' ? given(nonce) : given),
    }),
  );
  const run = <T>(work: () => Promise<T>) => work();
  const rows = {
    attemptsOf: () =>
      Promise.resolve(list.map(({ nonce }) => ({ hash: 'same content', kind: 'request', nonce }))),
    bytesOf: (_id: string, hash: string) => Promise.resolve(hash),
    changeAll: (decisions: readonly { row: TransactionEntity }[]) => {
      result.stored.push(...decisions.map(({ row }) => row.nonce));
      return Promise.resolve(decisions.map(({ row }) => row));
    },
    insertAttempts: () => Promise.resolve(),
    change: ({ nonce }: TransactionEntity, { abandonedAs, statusReason }: TransactionChanges) =>
      Promise.resolve(abandonedAs === 'failed' && (result.abandoned[nonce] = statusReason)),
  } as unknown as TransactionRows;
  const sign = async (digest: Uint8Array) => {
    const [nonce = -1] = digest;
    result.signed.push(nonce);
    await happens('sign', nonce);
    return {};
  };
  const signer = new AttemptSigner(
    { run } as UnitOfWork,
    separateUnits,
    rows,
    { open: () => Promise.resolve({ isRemote: true, sign }) } as unknown as SignerKeys,
    { findForProcessing: () => Promise.resolve(state.isGone ? null : found()) } as never,
    {} as SignatureEvents,
    { countReplacement: () => undefined } as unknown as TransactionMetrics,
    { recordAll: () => Promise.resolve() } as unknown as AuditLog,
    { countWithheld: (reason: string) => result.withheld.push(reason) } as unknown as SigningMetrics,
  );
  const draft = async ({ nonce }: { nonce: number }) => {
    await happens('draft', nonce);
    const attempt = { content: { hash: `0x${nonce}`, kind: 'request' }, raw: '0x' };
    const digest = new Uint8Array(32).fill(nonce);
    return { draft: { digest, subject: readTransaction({ ...FIELDS, nonce }), sign: () => attempt } };
  };
  const context = {
    ...{ ...found(), memory: new LaneMemory(() => 0), view: { head: 9 } },
    chain: { draft, isSignedForm: () => true },
  } as unknown as LaneContext;
  const sent = await signer.sign(context, list);
  expect(sent.map(({ row }) => row.nonce)).toEqual(result.stored);
  return result;
}

describe('AttemptSigner, while the relayer changes', () => {
  beforeEach(() => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  });

  const FORBIDS = { policies: { gas_price_cap: '1000', whitelist_receivers: [] } };
  const RULE = 'transaction.to is null, and policies.whitelist_receivers allows no contract creation';
  const NOT_ALLOWED = 'transaction_not_allowed';

  it('signs nothing that new policies forbid, and stores nothing that they forbid since it was signed', async () => {
    expect(await signDuring({ during: 'sign', of: 0, to: FORBIDS })).toEqual({
      ...{ signed: [0], stored: [], withheld: [NOT_ALLOWED] },
      abandoned: { 0: RULE, 1: RULE },
    });
    expect(await signDuring({ during: 'draft', of: 1, to: FORBIDS })).toEqual({
      ...{ signed: [0], stored: [], withheld: [NOT_ALLOWED] },
      abandoned: { 0: RULE, 1: RULE },
    });
  });

  it('checks the policies after the last signature, however fast it was', async () => {
    expect(await signDuring({ during: 'sign', of: 2, takesMs: 0, to: FORBIDS })).toEqual({
      ...{ signed: [0, 1, 2], stored: [], withheld: [NOT_ALLOWED, NOT_ALLOWED, NOT_ALLOWED] },
      abandoned: { 0: RULE, 1: RULE, 2: RULE },
    });
  });

  it('does not apply new policies to content that was signed before', async () => {
    const given = { status: 'submitted' as const, hashes: ['0x9'], signedBlock: 7, needsAttempt: true };
    expect(await signDuring({ during: 'sign', of: 0, to: FORBIDS }, given)).toEqual({
      ...{ signed: [0, 1, 2], stored: [0, 1, 2], withheld: [], abandoned: {} },
    });
  });

  it('discards attempts with other limits for fees, and abandons nothing, because other fees may comply', async () => {
    const to = { policies: { gas_price_cap: '0' } };
    expect(await signDuring({ during: 'draft', of: 1, to })).toEqual({
      ...{ signed: [0], stored: [], withheld: [NOT_ALLOWED], abandoned: {} },
    });
  });

  it.each([
    ['after a freeze', { isFrozen: true }, 'signing_frozen'],
    ['for a deleted relayer', { isGone: true }, 'relayer_not_found'],
    ['for another account', { address: '0x1' }, 'relayer_not_found'],
  ])('signs nothing %s', async (_what, to, reason) => {
    for (const during of ['sign', 'draft'] as const)
      expect(await signDuring({ during, of: during === 'sign' ? 0 : 1, to })).toEqual({
        ...{ signed: [0], stored: [], withheld: [reason], abandoned: {} },
      });
  });

  it.each([
    [false, true],
    [true, false],
  ])('discards all attempts if private_transactions changes from %s to %s', async (before, after) => {
    const policiesOf = (isPrivate: boolean) => ({
      policies: { gas_price_cap: '1000', private_transactions: isPrivate },
    });
    const change = { during: 'sign', of: 2, takesMs: 0, to: policiesOf(after) } as const;
    expect(await signDuring(change, {}, policiesOf(before))).toEqual({
      ...{ signed: [0, 1, 2], stored: [], withheld: [NOT_ALLOWED, NOT_ALLOWED, NOT_ALLOWED] },
      abandoned: {},
    });
  });

  it('continues if the change does not concern the transactions', async () => {
    const to = { policies: { gas_price_cap: '1000', min_balance: '5' } };
    expect(await signDuring({ during: 'sign', of: 0, to })).toEqual({
      ...{ signed: [0, 1, 2], stored: [0, 1, 2], withheld: [], abandoned: {} },
    });
  });

  describe('and time passes', () => {
    const LATER = 2000;
    const VALID_UNTIL = { validUntil: new Date(LATER) };
    let clock: jest.SpyInstance<number>;
    const untilLater = { takesMs: 0, to: {}, happens: () => clock.mockReturnValue(LATER) };

    beforeEach(() => {
      clock = jest.spyOn(Date, 'now').mockReturnValue(1000);
    });

    afterEach(() => clock.mockRestore());

    it.each([
      ['sign', 0],
      ['draft', 1],
    ] as const)('signs and stores nothing that has expired during the %s of %d', async (during, of) => {
      expect(await signDuring({ ...untilLater, during, of }, VALID_UNTIL)).toEqual({
        ...{ signed: [0], stored: [], withheld: [], abandoned: {} },
      });
    });

    it('stores what is signed before one that has expired', async () => {
      const given = (nonce: number) => (nonce === 1 ? VALID_UNTIL : {});
      expect(await signDuring({ ...untilLater, during: 'sign', of: 2 }, given)).toMatchObject({
        ...{ signed: [0, 1, 2], stored: [0] },
      });
    });

    it('signs the no-op of what has expired', async () => {
      const given = { ...VALID_UNTIL, abandonedAs: 'expired' as const };
      expect(await signDuring({ ...untilLater, during: 'draft', of: 0 }, given)).toMatchObject({
        ...{ signed: [0, 1, 2], stored: [0, 1, 2] },
      });
    });
  });

  it('sends what it has signed although no node responds for a later transaction', async () => {
    const fails = new RpcUnavailableError('timeout');
    const change = { during: 'draft', takesMs: 0, to: {}, fails } as const;
    expect(await signDuring({ ...change, of: 1 })).toMatchObject({ signed: [0], stored: [0] });
    await expect(signDuring({ ...change, of: 0 })).rejects.toBe(fails);
  });
});
