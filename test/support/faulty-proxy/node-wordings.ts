/** How nodes refuse `eth_sendRawTransaction`: the same causes in the words and codes of several clients. */
import type { RpcError } from './fault';

const error = (code: number, message: string): RpcError => ({ code, message });

const HASH = '0x30cbb2dd2ca3c9dc1de6e2a1b1e3ae9f0a83ac5ad39a6f0a6c8a5bd37a5e2f11';

export const ALREADY_KNOWN: readonly RpcError[] = [
  error(-32000, 'already known'),
  error(-32000, `known transaction: ${HASH}`),
  error(-32000, 'AlreadyKnown'),
  error(-32010, 'AlreadyKnown, hash: already in the pool'),
  error(-32000, 'Known transaction'),
  error(-32000, 'existing tx with same hash'),
  error(-32010, 'Transaction with the same hash was already imported.'),
  error(-32003, 'transaction already imported'),
  error(-32603, `already known (${HASH})`),
];

export const NONCE_TOO_LOW: readonly RpcError[] = [
  error(-32000, 'nonce too low'),
  error(-32000, 'nonce too low: next nonce 7, tx nonce 3'),
  error(-32003, 'nonce too low'),
  error(-32010, 'OldNonce, Current nonce: 7, nonce of rejected tx: 3'),
  error(-32001, 'Nonce too low'),
  error(-32010, 'Transaction nonce is too low. Try incrementing the nonce.'),
];

export const REPLACEMENT_UNDERPRICED: readonly RpcError[] = [
  error(-32000, 'replacement transaction underpriced'),
  error(-32000, 'replacement transaction underpriced: new tx gas fee cap 12 <= 13 queued'),
  error(-32003, 'replacement transaction underpriced'),
  error(-32010, 'ReplacementNotAllowed'),
  error(-32000, 'could not replace existing tx'),
  error(-32000, 'Replacement transaction underpriced'),
];

export const UNDERPRICED: readonly RpcError[] = [
  error(-32000, 'transaction underpriced'),
  error(-32000, 'transaction underpriced: tip needed 25000000000, tip permitted 1'),
  error(-32000, 'max fee per gas less than block base fee'),
  error(-32010, 'FeeTooLow'),
];

export const POOL_FULL: readonly RpcError[] = [
  error(-32000, 'txpool is full'),
  error(-32003, 'txpool is full'),
];
