import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Scope } from '../access/scopes';
import { ApprovalsService } from './approvals.service';
import { ChangeOperations } from './change-operations';
import type { IdempotentRequest } from './change-rows';
import type { PendingChangeResponse } from './dto/pending-change.response';

/** A body as it is stored: a plain object. */
export type Stored<Body> = { [Member in keyof Body]: Body[Member] };

/** A kind of request that may have to wait for approval. {@link apply} executes it, either at once or after the last approval. */
@Injectable()
export abstract class ChangeOperation<
  Request extends object = object,
  Result = unknown,
  Secrets extends object = object,
> implements OnModuleInit {
  /** Stored with each change; up to 64 characters. */
  abstract readonly name: string;
  /** The scopes of the route, any one of which suffices. The requester must still have it when the change is applied. */
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
   * Executes the request, as its requester. It must call `ApprovalsService.require` in the unit of work of the change,
   * and rethrow its errors.
   *
   * @param request may come from the database: JSON, without classes
   * @param secrets undefined if the request has none
   */
  abstract apply(request: Request, secrets: Secrets | undefined): Promise<Result>;

  /**
   * Executes the request, or stores it as a pending change if it needs approval.
   *
   * @param request shown to approvers; JSON without secrets
   * @param secrets further input of {@link apply}, stored encrypted
   */
  protected submit(request: Request, secrets?: Secrets): Promise<Result | PendingChangeResponse> {
    return this.approvals.submit(
      this.name,
      () => ({ request, secrets, idempotency: this.idempotencyOf(request) }),
      () => this.apply(request, secrets),
    );
  }

  /** Identifies a repeated request; undefined if every request is a separate change. */
  protected idempotencyOf(_request: Request): IdempotentRequest | undefined {
    return undefined;
  }
}
