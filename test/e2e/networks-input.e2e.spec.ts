import { describeService } from '../support/describe-service';

const PATH = '/api/v1/networks';
const SEPOLIA = `${PATH}/evm:sepolia`;

const NAME = 'name must be 1 to 64 lower-case letters, digits or dashes';
const TYPE = 'network_type must be one of evm, solana, stellar';
const SYMBOL = 'symbol must be a string of 1 to 16 characters without control characters';
const URL = 'must be an http or https URL of at most 2048 characters';
const EXPLORER = `each value in explorer_urls ${URL}, without user name or password`;
const ENDPOINT = 'each item of rpc_urls must be a URL or an object with url and weight';
const TIP = `must be a JSON integer or a decimal string from 0 to ${2n ** 128n - 1n}`;
const NUMBER = 'must be a number';
const RISING = 'must not fall from safeLow to fastest, with 30, 50, 85 and 99 where none is given';
const METHOD = 'each item of rpc_methods must be the name of a JSON-RPC method';
const label = (field: string): string =>
  `each item of ${field} must be 1 to 32 letters, digits, dashes or underscores`;

const evm = (changes: object): object => ({ name: 'x', network_type: 'evm', chain_id: 5, ...changes });
const endpoints = (...rpc_urls: unknown[]): object => ({ rpc_urls });

