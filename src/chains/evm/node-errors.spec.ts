import { ownerOf } from './node-errors';

const INTERNAL = -32603;

/** Errors of nodes and providers, as [client, code, message]. */
const OF_THE_CALLER: [string, number, string][] = [
  ['geth', 3, 'execution reverted: ERC20: transfer amount exceeds balance'],
  ['geth', 3, 'execution reverted: rate limit exceeded, try again'],
  ['geth', -32000, 'execution reverted'],
  ['geth', -32000, 'nonce too low: next nonce 5, tx nonce 3'],
  ['geth', -32000, 'nonce too high'],
  ['geth', -32000, 'nonce has max value'],
  [
    'geth',
    -32000,
    'insufficient funds for gas * price + value: address 0x0000000000000000000000000000000000000001 have 0 want 1',
  ],
  ['geth', -32000, 'insufficient funds for transfer'],
  ['geth', -32000, 'transaction underpriced: gas tip cap 1, minimum needed 100'],
  ['geth', -32000, 'replacement transaction underpriced'],
  ['geth', -32000, 'already known'],
  ['geth', -32000, 'intrinsic gas too low: gas 1, minimum needed 21000'],
  ['geth', -32000, 'gas required exceeds allowance (21000)'],
  ['geth', -32000, 'exceeds block gas limit'],
  ['geth', -32000, 'max fee per gas less than block base fee: address 0x01, maxFeePerGas: 1, baseFee: 7'],
  ['geth', -32000, 'max priority fee per gas higher than max fee per gas'],
  ['geth', -32000, 'invalid sender'],
  ['geth', -32000, 'only replay-protected (EIP-155) transactions allowed over RPC'],
  ['geth', -32000, 'tx fee (2.10 ether) exceeds the configured cap (1.00 ether)'],
  ['geth', -32000, 'stack underflow (0 <=> 1)'],
  ['geth', -32000, 'invalid opcode: INVALID'],
  ['geth', -32602, 'invalid argument 0: hex string without 0x prefix'],
  ['Reth', -32602, 'invalid type: string "rate limit exceeded, try again", expected a sequence'],
  ['Erigon', -32000, 'nonce too low'],
  ['Erigon', -32000, 'insufficient funds for gas * price + value'],
  ['Erigon', -32000, 'ReplacementNotAllowed'],
  ['Erigon', -32000, 'could not replace existing tx'],
  ['Erigon', -32000, 'UnderPriced'],
  ['Nethermind', -32010, 'OldNonce, Current nonce: 5, nonce of rejected tx: 3'],
  ['Nethermind', -32010, 'NonceGap, Future nonce. Expected nonce: 5'],
  ['Nethermind', -32010, 'InsufficientFunds, Account balance: 0, cumulative cost: 1'],
  ['Nethermind', -32010, 'FeeTooLow, FeePerGas needs to be higher than 1 to be added to the TxPool'],
  ['Nethermind', -32010, 'AlreadyKnown'],
  ['Nethermind', -32010, 'GasLimitExceeded, Gas limit: 1, gas limit of rejected tx: 2'],
  ['Nethermind', -32015, 'VM execution error.'],
  ['Nethermind', -32015, 'revert'],
  ['Besu', -32001, 'Nonce too low'],
  ['Besu', -32006, 'Nonce too high'],
  ['Besu', -32004, 'Upfront cost exceeds account balance'],
  ['Besu', -32009, 'Gas price below configured minimum gas price'],
  ['Besu', -32000, 'Known transaction'],
  ['Besu', -32000, 'Replacement transaction underpriced'],
  ['Besu', -32003, 'Intrinsic gas exceeds gas limit'],
  ['Besu', -32005, 'Transaction gas limit exceeds block gas limit'],
  ['Besu', -32000, 'Execution reverted'],
  ['Besu', INTERNAL, 'TRANSACTION_REPLACEMENT_UNDERPRICED replacement'],
  ['Reth', -32000, 'nonce too low: next nonce 5, tx nonce 3'],
  ['Reth', -32003, 'insufficient funds for gas * price + value: have 0 want 1'],
  ['Reth', -32000, 'already known'],
  ['Reth', 3, 'execution reverted: Not owner'],
  ['Reth', -32000, 'out of gas: gas required exceeds: 21000'],
  ['anvil', 3, 'execution reverted: custom error 0x1234'],
  ['anvil', -32003, 'Insufficient funds for gas * price + value'],
  ['anvil', -32003, 'nonce too low'],
  ['anvil', -32003, 'transaction already imported'],
  ['anvil', -32003, 'replacement transaction underpriced'],
  ['anvil', -32003, 'max fee per gas less than block base fee'],
  ['a provider', INTERNAL, 'nonce too low'],
  ['a provider', INTERNAL, 'insufficient funds for gas * price + value'],
  ['a provider', -32000, 'INTERNAL_ERROR: existing tx with same hash'],
  ['a provider', -32000, 'something that nobody has seen before'],
  ['a provider', -32042, 'something that nobody has seen before'],
];

