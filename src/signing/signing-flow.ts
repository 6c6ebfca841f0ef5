import { Injectable } from '@nestjs/common';
import { MAX_DECISION_AGE_MS, OngoingAccess } from '../access/ongoing-access';
import type { AuditEntry } from '../audit/audit-entry';
import { EventLoopTurns } from '../common/event-loop/event-loop-turns';
import { getOrCreate } from '../common/get-or-create';
import type { Eventually } from '../common/event-loop/eventually';
import { Lifecycle } from '../lifecycle/lifecycle';
import type { SignatureMoment } from '../lifecycle/lifecycle-events';
import { NetworksService } from '../networks/networks.service';
import type { ActingRelayer } from '../relayers/relayer.entity';
import { RelayersService } from '../relayers/relayers.service';
import type { DigestSignature } from '../chains/evm/digest-signature';
import { SignerKeys } from '../signers/opening/signer-keys';
import { authorizeSignature, type SignatureSubject } from './authorization/authorize-signature';
import { authorizeOnOtherChains } from './authorization/other-chains';
import { type BatchResult, failedItem, type FailedItem, runBatch } from './batch';
import type { ChainOfRelayer } from './chain-of-relayer';
import { assertEvm } from './evm-only';
import type { SignedDigest } from './signature-events';
import { failureEntry, signatureEntry, SignatureRecords } from './signature-records';
import { SigningMetrics } from './signing.metrics';
import { type ConfirmedSignature, SigningConfirmation } from './signing-confirmation';
import { concernsOtherChains, SIGNING_SCOPES, type SigningTask } from './signing-task';

type FindChain = (relayer: ActingRelayer) => Promise<ChainOfRelayer>;

/** A signature before it is recorded. */
interface Signed extends Omit<ConfirmedSignature, 'task'> {
  signature: DigestSignature;
}

/** A signature that a batch has made, and its result. */
interface Made<T> extends ConfirmedSignature {
  digest: SignedDigest;
  result: T;
}

/**
 * Creates every signature, whatever is signed: reads the relayer, checks that it may sign, authorizes, calls the
 * listeners of plugins, and signs. If that took time, it checks again before the signature is returned. Therefore a
 * pause, a policy change, a deletion, a freeze and the revocation of an API key take effect as soon as they are
 * acknowledged, even for work in progress.
 */
@Injectable()
export class SigningFlow {
  constructor(
    private readonly relayers: RelayersService,
    private readonly networks: NetworksService,
    private readonly keys: SignerKeys,
    private readonly records: SignatureRecords,
    private readonly metrics: SigningMetrics,
    private readonly turns: EventLoopTurns,
    private readonly access: OngoingAccess,
    private readonly confirmation: SigningConfirmation,
    private readonly lifecycle: Lifecycle,
  ) {}

  /**
   * Signs for a relayer. The signature is returned once it is recorded; a refusal is recorded too.
   *
   * @throws DomainError `relayer_not_found`, `signing_frozen`, `relayer_paused`, `invalid_request` for a relayer that
   * is not on an EVM network or is on another chain, `typed_data_not_allowed`, `message_not_allowed`,
   * `transaction_not_allowed`
   */
  async sign(relayerId: string, task: SigningTask): Promise<DigestSignature> {
    let signed: Signed;
    try {
      // Hashing the content may have waited for its turn on the event loop.
      const recheck = this.access.recheckIfLate(SIGNING_SCOPES[task.subject.form]);
      if (recheck) await recheck;
      signed = await this.signUnrecorded(relayerId, task, this.chainOf);
    } catch (error) {
      await this.records.saveFailure(
        failureEntry('signature.create', relayerId, signedDigest(task), error),
        error,
      );
      throw error;
    }
    const digest = signedDigest(task);
    const { relayer, signature } = signed;
    await this.records.save([{ relayer, digest }], [signatureEntry(relayer, digest)]);
    this.lifecycle.after('signature.after', () => momentOf(relayer, task));
    return signature;
  }

