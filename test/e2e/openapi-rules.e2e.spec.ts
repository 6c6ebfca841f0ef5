import { allows, allowsParameter, operationOf } from '../openapi/request-schemas';
import { type Json, operations, resolved } from '../openapi/document';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';

const ADDRESS = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826';
const ACCOUNT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const WORD = `0x${'ab'.repeat(32)}`;
const RELAYER = { name: 'R', network: 'sepolia', network_type: 'evm', paused: true, signer_id: 'nobody' };
/** With an existing signer, because policies are checked after the signer is found. */
const ON_SIGNER = { ...RELAYER, signer_id: 'ruled' };
const TRANSACTION = {
  type: 2,
  chain_id: 11155111,
  nonce: 1,
  max_priority_fee_per_gas: 1,
  max_fee_per_gas: 2,
  gas_limit: 21000,
  to: ADDRESS,
};
const NETWORK = { name: 'rules', network_type: 'evm', chain_id: 77 };
const HOOK = { url: 'https://hooks.example.com/a' };
const policies = (value: object) => ({ policies: value });
const listed = (keys: number) => ({
  transaction: { ...TRANSACTION, access_list: [{ address: ADDRESS, storage_keys: Array(keys).fill(WORD) }] },
});

/** Bodies that the service refuses, each by one rule. */
const REFUSED: [operation: string, rule: string, body: object][] = [
  ['createRelayer', 'unknown fields', { ...RELAYER, colour: 'red' }],
  ['createRelayer', 'control characters in name', { ...RELAYER, name: 'a\u0007' }],
  ['createRelayer', 'control characters in network', { ...RELAYER, network: 'a\n' }],
  ['createRelayer', 'policies of Solana on EVM', { ...ON_SIGNER, policies: { max_signatures: 1 } }],
  [
    'createRelayer',
    'policies of EVM on Stellar',
    { ...ON_SIGNER, network: 'testnet', network_type: 'stellar', policies: { gas_price_cap: 1 } },
  ],
  ['createRelayer', 'no policies on Stellar', { ...ON_SIGNER, network: 'testnet', network_type: 'stellar' }],
  ['createRelayer', 'half a top-up', { ...ON_SIGNER, policies: { top_up: { from_relayer: 'a', to: 1 } } }],
  ['updateRelayer', 'unknown fields', { network: 'sepolia' }],
  ['updateRelayer', 'a mix of policies', policies({ gas_price_cap: 1, max_signatures: 1 })],
  ['updateRelayer', 'unknown policies', policies({ colour: 1 })],
  ['updateRelayer', 'no addresses', policies({ whitelist_receivers: ['0x12'] })],
  [
    'updateRelayer',
    'no address of a contract',
    policies({ typed_data: { allowed: [{ verifying_contract: 'x' }] } }),
  ],
  [
    'updateRelayer',
    'unknown members of typed data',
    policies({ typed_data: { allowed: [{ contract: ADDRESS }] } }),
  ],
  ['updateRelayer', 'no fields at all', policies({ typed_data: { allowed: [{ fields: {} }] } })],
  [
    'updateRelayer',
    'unknown bounds',
    policies({ typed_data: { allowed: [{ fields: { a: { over: 1 } } }] } }),
  ],
  [
    'updateRelayer',
    'no selectors',
    policies({ transactions: { allowed_methods: [{ selectors: ['transfer'] }] } }),
  ],
  [
    'updateRelayer',
    'an unknown period',
    policies({ transactions: { spend_limits: [{ per: '2h', max_fee: 1 }] } }),
  ],
  ['updateRelayer', 'an amount that is no integer', policies({ min_balance: '1.5' })],
  ['updateRelayer', 'an unknown kind of messages', policies({ messages: { allow: 'some' } })],
  [
    'updateRelayer',
    'an endpoint with unknown fields',
    { custom_rpc_urls: [{ url: 'https://a.example', w: 1 }] },
  ],
  ['createNotification', 'unknown fields', { ...HOOK, secret: 'x' }],
  ['createNotification', 'a URL of another scheme', { url: 'ftp://hooks.example.com/a' }],
  ['createNotification', 'a URL that is too long', { url: `https://hooks.example.com/${'😀'.repeat(2023)}` }],
  ['createNotification', 'an event twice', { ...HOOK, events: ['relayer_update', 'relayer_update'] }],
  ['createNotification', 'an event that nobody chooses', { ...HOOK, events: ['test'] }],
  ['createNotification', 'an unknown type', { ...HOOK, type: 'mail' }],
  ['createNotification', 'an empty key', { ...HOOK, signing_key: '' }],
  [
    'createNotification',
    'a key with control characters',
    { ...HOOK, signing_key: `${'k'.repeat(40)}\u0000` },
  ],
  ['updateNotification', 'an event twice', { events: ['relayer_update', 'relayer_update'] }],
  ['updateNotification', 'a key that is too short', { signing_key: 'short' }],
  ['createNetwork', 'unknown fields', { ...NETWORK, colour: 'red' }],
  ['createNetwork', 'a URL without a scheme', { ...NETWORK, rpc_urls: ['rpc.example.com'] }],
  ['createNetwork', 'a URL of another scheme', { ...NETWORK, explorer_urls: ['ipfs://explorer'] }],
  ['createNetwork', 'a method twice', { ...NETWORK, rpc_methods: ['read', 'read'] }],
  ['createNetwork', 'a tag twice', { ...NETWORK, tags: ['a', 'a'] }],
  ['createNetwork', 'a tag with a space', { ...NETWORK, tags: ['a b'] }],
  ['createNetwork', 'EVM without a chain id', { name: 'rules', network_type: 'evm' }],
  ['createNetwork', 'Solana with a chain id', { ...NETWORK, network_type: 'solana' }],
  ['createNetwork', 'EVM with a passphrase', { ...NETWORK, passphrase: 'x' }],
  [
    'createNetwork',
    'Stellar with private endpoints',
    { name: 'rules', network_type: 'stellar', private_rpc_urls: ['https://a.example'] },
  ],
  ['createNetwork', 'Solana with fees', { name: 'rules', network_type: 'solana', fees: { legacy: true } }],
  ['updateNetwork', 'unknown fields', { chain_id: 5 }],
  ['updateNetwork', 'unknown fees', { fees: { max: 1 } }],
  ['updateNetwork', 'a percentile above 100', { fees: { percentiles: { fast: 101 } } }],
  ['updateNetwork', 'a negative tip', { fees: { min_priority_fee: -1 } }],
  ['updateNetwork', 'a method twice', { rpc_methods: ['read', 'read'] }],
  ['createSigner', 'unknown fields', { type: 'plain', config: {}, key: 'x' }],
  ['createSigner', 'control characters in type', { type: 'a\u0001', config: {} }],
  ['updateSigner', 'fields', { config: {} }],
  ['createApiKey', 'unknown fields', { name: 'A', scopes: ['*'], admin: true }],
  ['createApiKey', 'a scope twice', { name: 'A', scopes: ['rpc', 'rpc'] }],
  ['createApiKey', 'control characters in name', { name: 'A\u0000', scopes: ['rpc'] }],
  ['createApiKey', 'a year before 1970', { name: 'A', scopes: ['rpc'], expires_at: '1969-12-31T23:59:59Z' }],
  [
    'createApiKey',
    'an unknown member of a limit',
    { name: 'A', scopes: ['rpc'], rate_limit: { burst: 1, requests_per_second: 1, per: 's' } },
  ],
  ['freezeSigning', 'unknown fields', { reason: 'x', by: 'me' }],
  ['freezeSigning', 'control characters', { reason: 'x\u0085' }],
  ['unfreezeSigning', 'unknown fields', { by: 'me' }],
  ['signTypedData', 'unknown fields', { domain_separator: WORD, hash_struct_message: WORD, types: {} }],
  ['signTypedData', 'short hashes', { domain_separator: '0x12', hash_struct_message: WORD }],
  [
    'signTypedDataBatch',
    'unknown fields',
    { items: [{ domain_separator: WORD, hash_struct_message: WORD }], atomic: true },
  ],
  ['sign', 'unknown fields', { message: 'a', personal: true }],
  ['sign', 'an unknown encoding', { message: 'a', encoding: 'base64' }],
  ['signTransaction', 'unknown fields', { transaction: { ...TRANSACTION, gas_price: 1 } }],
  ['signTransaction', 'an unknown type', { transaction: { ...TRANSACTION, type: 3 } }],
  ['signTransaction', 'too many storage keys', listed(4001)],
  ['sendTransaction', 'unknown fields', { value: 0, to: ADDRESS, speed: 'fast', gas: 1 }],
  ['sendTransaction', 'a type as text', { value: 0, to: ADDRESS, speed: 'fast', type: '2' }],
  ['sendTransaction', 'no address', { value: 0, to: '0x12', speed: 'fast' }],
  [
    'sendTransactionBatch',
    'unknown fields',
    { transactions: [{ value: 0, to: ADDRESS, speed: 'fast' }], order: 1 },
  ],
  ['replayDeadDeliveries', 'a year before 1970', { since: '1969-01-01T00:00:00Z' }],
  ['replayDeadDeliveries', 'no time', { since: '2026-01-31' }],
];