const OF_THE_ENDPOINT: [string, number, string][] = [
  ['Infura', -32005, 'daily request count exceeded, request rate limited'],
  ['Infura', -32600, 'invalid project id'],
  ['Alchemy', 429, 'Your app has exceeded its compute units per second capacity.'],
  ['Alchemy', -32600, 'Must be authenticated!'],
  ['QuickNode', -32007, '50/second request limit reached - reduce calls per second or upgrade your account'],
  [
    'QuickNode',
    -32003,
    'daily request limit reached - upgrade your account to increase daily request limits',
  ],
  ['Ankr', -32000, 'Unauthorized: You must authenticate your request with an API key.'],
  ['dRPC', 30, 'Timeout on the free tier, retry later'],
  ['BNB Chain', -32005, 'limit exceeded'],
  ['Cloudflare', -32046, 'Cannot fulfill request: no healthy upstream'],
  ['a provider', -32016, 'over rate limit'],
  ['a provider', -32029, 'Too Many Requests'],
  ['a provider', -32000, 'service temporarily unavailable'],
  ['a provider', INTERNAL, 'Internal error'],
  ['a provider', INTERNAL, 'internal server error'],
  ['a provider', -32002, 'resource unavailable'],
  ['geth', -32000, 'node is still syncing'],
];

const ELSEWHERE: [string, number, string][] = [
  ['geth', -32000, 'missing trie node 1234 (path ) state 0x12 is not available, not found'],
  ['geth', -32000, 'header not found'],
  ['geth', -32601, 'the method debug_traceCall does not exist/is not available'],
  ['geth', -32000, 'transaction indexing is in progress'],
  ['geth', -32000, 'historical state 12ab is not available'],
  ['geth', -32002, 'request timed out'],
  ['Erigon', -32000, 'block not found: 12345'],
  ['Nethermind', -32001, 'Resource not found'],
  ['Besu', -32604, 'Method not enabled'],
  ['Reth', -32001, 'block not found: 0x12'],
  ['Infura', -32005, 'query returned more than 10000 results'],
  [
    'Alchemy',
    -32602,
    'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range',
  ],
  ['a provider', -32000, 'pruned history unavailable'],
];

describe('ownerOf', () => {
  it.each(OF_THE_CALLER)('attributes the %s error %d %j to the caller', (_client, code, message) => {
    expect(ownerOf({ code, message })).toBe('caller');
  });

  it.each(OF_THE_ENDPOINT)('attributes the %s error %d %j to the endpoint', (_client, code, message) => {
    expect(ownerOf({ code, message })).toBe('endpoint');
  });

  it.each(ELSEWHERE)('refers the %s error %d %j to another node', (_client, code, message) => {
    expect(ownerOf({ code, message })).toBe('elsewhere');
  });

  it('uses the error data if the message is generic', () => {
    expect(ownerOf({ code: INTERNAL, message: 'Internal error', data: 'nonce too low' })).toBe('caller');
    expect(ownerOf({ code: INTERNAL, message: 'Internal error', data: { message: 'x' } })).toBe('endpoint');
  });

  it('ignores the text of a revert reason', () => {
    expect(
      ownerOf({ code: 3, message: 'execution reverted: internal server error', data: '0x08c379a0' }),
    ).toBe('caller');
  });

  it('reads only the beginning of a very long message', () => {
    const message = `${'rate '.repeat(1_000_000)}limit`;
    expect(ownerOf({ code: -32000, message })).toBe('caller');
  });
});
