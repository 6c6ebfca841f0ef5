import { SPEEDS } from '../../chains/evm/sending/fees';
import type { TitledSchema } from '../../common/openapi/envelope-schemas';

/** OpenAPI of the speed of a transaction. */
export const SPEED_SCHEMA: TitledSchema = { title: 'Speed', type: 'string', enum: [...SPEEDS] };

/** OpenAPI of the texts that a client gives to a transaction. */
export const METADATA_SCHEMA: TitledSchema = {
  title: 'TransactionMetadata',
  type: 'object',
  additionalProperties: { type: 'string' },
};
