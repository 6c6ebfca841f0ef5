import { Signature, verifyAuthorization } from 'ethers';
import { MAX_S } from '../curve-order';
import { signerOf } from '../digest-signature';
import { keccak256 } from '../keccak256';
import { hexWord, readQuantity } from '../quantity';
import { executionOf, readSigned, serializeUnsigned } from '../transaction/serialized-transaction';
import type { UnsignedTransaction } from '../transaction/unsigned-transaction';
import type { Stated } from './stated-transaction';

/**
 * Whether the bytes of a signed transaction execute the same as an unsigned one, with the same nonce on the same chain,
 * and an account has signed them. Gas, fees and the type that has these may differ.
 */
export function isSignedForm(raw: string, address: string, unsigned: UnsignedTransaction): boolean {
  try {
    const { transaction, signature } = readSigned(raw);
    if (!executionOf(transaction).equals(executionOf(unsigned))) return false;
    return signerOf(keccak256(serializeUnsigned(transaction)), signature) === address.toLowerCase();
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

function signatureOf({ r, s, v, yParity }: Stated): Signature {
  return Signature.from({ r: word(r), s: word(s), v: BigInt((v ?? yParity) as string) });
}

const word = (value: unknown): string => `0x${hexWord(BigInt(value as string))}`;
