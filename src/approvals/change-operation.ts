import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Scope } from '../access/scopes';
import { ApprovalsService } from './approvals.service';
import { ChangeOperations } from './change-operations';
import type { IdempotentRequest } from './change-rows';
import type { PendingChangeResponse } from './dto/pending-change.response';

/** A body as it is stored: an object of no class. */
export type Stored<Body> = { [Member in keyof Body]: Body[Member] };

/**
 * A kind of request that may have to wait for the approval of others. It is done in one way, whether at once or by the last
 * approval: {@link apply}.
 */
@Injectable()
export abstract class ChangeOperation<
  Request extends object = object,
  Result = unknown,
  Secrets extends object = object,
> implements OnModuleInit {
  /** Stored with each change; up to 64 characters. */
  abstract readonly name: string;
  /** Of the route. One of them is enough; whoever requested a change must still have it when the change is applied. */
  abstract readonly scopes: readonly [Scope, ...Scope[]];

  // Properties, so that operations do not have to pass them on.
  @Inject()
  private readonly approvals!: ApprovalsService;
  @Inject()
  private readonly operations!: ChangeOperations;

  onModuleInit(): void {
    this.operations.register(this);
  }

  /**
   * Does what is requested, as its requester. Must call `ApprovalsService.require` in the unit of work that does it, and throw what
   * that throws.
   *
   * @param request may come from the database: JSON, without classes
   * @param secrets undefined where the request has none
   */
  abstract apply(request: Request, secrets: Secrets | undefined): Promise<Result>;

  /**
   * Does what is requested, or stores it as a pending change where it needs approval.
   *
   * @param request shown to approvers; JSON without secrets
   * @param secrets what else {@link apply} needs; stored encrypted
   */
  protected submit(request: Request, secrets?: Secrets): Promise<Result | PendingChangeResponse> {
    return this.approvals.submit(
      this.name,
      () => ({ request, secrets, idempotency: this.idempotencyOf(request) }),
      () => this.apply(request, secrets),
    );
  }

  /** By what a repeated request is recognized; undefined where each is a change of its own. */
  protected idempotencyOf(_request: Request): IdempotentRequest | undefined {
    return undefined;
  }
}
