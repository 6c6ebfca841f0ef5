import { Matches } from 'class-validator';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { EIP712_NAME } from '../../chains/evm/typed-data/member-type';
import { type JsonInteger, UINT64_MAX } from '../../common/validation/big-integer';
import { type FieldConstraint, FieldConstraintsMember } from './field-constraints';
import {
  AddressMember,
  AmountMember,
  BooleanMember,
  ObjectListMember,
  OptionalMember,
} from './policy-fields';

/** Typed data that may be signed: every member set here must equal that of the data. At least one must be set. */
export class TypedDataPattern {
  /** EIP-155, as the domain has it. */
  @AmountMember(UINT64_MAX, 11155111)
  chain_id?: JsonInteger;

  /** As the domain has it; stored checksummed (EIP-55). */
  @AddressMember()
  verifying_contract?: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    pattern: EIP712_NAME.source,
    example: 'Permit',
  })
  @OptionalMember()
  @Matches(EIP712_NAME, { message: '$property must be the name of a type of EIP-712' })
  primary_type?: string;

  /**
   * The allowed values of members of the message, by name: a value, a list of values, or `{min, max}` for integers. Values
   * are compared by the type of the member. Only members of the primary type itself that are neither structs nor
   * arrays can match.
   */
  @FieldConstraintsMember()
  fields?: Record<string, FieldConstraint>;
}

/** Which EIP-712 typed data a relayer signs: all full typed data if there is no `allowed`. */
export class TypedDataPolicy {
  /** Whether two hashes are signed, whose content cannot be checked. False by default. */
  @BooleanMember(true)
  allow_blind_hashes?: boolean;

  /** If set, full typed data must match one of the entries. A patch replaces the whole list. */
  @ObjectListMember(() => TypedDataPattern)
  allowed?: TypedDataPattern[];
}

/** Rejects an entry that would match everything: it must be a mistake. */
export function typedDataConflict(policy: TypedDataPolicy | undefined): string | undefined {
  const index = policy?.allowed?.findIndex((pattern) =>
    Object.values(pattern).every((member) => member === undefined),
  );
  return index === undefined || index === -1
    ? undefined
    : `policies.typed_data.allowed[${index}] must have one of chain_id, verifying_contract, primary_type, fields`;
}
