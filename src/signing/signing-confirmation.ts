import { Injectable, Logger } from '@nestjs/common';
import { MAX_DECISION_AGE_MS, OngoingAccess } from '../access/ongoing-access';
import { isReachable } from '../access/relayer-reach';
import { DomainError } from '../common/errors/domain-error';
import { relayerNotFound } from '../relayers/relayer.errors';
import type { ActingRelayer } from '../relayers/relayer.entity';
import { RelayersService, type SigningRelayer } from '../relayers/relayers.service';
import { authorizeSignature, type SignatureSubject } from './authorization/authorize-signature';
import { authorizeOnOtherChains } from './authorization/other-chains';
import { SigningMetrics } from './signing.metrics';
import { concernsOtherChains, SIGNING_SCOPES, type SigningTask } from './signing-task';

/** A signature that was made, and when it was last found to be allowed. */
export interface ConfirmedSignature {
  /** The relayer as it was when it signed. */
  relayer: SigningRelayer;
  task: SigningTask;
  /** As of `performance.now()`; undefined for a key in memory, which signs on a decision that is not repeated. */
  confirmedAt: number | undefined;
}

/** The current state of a relayer, and of those that use its address on other chains. */
interface CurrentState {
  relayer: SigningRelayer;
  others: readonly ActingRelayer[];
}

/**
 * Decides again what was decided before something that takes time, such as a call of a key service, with the current
 * relayer and API key.
 */
@Injectable()
export class SigningConfirmation {
  private readonly logger = new Logger(SigningConfirmation.name);

  constructor(
    private readonly relayers: RelayersService,
    private readonly access: OngoingAccess,
    private readonly metrics: SigningMetrics,
  ) {}

  /** @throws DomainError if the relayer may no longer sign */
  async confirm(relayer: SigningRelayer, task: SigningTask): Promise<void> {
    authorizeAgain(await this.readAgain(relayer, [task]), relayer, task);
  }

  /** As {@link confirm}, for a signature that was made. If it is not allowed, it must not be returned. */
  async confirmOrWithhold(relayer: SigningRelayer, task: SigningTask): Promise<void> {
    try {
      await this.confirm(relayer, task);
    } catch (error) {
      this.reportWithheld(relayer, task, error);
      throw error;
    }
  }

  /**
   * Finds signatures of key services that were made for one relayer and form and must not be returned, with the reason:
   * a batch takes long, so what was signed first may no longer be allowed when the last one is made.
   */
  async forbiddenSince<T extends ConfirmedSignature>(made: readonly T[]): Promise<Map<T, unknown>> {
    const now = performance.now();
    const old = made.filter(({ confirmedAt = now }) => now - confirmedAt > MAX_DECISION_AGE_MS);
    const forbidden = new Map<T, unknown>();
    const [first] = old;
    if (!first) return forbidden;
    const tasks = old.map(({ task }) => task);
    const current = await this.readAgain(first.relayer, tasks).catch((error: unknown) => ({ error }));
    for (const one of old) {
      try {
        if ('error' in current) throw current.error;
        authorizeAgain(current, one.relayer, one.task);
      } catch (error) {
        this.reportWithheld(one.relayer, one.task, error);
        forbidden.set(one, error);
      }
    }
    return forbidden;
  }

  /** Checks the API key again, which may no longer reach the relayer that was read meanwhile. */
  async recheckFor(relayer: ActingRelayer, { form }: Pick<SignatureSubject, 'form'>): Promise<void> {
    await this.access.recheck(SIGNING_SCOPES[form]);
    if (!isReachable(relayer)) throw relayerNotFound(relayer.id);
  }

  /** @param tasks at least one, all of the same form */
  private async readAgain(relayer: SigningRelayer, tasks: readonly SigningTask[]): Promise<CurrentState> {
    const [{ subject }] = tasks as [SigningTask];
    await this.access.recheck(SIGNING_SCOPES[subject.form]);
    const checkedAt = performance.now();
    const current = tasks.some(concernsOtherChains)
      ? await this.relayers.getAgain(relayer)
      : { relayer: await this.relayers.getForSigning(relayer.id), others: [] };
    if (performance.now() - checkedAt > MAX_DECISION_AGE_MS) await this.recheckFor(current.relayer, subject);
    return current;
  }

  private reportWithheld(relayer: ActingRelayer, { subject }: SigningTask, error: unknown): void {
    const code = error instanceof DomainError ? error.code : 'internal_error';
    this.metrics.countWithheld(code);
    this.logger.warn('A signature of a key service was withheld: the relayer may no longer sign', {
      relayer_id: relayer.id,
      form: subject.form,
      code,
    });
  }
}

/** @param relayer as it was when it signed */
function authorizeAgain(
  { relayer: now, others }: CurrentState,
  relayer: ActingRelayer,
  task: SigningTask,
): void {
  // The relayer was deleted, and another one was created with the same id.
  if (!isSameAccount(now, relayer)) throw relayerNotFound(relayer.id);
  authorizeSignature(now, task.subject);
  if (concernsOtherChains(task)) authorizeOnOtherChains(others, task.subject);
}

/** False if a relayer was deleted, and another one created with the same id. */
export const isSameAccount = (one: ActingRelayer, other: ActingRelayer): boolean =>
  one.signerId === other.signerId &&
  one.address === other.address &&
  one.network === other.network &&
  one.networkType === other.networkType;
