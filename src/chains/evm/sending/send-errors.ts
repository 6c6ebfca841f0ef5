import type { SendCause } from '../../send-cause';

/** Errors with one cause, and the pattern that recognises their texts. */
interface SendErrorRow {
  cause: SendCause;
  pattern: RegExp;
}

/**
 * Errors of nodes that do not accept a transaction. The first matching row decides, so more specific texts come first.
 * Every quantifier is bounded. `test/support/send-error-examples.ts` has the texts of clients and providers.
 */
const SEND_ERRORS: readonly SendErrorRow[] = [
  {
    // A contract chooses the text of its revert, which may resemble any other error. A transaction that reverts now may
    // succeed later.
    cause: 'unknown',
    pattern: /revert/i,
  },
  {
    cause: 'in_flight_limit',
    pattern:
      /delegated account|delegation nonce gap|delegation authority|in-?flight (transaction )?limit|(authority|address) already reserved|account limit exceeded|spammer|(transaction|pending).{0,24}type.{0,12}conflict/i,
  },
  {
    cause: 'nonce_too_high',
    pattern:
      /nonce ?(is )?too ?(high|far|distant)|nonce ?gap|future (transaction|nonce)|nonce.{0,24}in (the )?future|with a lower nonce|Pool\(Future\)/i,
  },
  {
    cause: 'replacement_underpriced',
    pattern:
      /replacement|(to|not|n't) replace|replaced by|same nonce|OwnNonceAlreadyUsed|nonce already in (the )?(tx ?|mem)?pool/i,
  },
  {
    cause: 'already_known',
    pattern:
      /already ?(known|imported|pending|mined|finalized|included|confirmed|in (the )?(tx ?|mem)?pool)|(?<!un)known transaction|(tx|transaction).{0,80}already (exists|in )|same hash|transaction.{0,80}is already in/i,
  },
  {
    cause: 'nonce_too_low',
    pattern:
      /(?<!authority )nonce ?(is )?too ?low|old ?nonce|nonce (has )?(already )?(been )?(used|expired)|invalid (transaction )?nonce|nonce mismatch|incorrect nonce|account sequence|Pool\(Stale\)/i,
  },
  {
    cause: 'insufficient_funds',
    pattern:
      /insufficient[ _]?(funds|balance|payer)|upfront cost|not enough (funds|balance)|(does not|doesn'?t) have enough funds|exceeds (the )?(account|sender'?s?) balance|out of funds?|lack of funds|overdraft|overdraws|overflow ?payment/i,
  },
  {
    cause: 'pool_full',
    pattern:
      /pool( is)? full|(?<!request )queue full|(txpool|transaction pool).{0,12}(full|overflow)|too many transactions in the queue|pool size constraints|PoolOverflow/i,
  },
  {
    // Other fees would make these transactions valid: they exceed the node's own fee limit, or contradict each other.
    cause: 'fee_above_limit',
    pattern:
      /exceeds the configured cap|fee cap exceeded|fee per gas (higher|greater) than|exceeds max fee per gas|`?max_priority_fee_per_gas`? greater|gas ?price too high|fee too high/i,
  },
  {
    cause: 'fee_too_low',
    pattern:
      /underpriced|under ?priced|fee ?too ?low|gas ?price.{0,60}(too low|below|less than|lower than)|price too low|fee ?per ?gas.{0,40}(less|lower|below|too low|needs to be higher)|(below|less than).{0,24}(base ?fee|minimum)|gas tip cap|tip.{0,12}below|unacceptable gas price|invalid (unit price|gas (price|fee cap|tip cap))/i,
  },
  {
    cause: 'wrong_chain',
    pattern:
      /invalid chain ?id|(wrong|incorrect) chain|chain ?id.{0,12}(mismatch|does not match|not supported)|incompatible EIP-155|replay-protected/i,
  },
  {
    // Determined by the bytes of the transaction, or by limits that only a change of the chain's rules lifts.
    cause: 'invalid',
    pattern:
      /intrinsic ?gas|floor data gas|not enough gas to cover (the )?minimal cost|gas_?limit'? field cannot be (less|greater) than|(exceeds|exceeding|greater than|above) (the )?block('?s)? gas limit|gas limit of rejected tx|GasLimitExceeded|gas ?limit.{0,24}(is )?(too ?high|greater than|must be at most)|GasLimitCapExceeded|exceeds (the )?transaction gas limit cap|exceeds transaction gas cap|gas uint64 overflow|GasUintOverflow|cost exceeds current gas limit|oversized|RLPTooLong|input data too large|transaction (is )?too (large|big)|MaxTxSize|init ?code.{0,24}(large|size|exceed|limit)|max[_ ]init[_ ]?code|invalid sender(?!\. can)|invalid (transaction )?signature|invalid transaction v, r, s|fail(ed)? ?to ?(recover|resolve) ?(the ?)?(sender|signer)|(transaction|tx) type.{0,12}not supported(?!.{0,80}not yet)|unsupported (transaction|tx) ?type|invalid transaction type|unknown transaction type|NotSupportedTxType|negative value|form of a create transaction/i,
  },
  {
    cause: 'rate_limited',
    pattern:
      /rate.?limit|too many requests|throttl|(request|daily|monthly|second).{0,20}limit|limit exceeded|compute units|exceeded.{0,20}(quota|capacity|limit)|quota/i,
  },
  {
    // Something between the client and the pool of a node failed; the transaction may have passed it.
    cause: 'unavailable',
    pattern:
      /bad gateway|gateway time|unavailable|timed? ?out|i\/o timeout|deadline exceeded|unreachable|connection (refused|reset)|internal (server )?error|upstream|forward tx to sequencer|no (healthy|available|backend)|syncing|sync is still|not (fully )?synced|(tx|transaction) ?pool not enabled/i,
  },
];

/** Causes that say nothing about the transaction. */
export const OF_THE_ENDPOINT: readonly SendCause[] = ['rate_limited', 'unavailable'];

/** The row that matches a text; undefined if none does. */
export function rowOf(text: string): SendErrorRow | undefined {
  return SEND_ERRORS.find(({ pattern }) => pattern.test(text));
}

/** Whether a text is about a transaction that was sent, so that the endpoint is not at fault. */
export function isAboutTransaction(text: string): boolean {
  const row = rowOf(text);
  return row !== undefined && !OF_THE_ENDPOINT.includes(row.cause);
}
