import { Signature, Transaction, type TransactionLike } from 'ethers';
import { MAX_S } from '../curve-order';
import { readQuantity } from '../quantity';

type Stated = Readonly<Record<string, unknown>>;

/** Types that every chain signs in the same way: legacy, EIP-2930, EIP-1559, EIP-4844, EIP-7702. */
const LAST_TYPE = 4n;
/** The members of a transaction in JSON-RPC that its signature covers, and the signature. */
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

/** Whether a transaction is of a type that can be checked by {@link isSignedBy}; chains have others of their own. */
export function isCheckable({ type }: Stated): boolean {
  return type === undefined || type === null || (readQuantity(type) ?? Infinity) <= LAST_TYPE;
}

/**
 * Whether an account has signed a transaction, as a node states it, for a chain, or for every chain as before EIP-155. Whoever
 * does not have the key cannot state such a transaction, other than one that was signed.
 */
export function isSignedBy(stated: Stated, address: string, chainId: bigint): boolean {
  try {
    const transaction = Transaction.from(formOf(stated));
    const isOfChain =
      transaction.chainId === chainId || (transaction.type === 0 && transaction.chainId === 0n);
    return isOfChain && transaction.from?.toLowerCase() === address.toLowerCase();
  } catch {
    // ethers throws for whatever is no transaction.
    return false;
  }
}

/** Only what a type has: nodes also state the price that was paid, and ethers refuses what does not fit. */
function formOf(stated: Stated): TransactionLike {
  const signature = signatureOf(stated);
  // Anybody can turn a signature into its twin, with which the transaction has another hash: no chain accepts it (EIP-2).
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