/** Bodies that the service accepts, or refuses for a reason other than their form. */
const ACCEPTED: [operation: string, what: string, body: object, status: number][] = [
  [
    'updateRelayer',
    'null for members',
    policies({ gas_price_cap: null, typed_data: null, whitelist_receivers: null }),
    200,
  ],
  [
    'updateRelayer',
    'all of EVM',
    policies({
      messages: { allow: 'text' },
      whitelist_receivers: [ADDRESS.toLowerCase()],
      transactions: { allowed_methods: [{ selectors: ['0xA9059CBB', '0x'] }] },
    }),
    200,
  ],
  [
    'updateRelayer',
    'null for all',
    policies({ typed_data: { allow_blind_hashes: true }, messages: { allow: 'any' }, transactions: {} }),
    200,
  ],
  ['updateRelayer', 'an empty patch', {}, 200],
  [
    'updateRelayer',
    'objects that others require in full',
    policies({ top_up: { from_relayer: 'other', below: 1, to: 2 }, messages: { allow: 'text' } }),
    200,
  ],
  ['updateRelayer', 'a part of them', policies({ top_up: { to: '5' }, messages: {} }), 200],
  [
    'createRelayer',
    'policies of Solana',
    { ...RELAYER, network: 'devnet', network_type: 'solana', policies: { allowed_accounts: [ACCOUNT] } },
    404,
  ],
  ['createRelayer', 'no policies', { ...RELAYER, policies: null }, 404],
  ['signTransaction', 'a type as text', { transaction: { ...TRANSACTION, type: '2' } }, 200],
  ['signTransaction', '3000 storage keys', listed(3000), 200],
  ['signTransaction', 'a type in hex', { transaction: { ...TRANSACTION, type: '0x2' } }, 200],
  [
    'createNotification',
    'a key of 8 characters of 4 bytes',
    { ...HOOK, signing_key: '\u{1F511}'.repeat(8) },
    201,
  ],
  [
    'createNotification',
    'null for what may be absent',
    { ...HOOK, id: null, type: null, events: null, signing_key: null },
    201,
  ],
  ['updateNotification', 'an empty key', { signing_key: '' }, 200],
  [
    'createNotification',
    'a URL of 2048 characters of 4 bytes',
    { url: `HTTPS://hooks.example.com/${'😀'.repeat(2022)}` },
    201,
  ],
  ['updateNotification', 'a URL that is no URI', { url: 'https://hooks.example.com/%%%"{}é' }, 200],
  [
    'createNetwork',
    'null for what may be absent',
    { ...NETWORK, symbol: null, tags: null, passphrase: null, rpc_urls: null },
    201,
  ],
  [
    'createNetwork',
    'Stellar',
    { name: 'rules', network_type: 'stellar', chain_id: null, passphrase: 'A network' },
    201,
  ],
  [
    'createApiKey',
    'null for what may be absent',
    { name: 'A', scopes: ['rpc'], rate_limit: null, public_key: null, expires_at: null, relayers: null },
    201,
  ],
  [
    'createApiKey',
    'a time with an offset',
    { name: 'A', scopes: ['rpc'], expires_at: '2996-12-31T23:59:59.123456789+23:59' },
    201,
  ],
  ['rotateApiKey', 'an empty body', {}, 200],
  ['freezeSigning', 'a reason', { reason: 'é' }, 200],
  ['unfreezeSigning', 'no reason', { reason: null }, 200],
];

