import { Injectable } from '@nestjs/common';
import type { Scope } from '../access/scopes';

/** What is known of an operation when a change is applied; see `ChangeOperation`. */
export interface KnownOperation {
  readonly name: string;
  readonly scopes: readonly [Scope, ...Scope[]];
  apply(request: object, secrets: object | undefined): Promise<unknown>;
}

/** The operations by name; each adds itself at start. */
@Injectable()
export class ChangeOperations {
  private readonly operations = new Map<string, KnownOperation>();

  /** @param operation what is passed to its `apply` is what was submitted with the same operation, by way of the database */
  register(operation: KnownOperation): void {
    if (this.operations.has(operation.name)) throw new Error(`${operation.name} is registered twice`);
    this.operations.set(operation.name, operation);
  }

  /** Undefined for one of another version of the service. */
  find(name: string): KnownOperation | undefined {
    return this.operations.get(name);
  }
}
