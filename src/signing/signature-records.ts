import { Injectable, Logger } from '@nestjs/common';
import type { AuditAction } from '../audit/audit-action';
import type { AuditEntry } from '../audit/audit-entry';
import { AuditLog } from '../audit/audit-log';
import { causeOf, errorCodeOf } from '../common/errors/error-cause';
import type { ErrorCode } from '../common/errors/error-codes';
import { toDomainError } from '../common/errors/to-domain-error';
import { getOrCreate } from '../common/get-or-create';
import { isTimeout } from '../database/drivers/driver-errors';
import { IDENTIFIER } from '../common/validation/fields';
import type { ActingRelayer } from '../relayers/relayer.entity';
import type { SignatureForm } from '../lifecycle/lifecycle-events';
import { SignatureEvents, type SignedDigest } from './signature-events';

/** Failures that are not recorded: what the request names does not exist, or there was nothing that could be signed. */
const UNRECORDED: ReadonlySet<ErrorCode> = new Set([
  'relayer_not_found',
  'transaction_not_found',
  'invalid_request',
]);

/** A signed digest, and the state of the relayer when it was signed. */
export interface SignedFor {
  relayer: Pick<ActingRelayer, 'id' | 'notificationId'>;
  digest: SignedDigest;
}

/** The audit entry of a signature. */
export const signatureEntry = (
  { id, signerId }: Pick<ActingRelayer, 'id' | 'signerId'>,
  { form, digest }: SignedDigest,
): AuditEntry => ({ action: 'signature.create', relayerId: id, signerId, form, digest });

/** The audit entry of a refusal or failure; undefined if it is not recorded. */
export function failureEntry(
  action: AuditAction,
  relayerId: string,
  { form, digest }: { form: SignatureForm; digest?: Uint8Array },
  error: unknown,
): AuditEntry | undefined {
  const { code } = toDomainError(error);
  // The response would have to wait for the same database once more.
  if (UNRECORDED.has(code) || isTimeout(error)) return undefined;
  return {
    ...{ action, form, code },
    // The path of a request may hold any text.
    ...(IDENTIFIER.test(relayerId) && { relayerId }),
    ...(digest && { digest }),
  };
}

/** Records signatures in the audit log and for the notification of the relayer, before they are returned. */
@Injectable()
export class SignatureRecords {
  private readonly logger = new Logger(SignatureRecords.name);

  constructor(
    private readonly audit: AuditLog,
    private readonly events: SignatureEvents,
  ) {}

  /**
   * Must be awaited before a signature is returned: it resolves once all entries are committed.
   *
   * @param signed the signed digests, for the notifications that their relayer had
   * @param entries the entries for the audit log, including failures
   */
  save(signed: readonly SignedFor[], entries: readonly AuditEntry[]): Promise<unknown> {
    const recorded = this.audit.recordAll(entries);
    const events = groupByReceiver(signed).map(({ relayerId, notificationId, digests }) =>
      this.events.record(relayerId, notificationId, digests),
    );
    return events.length === 0 ? recorded : Promise.all([recorded, ...events]);
  }

  /** Records a failure. The caller reports the error even if it cannot be recorded. */
  saveFailure(entry: AuditEntry | undefined, error: unknown): Promise<void> {
    return this.saveFailures([entry], [error]);
  }

  /** Records the failures of one request as consecutive entries, see {@link saveFailure}. */
  async saveFailures(found: readonly (AuditEntry | undefined)[], errors: readonly unknown[]): Promise<void> {
    const entries = found.filter((entry) => entry !== undefined);
    const [first] = entries;
    if (!first) return;
    try {
      await this.audit.recordAll(entries);
    } catch (error) {
      // The request failed for the same reason, which is logged with its failure.
      if (errors.every((failed) => isSameOutage(failed, error))) return;
      this.logger.error('A refused or failed signature was not recorded', {
        relayer_id: first.relayerId,
        codes: [...new Set(entries.map(({ code }) => code))],
        cause: causeOf(error),
      });
    }
  }
}

/** Whether a request failed with the same code of the database or its connection. */
function isSameOutage(failed: unknown, error: unknown): boolean {
  const code = errorCodeOf(error);
  return code !== undefined && errorCodeOf(toDomainError(failed).cause) === code;
}

interface SignedForReceiver {
  relayerId: string;
  notificationId: string;
  digests: SignedDigest[];
}

/** The signatures of each relayer and notification. Those without a notification are left out. */
function groupByReceiver(signed: readonly SignedFor[]): SignedForReceiver[] {
  const groups = new Map<string, SignedForReceiver>();
  for (const { relayer, digest } of signed) {
    const { id: relayerId, notificationId } = relayer;
    if (notificationId === null) continue;
    const created = () => ({ relayerId, notificationId, digests: [] });
    getOrCreate(groups, `${relayerId} ${notificationId}`, created).digests.push(digest);
  }
  return [...groups.values()];
}
