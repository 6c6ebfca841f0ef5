/**
 * The result of sending a transaction:
 *
 * - `accepted`, `already_known`: a node has it;
 * - `nonce_too_low`: the account has used the nonce, perhaps for this very transaction; also if a node only reports
 *   that the nonce is wrong;
 * - `nonce_too_high`: transactions with lower nonces are missing;
 * - `replacement_underpriced`: the node has another transaction with the same nonce and a similar price;
 * - `fee_too_low`: its price is too low for the pool; `fee_above_limit`: its price is too high, or contradictory;
 * - `insufficient_funds`, `pool_full`, `rate_limited`: may be accepted later;
 * - `in_flight_limit`: the node holds the maximum number of transactions of the account, or of an authority;
 * - `invalid`: no node will ever accept these bytes;
 * - `unavailable`: perhaps sent;
 * - `wrong_chain`: refused by an endpoint that is for another chain;
 * - `no_private_endpoint`: not sent, because it may only be sent privately;
 * - `unknown`: refused for another reason, which may be temporary.
 */
export const SEND_CAUSES = [
  'accepted',
  'already_known',
  'nonce_too_low',
  'nonce_too_high',
  'replacement_underpriced',
  'fee_too_low',
  'fee_above_limit',
  'insufficient_funds',
  'pool_full',
  'in_flight_limit',
  'rate_limited',
  'invalid',
  'unavailable',
  'wrong_chain',
  'no_private_endpoint',
  'unknown',
] as const;

export type SendCause = (typeof SEND_CAUSES)[number];

/** Whether a node has the transaction. */
export const isAcknowledged = (cause: SendCause): boolean =>
  cause === 'accepted' || cause === 'already_known';
