import { Injectable, Logger } from '@nestjs/common';
import { MAX_DECISION_AGE_MS, OngoingAccess } from '../access/ongoing-access';
import { isReachable } from '../access/relayer-reach';
import type { Scope } from '../access/scopes';
import type { AuditEntry } from '../audit/audit-entry';
import { DomainError } from '../common/errors/domain-error';
import { EventLoopTurns } from '../common/event-loop/event-loop-turns';
import type { Eventually } from '../common/event-loop/eventually';
import { Lifecycle } from '../lifecycle/lifecycle';
import type { SignatureMoment } from '../lifecycle/lifecycle-events';
import { NetworksService } from '../networks/networks.service';
import { relayerNotFound } from '../relayers/relayer.errors';
import type { ActingRelayer } from '../relayers/relayer.entity';
import { RelayersService, type SigningRelayer } from '../relayers/relayers.service';
import type { DigestSignature } from '../chains/evm/digest-signature';
import { SignerKeys } from '../signers/opening/signer-keys';
import { authorizeSignature, type SignatureSubject } from './authorization/authorize-signature';
import { authorizeOnOtherChains } from './authorization/other-chains';
import { type BatchResult, runBatch } from './batch';
import type { ChainOfRelayer } from './chain-of-relayer';
import { assertEvm } from './evm-only';
import type { SignedDigest } from './signature-events';
import { failureEntry, signatureEntry, SignatureRecords, type SignedFor } from './signature-records';
import { SigningMetrics } from './signing.metrics';

/** A digest to sign, and the content it was computed from. */
export interface SigningTask {
  /** 32 bytes. */
  digest: Uint8Array;
  subject: SignatureSubject;
  /** Present if the signature is valid on one chain only. @throws DomainError `invalid_request` */
  checkChain?: (chain: ChainOfRelayer) => void;
}

type FindChain = (relayer: ActingRelayer) => Promise<ChainOfRelayer>;

/** A signature, and the state of the relayer when it was made. */
interface Signed {
  relayer: ActingRelayer;
  signature: DigestSignature;
}

const SCOPES: Readonly<Record<SignatureSubject['form'], Scope>> = {
  typed_data: 'sign:typed-data',
  typed_data_hashes: 'sign:typed-data',
  message: 'sign:messages',
  transaction: 'sign:transactions',
};

/**
 * Creates every signature, whatever is signed: reads the relayer, checks that it may sign, authorizes, calls the
 * listeners of plugins, and signs. If that took time, it checks again before the signature is returned. Therefore a
 * pause, a policy change, a deletion, a freeze and the revocation of an API key take effect as soon as they are
 * acknowledged, even for work in progress.
 */
@Injectable()
export class SigningFlow {
  private readonly logger = new Logger(SigningFlow.name);