/** Values of query parameters, and whether the service accepts them. */
const PARAMETERS: [operation: string, name: string, value: string, isAccepted: boolean][] = [
  ['listRelayers', 'page', '9007199254740991', true],
  ['listRelayers', 'page', '9007199254740992', false],
  ['listRelayers', 'page', '-1', false],
  ['listRelayers', 'per_page', '1000', true],
  ['listRelayers', 'per_page', '1001', false],
  ['listAuditEvents', 'since', '1970-01-01T00:00:00Z', true],
  ['listAuditEvents', 'since', '1969-12-31T23:59:59Z', false],
  ['listAuditEvents', 'until', '2026-01-31', false],
  ['listAuditEvents', 'action', '😀'.repeat(128), true],
  ['listAuditEvents', 'action', 'x'.repeat(129), false],
  ['listTransactions', 'status', 'mined', true],
  ['listTransactions', 'status', 'lost', false],
  ['listTransactions', 'created_after', '1969-12-31T23:59:59Z', false],
  ['listChanges', 'status', 'pending', true],
  ['listChanges', 'status', 'open', false],
  ['listDeliveries', 'state', 'open', false],
  ['listDeliveries', 'event', 'nothing', false],
];

describeService('Rules of the OpenAPI document', { onlySqlite: true }, ({ service }) => {
  const known: Record<string, string> = {
    relayer_id: 'ruled',
    signer_id: 'ruled',
    notification_id: 'hook',
    network_id: 'evm:sepolia',
  };

  beforeAll(async () => {
    await addRelayer(service, { id: 'ruled', signerId: 'ruled' });
    await service.post('/api/v1/notifications', { ...HOOK, id: 'hook' });
    const created = await service.post('/api/v1/api-keys', { name: 'K', scopes: ['rpc'] });
    known.key_id = created.body.data.id as string;
  });

  const pathOf = (id: string): [method: string, path: string] => {
    const [method = '', path = ''] = operationOf(id).route.split(' ');
    return [
      method,
      path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(known[name] ?? '')),
    ];
  };

  const send = (id: string, body: object) => {
    const [method, path] = pathOf(id);
    return service.call({ method, path, body });
  };

  it.each(REFUSED)('%s: %s', async (id, _rule, body) => {
    expect((await send(id, body)).status).toBe(400);
    expect(allows(id, body)).toBe(false);
  });

  it.each(ACCEPTED)('%s accepts %s', async (id, _what, body, status) => {
    const response = await send(id, body);
    expect([response.status, response.body.error]).toEqual([
      status,
      status < 300 ? null : expect.any(String),
    ]);
    expect(allows(id, body)).toBe(true);
  });

  it.each(PARAMETERS)('%s?%s=%s', async (id, name, value, isAccepted) => {
    const [, path] = pathOf(id);
    const { status } = await service.get(`${path}?${name}=${encodeURIComponent(value)}`);
    expect([status === 200, allowsParameter(id, name, value)]).toEqual([isAccepted, isAccepted]);
  });

  it.each([
    ['200', {}, '/api/v1/relayers'],
    ['400', {}, '/api/v1/relayers?page=x'],
    ['401', { authorization: 'Bearer nobody' }, '/api/v1/relayers'],
    ['404', {}, '/api/v1/relayers/nobody'],
  ])('list the headers of a %s response', async (status, headers, path) => {
    const response = await service.get(path, headers);
    const documented = operationOf(path.endsWith('nobody') ? 'getRelayer' : 'listRelayers').operation
      .responses;
    const names = Object.keys(resolved(documented[status] as Json).headers as object);
    expect(String(response.status)).toBe(status);
    expect(names.filter((name) => response.headers[name.toLowerCase()] === undefined)).toEqual([]);
    const limits = Object.keys(response.headers).filter((name) => /^(x-ratelimit|x-request|www-)/.test(name));
    expect(limits.sort()).toEqual(names.map((name) => name.toLowerCase()).sort());
  });

  it('never accept a change of a signer', async () => {
    expect((await send('updateSigner', {})).status).toBe(400);
    expect(
      Object.keys(operationOf('updateSigner').operation.responses).filter((status) => status < '300'),
    ).toEqual([]);
  });

  it('are tested for all bodies except three', () => {
    const covered = new Set([...REFUSED, ...ACCEPTED].map(([id]) => id));
    const bodies = operations
      .filter(([, { requestBody }]) => requestBody)
      .map(([, { operationId }]) => operationId as string);
    expect(bodies.filter((id) => !covered.has(id)).sort()).toEqual([
      'replaceTransaction',
      'rpc',
      'updateApiKey',
    ]);
  });
});
