import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Scope } from '../access/scopes';
import { ApprovalsService } from './approvals.service';
import { ChangeOperations } from './change-operations';
import type { IdempotentRequest } from './change-rows';
import type { PendingChangeResponse } from './dto/pending-change.response';

/** A body in its stored form: a plain object. */
export type Stored<Body> = { [Member in keyof Body]: Body[Member] };

/**
 * A kind of request that may require approval. {@link apply} executes it, either immediately or after the last
 * approval.
 */
@Injectable()
export abstract class ChangeOperation<
  Request extends object = object,
  Result = unknown,
  Secrets extends object = object,
> implements OnModuleInit {
  /** The name that is stored with each change; at most 64 characters. */
  abstract readonly name: string;
  /**
   * The scopes of the route, any one of which is sufficient. The requester must still have it when the change is
   * applied.
   */
  abstract readonly scopes: readonly [Scope, ...Scope[]];

  // Injected as properties, so that subclasses do not have to pass them on.
  @Inject()
  private readonly approvals!: ApprovalsService;
  @Inject()
  private readonly operations!: ChangeOperations;

  onModuleInit(): void {
    this.operations.register(this);
  }

  /**
   * Executes the request on behalf of its requester. Must call `ApprovalsService.require` in the unit of work of the
   * change, and rethrow its errors.
   *
   * @param request may come from the database: JSON, without classes
   * @param secrets undefined if the request has none
   */
  abstract apply(request: Request, secrets: Secrets | undefined): Promise<Result>;

  /**
   * Asserts that the current principal reaches the relayers that a request concerns, besides the subject of the change.
   * Called for each approver; {@link apply} asserts the same for the requester.
   *
   * @param request comes from the database
   * @throws DomainError `forbidden`
   */
  assertReach(_request: Request): Promise<void> {
    return Promise.resolve();
  }

  /**
   * Executes the request, or stores it as a pending change if it requires approval.
   *
   * @param request shown to approvers; JSON without secrets
   * @param secrets additional input of {@link apply}, stored encrypted
   */
  protected submit(request: Request, secrets?: Secrets): Promise<Result | PendingChangeResponse> {
    return this.approvals.submit(
      this,
      () => ({
        ...{ request, secrets },
        audited: this.auditedOf(request),
        idempotency: this.idempotencyOf(request),
      }),
      () => this.apply(request, secrets),
    );
  }

  /** What the audit log shows of a request, by default all of it. Payloads must not be part of it. */
  protected auditedOf(request: Request): object {
    return request;
  }

  /** The key by which repeated requests are recognised; undefined if every request is a separate change. */
  protected idempotencyOf(_request: Request): IdempotentRequest | undefined {
    return undefined;
  }
}
