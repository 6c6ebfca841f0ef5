import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import type { Repository } from 'typeorm';
import { OngoingAccess } from '../access/ongoing-access';
import { currentPrincipal, hasScope, type Principal } from '../access/principal';
import type { Scope } from '../access/scopes';
import { currentClient } from '../audit/audit-caller';
import { AuditLog } from '../audit/audit-log';
import { invalidRequest } from '../common/errors/domain-error';
import type { ErrorCode } from '../common/errors/error-codes';
import { Secret } from '../common/secrets/secret';
import type { AppConfig } from '../config/app-config';
import { isUniqueViolation } from '../database/drivers/driver-errors';
import { ProtectedRows, type RowQuery } from '../database/integrity/protected-rows';
import { RowIntegrity } from '../database/integrity/row-integrity';
import { UnitOfWork } from '../database/unit-of-work';
import { SecretCipher } from '../secrets/secret-cipher';
import type { ApprovedChange } from './approved-change';
import { Approvers } from './approvers';
import { ACTIONS, changeEntry, changeRequested } from './change-audit';
import { ChangeListeners } from './change-listeners';
import type { KnownOperation } from './change-operations';
import { CHANGE_SECRETS, ChangeEntity, pendingNow, statusOf } from './change.entity';
import {
  type ApprovalRequiredError,
  changeConflict,
  changeNotFound,
  changeNotPending,
  type ChangeSubject,
  idempotencyConflict,
  tooManyChanges,
} from './change.errors';

/** Pending changes of all API keys together; more get 429. @limit Stored objects */
const MAX_PENDING = 1000;
/** Pending changes that one API key has requested; more get 429. @limit Stored objects */
const MAX_PENDING_OF_ONE = 100;
/** The size of a MySQL `text` column, in bytes. */
const MAX_SEALED_LENGTH = 65_535;

interface PendingChange {
  id: string;
  requester: string;
  /** Read by some drivers as a text. */
  approvals: unknown;
}

/** Identifies repeated requests: those with the same key are the same change. */
export interface IdempotentRequest {
  key: string;
  digest: string;
}

/** What a request is to execute. */
export type NamedOperation = Pick<KnownOperation, 'name' | 'scopes'>;

/** A request to store. */
export interface SubmittedChange {
  /** Shown to approvers; JSON without secrets. */
  request: object;
  /** What the audit log shows of the request: no payloads. */
  audited: object;
  secrets?: object | undefined;
  idempotency?: IdempotentRequest | undefined;
}

