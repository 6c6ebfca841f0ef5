import { currentUnitOfWork } from './unit-of-work-context';

/**
 * Must be called first by operations that cannot be part of a unit of work: it may be rolled back after a signature was
 * returned, whose audit row would be lost, and it would block the work of others that the operation waits for.
 *
 * @param operation its name, for the message
 * @throws Error in a unit of work
 */
export function assertOutsideUnits(operation: string): void {
  if (currentUnitOfWork())
    throw new Error(`${operation} must not be called in a unit of work: call it before or after`);
}
