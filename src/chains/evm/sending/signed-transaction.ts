import { Signature, Transaction, type TransactionLike, verifyAuthorization } from 'ethers';
import { MAX_S } from '../curve-order';
import { readQuantity } from '../quantity';
import type { SignedAttempt } from '../../transaction-chain';
import { executionOf, readSerialized } from '../transaction/serialized-transaction';
import type { UnsignedTransaction } from '../transaction/unsigned-transaction';

type Stated = Readonly<Record<string, unknown>>;

/** The last of the types that every chain signs in the same way: legacy, EIP-2930, EIP-1559, EIP-4844, EIP-7702. */
const LAST_TYPE = 4n;
/** The members of a JSON-RPC transaction that its signature covers, and the signature itself. */
export const SIGNED_MEMBERS = [
  ...[
    'type',
    'chainId',
    'nonce',
    'gasPrice',
    'maxPriorityFeePerGas',
    'maxFeePerGas',
    'gas',
    'to',
    'value',
    'input',
  ],
  ...['accessList', 'maxFeePerBlobGas', 'blobVersionedHashes', 'authorizationList', 'v', 'yParity', 'r', 's'],
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
    const transaction = Transaction.from(formOf(stated));
    const isOfChain =
      transaction.chainId === chainId || (transaction.type === 0 && transaction.chainId === 0n);
    return isOfChain && transaction.from?.toLowerCase() === address.toLowerCase()
      ? attemptOf(transaction)
      : null;
  } catch {
    // ethers throws if the members do not form a transaction.
    return null;
  }
}

/** A signed transaction, as if it were an attempt to execute a request. */
function attemptOf(transaction: Transaction): SignedAttempt {
  const { hash, to, value, gasLimit, gasPrice, maxFeePerGas, maxPriorityFeePerGas, signature } = transaction;
  if (hash === null || signature === null) throw new TypeError('The transaction is not signed');
  return {
    raw: transaction.serialized,
    content: {
      hash,
      kind: 'request',
      to,
      value: value.toString(),
      gas_limit: gasLimit.toString(),
      gas_price: gasPrice?.toString() ?? null,
      max_fee_per_gas: maxFeePerGas?.toString() ?? null,
      max_priority_fee_per_gas: maxPriorityFeePerGas?.toString() ?? null,
      signature: { r: signature.r.slice(2), s: signature.s.slice(2), v: signature.v },
    },
  };
}

/**
 * Whether the bytes of a signed transaction execute the same as an unsigned one, with the same nonce on the same chain,
 * and an account has signed them. Gas, fees and the type that has these may differ.
 */
export function isSignedForm(raw: string, address: string, unsigned: UnsignedTransaction): boolean {
  try {
    const transaction = Transaction.from(raw);
    const signed = readSerialized(transaction.unsignedSerialized);
    return (
      executionOf(signed).equals(executionOf(unsigned)) &&
      transaction.from?.toLowerCase() === address.toLowerCase()
    );
  } catch {
    // These are not the bytes of a signed transaction.
    return false;
  }
}

/** Authorizations that are checked in one search: checking a signature takes a millisecond or two. */
const MAX_CHECKED = 25;

/** How many authorizations of a search may still be checked. */
export class AuthorizationBudget {
  private left = MAX_CHECKED;

  /** Whether one more may be checked. */
  take(): boolean {
    this.left -= 1;
    return this.left >= 0;
  }
}

/** An account, one of its nonces, and its chain. */
interface NonceOfAccount {
  address: string;
  nonce: number;
  chainId: string;
}

/**
 * Whether a list of authorizations that a node returned (EIP-7702) has one that an account has signed with this nonce,
 * for this chain or for every chain.
 */
export function isAuthorizedBy(
  list: unknown,
  { address, nonce, chainId }: NonceOfAccount,
  budget: AuthorizationBudget,
): boolean {
  if (!Array.isArray(list)) return false;
  const candidates = (list as (Stated | null)[]).filter(
    (one): one is Stated =>
      readQuantity(one?.nonce) === BigInt(nonce) &&
      [0n, BigInt(chainId)].includes(readQuantity(one?.chainId) ?? -1n),
  );
  return candidates.some((one) => budget.take() && authorityOf(one) === address.toLowerCase());
}

/** The account that has signed an authorization, in lower case; undefined if the signature is not valid. */
function authorityOf(stated: Stated): string | undefined {
  try {
    const signature = signatureOf(stated);
    if (BigInt(signature.s) > MAX_S) return undefined;
    const { address, nonce, chainId } = stated as Record<string, string>;
    const authorization = {
      address: address ?? '',
      nonce: BigInt(nonce ?? ''),
      chainId: BigInt(chainId ?? ''),
    };
    return verifyAuthorization(authorization, signature).toLowerCase();
  } catch {
    // ethers throws if the members do not form an authorization.
    return undefined;
  }
}

/**
 * Only the members of the transaction's type: nodes also return the price that was paid, and ethers refuses members
 * that do not belong to the type.
 */
function formOf(stated: Stated): TransactionLike {
  const signature = signatureOf(stated);
  // Anybody can turn a signature into its counterpart with the other `s`, which gives the transaction another hash. No
  // chain accepts it (EIP-2).
  if (BigInt(signature.s) > MAX_S) throw new RangeError('The signature is not canonical');
  const { nonce, gas: gasLimit, to, value, input: data } = stated;
  const { chainId, accessList, gasPrice, maxPriorityFeePerGas, maxFeePerGas } = stated;
  const { maxFeePerBlobGas, blobVersionedHashes, authorizationList } = stated;
  const type = Number(stated.type ?? 0);
  return {
    ...{ type, nonce, gasLimit, to, value, data, signature },
    ...(type === 0 ? { chainId: signature.legacyChainId ?? 0n } : { chainId, accessList }),
    ...(type < 2 ? { gasPrice } : { maxPriorityFeePerGas, maxFeePerGas }),
    ...(type === 3 && { maxFeePerBlobGas, blobVersionedHashes }),
    ...(type === 4 && {
      authorizationList: (authorizationList as Stated[]).map((one) => ({
        ...one,
        signature: signatureOf(one),
      })),
    }),
  } as TransactionLike;
}

function signatureOf({ r, s, v, yParity }: Stated): Signature {
  return Signature.from({ r: word(r), s: word(s), v: BigInt((v ?? yParity) as string) });
}

const word = (value: unknown): string =>
  `0x${BigInt(value as string)
    .toString(16)
    .padStart(64, '0')}`;
