import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { verifyMessage } from 'ethers';
import { createRelayerService, type RelayerService } from 'relayer-management-service';
import { LedgerModule } from './ledger.module';

const API_KEY = randomBytes(32).toString('hex');
const PHRASE = 'test test test test test test test test test test test junk';

let folder: string;
let service: RelayerService;
let url: string;

/** Starts the whole service with the plugin, on a database of its own and without calls to any chain. */
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'acme-'));
  service = await createRelayerService({
    config: {
      API_KEY,
      STORAGE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      DATABASE_URL: `sqlite:${join(folder, 'relayer.db')}`,
      HOST: '127.0.0.1',
      LOG_LEVEL: 'error',
      RELAYER_CHECK_INTERVAL_SECONDS: '0',
    },
    modules: [LedgerModule],
    handleSignals: false,
  });
  url = await service.listen(0);
});

after(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

/** A response of the service: the envelope, in which `data` depends on the route. */
interface Envelope<Data> {
  data: Data;
  message: string;
}

interface Entry {
  signature: string;
}

interface AuditEvent {
  key_id: string | null;
  relayer_id: string | null;
}

async function call<Data>(
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: Envelope<Data> }> {
  const response = await fetch(`${url}/api/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Envelope<Data> };
}

void test('signs a statement and books it', async () => {
  await call('POST', 'signers', { id: 'clerk', type: 'seed_phrase', config: { phrase: PHRASE, index: 0 } });
  const relayer = { id: 'clerk', name: 'Acme clerk', signer_id: 'clerk', network: 'sepolia' };
  const created = await call<{ address: string }>('POST', 'relayers', {
    ...relayer,
    network_type: 'evm',
    paused: false,
  });
  const booked = await call<Entry>('POST', 'acme-ledger/entries', { relayer_id: 'clerk', statement: 'Paid' });
  assert.equal(booked.status, 201);
  assert.equal(verifyMessage('Paid', `0x${booked.body.data.signature}`), created.body.data.address);
  const list = await call<Entry[]>('GET', 'acme-ledger/relayers/clerk/entries');
  assert.deepEqual(list.body.data, [booked.body.data]);
  const audit = await call<AuditEvent[]>('GET', 'audit-events?action=acme-ledger.entry.create');
  assert.deepEqual(
    audit.body.data.map(({ key_id, relayer_id }) => [key_id, relayer_id]),
    [['root', 'clerk']],
  );
});

void test('books nothing that it may not sign', async () => {
  await call('PATCH', 'relayers/clerk', { paused: true });
  const refused = await call('POST', 'acme-ledger/entries', { relayer_id: 'clerk', statement: 'Late' });
  assert.deepEqual([refused.status, refused.body.message], [403, 'Relayer paused']);
  const list = await call<Entry[]>('GET', 'acme-ledger/relayers/clerk/entries');
  assert.equal(list.body.data.length, 1);
});
