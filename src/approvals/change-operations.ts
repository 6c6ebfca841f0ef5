import { Injectable } from '@nestjs/common';
import type { Scope } from '../access/scopes';

/** The part of a `ChangeOperation` that is needed to apply a change. */
export interface KnownOperation {
  readonly name: string;
  readonly scopes: readonly [Scope, ...Scope[]];
  apply(request: object, secrets: object | undefined): Promise<unknown>;
}

/** The operations by name; each adds itself at start. */
@Injectable()
export class ChangeOperations {
  private readonly operations = new Map<string, KnownOperation>();

  /** @param operation its `apply` gets requests that were submitted with the same operation, as read from the database */
  register(operation: KnownOperation): void {
    if (this.operations.has(operation.name)) throw new Error(`${operation.name} is registered twice`);
    this.operations.set(operation.name, operation);
  }

  /** Undefined if the operation is from another version of the service. */
  find(name: string): KnownOperation | undefined {
    return this.operations.get(name);
  }
}