  constructor(
    private readonly relayers: RelayersService,
    private readonly networks: NetworksService,
    private readonly keys: SignerKeys,
    private readonly records: SignatureRecords,
    private readonly metrics: SigningMetrics,
    private readonly turns: EventLoopTurns,
    private readonly access: OngoingAccess,
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
      const recheck = this.access.recheckIfLate(SCOPES[task.subject.form]);
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
    const signed: SignedFor[] = [];
    const given: (() => SignatureMoment)[] = [];
    const entries: AuditEntry[] = [];
    const results = await runBatch(
      items,
      async (item) => {
        const task = await prepare(item);
        const digest = signedDigest(task);
        try {
          const recheck = this.access.recheck(SCOPES[task.subject.form]);
          if (recheck) await recheck;
          const { relayer, signature } = await this.signUnrecorded(relayerId, task, chainOf);
          signed.push({ relayer, digest });
          given.push(() => momentOf(relayer, task));
          entries.push(signatureEntry(relayer, digest));
          return toResult(task, signature);
        } catch (error) {
          const entry = failureEntry('signature.create', relayerId, digest, error);
          if (entry) entries.push(entry);
          throw error;
        }
      },
      this.turns,
      // Signatures are recorded even if the batch ends early and nobody receives them.
    ).finally(() => this.records.save(signed, entries));
    for (const moment of given) this.lifecycle.after('signature.after', moment);
    this.metrics.countBatch(results);
    return results;
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
    if (decidedAt - startedAt > MAX_DECISION_AGE_MS) await this.recheckFor(relayer, task);
    assertEvm(relayer, task.subject.form);
    if (task.checkChain) task.checkChain(await chainOf(relayer));
    authorizeSignature(relayer, task.subject);
    if (concernsOtherChains(task) && this.relayers.hasOthers(relayer))
      authorizeOnOtherChains(await this.relayers.othersOf(relayer), task.subject);
    const listeners = this.lifecycle.before('signature.before', () => momentOf(relayer, task));
    if (listeners) await listeners;
    const key = this.keys.find(relayer) ?? (await this.keys.open(relayer));
    // Looking up the chain, calling the listeners and opening the signer can take seconds.
    if (performance.now() - decidedAt > MAX_DECISION_AGE_MS) await this.confirm(relayer, task);
    const signature = await key.sign(task.digest);
    if (key.isRemote) await this.confirmOrWithhold(relayer, task);
    return { relayer, signature };
  }

  /** Repeats the checks with the current relayer and API key. */
  private async confirm(relayer: SigningRelayer, task: SigningTask): Promise<void> {
    const { subject } = task;
    await this.access.recheck(SCOPES[subject.form]);
    const checkedAt = performance.now();
    const { relayer: now, others } = concernsOtherChains(task)
      ? await this.relayers.getAgain(relayer)
      : { relayer: await this.relayers.getForSigning(relayer.id), others: [] };
    if (performance.now() - checkedAt > MAX_DECISION_AGE_MS) await this.recheckFor(now, task);
    // The relayer was deleted, and another one was created with the same id.
    if (!isSameAccount(now, relayer)) throw relayerNotFound(relayer.id);
    authorizeSignature(now, subject);
    authorizeOnOtherChains(others, subject);
  }

  /** Checks the API key again, which may no longer reach the relayer that was read meanwhile. */
  private async recheckFor(relayer: ActingRelayer, { subject }: SigningTask): Promise<void> {
    await this.access.recheck(SCOPES[subject.form]);
    if (!isReachable(relayer)) throw relayerNotFound(relayer.id);
  }

  private async confirmOrWithhold(relayer: SigningRelayer, task: SigningTask): Promise<void> {
    try {
      await this.confirm(relayer, task);
    } catch (error) {
      const code = error instanceof DomainError ? error.code : 'internal_error';
      this.metrics.countWithheld(code);
      this.logger.warn('A signature of a key service was withheld: the relayer may no longer sign', {
        relayer_id: relayer.id,
        form: task.subject.form,
        code,
      });
      throw error;
    }
  }

  private readonly chainOf: FindChain = ({ network, networkType }) =>
    this.networks.getByNameOrThrow(network, networkType);
}

/** Whether the signature is valid on every chain, for whatever the address is used there. */
const concernsOtherChains = ({ checkChain }: SigningTask): boolean => checkChain === undefined;

/** Caches the networks: the chain id of a network does not change while relayers use it. */
function rememberChains(find: FindChain): FindChain {
  const known = new Map<string, Promise<ChainOfRelayer>>();
  return (relayer) => {
    let chain = known.get(relayer.network);
    if (!chain) known.set(relayer.network, (chain = find(relayer)));
    return chain;
  };
}

/** False if a relayer was deleted, and another one created with the same id. */
export const isSameAccount = (one: ActingRelayer, other: ActingRelayer): boolean =>
  one.signerId === other.signerId &&
  one.address === other.address &&
  one.network === other.network &&
  one.networkType === other.networkType;

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
