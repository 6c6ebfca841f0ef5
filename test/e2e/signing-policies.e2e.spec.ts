import { hashMessage, recoverAddress, TypedDataEncoder } from 'ethers';
import { addRelayer, COW_ADDRESS, COW_KEY } from '../support/builders';
import { describeService } from '../support/describe-service';
import { MAIL } from '../support/typed-data/vectors';

const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'cd'.repeat(32) };
const TO = '0x3535353535353535353535353535353535353535';
const OTHER = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826';
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const SPENDER = '0x000000000022D473030F116dDEE9F6B43aC78BA3';

const TRANSFER = {
  ...{ type: 2, chain_id: 1, nonce: 0, gas_limit: 21_000, to: TO, value: '1000' },
  ...{ max_fee_per_gas: 20, max_priority_fee_per_gas: 1 },
};

const PERMIT = {
  domain: { name: 'USD Coin', version: '2', chainId: 1, verifyingContract: USDC },
  types: {
    Permit: [
      { name: 'owner', type: 'address' },
      { name: 'spender', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  primaryType: 'Permit',
  message: {
    owner: COW_ADDRESS,
    spender: SPENDER.toLowerCase(),
    value: '1000',
    nonce: 0,
    deadline: '99999999999',
  },
};

/** A transaction that drains a Safe, followed by its hash, which an owner signs with `eth_sign`. */
const SAFE_TRANSACTION = {
  domain: { chainId: 1, verifyingContract: '0x29fcB43b46531BcA003ddC8FCB67FFE91900C762' },
  types: {
    SafeTx: [
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'data', type: 'bytes' },
      { name: 'operation', type: 'uint8' },
      { name: 'safeTxGas', type: 'uint256' },
      { name: 'baseGas', type: 'uint256' },
      { name: 'gasPrice', type: 'uint256' },
      { name: 'gasToken', type: 'address' },
      { name: 'refundReceiver', type: 'address' },
      { name: 'nonce', type: 'uint256' },
    ],
  },
  primaryType: 'SafeTx',
  message: {
    ...{
      to: TO,
      value: '1000000000000000000000',
      data: '0x',
      operation: 0,
      safeTxGas: 0,
      baseGas: 0,
      gasPrice: 0,
    },
    ...{ gasToken: `0x${'00'.repeat(20)}`, refundReceiver: `0x${'00'.repeat(20)}`, nonce: 42 },
  },
};
const SAFE_HASH = TypedDataEncoder.hash(
  SAFE_TRANSACTION.domain,
  SAFE_TRANSACTION.types,
  SAFE_TRANSACTION.message,
);

/** Each form of signature request: the route, the body, and the message of a rejection by policy. */
const FORMS = {
  hashes: ['sign-typed-data', HASHES, 'Typed data not allowed by policy'],
  'full typed data': ['sign-typed-data', MAIL, 'Typed data not allowed by policy'],
  text: ['sign', { message: 'Some data' }, 'Message not allowed by policy'],
  'bytes that are no text': ['sign', { message: '00ff', encoding: 'hex' }, 'Message not allowed by policy'],
  '32 bytes': ['sign', { message: SAFE_HASH, encoding: 'hex' }, 'Message not allowed by policy'],
  '32 characters': ['sign', { message: 'x'.repeat(32) }, 'Message not allowed by policy'],
  transfer: ['sign-transaction', { transaction: TRANSFER }, 'Transaction not allowed by policy'],
  creation: [
    'sign-transaction',
    { transaction: { ...TRANSFER, to: null } },
    'Transaction not allowed by policy',
  ],
} as const satisfies Record<string, [string, unknown, string]>;
type Form = keyof typeof FORMS;

const MESSAGES: Form[] = ['text', 'bytes that are no text', '32 bytes', '32 characters'];
const TRANSACTIONS: Form[] = ['transfer', 'creation'];
const EVERYTHING = Object.keys(FORMS) as Form[];
const BLIND = { allow_blind_hashes: true };
const MAIL_ONLY = { allowed: [{ primary_type: 'Mail' }] };

/** Policies and all forms that they allow, as in the table of docs/signing.md. */
const TABLE: [policies: object, signed: Form[]][] = [
  [{}, EVERYTHING],
  [{ min_balance: 1, gas_price_cap: 20 }, EVERYTHING],
  [{ gas_price_cap: 19 }, EVERYTHING.filter((form) => !TRANSACTIONS.includes(form))],
  [{ whitelist_receivers: [TO] }, EVERYTHING.filter((form) => form !== 'creation')],
  [{ whitelist_receivers: [] }, EVERYTHING.filter((form) => !TRANSACTIONS.includes(form))],

  [{ typed_data: {} }, ['full typed data']],
  [{ typed_data: BLIND }, ['hashes', 'full typed data']],
  [{ typed_data: { allow_blind_hashes: false } }, ['full typed data']],
  [{ typed_data: MAIL_ONLY }, ['full typed data']],
  [{ typed_data: { allowed: [] } }, []],
  [{ typed_data: { allowed: [{ primary_type: 'Permit' }] } }, []],
  [{ typed_data: { allowed: [], ...BLIND } }, ['hashes']],

  [{ messages: { allow: 'none' } }, []],
  [{ messages: { allow: 'text' } }, ['text']],
  [{ messages: { allow: 'any' } }, MESSAGES],

  [{ transactions: {} }, TRANSACTIONS],
  [{ transactions: { max_value: 1000, max_fee: 420_000, max_gas_limit: 21_000 } }, TRANSACTIONS],
  [{ transactions: { max_value: 999 } }, []],
  [{ transactions: { max_fee: 419_999 } }, []],
  [{ transactions: { max_gas_limit: 20_999 } }, []],
  [{ transactions: { allow_contract_creation: false } }, ['transfer']],
  [{ transactions: { allowed_methods: [{ to: TO, selectors: ['0x'] }] } }, ['transfer']],
  [{ transactions: { allowed_methods: [{ to: OTHER, selectors: ['0x'] }] } }, []],
  [{ transactions: { allowed_methods: [], allow_contract_creation: true } }, ['creation']],
  [{ transactions: {}, whitelist_receivers: [TO] }, ['transfer']],
  [{ transactions: {}, gas_price_cap: 19 }, []],

  [{ typed_data: MAIL_ONLY, messages: { allow: 'text' } }, ['full typed data', 'text']],
  [{ typed_data: {}, transactions: {} }, ['full typed data', ...TRANSACTIONS]],
  [{ messages: { allow: 'any' }, transactions: {} }, [...MESSAGES, ...TRANSACTIONS]],
  [{ typed_data: BLIND, messages: { allow: 'any' }, transactions: {} }, EVERYTHING],
  [{ typed_data: { allowed: [] }, messages: { allow: 'none' }, whitelist_receivers: [] }, []],
];

describeService('Signing policies', ({ service }) => {
  beforeAll(async () => {
    await addRelayer(service, { id: 'cow', network: 'mainnet', privateKey: COW_KEY });
  });

  beforeEach(() => service.patch('/api/v1/relayers/cow', { policies: null }));

  const sign = (route: string, body: unknown) => service.post(`/api/v1/relayers/cow/${route}`, body);

  const patch = async (policies: object) => {
    const response = await service.patch('/api/v1/relayers/cow', { policies });
    expect(response.status).toBe(200);
    return response.body;
  };

  const signedForms = async (): Promise<Form[]> => {
    const signed: Form[] = [];
    for (const form of EVERYTHING) {
      const [route, body, rejection] = FORMS[form];
      const response = await sign(route, body);
      if (response.status === 200) signed.push(form);
      else expect([form, response.status, response.body.message]).toEqual([form, 403, rejection]);
    }
    return signed;
  };

  const outcome = async (route: string, body: unknown): Promise<unknown> => {
    const response = await sign(route, body);
    return response.status === 200 ? 200 : [response.status, response.body.error];
  };

  it.each(TABLE)('%j allow exactly %j', async (policies, signed) => {
    await patch(policies);
    expect(await signedForms()).toEqual(EVERYTHING.filter((form) => signed.includes(form)));
  });

  it('apply to each item of a batch', async () => {
    await patch({ messages: { allow: 'any' } });
    const { body } = await sign('sign-typed-data/batch', { items: [HASHES, MAIL] });
    expect(body.data).toEqual([
      {
        success: false,
        error: 'policies.messages is set, and policies.typed_data.allow_blind_hashes is not true',
      },
      { success: false, error: 'policies.messages is set, and policies.typed_data is not' },
    ]);
  });

  it('prevent the hash of a Safe transaction from being signed as a message', async () => {
    const steal = { message: SAFE_HASH, encoding: 'hex' };
    const { sig } = (await sign('sign', steal)).body.data as { sig: string };
    expect(recoverAddress(hashMessage(Buffer.from(SAFE_HASH.slice(2), 'hex')), `0x${sig}`)).toBe(COW_ADDRESS);

    await patch({ whitelist_receivers: [], typed_data: { allowed: [], allow_blind_hashes: false } });
    expect(await outcome('sign', steal)).toEqual([
      403,
      'policies.typed_data is set, and policies.messages is not',
    ]);
    expect(await outcome('sign-typed-data', SAFE_TRANSACTION)).toEqual([
      403,
      expect.stringContaining('no entry of policies.typed_data.allowed matches') as string,
    ]);
    await patch({ messages: { allow: 'text' } });
    expect(await outcome('sign', steal)).toEqual([
      403,
      'policies.messages.allow is "text", and 32 bytes may be a hash',
    ]);
  });

  it('allow a permit for one spender up to an amount', async () => {
    const permit = (message: object) => ({ ...PERMIT, message: { ...PERMIT.message, ...message } });
    const allowed = [
      {
        chain_id: 1,
        verifying_contract: USDC,
        primary_type: 'Permit',
        fields: { spender: [SPENDER], value: { max: '1000' } },
      },
    ];
    expect((await patch({ typed_data: { allowed } })).data.policies.typed_data).toEqual({
      allowed: [{ ...allowed[0], fields: { spender: [SPENDER], value: { max: 1000 } } }],
    });
    const rule = (field: string) =>
      `policies.typed_data.allowed[0].fields does not allow message.${field}, and no other entry matches`;
    expect(await outcome('sign-typed-data', PERMIT)).toBe(200);
    expect(await outcome('sign-typed-data', permit({ value: '0x3e8', spender: SPENDER }))).toBe(200);
    expect(await outcome('sign-typed-data', permit({ value: 1001 }))).toEqual([403, rule('value')]);
    expect(await outcome('sign-typed-data', permit({ value: `${2n ** 256n - 1n}` }))).toEqual([
      403,
      rule('value'),
    ]);
    expect(await outcome('sign-typed-data', permit({ spender: TO }))).toEqual([403, rule('spender')]);
    const disguised = structuredClone(PERMIT);
    disguised.types.Permit[2] = { name: 'amount', type: 'uint256' };
    const { value: amount, ...message } = PERMIT.message;
    expect(await outcome('sign-typed-data', { ...disguised, message: { ...message, amount } })).toEqual([
      403,
      rule('value'),
    ]);
    expect(await outcome('sign-typed-data', HASHES)).toEqual([
      403,
      'policies.typed_data is set, and policies.typed_data.allow_blind_hashes is not true',
    ]);
  });

  describe('on creation or change of a relayer', () => {
    const OPEN =
      'to transactions only: typed data, given in full or as two hashes, and messages of any kind are still signed. ' +
      'Set policies.typed_data, policies.messages or policies.transactions, and whatever none of them allows is rejected';
    const warningsOf = async (policies: object) =>
      ((await patch(policies)).metadata?.logs ?? []) as { level: string; message: string }[];

    it.each<[object, string[]]>([
      [{ whitelist_receivers: [TO] }, [`policies.whitelist_receivers applies ${OPEN}`]],
      [
        { whitelist_receivers: [TO], gas_price_cap: 5 },
        [`policies.whitelist_receivers, policies.gas_price_cap apply ${OPEN}`],
      ],
      [{ whitelist_receivers: [TO], messages: { allow: 'none' } }, []],
      [{ min_balance: 1 }, []],
      [{ typed_data: {} }, []],
      [
        { eip1559_pricing: false, private_transactions: true },
        [
          'policies.private_transactions is true, and network mainnet has no private RPC endpoint: transactions are refused until private_rpc_urls of the network are set',
        ],
      ],
      [{ private_transactions: false }, []],
      [{ eip1559_pricing: false, gas_limit_estimation: true }, []],
      [
        { include_revert_data: true, gas_price_cap: 5 },
        [
          `policies.gas_price_cap applies ${OPEN}`,
          'policies.include_revert_data is stored but without effect: responses always have the revert data',
        ],
      ],
      [{ eip1559_pricing: null }, []],
    ])('cause the warnings expected for %j', async (policies, warnings) => {
      expect(await warningsOf(policies)).toEqual(warnings.map((message) => ({ level: 'warn', message })));
    });

    it('cause a warning when the last restriction is removed, but not when something else changes', async () => {
      await patch({ whitelist_receivers: [TO], typed_data: {} });
      expect(await warningsOf({ min_balance: 5 })).toEqual([]);
      expect(await warningsOf({ typed_data: null })).toHaveLength(1);
      expect(await warningsOf({ min_balance: 6 })).toEqual([]);
      expect((await service.patch('/api/v1/relayers/cow', { name: 'Cow' })).body).not.toHaveProperty(
        'metadata',
      );
    });

    it('cause a warning when a relayer is created', async () => {
      const key = service.keepSecret('5a'.repeat(32));
      await service.post('/api/v1/signers', { id: 's', type: 'plain', config: { key } });
      const response = await service.post('/api/v1/relayers', {
        ...{ id: 'new', name: 'New', network: 'mainnet', network_type: 'evm', paused: false, signer_id: 's' },
        policies: { whitelist_receivers: [TO] },
      });
      expect([response.status, response.body.metadata.logs]).toEqual([
        201,
        [{ level: 'warn', message: `policies.whitelist_receivers applies ${OPEN}` }],
      ]);
    });
  });

  it.each<[object, string]>([
    [{ messages: {} }, 'policies.messages.allow must be one of none, text, any'],
    [{ messages: { allow: 'all' } }, 'policies.messages.allow must be one of none, text, any'],
    [{ messages: { allow: 'any', deny: [] } }, 'policies.messages.deny is not a known field'],
    [{ transactions: [] }, 'policies.transactions must be an object'],
    [
      { transactions: { spend_limits: [{ per: '2h' }] } },
      'policies.transactions.spend_limits[0].per must be one of 1h, 24h, 7d',
    ],
    [{ transactions: { spend_limits: {} } }, 'policies.transactions.spend_limits must be an array'],
    [
      { transactions: { max_value: -1 } },
      `policies.transactions.max_value must be a JSON integer or a decimal string from 0 to ${2n ** 256n - 1n}`,
    ],
    [
      { transactions: { allowed_methods: [{ selectors: ['0xa9059c'] }] } },
      'each value in policies.transactions.allowed_methods[0].selectors must be 0x and 8 hex digits, or 0x for a transfer without calldata',
    ],
    [
      { transactions: { allowed_methods: [{ to: TO, selectors: [] }] } },
      'policies.transactions.allowed_methods[0].selectors must contain at least 1 elements',
    ],
    [
      { transactions: { allowed_methods: [{ to: TO }] } },
      'each value in policies.transactions.allowed_methods[0].selectors must be 0x and 8 hex digits, or 0x for a transfer without calldata',
    ],
    [
      { typed_data: { allowed: [{ fields: {} }] } },
      'policies.typed_data.allowed[0].fields must name 1 to 32 members of the message',
    ],
    [
      { typed_data: { allowed: [{ primary_type: 'Permit', fields: { value: { max: 1.5 } } }] } },
      'policies.typed_data.allowed[0].fields must give value as {min, max}, one of them at least, each a JSON integer or a decimal string of 256 bits',
    ],
  ])('cannot be %j', async (policies, error) => {
    const response = await service.patch('/api/v1/relayers/cow', { policies });
    expect([response.status, response.body.error]).toEqual([400, error]);
  });
});
