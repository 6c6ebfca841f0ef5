import { Injectable } from '@nestjs/common';
import type { Scope } from '../access/scopes';

/** A kind of request that may have to wait for the approval of others. */
export interface ChangeOperation<Request extends object = object, Secrets extends object = object> {
  /** Stored with each change; up to 64 characters. */
  readonly name: string;
  /** Of the route. One of them is enough; whoever requested a change must still have it when the change is applied. */
  readonly scopes: readonly [Scope, ...Scope[]];
  /**
   * Does what was requested, as its requester, and calls `ApprovalsService.require` in the unit of work that does it.
   *
   * @param secrets undefined where the request had none
   * @param id of the change
   */
  apply(request: Request, secrets: Secrets | undefined, id: string): Promise<unknown>;
}

/** The operations by name; each module registers its own at start. */
@Injectable()
export class ChangeOperations {
  private readonly operations = new Map<string, ChangeOperation>();

  register<Request extends object, Secrets extends object>(
    operation: ChangeOperation<Request, Secrets>,
  ): void {
    if (this.operations.has(operation.name)) throw new Error(`${operation.name} is registered twice`);
    // What is passed to `apply` is what was submitted with the same operation, by way of the database.
    this.operations.set(operation.name, operation);
  }

  /** Undefined for one of another version of the service. */
  find(name: string): ChangeOperation | undefined {
    return this.operations.get(name);
  }
}
