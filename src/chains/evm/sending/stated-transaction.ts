import type { SignedAttempt } from '../../transaction-chain';
import { checksummed } from '../address';
import { MAX_S } from '../curve-order';
import { type DigestSignature, signerOf } from '../digest-signature';
import { keccak256, keccak256Hex } from '../keccak256';
import { hexWord, readQuantity } from '../quantity';
import { encodeTyped, integerBytes, type RlpItem } from '../rlp';

/** A transaction, or a part of one, as nodes return it. */
export type Stated = Readonly<Record<string, unknown>>;

/** The last of the types that every chain signs in the same way: legacy, EIP-2930, EIP-1559, EIP-4844, EIP-7702. */
const LAST_TYPE = 4n;
/** The members of a JSON-RPC transaction that its signature covers, and the signature itself. */
export const SIGNED_MEMBERS = [
  ...['type', 'chainId', 'nonce', 'gasPrice', 'maxPriorityFeePerGas', 'maxFeePerGas', 'gas', 'to', 'value'],
  ...['input', 'accessList', 'maxFeePerBlobGas', 'blobVersionedHashes', 'authorizationList'],
  ...['v', 'yParity', 'r', 's'],
];

/** Whether {@link signedBy} can check a transaction of this type; some chains have types of their own. */
export function isCheckable({ type }: Stated): boolean {
  return type === undefined || type === null || (readQuantity(type) ?? Infinity) <= LAST_TYPE;
}

/**
 * The transaction that a node returned, if an account has signed it for this chain or, as before EIP-155, for every
 * chain; otherwise null. Without the key, nobody can forge a transaction that the account has not signed.
 */
export function signedBy(stated: Stated, address: string, chainId: bigint): SignedAttempt | null {
  try {
    const { signature, legacyChainId, parts } = signatureOf(stated);
    const type = Number(stated.type ?? 0);
    const fields = fieldsOf(stated, type);
    const isOfChain =
      type === 0
        ? legacyChainId === undefined || legacyChainId === chainId
        : readQuantity(stated.chainId) === chainId;
    const unsigned =
      type === 0 && legacyChainId !== undefined
        ? [...fields, integerBytes(legacyChainId), Buffer.alloc(0), Buffer.alloc(0)]
        : fields;
    const signer = signerOf(keccak256(encodeTyped(type, unsigned)), signature);
    if (!isOfChain || signer !== address.toLowerCase()) return null;
    return attemptOf(stated, signature, encodeTyped(type, [...fields, ...parts.map(integerBytes)]));
  } catch {
    // The members do not form a transaction, or no key can have made the signature.
    return null;
  }
}

/** A signed transaction, as if it were an attempt to execute a request. */
function attemptOf(stated: Stated, signature: DigestSignature, serialized: Buffer): SignedAttempt {
  const { to, value, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = stated;
  const type = Number(stated.type ?? 0);
  return {
    raw: `0x${serialized.toString('hex')}`,
    content: {
      hash: keccak256Hex(serialized),
      kind: 'request',
      to: checksummed(to) ?? null,
      value: integer(value).toString(),
      gas_limit: integer(gas).toString(),
      // Of the other types, nodes state the price that was paid.
      gas_price: type < 2 ? integer(gasPrice).toString() : null,
      max_fee_per_gas: type < 2 ? null : integer(maxFeePerGas).toString(),
      max_priority_fee_per_gas: type < 2 ? null : integer(maxPriorityFeePerGas).toString(),
      signature,
    },
  };
}

/** The fields before the signature, in the order of the EIP that defines the type. */
function fieldsOf(stated: Stated, type: number): RlpItem[] {
  const { gasPrice, maxPriorityFeePerGas, maxFeePerGas, maxFeePerBlobGas } = stated;
  const account = [stated.nonce].map(item);
  const call = [item(stated.gas), receiver(stated.to), item(stated.value), bytes(stated.input)];
  if (type === 0) return [...account, item(gasPrice), ...call];
  const start = [item(stated.chainId), ...account];
  const accessList = listOf(stated.accessList).map((entry) => [
    bytes(entry.address),
    (entry.storageKeys as unknown[]).map(bytes),
  ]);
  if (type === 1) return [...start, item(gasPrice), ...call, accessList];
  const fields = [...start, ...[maxPriorityFeePerGas, maxFeePerGas].map(item), ...call, accessList];
  if (type === 2) return fields;
  if (type === 3)
    return [...fields, item(maxFeePerBlobGas), (stated.blobVersionedHashes as unknown[]).map(bytes)];
  return [...fields, listOf(stated.authorizationList).map(authorizationItem)];
}

function authorizationItem(stated: Stated): RlpItem {
  const { chainId, address, nonce } = stated;
  return [
    item(chainId),
    bytes(address),
    item(nonce),
    ...[stated.yParity ?? stated.v, stated.r, stated.s].map(item),
  ];
}

interface StatedSignature {
  signature: DigestSignature;
  /** Of EIP-155. */
  legacyChainId: bigint | undefined;
  /** As the transaction contains them: `v`, or the parity of `y`; `r` and `s`. */
  parts: readonly bigint[];
}

/** @throws RangeError if the signature is not canonical */
function signatureOf(stated: Stated): StatedSignature {
  const [v, r, s] = [stated.v ?? stated.yParity, stated.r, stated.s].map(integer) as [bigint, bigint, bigint];
  // Anybody can turn a signature into its counterpart with the other `s`, which gives the transaction another hash. No
  // chain accepts it (EIP-2).
  if (s > MAX_S) throw new RangeError('The signature is not canonical');
  const yParity = v < 27n ? v : (v + 1n) % 2n;
  const isLegacy = Number(stated.type ?? 0) === 0;
  return {
    signature: { r: hexWord(r), s: hexWord(s), v: yParity === 0n ? 27 : 28 },
    legacyChainId: isLegacy && v >= 35n ? (v - 35n) / 2n : undefined,
    parts: [isLegacy ? v : yParity, r, s],
  };
}

const listOf = (value: unknown): readonly Stated[] => (value ?? []) as readonly Stated[];

/** @throws RangeError */
function integer(value: unknown): bigint {
  const known = readQuantity(value ?? '0x0');
  if (known === undefined) throw new RangeError('This is not a quantity');
  return known;
}

const item = (value: unknown): RlpItem => integerBytes(integer(value));

/** @throws RangeError */
function bytes(value: unknown): Buffer {
  if (typeof value !== 'string' || !/^0x([0-9a-fA-F]{2})*$/.test(value))
    throw new RangeError('These are not bytes');
  return Buffer.from(value.slice(2), 'hex');
}

/** Null for a transaction that creates a contract. */
const receiver = (value: unknown): Buffer => bytes(value ?? '0x');
