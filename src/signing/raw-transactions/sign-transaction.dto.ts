import { ApiProperty } from '@nestjs/swagger';
import { invalidRequest } from '../../common/errors/domain-error';
import { isObject, unknownFieldFaults } from '../../common/validation/json-object';
import { MAX_TRANSACTION_BYTES, TRANSACTIONS } from '../../chains/evm/transaction/unsigned-transaction';

const TITLES = {
  0: 'LegacyTransaction',
  1: 'AccessListTransaction',
  2: 'DynamicFeeTransaction',
  4: 'SetCodeTransaction',
} as const;

/** An unsigned transaction. Only documents the body, whose members are validated once the type is known. */
export class SignTransactionDto {
  /** As an object, or serialized as `0x` and hex digits. Quantities are integers, decimal strings or `0x` and hex digits; prices and values in wei. At most 128 KiB when serialized, in either form. */
  @ApiProperty({
    oneOf: [
      ...([0, 1, 2, 4] as const).map(schemaOf),
      {
        type: 'string',
        pattern: '^0x([0-9a-fA-F]{2})+$',
        maxLength: 2 + 2 * MAX_TRANSACTION_BYTES,
      },
    ],
    example: {
      type: 2,
      chain_id: 11_155_111,
      nonce: 9,
      max_priority_fee_per_gas: 1_000_000_000,
      max_fee_per_gas: 20_000_000_000,
      gas_limit: 21_000,
      to: '0x3535353535353535353535353535353535353535',
      value: '1000000000000000000',
    },
  })
  transaction!: object | string;
}

/**
 * Reads the body of a request to sign a transaction without class-validator, which would have nothing to check. Besides,
 * an access list may have more items than a DTO.
 *
 * @throws DomainError `invalid_request`
 */
export function parseSignTransaction(body: unknown): object | string {
  if (!isObject(body)) throw invalidRequest('the request body must be a JSON object');
  const { transaction, ...others } = body;
  const faults = unknownFieldFaults(Object.keys(others));
  const isReadable = typeof transaction === 'string' || isObject(transaction);
  if (!isReadable) faults.push('transaction must be an object, or a string of 0x and hex digits');
  if (!isReadable || faults.length > 0) throw invalidRequest(faults.join('; '));
  return transaction;
}

function schemaOf(type: keyof typeof TRANSACTIONS) {
  const { properties, required, ...schema } = TRANSACTIONS[type].schema as {
    properties: Record<string, object>;
    required: string[];
  };
  return {
    ...schema,
    title: TITLES[type],
    required: ['type', ...required],
    properties: { type: typeSchema(type), ...properties },
  };
}

/** The type as a number or, like quantities, as text. */
function typeSchema(type: number) {
  return {
    oneOf: [
      { type: 'integer', minimum: type, maximum: type },
      { type: 'string', pattern: `^(${type}|0x0{0,63}${type})$` },
    ],
  };
}