const BAD_NETWORKS: [string, unknown, string][] = [
  ['POST', {}, `name ${NAME.slice(5)}; ${TYPE}`],
  ['POST', { network_type: 'evm', chain_id: 5 }, NAME],
  ['POST', evm({ name: '' }), NAME],
  ['POST', evm({ name: 'Sepolia' }), NAME],
  ['POST', evm({ name: 'a b' }), NAME],
  ['POST', evm({ name: 'evm:x' }), NAME],
  ['POST', evm({ name: 'x\n' }), NAME],
  ['POST', evm({ name: 'x'.repeat(65) }), NAME],
  ['POST', evm({ name: 7 }), NAME],
  ['POST', evm({ name: null }), NAME],
  ['POST', { name: 'x', chain_id: 5 }, TYPE],
  ['POST', evm({ network_type: 'bitcoin' }), TYPE],
  ['POST', evm({ network_type: 'EVM' }), TYPE],
  ['POST', evm({ chain_id: undefined }), 'chain_id is required for networks of type evm'],
  ['POST', evm({ chain_id: null }), 'chain_id is required for networks of type evm'],
  ['POST', evm({ chain_id: '5' }), 'chain_id must be an integer number'],
  ['POST', evm({ chain_id: 1.5 }), 'chain_id must be an integer number'],
  ['POST', evm({ chain_id: 0 }), 'chain_id must not be less than 1'],
  ['POST', evm({ chain_id: -1 }), 'chain_id must not be less than 1'],
  [
    'POST',
    '{"name":"x","network_type":"evm","chain_id":9007199254740993}',
    'chain_id is a number that JSON clients round (beyond 2^53-1 or over 15 digits): send it as a decimal string',
  ],
  ['POST', evm({ network_type: 'solana' }), 'chain_id must not be given for networks of type solana'],
  ['POST', evm({ network_type: 'stellar' }), 'chain_id must not be given for networks of type stellar'],
  ['POST', evm({ passphrase: 'p' }), 'passphrase must not be given for networks of type evm'],
  [
    'POST',
    evm({ horizon_url: 'https://h.example' }),
    'horizon_url must not be given for networks of type evm',
  ],
  ['POST', evm({ horizon_url: 'h' }), `horizon_url ${URL}, without user name or password`],
  ['POST', evm({ symbol: '' }), SYMBOL],
  ['POST', evm({ symbol: 'x'.repeat(17) }), SYMBOL],
  ['POST', evm({ symbol: 5 }), SYMBOL],
  ['POST', evm({ required_confirmations: -1 }), 'required_confirmations must not be less than 0'],
  ['POST', evm({ required_confirmations: 10_001 }), 'required_confirmations must not be greater than 10000'],
  ['POST', evm({ required_confirmations: '1' }), 'required_confirmations must be an integer number'],
  ['POST', evm({ average_blocktime_ms: 0 }), 'average_blocktime_ms must not be less than 1'],
  ['POST', evm({ average_blocktime_ms: 3_600_001 }), 'average_blocktime_ms must not be greater than 3600000'],
  ['POST', evm({ is_testnet: 'yes' }), 'is_testnet must be a boolean value'],
  ['POST', evm({ features: 'eip1559' }), 'features must be an array'],
  ['POST', evm({ features: [''] }), label('features')],
  ['POST', evm({ features: [5] }), label('features')],
  ['POST', evm({ features: ['x'.repeat(33)] }), label('features')],
  ['POST', evm({ features: ['a', 'a'] }), 'features must not hold an item twice'],
  [
    'POST',
    evm({ features: Array.from({ length: 33 }, (_, i) => `f${i}`) }),
    'features must contain no more than 32 elements',
  ],
  ['POST', evm({ tags: {} }), 'tags must be an array'],
  ['POST', evm({ tags: ['a b'] }), label('tags')],
  ['POST', evm({ explorer_urls: 'https://e.example' }), 'explorer_urls must be an array'],
  ['POST', evm({ explorer_urls: ['ftp://e.example'] }), EXPLORER],
  ['POST', evm({ explorer_urls: ['https://user:k@e.example'] }), EXPLORER],
  [
    'POST',
    evm({ explorer_urls: Array(9).fill('https://e.example') }),
    'explorer_urls must contain no more than 8 elements',
  ],
  ['POST', evm({ rpc_urls: 'https://r.example' }), 'rpc_urls must be an array'],
  ['POST', evm(endpoints(5)), ENDPOINT],
  ['POST', evm(endpoints(null)), ENDPOINT],
  ['POST', evm(endpoints(['https://r.example'])), ENDPOINT],
  ['POST', evm(endpoints('r.example')), `rpc_urls[0].url ${URL}`],
  ['POST', evm(endpoints('https://r.example', {})), `rpc_urls[1].url ${URL}`],
  [
    'POST',
    evm(endpoints({ url: 'https://r.example', weight: 101 })),
    'rpc_urls[0].weight must not be greater than 100',
  ],
  [
    'POST',
    evm(endpoints({ url: 'https://r.example', weight: null })),
    'rpc_urls[0].weight must be an integer number',
  ],
  ['POST', evm(endpoints({ url: 'https://r.example', key: 1 })), 'rpc_urls[0].key is not a known field'],
  [
    'POST',
    evm(endpoints(...Array(17).fill('https://r.example'))),
    'rpc_urls must contain no more than 16 elements',
  ],
  [
    'POST',
    evm(endpoints(...Array(16).fill(`https://r.example/${'語'.repeat(2000)}`))),
    'rpc_urls is too long as a whole',
  ],
  ['POST', evm({ id: 'evm:x' }), 'id is not a known field'],
  ['POST', evm({ from: 'mainnet' }), 'from is not a known field'],
  ['POST', evm({ rpc_methods: 'read' }), 'rpc_methods must be an array'],
  ['POST', evm({ rpc_methods: ['eth call'] }), METHOD],
  ['POST', evm({ private_rpc_urls: 'https://r.example' }), 'private_rpc_urls must be an array'],
  ['POST', evm({ private_rpc_urls: ['r.example'] }), `private_rpc_urls[0].url ${URL}`],
  [
    'POST',
    { name: 'x', network_type: 'solana', private_rpc_urls: ['https://r.example'] },
    'private_rpc_urls must not be given for networks of type solana',
  ],
  [
    'POST',
    evm({ private_rpc_urls: Array(16).fill(`https://r.example/${'語'.repeat(2000)}`) }),
    'private_rpc_urls is too long as a whole',
  ],
  ['POST', evm({ private_fallback_blocks: 0 }), 'private_fallback_blocks must not be less than 1'],
  [
    'POST',
    evm({ private_fallback_blocks: 10_001 }),
    'private_fallback_blocks must not be greater than 10000',
  ],
  ['POST', evm({ private_fallback_blocks: 1.5 }), 'private_fallback_blocks must be an integer number'],
  ['PATCH', {}, 'rpc_urls, private_rpc_urls, private_fallback_blocks, fees or rpc_methods must be given'],
  ['PATCH', { private_rpc_urls: {} }, 'private_rpc_urls must be an array'],
  ['PATCH', { private_rpc_urls: ['ftp://r.example'] }, `private_rpc_urls[0].url ${URL}`],
  [
    'PATCH',
    { private_rpc_urls: Array(17).fill('https://r.example') },
    'private_rpc_urls must contain no more than 16 elements',
  ],
  ['PATCH', { private_fallback_blocks: '5' }, 'private_fallback_blocks must be an integer number'],
  ['PATCH', { private_fallback_blocks: 0 }, 'private_fallback_blocks must not be less than 1'],
  [
    'POST',
    { name: 'x', network_type: 'solana', fees: { legacy: true } },
    'fees must not be given for networks of type solana',
  ],
  ['POST', evm({ fees: [] }), 'fees must be an object'],
  ['POST', evm({ fees: { minimum: 1 } }), 'fees.minimum is not a known field'],
  ['PATCH', { fees: 'legacy' }, 'fees must be an object'],
  ['PATCH', { fees: { legacy: 'yes' } }, 'fees.legacy must be a boolean value'],
  ['PATCH', { fees: { min_priority_fee: -1 } }, `fees.min_priority_fee ${TIP}`],
  ['PATCH', { fees: { min_priority_fee: 1.5 } }, `fees.min_priority_fee ${TIP}`],
  ['PATCH', { fees: { min_priority_fee: '0x1' } }, `fees.min_priority_fee ${TIP}`],
  ['PATCH', { fees: { min_priority_fee: (2n ** 128n).toString() } }, `fees.min_priority_fee ${TIP}`],
  ['PATCH', { fees: { percentiles: [30, 50, 85, 99] } }, 'fees.percentiles must be an object'],
  ['PATCH', { fees: { percentiles: { slow: 1 } } }, 'fees.percentiles.slow is not a known field'],
  ['PATCH', { fees: { percentiles: { fast: '85' } } }, `fees.percentiles.fast ${NUMBER}`],
  [
    'PATCH',
    { fees: { percentiles: { fastest: 100.5 } } },
    'fees.percentiles.fastest must not be greater than 100',
  ],
  ['PATCH', { fees: { percentiles: { safeLow: -1 } } }, 'fees.percentiles.safeLow must not be less than 0'],
  ['PATCH', { fees: { percentiles: { safeLow: 60, average: 40 } } }, `fees.percentiles ${RISING}`],
  ['PATCH', { fees: { percentiles: { safeLow: 60 } } }, `fees.percentiles ${RISING}`],
  ['PATCH', { rpc_urls: null }, 'rpc_urls must be an array'],
  ['PATCH', { rpc_urls: [] }, 'rpc_urls must contain at least one RPC endpoint'],
  ['PATCH', endpoints('ftp://r.example'), `rpc_urls[0].url ${URL}`],
  ['PATCH', endpoints({ weight: 1 }), `rpc_urls[0].url ${URL}`],
  [
    'PATCH',
    endpoints({ url: 'https://r.example', weight: -1 }),
    'rpc_urls[0].weight must not be less than 0',
  ],
  [
    'PATCH',
    endpoints(...Array(17).fill('https://r.example')),
    'rpc_urls must contain no more than 16 elements',
  ],
  ['PATCH', { rpc_urls: ['https://r.example'], chain_id: 1 }, 'chain_id is not a known field'],
  ['PATCH', { rpc_urls: ['https://r.example'], symbol: null }, 'symbol is not a known field'],
  ['PATCH', { rpc_methods: 'read' }, 'rpc_methods must be an array'],
  ['PATCH', { rpc_methods: {} }, 'rpc_methods must be an array'],
  ['PATCH', { rpc_methods: [5] }, METHOD],
  ['PATCH', { rpc_methods: [null] }, METHOD],
  ['PATCH', { rpc_methods: [''] }, METHOD],
  ['PATCH', { rpc_methods: ['eth-call'] }, METHOD],
  ['PATCH', { rpc_methods: ['eth_*'] }, METHOD],
  ['PATCH', { rpc_methods: ['eth_call\n'] }, METHOD],
  ['PATCH', { rpc_methods: ['x'.repeat(65)] }, METHOD],
  ['PATCH', { rpc_methods: ['read', 'read'] }, 'rpc_methods must not hold an item twice'],
  [
    'PATCH',
    { rpc_methods: Array.from({ length: 129 }, (_, i) => `m${i}`) },
    'rpc_methods must contain no more than 128 elements',
  ],
  ['PATCH', { rpc_methods: null, rpc_urls: null }, 'rpc_urls must be an array'],
  ['PATCH', { rpc_methods: ['read'], rpc_urls: [] }, 'rpc_urls must contain at least one RPC endpoint'],
];

describeService('Validation of networks', ({ service }) => {
  let before: string;

  const everything = async (): Promise<string> => (await service.get(`${PATH}?per_page=1000`)).text;

  beforeAll(async () => {
    before = await everything();
  });

  it.each(BAD_NETWORKS)('%s %j', async (method, body, error) => {
    const response = await service.call({ method, path: method === 'POST' ? PATH : SEPOLIA, body });
    expect(response.body).toEqual({ success: false, data: null, error, message: 'Bad Request' });
    expect(response.status).toBe(400);
  });

  it('checks the body before it looks up the network', async () => {
    expect((await service.patch(`${PATH}/evm:nowhere`, {})).status).toBe(400);
  });

  it('refuses requests without a token on every route', async () => {
    for (const [method, path] of [
      ['GET', PATH],
      ['POST', PATH],
      ['GET', SEPOLIA],
      ['PATCH', SEPOLIA],
      ['DELETE', SEPOLIA],
    ] as const) {
      expect((await service.call({ method, path, headers: { authorization: undefined } })).status).toBe(401);
    }
  });

  it('leaves all networks unchanged', async () => {
    expect(await everything()).toBe(before);
  });
});
