import { SPEEDS } from '../../chains/evm/sending/fees';
import type { TitledSchema } from '../../common/openapi/envelope-schemas';

/** The OpenAPI schema of a transaction's speed. */
export const SPEED_SCHEMA: TitledSchema = { title: 'Speed', type: 'string', enum: [...SPEEDS] };

/** The OpenAPI schema of a transaction's metadata. */
export const METADATA_SCHEMA: TitledSchema = {
  title: 'TransactionMetadata',
  type: 'object',
  additionalProperties: { type: 'string' },
};
