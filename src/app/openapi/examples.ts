import { EIP712_EXAMPLE as HASHES } from '../../provisioning/demonstration/demonstration-command';

const RECEIVER = '0x3535353535353535353535353535353535353535';

const FULL_TYPED_DATA = {
  domain: { name: 'Ether Mail', version: '1', chainId: 1337 },
  types: { Mail: [{ name: 'contents', type: 'string' }] },
  primaryType: 'Mail',
  message: { contents: 'Hello, Bob!' },
};

const TRANSFER = { to: RECEIVER, value: '0', gas_limit: 21_000, speed: 'fast' };

/** Examples of a body, by the titles that the page shows. */
export type Examples = Readonly<Record<string, object>>;

/**
 * Bodies by operation id. A new service with its demonstration relayer `demo` accepts each of them unchanged, once the
 * example that creates the resource in question has been sent. If an operation needs the chain, the network `evm:demo`
 * needs an endpoint; if it sends a transaction, the account needs coins.
 */
export const EXAMPLES: Readonly<Record<string, Examples>> = {
  createRelayer: {
    'On the signer of the demonstration relayer': {
      id: 'treasury',
      name: 'Treasury',
      network: 'sepolia',
      network_type: 'evm',
      paused: false,
      signer_id: 'demo',
      policies: { min_balance: 0 },
    },
  },
  updateRelayer: {
    'A cap on the price of gas': { policies: { gas_price_cap: '100000000000' } },
    Pause: { paused: true },
    Resume: { paused: false },
  },
  rpc: { 'The newest block': { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] } },
  sign: { 'A text': { message: 'Some data' }, Bytes: { message: '0x00ff', encoding: 'hex' } },
  signTypedData: { 'Two hashes': HASHES, 'Full typed data': FULL_TYPED_DATA },
  signTypedDataBatch: { 'Both forms': { items: [HASHES, FULL_TYPED_DATA] } },
  signTransaction: {
    'A transfer': {
      transaction: {
        type: 2,
        chain_id: 1337,
        nonce: 9,
        max_priority_fee_per_gas: 1_000_000_000,
        max_fee_per_gas: '20000000000',
        gas_limit: 21_000,
        to: RECEIVER,
        value: '1000000000000000000',
      },
    },
  },
  freezeSigning: { 'An incident': { reason: 'INC-142: signatures nobody asked for' } },
  unfreezeSigning: { 'The incident is over': { reason: 'INC-142: key replaced' } },
  sendTransaction: { 'A transfer': TRANSFER },
  sendTransactionBatch: { 'Two transfers': { transactions: [TRANSFER, TRANSFER], atomic: true } },
  replaceTransaction: { 'Higher fees': { ...TRANSFER, speed: 'fastest' } },
  createSigner: {
    'A key that everybody knows, to try things out': {
      id: 'trial-key',
      type: 'plain',
      config: { key: 'c85ef7d79691fe79573b1a7064c19c1a9819ebdbd1faaab1a8ec92344438aaf4' },
    },
  },
  createNetwork: {
    'A rollup': {
      name: 'my-rollup',
      network_type: 'evm',
      chain_id: 424_242,
      symbol: 'ETH',
      rpc_urls: ['https://rpc.example.com/v2/key'],
    },
  },
  updateNetwork: {
    'Two endpoints': {
      rpc_urls: ['https://rpc.example.com/v2/key', { url: 'https://rpc.example.org', weight: 50 }],
    },
  },
  createNotification: {
    'Signed events': {
      id: 'ops-webhook',
      url: 'https://hooks.example.com/relayer',
      signing_key: 'a signing key of at least 32 bytes',
    },
  },
  updateNotification: { 'Fewer events': { events: ['transaction_update', 'relayer_state_update'] } },
  replayDeadDeliveries: { 'Since a time': { since: '2026-01-31T12:00:00Z' } },
  createApiKey: {
    'For one relayer': {
      name: 'Checkout',
      scopes: ['relayers:read', 'sign:typed-data'],
      relayers: ['demo'],
      rate_limit: { requests_per_second: 20, burst: 40 },
    },
  },
  updateApiKey: { 'No expiry, another name': { name: 'Checkout', expires_at: null } },
  rotateApiKey: { 'Ten minutes for both': { overlap_seconds: 600 } },
};
