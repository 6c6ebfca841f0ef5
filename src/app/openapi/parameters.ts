import type { OpenAPIObject } from '@nestjs/swagger';
import { IDENTIFIER } from '../../common/validation/fields';
import { operationsOf } from './operations';

/** Descriptions of path parameters. An id that does not match the pattern gets the response for a missing resource. */
const PARAMETERS: Readonly<Record<string, { description: string; example?: string; pattern?: string }>> = {
  relayer_id: { description: 'The id of a relayer.', example: 'demo', pattern: IDENTIFIER.source },
  signer_id: { description: 'The id of a signer.', example: 'demo', pattern: IDENTIFIER.source },
  network_id: {
    description: 'The id of a network: its type and its name.',
    example: 'evm:sepolia',
    pattern: '^(evm|solana|stellar):.{1,64}$',
  },
  notification_id: {
    description: 'The id of a notification.',
    example: 'ops-webhook',
    pattern: IDENTIFIER.source,
  },
  delivery_id: { description: 'The id of a delivery, a UUID.' },
  transaction_id: { description: 'The id of a transaction, a UUID.' },
  change_id: { description: 'The id of a change, a UUID.' },
  key_id: { description: 'The id of an API key, not the key itself.' },
  nonce: { description: 'A nonce of the account.', example: '0', pattern: '^[0-9]+$' },
  name: { description: 'The name of a metric.', example: 'http_requests_total' },
};

/** Adds the descriptions of path parameters. */
export function describeParameters(document: OpenAPIObject): void {
  for (const { parameters = [] } of operationsOf(document)) {
    for (const parameter of parameters) {
      if (!('name' in parameter) || parameter.in !== 'path') continue;
      const { pattern, ...known } = PARAMETERS[parameter.name] ?? {};
      Object.assign(parameter, known, pattern && { schema: { ...parameter.schema, pattern } });
    }
  }
}
