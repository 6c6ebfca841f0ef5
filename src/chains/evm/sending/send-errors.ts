import type { SendCause } from '../../send-cause';

/** Errors with one cause: the pattern that recognises their texts, and examples from clients and providers. */
export interface SendErrorRow {
  cause: SendCause;
  pattern: RegExp;
  /** The client or provider, and its text. */
  examples: readonly (readonly [string, string])[];
}

const HASH = '0x7f657507aee0511e36d2d1972a6b22e917cc89f92b6c12c4dbd57eaabb236960';
const ADDRESS = '0x336394A3219e71D9d9bd18201d34E95C1Bb7122C';

/**
 * Errors of nodes that do not accept a transaction. The first matching row decides, so more specific texts come first.
 * Every quantifier is bounded.
 */
export const SEND_ERRORS: readonly SendErrorRow[] = [
  {
    // A contract chooses the text of its revert, which may resemble any other error. A transaction that reverts now may
    // succeed later.
    cause: 'unknown',
    pattern: /revert/i,
    examples: [
      ['Arbitrum', 'execution reverted: already known'],
      ['zkSync', 'failed to validate the transaction. reason: Validation revert: Account validation error'],
    ],
  },
  {
    cause: 'in_flight_limit',
    pattern:
      /delegated account|delegation nonce gap|delegation authority|in-?flight (transaction )?limit|(authority|address) already reserved|account limit exceeded|spammer|(transaction|pending).{0,24}type.{0,12}conflict/i,
    examples: [
      ['geth', 'gapped-nonce tx from delegated accounts'],
      ['geth', 'in-flight transaction limit reached for delegated accounts'],
      ['geth', 'authority already reserved'],
      ['geth', 'address already reserved'],
      ['geth', 'account limit exceeded: pooled 16 txs'],
      ['Reth', `rejected due to ${ADDRESS} being identified as a spammer`],
      ['Reth', `transaction type 2 conflicts with existing transaction for ${ADDRESS}`],
      ['Erigon', 'spammer'],
      ['Erigon', 'EIP-7702 transaction with authority already reserved'],
      ['Nethermind', 'delegation nonce gap'],
      ['Nethermind', 'delegation authority has pending transaction'],
      ['Nethermind', 'pending transaction type conflict'],
    ],
  },
  {
    cause: 'nonce_too_high',
    pattern:
      /nonce ?(is )?too ?(high|far|distant)|nonce ?gap|future (transaction|nonce)|nonce.{0,24}in (the )?future|with a lower nonce|Pool\(Future\)/i,
    examples: [
      ['geth', 'nonce too high'],
      ['geth', 'nonce too high: address 0x0000000000000000000000000000000000000001, tx: 9 state: 5'],
      ['geth', 'future transaction tries to replace pending'],
      ['Erigon', 'nonce too high'],
      ['Reth', 'nonce too high: next nonce 5, tx nonce 9'],
      ['Nethermind', 'NonceGap'],
      ['Nethermind', 'NonceGap, Future nonce. Expected nonce: 10'],
      ['Nethermind', 'nonce too far in future'],
      ['Nethermind', 'NonceTooFarInFuture'],
      ['Besu', 'Nonce too high'],
      ['Besu', 'Transaction nonce is too distant from current sender nonce'],
      ['Besu', 'An invalid transaction with a lower nonce exists'],
      ['anvil', 'Nonce too high'],
      [
        'Hardhat',
        "Nonce too high. Expected nonce to be 3 but got 5. Note that transactions can't be queued when automining.",
      ],
      ['Arbitrum', `nonce too high: address ${ADDRESS}, tx: 8089 state: 8080`],
      ['zkSync', 'nonce too high. allowed nonce range: 427 - 477, actual: 527'],
      ['Avalanche', `nonce too high: address ${ADDRESS} current nonce (5) < tx nonce (9)`],
    ],
  },
  {
    cause: 'replacement_underpriced',
    pattern:
      /replacement|(to|not|n't) replace|replaced by|same nonce|OwnNonceAlreadyUsed|nonce already in (the )?(tx ?|mem)?pool/i,
    examples: [
      ['geth', 'replacement transaction underpriced'],
      [
        'geth',
        'replacement transaction underpriced: new tx gas fee cap 1100 < 1000 queued + 10% replacement penalty',
      ],
      ['Erigon', 'could not replace existing tx'],
      ['Erigon', 'replaced by transaction with higher tip'],
      ['Erigon', "can't replace blob-txn with a non-blob-txn"],
      ['Nethermind', 'ReplacementNotAllowed'],
      ['Nethermind', 'OwnNonceAlreadyUsed'],
      ['Besu', 'Replacement transaction underpriced'],
      ['Besu', 'TRANSACTION_REPLACEMENT_UNDERPRICED'],
      ['Reth', 'replacement transaction underpriced'],
      ['anvil', `Tx: [${HASH}] insufficient gas price to replace existing transaction`],
      [
        'Hardhat',
        'Replacement transaction underpriced. A gasPrice/maxFeePerGas of at least 2 is necessary to replace the existing transaction with nonce 1.',
      ],
      ['Kaia', 'there is another tx which has the same nonce in the tx pool'],
      [
        'Mantle',
        "failed to forward tx to sequencer, please try again. Error message: 'replacement transaction underpriced'",
      ],
      [
        'OpenEthereum',
        'Transaction gas price 100wei is too low. There is another transaction with same nonce in the queue with gas price 150wei.',
      ],
    ],
  },
  {
    cause: 'already_known',
    pattern:
      /already ?(known|imported|pending|mined|finalized|included|confirmed|in (the )?(tx ?|mem)?pool)|(?<!un)known transaction|(tx|transaction).{0,80}already (exists|in )|same hash|transaction.{0,80}is already in/i,
    examples: [
      ['geth', 'already known'],
      ['geth', `known transaction: ${HASH}`],
      ['Erigon', 'already known'],
      ['Erigon', 'block already known'],
      ['Erigon', 'existing txn with same hash'],
      ['Erigon', 'INTERNAL_ERROR: existing tx with same hash'],
      ['Nethermind', 'AlreadyKnown'],
      ['Gnosis', 'alreadyknown'],
      ['Besu', 'Known transaction'],
      ['Reth', `[${HASH}]: already imported`],
      ['Reth', 'already known'],
      ['anvil', `Tx: [${HASH}] already Imported`],
      ['anvil', 'transaction already imported'],
      ['Hardhat', `Known transaction: ${HASH}`],
      ['zkSync', `known transaction. transaction with hash ${HASH} is already in the system`],
      [
        'zkSync',
        `ErrorObject { code: ServerError(3), message: \\"known transaction. transaction with hash ${HASH} is already in the system\\" }`,
      ],
      ['Mantle', "failed to forward tx to sequencer, please try again. Error message: 'already known'"],
      ['Kaia', `known transaction: ${HASH}`],
      ['Sei', 'tx already exists in cache'],
      ['Cosmos', 'tx already in mempool'],
      ['Moonbeam', 'Pool(AlreadyImported)'],
      ['Harmony', 'transaction already finalized'],
      ['OpenEthereum', 'Transaction with the same hash was already imported.'],
      ['Infura', 'already known'],
      ['Alchemy', 'already known'],
      ['Ankr', 'transaction already in mempool'],
    ],
  },
  {
    cause: 'nonce_too_low',
    pattern:
      /(?<!authority )nonce ?(is )?too ?low|old ?nonce|nonce (has )?(already )?(been )?(used|expired)|invalid (transaction )?nonce|nonce mismatch|incorrect nonce|account sequence|Pool\(Stale\)/i,
    examples: [
      ['geth', 'nonce too low'],
      ['geth', 'nonce too low: next nonce 5, tx nonce 3'],
      ['Erigon', 'nonce too low'],
      ['Nethermind', 'OldNonce'],
      ['Nethermind', 'OldNonce, Current nonce: 22, nonce of rejected tx: 17'],
      ['Besu', 'Nonce too low'],
      ['Reth', 'nonce too low: next nonce 5, tx nonce 3'],
      ['anvil', 'nonce too low'],
      ['Hardhat', 'Nonce too low. Expected nonce to be 5 but got 3.'],
      ['Arbitrum', `nonce too low: address ${ADDRESS}, tx: 8089 state: 8090`],
      ['Arbitrum', 'transaction rejected: nonce too low'],
      ['Arbitrum', 'invalid transaction nonce'],
      ['Avalanche', `nonce too low: address ${ADDRESS} current nonce (5833) > tx nonce (5511)`],
      ['zkSync', 'nonce too low. allowed nonce range: 427 - 447, actual: 426'],
      ['Mantle', "failed to forward tx to sequencer, please try again. Error message: 'nonce too low'"],
      ['Hedera', '[Request ID: 2e952947] Nonce too low. Provided nonce: 15, current nonce: 15'],
      ['Sei', 'account sequence mismatch, expected 5, got 3: incorrect account sequence'],
      ['Evmos', 'invalid nonce; got 3, expected 5: invalid sequence'],
      ['Moonbeam', 'Pool(Stale)'],
      ['OpenEthereum', 'Transaction nonce is too low. Try incrementing the nonce.'],
    ],
  },
  {
    cause: 'insufficient_funds',
    pattern:
      /insufficient[ _]?(funds|balance|payer)|upfront cost|not enough (funds|balance)|(does not|doesn'?t) have enough funds|exceeds (the )?(account|sender'?s?) balance|out of funds?|lack of funds|overdraft|overdraws/i,
    examples: [
      ['geth', 'insufficient funds for gas * price + value'],
      ['geth', 'insufficient funds for gas * price + value: balance 1, queued cost 2, tx cost 3, overshot 4'],
      ['geth', 'insufficient funds for transfer'],
      ['geth', 'transaction would cause overdraft'],
      ['Erigon', 'insufficient funds'],
      ['Nethermind', 'InsufficientFunds, Account balance: 47, cumulative cost: 220'],
      ['Nethermind', 'InsufficientFunds, Balance is 10 less than sending value + gas 71'],
      ['Besu', 'Upfront cost exceeds account balance'],
      ['Reth', 'insufficient funds for gas * price + value: have 0 want 1'],
      ['Reth', 'transaction overdraws from account'],
      ['Reth', 'lack of funds (0) for max fee (21000)'],
      ['anvil', 'Insufficient funds for gas * price + value'],
      [
        'Hardhat',
        "Sender doesn't have enough funds to send tx. The max upfront cost is: 2 and the sender's balance is: 1.",
      ],
      ['Arbitrum', 'not enough funds for gas'],
      ['zkSync', 'insufficient funds for gas + value. balance: 42, fee: 48, value: 42'],
      ['zkSync', 'insufficient balance for transfer'],
      ['Optimism', 'insufficient funds for gas * price + value + L1 fee'],
      ['Scroll', 'insufficient funds for l1fee + gas * price + value'],
      ['Linea', 'Upfront cost exceeds account balance (transaction up-front cost 0x2 exceeds 0x1)'],
      ['Kaia', 'insufficient funds of the sender for value '],
      ['Kaia', 'insufficient funds of the fee payer for gas * price'],
      ['Celo', 'insufficient funds for gas * price + value + gatewayFee'],
      ['Hedera', 'transaction 0.0.3 failed precheck with status INSUFFICIENT_PAYER_BALANCE'],
      [
        'Mantle',
        "failed to forward tx to sequencer, please try again. Error message: 'insufficient funds for gas * price + value'",
      ],
      ['OpenEthereum', 'Insufficient balance for transaction. Balance=100.25, Cost=200.50'],
    ],
  },
  {
    cause: 'pool_full',
    pattern:
      /pool( is)? full|(?<!request )queue full|(txpool|transaction pool).{0,12}(full|overflow)|too many transactions in the queue|pool size constraints|PoolOverflow/i,
    examples: [
      ['geth', 'txpool is full'],
      ['Reth', 'txpool is full'],
      ['Reth', 'transaction discarded outright due to pool size constraints'],
      ['Erigon', 'pending sub-pool is full'],
      ['Erigon', 'baseFee sub-pool is full'],
      ['Erigon', 'queued sub-pool is full'],
      ['Besu', 'Transaction pool is full'],
      ['Kaia', 'txpool is full'],
      ['Arbitrum', 'sequencer pending tx pool full, please try again'],
      ['Arbitrum', 'queue full'],
      ['Sei', 'mempool is full: number of txs 5000 (max: 5000)'],
      [
        'OpenEthereum',
        'There are too many transactions in the queue. Your transaction was dropped due to limit. Try increasing the fee.',
      ],
    ],
  },
  {
    // Other fees would make these transactions valid: they exceed the node's own fee limit, or contradict each other.
    cause: 'fee_above_limit',
    pattern:
      /exceeds the configured cap|fee cap exceeded|fee per gas (higher|greater) than|exceeds max fee per gas|`?max_priority_fee_per_gas`? greater|gas ?price too high|fee too high/i,
    examples: [
      ['geth', 'tx fee (1.10 ether) exceeds the configured cap (1.00 ether)'],
      ['geth', 'max priority fee per gas higher than max fee per gas'],
      ['Erigon', 'tx fee (1.10 ether) exceeds the configured cap (1.00 ether)'],
      ['Reth', 'tx fee (2100000000000000000 wei) exceeds the configured cap (1000000000000000000 wei)'],
      ['Besu', 'Transaction fee cap exceeded'],
      ['Besu', 'Max priority fee per gas exceeds max fee per gas'],
      ['anvil', 'Invalid input: `max_priority_fee_per_gas` greater than `max_fee_per_gas`'],
      ['zkSync', 'max priority fee per gas higher than max fee per gas'],
      ['Celo', 'tx fee (1.10 of currency celo) exceeds the configured cap (1.00 celo)'],
    ],
  },
  {
    cause: 'fee_too_low',
    pattern:
      /underpriced|under ?priced|fee ?too ?low|gas ?price.{0,60}(too low|below|less than|lower than)|price too low|fee ?per ?gas.{0,40}(less|lower|below|too low|needs to be higher)|(below|less than).{0,24}(base ?fee|minimum)|gas tip cap|tip.{0,12}below|unacceptable gas price|invalid (unit price|gas (price|fee cap|tip cap))/i,
    examples: [
      ['geth', 'transaction underpriced'],
      ['geth', 'transaction underpriced: gas tip cap 1, minimum needed 25000000000'],
      ['geth', `max fee per gas less than block base fee: address ${ADDRESS}, maxFeePerGas: 1, baseFee: 7`],
      ['Polygon', 'transaction underpriced: gas tip cap 24000000000, minimum needed 25000000000'],
      ['BSC', 'transaction underpriced'],
      ['Erigon', 'underpriced'],
      ['Erigon', 'UnderPriced'],
      ['Erigon', 'fee too low'],
      ['Nethermind', 'FeeTooLow'],
      [
        'Nethermind',
        'FeeTooLow, MaxFeePerGas too low. MaxFeePerGas: 50, BaseFee: 100, MaxPriorityFeePerGas:200, Block number: 5',
      ],
      ['Nethermind', 'FeeTooLow, EffectivePriorityFeePerGas too low 10 < 20, BaseFee: 30'],
      ['Nethermind', 'FeeTooLowToCompete'],
      ['Besu', 'Gas price below configured minimum gas price'],
      ['Besu', 'Gas price below current base fee'],
      ['Reth', 'transaction feeCap 1 below chain minimum'],
      ['Reth', 'transaction underpriced'],
      ['anvil', 'max fee per gas less than block base fee'],
      [
        'Hardhat',
        'Transaction maxFeePerGas (1) is too low for the next block, which has a baseFeePerGas of 7',
      ],
      ['Hardhat', 'Transaction gasPrice (1) is too low for the next block, which has a baseFeePerGas of 7'],
      ['Arbitrum', 'gas price too low'],
      ['Arbitrum', 'max fee per gas less than block base fee: maxFeePerGas: 1, baseFee: 7'],
      [
        'zkSync',
        'virtual machine entered unexpected state. Error description: The operator included transaction with an unacceptable gas price',
      ],
      ['zkSync', 'max fee per gas less than block base fee'],
      ['Kaia', 'transaction underpriced'],
      ['Kaia', 'invalid unit price'],
      ['Kaia', 'invalid gas fee cap. It must be set to value greater than or equal to baseFee'],
      ['Avalanche', 'transaction underpriced: gas tip cap 1, minimum needed 2'],
      ['Linea', 'Gas price below configured minimum gas price'],
      ['Metis', 'gas price too low: 1 wei, use at least tx.gasPrice = 2 wei'],
      ['Astar', 'gas price less than block base fee'],
      ['Celo', 'gasprice is less than gas price minimum floor'],
      ['Hedera', "Gas price '830000000000' is below configured minimum gas price '950000000000'"],
      [
        'OpenEthereum',
        "Transaction gas price is too low. It does not satisfy your node's minimal gas price (minimal: 100 got: 50).",
      ],
    ],
  },
  {
    // Determined by the bytes of the transaction, or by limits that only a change of the chain's rules lifts.
    cause: 'invalid',
    pattern:
      /intrinsic ?gas|floor data gas|(exceeds|exceeding|greater than|above) (the )?block('?s)? gas limit|gas limit of rejected tx|GasLimitExceeded|gas ?limit.{0,24}(is )?(too ?high|greater than|must be at most)|GasLimitCapExceeded|exceeds (the )?transaction gas limit cap|exceeds transaction gas cap|gas uint64 overflow|GasUintOverflow|cost exceeds current gas limit|oversized|RLPTooLong|input data too large|transaction (is )?too (large|big)|MaxTxSize|init ?code.{0,24}(large|size|exceed|limit)|max[_ ]init[_ ]?code|invalid sender(?!\. can)|invalid (transaction )?signature|invalid transaction v, r, s|invalid chain ?id|(wrong|incorrect) chain|chain ?id.{0,12}(mismatch|does not match|not supported)|incompatible EIP-155|replay-protected|fail(ed)? ?to ?(recover|resolve) ?sender|(transaction|tx) type.{0,12}not supported(?!.{0,80}not yet)|unsupported (transaction|tx) ?type|invalid transaction type|unknown transaction type|NotSupportedTxType|negative value|form of a create transaction/i,
    examples: [
      ['geth', 'intrinsic gas too low: gas 1, minimum needed 21000'],
      ['geth', 'insufficient gas for floor data gas cost: gas 21000, minimum needed 30000'],
      ['geth', 'exceeds block gas limit'],
      ['geth', 'transaction gas limit too high (cap: 16777216, tx: 20000000)'],
      ['geth', 'gas uint64 overflow'],
      ['geth', 'oversized data: transaction size 140000, limit 131072'],
      ['geth', 'max initcode size exceeded: code size 50000, limit 49152'],
      ['geth', 'invalid sender'],
      ['geth', 'invalid chain id for signer: have 1 want 2'],
      ['geth', 'invalid transaction v, r, s values'],
      ['geth', 'transaction type not supported'],
      ['geth', 'only replay-protected (EIP-155) transactions allowed over RPC'],
      ['geth', 'negative value'],
      ['Erigon', 'IntrinsicGas'],
      ['Erigon', 'GasUintOverflow'],
      ['Erigon', 'oversized data'],
      ['Erigon', 'RLPTooLong'],
      ['Erigon', 'initcode too large'],
      ['Erigon', 'gas limit is too high'],
      ['Erigon', 'EIP-4844 & 7702 transactions cannot have the form of a create transaction'],
      ['Nethermind', 'GasLimitExceeded, Gas limit: 1, gas limit of rejected tx: 2'],
      ['Nethermind', 'gas limit reached, Gas limit: 1, gas limit of rejected tx: 2'],
      ['Nethermind', 'TxGasLimitCapExceeded: Gas limit 20000000 exceeded cap 16777216'],
      ['Nethermind', 'FailedToResolveSender'],
      ['Nethermind', 'failed to recover sender'],
      ['Nethermind', 'MaxTxSizeExceeded'],
      ['Nethermind', 'transaction too large'],
      ['Nethermind', 'unsupported transaction type'],
      ['Besu', 'Intrinsic gas exceeds gas limit'],
      ['Besu', 'Transaction gas limit exceeds block gas limit'],
      ['Besu', 'Transaction gas limit must be at most 16777216'],
      ['Besu', 'Invalid signature'],
      ['Besu', 'Invalid transaction type'],
      ['Besu', 'Wrong chainId'],
      ['Besu', 'ChainId not supported'],
      ['Reth', "transaction's gas limit 40000000 exceeds block's gas limit 30000000"],
      ['Reth', 'transaction gas limit (20000000) is greater than the cap (16777216)'],
      ['Reth', "transaction's size 50000 exceeds max_init_code_size 49152"],
      ['Reth', 'input data too large'],
      ['Reth', 'invalid transaction signature'],
      ['anvil', 'intrinsic gas too low'],
      ['anvil', 'invalid chain id for signer'],
      ['anvil', 'Incompatible EIP-155 transaction, signed for another chain'],
      [
        'anvil',
        'Transaction gas limit is greater than the block gas limit, gas_limit: 40000000, cap: 30000000',
      ],
      ['Hardhat', 'Transaction gas limit is 40000000 and exceeds block gas limit of 30000000'],
      ['Hardhat', 'Trying to send an incompatible EIP-155 transaction, signed for another chain.'],
      ['Frontier', 'exceeds transaction gas limit cap'],
      ['zkSync', 'oversized data. max: 120000; actual: 130000'],
      ['zkSync', 'transaction type 4 not supported'],
      ['Mantle', "failed to forward tx to sequencer, please try again. Error message: 'invalid sender'"],
      ['OpenEthereum', 'Transaction is too big, see chain specification for the limit.'],
      ['OpenEthereum', 'Transaction cost exceeds current gas limit. Limit: 1, got: 2.'],
    ],
  },
  {
    cause: 'rate_limited',
    pattern:
      /rate.?limit|too many requests|throttl|(request|daily|monthly|second).{0,20}limit|limit exceeded|compute units|exceeded.{0,20}(quota|capacity|limit)|quota/i,
    examples: [
      ['Infura', 'daily request count exceeded, request rate limited'],
      ['Alchemy', 'Your app has exceeded its compute units per second capacity.'],
      ['QuickNode', '50/second request limit reached - reduce calls per second or upgrade your account'],
      ['Chainstack', "You've exceeded the RPS limit available on the current plan."],
      ['Ankr', 'Too many requests, reason: call rate limit exhausted, retry in 10s'],
      ['BSC', 'limit exceeded'],
    ],
  },
  {
    // Something between the client and the pool of a node failed; the transaction may have passed it.
    cause: 'unavailable',
    pattern:
      /bad gateway|gateway time|unavailable|timed? ?out|i\/o timeout|deadline exceeded|unreachable|connection (refused|reset)|internal (server )?error|upstream|forward tx to sequencer|no (healthy|available|backend)|syncing|sync is still|not (fully )?synced|(tx|transaction) ?pool not enabled/i,
    examples: [
      ['Arbitrum', 'call failed: 502 Bad Gateway: <html>'],
      ['Arbitrum', 'Post "https://sequencer": i/o timeout'],
      ['Arbitrum', 'network is unreachable'],
      ['Mantle', 'failed to forward tx to sequencer, please try again'],
      ['Nethermind', 'call failed: 503 Service Unavailable: <html>'],
      ['Nethermind', 'node is syncing'],
      ['Besu', 'Initial sync is still in progress'],
      ['Besu', 'Internal error'],
      ['Cloudflare', 'Cannot fulfill request: no healthy upstream'],
      ['geth', 'context deadline exceeded'],
    ],
  },
];

/** Causes that say nothing about the transaction. */
const OF_THE_ENDPOINT: readonly SendCause[] = ['rate_limited', 'unavailable'];

/** The row that matches a text; undefined if none does. */
export function rowOf(text: string): SendErrorRow | undefined {
  return SEND_ERRORS.find(({ pattern }) => pattern.test(text));
}

/** Whether a text is about a transaction that was sent, so that the endpoint is not at fault. */
export function isAboutTransaction(text: string): boolean {
  const row = rowOf(text);
  return row !== undefined && !OF_THE_ENDPOINT.includes(row.cause);
}
