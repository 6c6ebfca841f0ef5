import type { JsonRpcError } from '../rpc/json-rpc';
import type { ErrorOwner } from '../rpc/rpc-chain';
import { textOf } from './error-text';
import { isAboutTransaction } from './sending/send-errors';

/**
 * Messages of nodes about transactions and code, whatever the error code. Geth, Erigon, Nethermind, Besu, Reth and
 * anvil use different codes for them, and hosted providers substitute their own (-32603 "nonce too low").
 */
const OF_THE_CALLER = [
  /revert/i,
  /nonce (is )?too (low|high|far)|nonce.{0,12}(gap|distant|out of range|already)|(old|invalid) ?nonce|nonce ?(gap|too)|tx-nonce|next nonce|invalid transaction nonce|account sequence/i,
  /insufficient ?(funds|balance|max)|upfront cost|not enough (funds|balance)|doesn'?t have enough funds|exceeds (the )?(account|sender'?s?) balance|out of fund/i,
  /underpriced|replacement|fee ?too ?(low|high)|gas ?price (is )?(too low|below|less)|price too low|less than block base fee|max ?(priority )?fee per ?gas|max.{0,12}fee.{0,24}(less|lower|higher|above|below|cap)|tip.{0,12}(above|higher|cap)|below (the )?(configured )?min|minimum (needed|gas price)|transaction fee|exceeds the configured cap/i,
  /already ?(known|imported|exists|pending|in (the )?(mem)?pool)|known transaction|tx already|transaction already|same hash/i,
  /intrinsic gas|exceeds (the )?block gas limit|gas ?limit ?(is )?(exceeded|too|below|reached)|exceeds.{0,20}gas limit|out of gas|gas required exceeds|gas uint64|gas too low|floor data gas/i,
  /invalid (sender|signature|chain ?id|opcode|jump|transaction|v,? r,? s|signer|hex|argument|address|input|block ?(range|number)?)|(wrong|incorrect) chain|chain ?id .{0,24}(mismatch|does not match|signer)|unprotected|replay.protect|(transaction|tx) type .{0,12}not (supported|allowed)|rlp|oversized|initcode|code size|code already|sender.{0,24}(eoa|not an)|not an eoa/i,
  /stack (under|over)flow|(vm|evm) (execution|exception|error)|execution (failed|error)|bad instruction|write protection|contract creation|precompile/i,
];

const OF_THE_ENDPOINT = [
  /rate.?limit|too many (requests|connections)|throttl|quota|capacity|compute units?|credits?|(daily|monthly|request|usage|plan|count).{0,20}(limit|exceed)|limit (reached|exceeded)|upgrade|exceeded.{0,20}(limit|requests)/i,
  /unauthori[sz]ed|forbidden|api.?key|project id|invalid (token|key|credentials|project)|authenticat|access (denied|token)|payment|billing|suspended|blocked|whitelist|not allowed from/i,
  /internal (server )?error|bad gateway|gateway|upstream|(temporarily|service|resource) unavailable|temporary|overload|unhealthy|no (available|healthy|backend)|connection (refused|reset)|try again|retry/i,
  /syncing|not (fully )?synced|still (starting|loading|importing)|not ready|starting up|shutting down/i,
];

const OF_THE_NODE = [
  /missing trie node|(header|block|state|receipt|transaction|data|resource).{0,40}not (found|available|yet)|unknown block|historical|archive|pruned|no state|distance to target|ancient|indexing is in progress/i,
  /(query|execution|request|evaluation) (timeout|timed out|aborted)|context deadline|response size|returned more than|too many results|(block )?range.{0,30}(large|wide|exceed|limit|max)|result.{0,12}too large/i,
  /method.{0,64}(not found|not supported|not available|does not exist|disabled|not enabled|not whitelisted|unsupported)|unsupported method|unknown method/i,
];

/** Some nodes repeat the parameters in the message, and the caller chooses those. */
const INVALID_PARAMS = -32602;

const BY_CODE: Readonly<Record<number, ErrorOwner>> = {
  3: 'caller',
  [-32015]: 'caller',
  [-32010]: 'caller',
  [-32003]: 'caller',
  [-32000]: 'caller',
  [-32600]: 'caller',
  [INVALID_PARAMS]: 'caller',
  [-32001]: 'elsewhere',
  [-32004]: 'elsewhere',
  [-32006]: 'elsewhere',
  [-32601]: 'elsewhere',
  [-32604]: 'elsewhere',
  [-32002]: 'endpoint',
  [-32005]: 'endpoint',
  [-32007]: 'endpoint',
  [-32016]: 'endpoint',
  [-32029]: 'endpoint',
  [-32097]: 'endpoint',
  [-32603]: 'endpoint',
  [-32700]: 'endpoint',
  429: 'endpoint',
  401: 'endpoint',
  403: 'endpoint',
};

/**
 * Determines who is responsible for an error: by its message first, and by its code (JSON-RPC 2.0, EIP-1474 and the
 * codes that clients use) if the message is not conclusive. An unrecognised error is attributed to the caller;
 * otherwise good endpoints would be taken out of service.
 */
export function ownerOf(error: JsonRpcError): ErrorOwner {
  const { code } = error;
  const text = textOf(error);
  const matches = (patterns: RegExp[]): boolean => patterns.some((pattern) => pattern.test(text));
  // Code 3 is a revert, and the contract chooses its text.
  if (code === 3 || matches(OF_THE_CALLER) || isAboutTransaction(text)) return 'caller';
  if (matches(OF_THE_NODE)) return 'elsewhere';
  if (code !== INVALID_PARAMS && matches(OF_THE_ENDPOINT)) return 'endpoint';
  return BY_CODE[code] ?? 'caller';
}