  /**
   * Signs for each item as {@link sign} does. The relayer is read again for each item; the eight items that are in
   * progress at the same time share a statement. A failing item does not affect the others. All results are recorded
   * together at the end.
   *
   * @param prepare creates the task of an item; if it throws, only this item fails
   * @throws DomainError `relayer_not_found`, `signing_frozen`, `relayer_paused`, `invalid_request` for the whole batch,
   * before its first item
   */
  async signBatch<I, T>(
    relayerId: string,
    form: SignatureSubject['form'],
    items: readonly I[],
    prepare: (item: I) => Eventually<SigningTask>,
    toResult: (task: SigningTask, signature: DigestSignature) => T,
  ): Promise<BatchResult<T>[]> {
    await this.openBatch(relayerId, form);
    const chainOf = rememberChains(this.chainOf);
    const made: Made<T>[] = [];
    const failures: AuditEntry[] = [];
    const fail = (digest: SignedDigest, error: unknown): void => {
      const entry = failureEntry('signature.create', relayerId, digest, error);
      if (entry) failures.push(entry);
    };
    const withheld = new Map<Made<T>, FailedItem>();
    let results: BatchResult<Made<T>>[];
    try {
      results = await runBatch(
        items,
        async (item) => {
          const task = await prepare(item);
          const digest = signedDigest(task);
          try {
            const recheck = this.access.recheck(SIGNING_SCOPES[task.subject.form]);
            if (recheck) await recheck;
            const { relayer, signature, confirmedAt } = await this.signUnrecorded(relayerId, task, chainOf);
            const one = { relayer, confirmedAt, task, digest, result: toResult(task, signature) };
            made.push(one);
            return one;
          } catch (error) {
            fail(digest, error);
            throw error;
          }
        },
        this.turns,
      );
      for (const [one, error] of await this.confirmation.forbiddenSince(made)) {
        fail(one.digest, error);
        withheld.set(one, failedItem(error));
      }
    } finally {
      // Signatures are recorded even if the batch ends early and nobody receives them.
      const given = withheld.size === 0 ? made : made.filter((one) => !withheld.has(one));
      const entries = given.map(({ relayer, digest }) => signatureEntry(relayer, digest));
      await this.records.save(given, [...entries, ...failures]);
    }
    for (const one of made)
      if (!withheld.has(one)) this.lifecycle.after('signature.after', () => momentOf(one.relayer, one.task));
    const outcomes = results.map((one) => toOutcome(one, withheld));
    this.metrics.countBatch(outcomes);
    return outcomes;
  }

  private async openBatch(relayerId: string, form: SignatureSubject['form']): Promise<void> {
    try {
      const relayer = await this.relayers.getForSigning(relayerId);
      assertEvm(relayer, form);
    } catch (error) {
      await this.records.saveFailure(failureEntry('signature.create', relayerId, { form }, error), error);
      throw error;
    }
  }

  private async signUnrecorded(relayerId: string, task: SigningTask, chainOf: FindChain): Promise<Signed> {
    const startedAt = performance.now();
    const relayer = await this.relayers.getForSigning(relayerId);
    const decidedAt = performance.now();
    // The API key was checked before the relayer was read.
    if (decidedAt - startedAt > MAX_DECISION_AGE_MS)
      await this.confirmation.recheckFor(relayer, task.subject);
    assertEvm(relayer, task.subject.form);
    if (task.checkChain) task.checkChain(await chainOf(relayer));
    authorizeSignature(relayer, task.subject);
    if (concernsOtherChains(task) && this.relayers.hasOthers(relayer))
      authorizeOnOtherChains(await this.relayers.othersOf(relayer), task.subject);
    const listeners = this.lifecycle.before('signature.before', () => momentOf(relayer, task));
    if (listeners) await listeners;
    const key = this.keys.find(relayer) ?? (await this.keys.open(relayer));
    // Looking up the chain, calling the listeners and opening the signer can take seconds.
    if (performance.now() - decidedAt > MAX_DECISION_AGE_MS) await this.confirmation.confirm(relayer, task);
    const signature = await key.sign(task.digest);
    if (!key.isRemote) return { relayer, signature, confirmedAt: undefined };
    await this.confirmation.confirmOrWithhold(relayer, task);
    return { relayer, signature, confirmedAt: performance.now() };
  }

  private readonly chainOf: FindChain = ({ network, networkType }) =>
    this.networks.getByNameOrThrow(network, networkType);
}

function toOutcome<T>(
  result: BatchResult<Made<T>>,
  withheld: ReadonlyMap<Made<T>, FailedItem>,
): BatchResult<T> {
  return 'value' in result ? (withheld.get(result.value) ?? { value: result.value.result }) : result;
}

/** Caches the networks: the chain id of a network does not change while relayers use it. */
function rememberChains(find: FindChain): FindChain {
  const known = new Map<string, Promise<ChainOfRelayer>>();
  return (relayer) => getOrCreate(known, relayer.network, () => find(relayer));
}

const momentOf = (
  { id, signerId, network }: ActingRelayer,
  { digest, subject: { form } }: SigningTask,
): SignatureMoment => ({
  relayerId: id,
  signerId,
  network,
  form,
  digest: Buffer.from(digest).toString('hex'),
});

const signedDigest = ({ digest, subject: { form } }: SigningTask): SignedDigest => ({ form, digest });
