import {
  accessListify,
  assertArgument,
  authorizationify,
  type AuthorizationLike,
  type BigNumberish,
  toBeHex,
  type TransactionRequest as EthersRequest,
} from 'ethers';
import type { TransactionRequest } from './resources.ts';

export type Speed = NonNullable<TransactionRequest['speed']>;

/** A request of ethers with resolved names. */
export type ResolvedRequest = Omit<EthersRequest, 'to' | 'from'> & { to?: string; from?: string };

/** The EIP-2718 types that the service can send. */
const TYPES = [0, 1, 2, 4] as const;

/**
 * Converts a request of ethers to the form of the service. @throws INVALID_ARGUMENT for a nonce, for blobs, or for a type
 * that the service does not send
 */
export function toRelayerRequest(request: ResolvedRequest, speed: Speed): TransactionRequest {
  const { to, type, nonce, value, data, gasLimit, accessList, authorizationList, ...others } = request;
  assertArgument(isAbsent(nonce), 'the service assigns the nonce', 'nonce', nonce);
  const knownType = TYPES.find((known) => known === type);
  assertArgument(
    isAbsent(type) || knownType !== undefined,
    'the service does not send this type',
    'type',
    type,
  );
  const { blobs, blobVersionedHashes, maxFeePerBlobGas } = others;
  const hasBlobs = [blobs, blobVersionedHashes, maxFeePerBlobGas].some((field) => !isAbsent(field));
  assertArgument(!hasBlobs, 'the service does not send blobs', 'blobs', blobs);
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = others;
  const hasFees = [gasPrice, maxFeePerGas, maxPriorityFeePerGas].some((fee) => !isAbsent(fee));
  return {
    to: to ?? null,
    value: BigInt(value ?? 0),
    ...(!isAbsent(data) && { data }),
    ...(knownType !== undefined && { type: knownType }),
    ...amount('gas_limit', gasLimit),
    ...amount('gas_price', gasPrice),
    ...amount('max_fee_per_gas', maxFeePerGas),
    ...amount('max_priority_fee_per_gas', maxPriorityFeePerGas),
    ...(!hasFees && { speed }),
    ...(!isAbsent(accessList) && {
      access_list: accessListify(accessList).map(({ address, storageKeys }) => ({
        address,
        storage_keys: storageKeys,
      })),
    }),
    ...(!isAbsent(authorizationList) && { authorization_list: authorizationList.map(toAuthorization) }),
  };
}

/** The idempotency key in `customData`. @throws INVALID_ARGUMENT if it is not a text, for example null */
export function idempotencyKeyIn({ customData }: ResolvedRequest): { idempotencyKey?: string } {
  const { idempotencyKey } = (customData ?? {}) as { idempotencyKey?: unknown };
  if (idempotencyKey === undefined) return {};
  const isKey = typeof idempotencyKey === 'string' && idempotencyKey !== '';
  assertArgument(isKey, 'not an idempotency key', 'customData.idempotencyKey', idempotencyKey);
  return { idempotencyKey };
}

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null;

const amount = <Name extends string>(
  name: Name,
  value: BigNumberish | null | undefined,
): Partial<Record<Name, bigint>> =>
  isAbsent(value) ? {} : ({ [name]: BigInt(value) } as Record<Name, bigint>);

function toAuthorization(given: AuthorizationLike) {
  const { address, chainId, nonce, signature } = authorizationify(given);
  const { r, s, yParity } = signature;
  return { address, chain_id: chainId, nonce, y_parity: yParity, r: toBeHex(r, 32), s: toBeHex(s, 32) };
}
