import { DomainError } from '../../common/errors/domain-error';

/**
 * A row was altered outside of the service and therefore not used. To the caller it looks like any internal error; the
 * log contains the table and the id.
 */
export class RowAlteredError extends DomainError {
  constructor(
    readonly table: string,
    readonly id: string,
  ) {
    super('row_altered', 'Internal Server Error', undefined, {
      cause: new Error(`Row ${id} of ${table} was altered outside of the service`),
    });
    this.name = 'RowAlteredError';
  }
}
