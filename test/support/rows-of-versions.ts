import { createHash } from 'node:crypto';
import { Secret } from '../../src/common/secrets/secret';
import { SecretCipher } from '../../src/secrets/secret-cipher';
import { COW_ADDRESS, COW_KEY } from './builders';

export const WEBHOOK = 'https://hooks.example.com/upgrades';
export const OLD_NETWORK = 'of the first version';

type Row = Record<string, string | number | null>;

/** One row for each table, with the columns that the table had when a migration created it. */
export function rowsOfVersions(storageKey: string): Record<string, Row> {
  // The first version bound a secret only to its location, and rows had no MACs.
  const cipher = new SecretCipher(
    [new Secret(storageKey)],
    [
      { table: 'signers', column: 'secret' },
      { table: 'notifications', column: 'signing_key' },
    ],
  );
  const seal = (table: string, column: string, row: string, text: string): string =>
    cipher.seal(new Secret(text), { table, column, row });
  const now = new Date().toISOString().replace('T', ' ').replace('Z', '');
  const created = { created_at: now };
  const account = `evm:7:${COW_ADDRESS}`;
  const digest = createHash('sha256').update('a row of an older version').digest('hex');
  return {
    signers: {
      id: 'signer',
      kind: 'local',
      settings: '{}',
      secret: seal('signers', 'secret', 'signer', COW_KEY),
      ...created,
    },
    notifications: {
      id: 'hook',
      type: 'webhook',
      url: WEBHOOK,
      signing_key: seal('notifications', 'signing_key', 'hook', 'k'.repeat(32)),
      ...created,
    },
    relayers: {
      id: 'relayer',
      name: 'Of the first version',
      network: OLD_NETWORK,
      network_type: 'evm',
      address: COW_ADDRESS,
      signer_id: 'signer',
      notification_id: 'hook',
      paused: 0,
      system_disabled: 0,
      policies: '{"gas_price_cap": 9}',
      ...created,
    },
    networks: {
      id: 'evm:other',
      name: 'other',
      network_type: 'evm',
      chain_id: '7',
      features: '[]',
      tags: '[]',
      explorer_urls: '[]',
      ...created,
    },
    network_seeds: { id: 'evm:deleted-on-purpose', ...created },
    deliveries: {
      id: 'delivery',
      notification_id: 'hook',
      event: 'relayer_update',
      payload: '{}',
      state: 'delivered',
      attempts: 1,
      give_up_at: now,
      finished_at: now,
      ...created,
    },
    delivery_attempts: {
      id: 'attempt',
      delivery_id: 'delivery',
      started_at: now,
      duration_ms: 5,
      status: 200,
    },
    signing_freeze: { id: 'signing', reason: 'Before the upgrade', frozen_at: now },
    rpc_unfinished_calls: { origin: 'https://rpc.example', attempts: 1, started_at: now },
    account_nonces: {
      id: account,
      network_type: 'evm',
      chain_id: '7',
      address: COW_ADDRESS,
      relayer_id: 'relayer',
      next_nonce: 1,
      changes: 1,
      ...created,
    },
    transactions: {
      id: 'transaction',
      account_id: account,
      relayer_id: 'relayer',
      nonce: 0,
      is_filler: 0,
      request: `{"to":"${COW_ADDRESS}","value":"1","data":"0x","speed":"average"}`,
      sender: COW_ADDRESS,
      status: 'confirmed',
      version: 4,
      is_canceled: 0,
      needs_attempt: 0,
      hashes: '[]',
      finished_at: now,
      ...created,
    },
    transaction_attempts: {
      transaction_id: 'transaction',
      number: 1,
      kind: 'initial',
      nonce: 0,
      hash: `0x${digest}`,
      content: '{}',
      ...created,
    },
    account_spending: { account_id: account, bucket: Math.floor(Date.now() / 60_000), value: '1', fee: '1' },
    relayer_top_ups: {
      relayer_id: 'relayer',
      from_relayer_id: 'relayer',
      idempotency_key: 'top-up',
      tried_at: now,
    },
    api_keys: {
      id: 'api-key',
      name: 'Of an older version',
      secret_hash: digest,
      scopes: '["relayers:read"]',
      created_by: 'root',
      ...created,
    },
    former_accounts: {
      address: COW_ADDRESS,
      network_type: 'evm',
      network: 'of a deleted relayer',
      chain_id: '7',
      signer_id: 'signer',
      relayer_id: 'deleted',
      deleted_at: now,
    },
    signature_nonces: { id: digest, expires_at: '2999-01-01 00:00:00' },
    change_requests: {
      id: 'change',
      kinds: '["unpause"]',
      operation: 'relayer.update',
      request: '{}',
      base: digest,
      relayer_id: 'relayer',
      requested_by: 'root',
      needed: 1,
      approvals: '[]',
      status: 'expired',
      expires_at: now,
      finished_at: now,
      ...created,
    },
  };
}
