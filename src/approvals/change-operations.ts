import { Injectable } from '@nestjs/common';
import type { ChangeOperation } from './change-operation';

/** The operations by name; each adds itself at start. */
@Injectable()
export class ChangeOperations {
  private readonly operations = new Map<string, ChangeOperation>();

  register<Request extends object, Secrets extends object>(
    operation: ChangeOperation<Request, unknown, Secrets>,
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
