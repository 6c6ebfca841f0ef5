import { Injectable } from '@nestjs/common';
import type { Scope } from '../access/scopes';

/** The part of a `ChangeOperation` that is required to approve and apply a change. */
export interface KnownOperation {
  readonly name: string;
  readonly scopes: readonly [Scope, ...Scope[]];
  assertReach(request: object): Promise<void>;
  apply(request: object, secrets: object | undefined): Promise<unknown>;
}

/** The operations by name. Each one registers itself at startup. */
@Injectable()
export class ChangeOperations {
  private readonly operations = new Map<string, KnownOperation>();

  /**
   * @param operation its methods are called with requests that were submitted under the same name, as read from the
   * database
   */
  register(operation: KnownOperation): void {
    if (this.operations.has(operation.name)) throw new Error(`${operation.name} is registered twice`);
    this.operations.set(operation.name, operation);
  }

  /** Undefined if the operation belongs to a different version of the service. */
  find(name: string): KnownOperation | undefined {
    return this.operations.get(name);
  }
}
