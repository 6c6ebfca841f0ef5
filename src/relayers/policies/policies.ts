import { instanceToPlain, plainToInstance } from 'class-transformer';
import { validateSync, type ValidatorOptions } from 'class-validator';
import { invalidRequest } from '../../common/errors/domain-error';
import type { NetworkType } from '../../chains/network-type';
import { describeFaults } from '../../common/validation/validation-faults';
import { VALIDATOR_OPTIONS } from '../../common/validation/validator-options';
import { evmConflict, EvmPolicies } from './evm-policies.dto';
import { mergePatch } from './merge-patch';
import { solanaConflict, SolanaPolicies } from './solana-policies.dto';
import { StellarPolicies } from './stellar-policies.dto';

/** The members of a relayer's policies that are set, in their stored form. */
export type Policies = Record<string, unknown>;

/**
 * Policies of a relayer in JSON: they are read for every signature, and each change records them several times.
 * @limit Stored objects
 */
const MAX_POLICIES_BYTES = 256 * 1024;

interface Variant {
  type: new () => object;
  /** Checks the rules between members, and describes the first one that is broken. */
  conflict: (policies: never) => string | undefined;
}

const VARIANTS: Readonly<Record<NetworkType, Variant>> = {
  evm: { type: EvmPolicies, conflict: evmConflict },
  solana: { type: SolanaPolicies, conflict: solanaConflict },
  stellar: { type: StellarPolicies, conflict: () => undefined },
};

/**
 * Checks policies against the variant of a network type, and converts them to their stored form: exact amounts,
 * checksummed addresses, no unset members.
 *
 * @throws DomainError `invalid_request`, naming the member and the rule
 */
export function parsePolicies(networkType: NetworkType, policies: object): Policies {
  const { conflict } = VARIANTS[networkType];
  const checked = check(networkType, policies, {});
  const broken = conflict(checked as never);
  if (broken !== undefined) throw invalidRequest(broken);
  const stored = instanceToPlain(checked, { exposeUnsetFields: false });
  if (Buffer.byteLength(JSON.stringify(stored)) > MAX_POLICIES_BYTES)
    throw invalidRequest(`policies must not exceed ${MAX_POLICIES_BYTES} bytes of JSON`);
  return stored;
}

/**
 * Applies a patch to stored policies, member by member: null resets a member to its default, and a null patch resets
 * all of them.
 *
 * @throws DomainError `invalid_request` if the patch or the result breaks a rule
 */
export function patchPolicies(networkType: NetworkType, stored: Policies, patch: object | null): Policies {
  if (patch === null) return parsePolicies(networkType, {});
  // Unknown members are refused even if they are null and would leave no trace in the result.
  check(networkType, patch, { skipMissingProperties: true });
  return parsePolicies(networkType, mergePatch(stored, patch as Policies));
}

function check(networkType: NetworkType, policies: object, options: ValidatorOptions): object {
  const instance = plainToInstance(VARIANTS[networkType].type, policies);
  const faults = validateSync(instance, { ...VALIDATOR_OPTIONS, ...options });
  if (faults.length > 0) throw invalidRequest(describeFaults(faults, 'policies'));
  return instance;
}
