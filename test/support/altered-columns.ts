export const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'cd'.repeat(32) };
const LATER = '2030-01-01 00:00:00.000';

/** Another value for each protected column, and what then fails besides a look at the row. */
export const ALTERED: Record<string, { columns: Record<string, unknown>; uses: [string, string, object][] }> =
  {
    relayers: {
      columns: {
        id: 'altered',
        name: 'Other',
        relayer_group: 'other',
        network: 'other',
        network_type: 'solana',
        address: `0x${'ab'.repeat(20)}`,
        chain_id: '1',
        signer_id: 'spare',
        notification_id: null,
        paused: 1,
        custom_rpc_urls: null,
        policies: '{"min_balance":"1"}',
      },
      uses: [
        ['PATCH', '/api/v1/relayers/row', { paused: true }],
        ['POST', '/api/v1/relayers/row/sign-typed-data', HASHES],
        ['POST', '/api/v1/relayers/row/sign', { message: 'x' }],
      ],
    },
    signers: {
      columns: {
        id: 'altered',
        kind: 'vault',
        settings: '{"address":"https://vault.evil.example"}',
        secret: 'v1.0123456789ab.AAAA',
        address: `0x${'ab'.repeat(20)}`,
        public_key: '0x04',
      },
      uses: [
        [
          'POST',
          '/api/v1/relayers',
          { name: 'x', network: 'other', network_type: 'evm', signer_id: 'row', paused: false },
        ],
      ],
    },
    notifications: {
      columns: {
        id: 'altered',
        type: 'other',
        url: 'https://evil.example',
        signing_key: null,
        previous_signing_key: null,
        previous_key_until: LATER,
        events: '["relayer_update"]',
      },
      uses: [
        ['PATCH', '/api/v1/notifications/row', { url: 'https://one.example.com' }],
        ['POST', '/api/v1/notifications/row/test', {}],
      ],
    },
    networks: {
      columns: {
        id: 'altered',
        name: 'altered',
        network_type: 'stellar',
        chain_id: '1',
        symbol: 'EVIL',
        required_confirmations: 7,
        average_blocktime_ms: 7,
        is_testnet: 0,
        features: '["x"]',
        tags: '["x"]',
        explorer_urls: '["https://evil.example"]',
        rpc_urls: null,
        private_rpc_urls: null,
        private_fallback_blocks: 1,
        rpc_methods: '["eth_sendRawTransaction"]',
        passphrase: 'x',
        horizon_url: 'https://evil.example',
      },
      uses: [['PATCH', '/api/v1/networks/evm:row', { rpc_methods: null }]],
    },
    transactions: {
      columns: {
        id: 'altered',
        account_id: 'evm:1:0x',
        relayer_id: 'other',
        nonce: 7,
        is_filler: 1,
        request: '{"to":"evil"}',
        sender: '0x',
      },
      uses: [],
    },
  };

/** Another value for each column that the service writes often. */
export const UNPROTECTED: Record<string, Record<string, unknown>> = {
  relayers: {
    system_disabled: 1,
    disabled_reason: '{"type":"NonceSyncFailed","details":"Nonce synchronization failed"}',
    next_check_at: LATER,
    failed_checks: 7,
    low_balance: 1,
    created_at: LATER,
  },
  signers: { created_at: LATER },
  notifications: { failing_since: LATER, last_failed_at: LATER, switched_off_at: LATER, created_at: LATER },
  networks: { created_at: LATER },
  transactions: {
    open_relayer_id: 'row',
    idempotency_key: 'x',
    request_digest: 'x',
    status: 'failed',
    status_reason: 'x',
    version: 7,
    is_canceled: 1,
    abandoned_as: 'failed',
    needs_attempt: 1,
    attempt: null,
    hashes: '["0x"]',
    broadcast_at: LATER,
    sent_at: LATER,
    signed_block: 7,
    inclusion: null,
    revert_reason: 'x',
    revert_data: null,
    valid_until: LATER,
    metadata: '{"a":"b"}',
    mined_at: LATER,
    confirmed_at: LATER,
    finished_at: LATER,
    event_at: LATER,
    created_at: LATER,
  },
};