/** The stored changes. Before a transition, the previous state is checked on the locked row. */
@Injectable()
export class ChangeRows {
  private readonly rows: ProtectedRows<ChangeEntity>;
  private readonly expireMs: number;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly cipher: SecretCipher,
    private readonly approvers: Approvers,
    private readonly audit: AuditLog,
    private readonly listeners: ChangeListeners,
    private readonly access: OngoingAccess,
    integrity: RowIntegrity,
    config: ConfigService<AppConfig, true>,
  ) {
    this.rows = new ProtectedRows(unitOfWork, integrity, ChangeEntity);
    this.expireMs = config.get('approvals', { infer: true }).expireMs;
  }

  /** @throws RowAlteredError */
  find(id: string): Promise<Readonly<ChangeEntity> | null> {
    return this.rows.findById(id);
  }

  /** @throws RowAlteredError */
  findAll(query: RowQuery<ChangeEntity>): Promise<ChangeEntity[]> {
    return this.rows.find(query);
  }

  get repository(): Repository<ChangeEntity> {
    return this.unitOfWork.repository(ChangeEntity);
  }

  /** Locks a change until the end of the unit of work. @throws RowAlteredError */
  findToChange(id: string): Promise<ChangeEntity | null> {
    return this.rows.findToChange(id);
  }

  /**
   * Stores a pending change for the current principal. For a repeated request, returns the existing change.
   *
   * @throws DomainError `too_many_changes`, `idempotency_conflict`, `unauthorized`, `forbidden`
   */
  async create(
    operation: NamedOperation,
    submitted: SubmittedChange,
    { kinds, needed, subject: { base, relayer } }: ApprovalRequiredError,
  ): Promise<Readonly<ChangeEntity>> {
    const requester = currentPrincipal();
    if (!requester) throw new Error('A change has no requester');
    const known = await this.findRepeated(relayer?.id, submitted.idempotency);
    if (known) return known;
    await this.assertRoom(requester.id);
    const id = randomUUID();
    const now = Date.now();
    const row = {
      id,
      kinds: [...kinds],
      operation: operation.name,
      // Converted to the form in which it will be read.
      request: JSON.parse(JSON.stringify(submitted.request)) as object,
      secrets: submitted.secrets ? this.seal(id, submitted.secrets) : null,
      base,
      relayerId: relayer?.id ?? null,
      relayerGroup: relayer?.group ?? null,
      requestedBy: requester.id,
      needed,
      approvals: [],
      status: 'pending' as const,
      idempotencyKey: submitted.idempotency?.key ?? null,
      requestDigest: submitted.idempotency?.digest ?? null,
      code: null,
      expiresAt: new Date(now + this.expireMs),
      finishedAt: null,
      finishedBy: null,
      createdAt: new Date(now),
    };
    try {
      return await this.unitOfWork.run(async () => {
        const change = await this.rows.insert(row);
        // Not before: a rotation without an overlap rejects the changes that it finds, and this finds its new secret.
        await this.access.recheck(scopeOf(operation, requester));
        await this.audit.record(changeRequested(change, submitted.audited));
        await this.listeners.notify(change);
        return change;
      });
    } catch (error) {
      const first = isUniqueViolation(error) && (await this.findRepeated(relayer?.id, submitted.idempotency));
      if (first) return first;
      throw error;
    }
  }

  /** The change of an earlier request with the same key. @throws DomainError `idempotency_conflict` */
  async findRepeated(
    relayerId: string | undefined,
    idempotency: IdempotentRequest | undefined,
  ): Promise<Readonly<ChangeEntity> | undefined> {
    if (relayerId === undefined || !idempotency) return undefined;
    const known = await this.rows.findOneBy({ relayerId, idempotencyKey: idempotency.key });
    if (known && known.requestDigest !== idempotency.digest) throw idempotencyConflict();
    return known ?? undefined;
  }

  /** Adds an approval to a locked change. */
  async approve(change: ChangeEntity, keyId: string): Promise<ChangeEntity> {
    const approval = { key_id: keyId, at: new Date().toISOString() };
    const approved = await this.rows.update(change, { approvals: [...change.approvals, approval] });
    await this.audit.record(changeEntry('change.approve', change, approved));
    return approved;
  }

  /**
   * Locks all pending changes, so that none is added meanwhile, and yields those that a key has requested or approved:
   * one at a time, because each may be large. Those that were altered are left out, because they cannot be applied.
   */
  async *pendingOf(keyId: string): AsyncGenerator<ChangeEntity> {
    const selection = this.repository
      .createQueryBuilder('pending')
      .select([])
      .setFindOptions({ where: pendingNow() })
      .orderBy('pending.created_at')
      .addOrderBy('pending.id')
      .addSelect('pending.id', 'id')
      .addSelect('pending.requested_by', 'requester')
      .addSelect('pending.approvals', 'approvals');
    if (this.unitOfWork.locksRows) selection.setLock('pessimistic_write');
    for (const { id, requester, approvals } of await selection.getRawMany<PendingChange>()) {
      if (requester !== keyId && !JSON.stringify(approvals).includes(keyId)) continue;
      yield* (await this.rows.findIntact({ where: { id }, lock: 'wait' })).intact;
    }
  }

  /** Removes the approval of a key from a locked change. */
  async withdrawApproval(change: ChangeEntity, keyId: string): Promise<void> {
    const approvals = change.approvals.filter(({ key_id }) => key_id !== keyId);
    const withdrawn = await this.rows.update(change, { approvals });
    await this.audit.record(changeEntry('change.withdraw', change, withdrawn));
  }

  /**
   * Marks a change as applied, in the unit of work that executes the request.
   *
   * @param needed the number of approvals that the change currently requires
   * @throws DomainError `change_not_pending`, `change_conflict`; `unauthorized`, `forbidden` for its requester
   */
  async apply(approved: ApprovedChange, { base }: ChangeSubject, needed: number): Promise<void> {
    const change = await this.rows.findToChange(approved.id);
    if (!change) throw changeNotFound(approved.id);
    const status = statusOf(change);
    if (status !== 'pending') throw changeNotPending(status);
    if (change.base !== base) throw changeConflict('what the change was requested for has changed since');
    // Preparing the request may have taken seconds, and the key of the requester or of an approver may have been
    // revoked meanwhile.
    await this.access.recheck(approved.scope);
    const approvals = await this.approvers.countValid(change);
    if (needed > approvals)
      throw changeConflict(`the change needs ${needed} approvals now, and has ${approvals}`);
    await this.finish(change, 'applied', approved.approvedBy);
    // Not before: if the unit of work runs again, nothing may be left to be changed.
    this.unitOfWork.afterCommit(() => {
      approved.isApplied = true;
    });
  }

  /**
   * Finishes a locked change, and deletes its secrets.
   *
   * @param by the principal that finishes it, which is not always the one whose rights apply; null for the service
   * itself
   */
  async finish(
    change: ChangeEntity,
    status: 'applied' | 'rejected' | 'expired' | 'failed',
    by: string | null,
    code: ErrorCode | null = null,
  ): Promise<ChangeEntity> {
    const end = { status, code, finishedBy: by, finishedAt: new Date(), secrets: null };
    const finished = await this.rows.update(change, end);
    await this.audit.record(changeEntry(ACTIONS[status], change, finished), currentClient(by));
    await this.listeners.notify(finished);
    return finished;
  }

  /** @throws SecretUnreadableError */
  secretsOf({ id, secrets }: Readonly<ChangeEntity>): object | undefined {
    if (secrets === null) return undefined;
    return JSON.parse(this.cipher.open(secrets, { ...CHANGE_SECRETS, row: id }).reveal()) as object;
  }

  private seal(id: string, secrets: object): string {
    const sealed = this.cipher.seal(new Secret(JSON.stringify(secrets)), { ...CHANGE_SECRETS, row: id });
    if (sealed.length > MAX_SEALED_LENGTH) throw invalidRequest('custom_rpc_urls is too long as a whole');
    return sealed;
  }

  /** Concurrent requests may exceed the limit by as many changes. */
  private async assertRoom(requestedBy: string): Promise<void> {
    const pending = pendingNow();
    if ((await this.repository.countBy({ ...pending, requestedBy })) >= MAX_PENDING_OF_ONE)
      throw tooManyChanges(`${MAX_PENDING_OF_ONE} changes that this API key has requested are pending`);
    if ((await this.repository.countBy(pending)) >= MAX_PENDING)
      throw tooManyChanges(`${MAX_PENDING} changes are pending: some must be approved or rejected`);
  }
}

const scopeOf = ({ scopes }: NamedOperation, requester: Principal): Scope =>
  scopes.find((scope) => hasScope(requester, scope)) ?? scopes[0];
