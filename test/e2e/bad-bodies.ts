/** Bodies that must be refused: path, method, body, and the full text of `error`. */

export const RELAYER = '/api/v1/relayers/cow';
const SIGN = `${RELAYER}/sign-typed-data`;
export const NOTIFICATIONS = '/api/v1/notifications';
const HOOK = `${NOTIFICATIONS}/hook`;
const HASH = 'ab'.repeat(32);
const URL_RULE = 'must be an http or https URL of at most 2048 characters, without user name or password';
const WHSEC_RULE = 'must be whsec_ and the base64 of 24 to 64 bytes';
const SIGNING_KEY_RULE =
  'signing_key must be a string of at least 32 bytes and at most 1024 characters, without control characters';
export const NAME_RULE = 'must be a string of 1 to 255 characters without control characters';
const EITHER_FORM =
  'either domain_separator and hash_struct_message or domain, types, primaryType, message must be given';
const HASH_RULE = 'must be 32 bytes of hex (64 digits, optional 0x)';
export const PAGE_RULE = 'must be given once, as an integer from 0 to 9007199254740991';
export const PER_PAGE_RULE = 'must be given once, as an integer from 0 to 1000';
const BALANCE_RULE =
  'must be a JSON integer or a decimal string from 0 to 340282366920938463463374607431768211455';
const ADDRESS_RULE = 'must be an address: 0x and 40 hex digits, with a valid checksum if the case is mixed';
export const WITHOUT_BODY = 'a JSON body with Content-Type: application/json is required';

const hashes = (changes: object): object => ({
  domain_separator: HASH,
  hash_struct_message: HASH,
  ...changes,
});
const without = (field: string): object =>
  Object.fromEntries(Object.entries(hashes({})).filter(([key]) => key !== field));

export const BAD_BODIES: [string, 'POST' | 'PATCH', unknown, string][] = [
  [RELAYER, 'PATCH', { name: 5 }, `name ${NAME_RULE}`],
  [RELAYER, 'PATCH', { name: '' }, `name ${NAME_RULE}`],
  [RELAYER, 'PATCH', { name: 'x'.repeat(256) }, `name ${NAME_RULE}`],
  [RELAYER, 'PATCH', { name: 'a\u0000b' }, `name ${NAME_RULE}`],
  [RELAYER, 'PATCH', { name: 'a\nb' }, `name ${NAME_RULE}`],
  [RELAYER, 'PATCH', { paused: null }, 'paused must be a boolean value'],
  [RELAYER, 'PATCH', { paused: 'true' }, 'paused must be a boolean value'],
  [RELAYER, 'PATCH', { paused: 1 }, 'paused must be a boolean value'],
  [RELAYER, 'PATCH', { paused: [true] }, 'paused must be a boolean value'],
  [RELAYER, 'PATCH', { network: 'mainnet' }, 'network is not a known field'],
  [
    RELAYER,
    'PATCH',
    { system_disabled: false, id: 'x' },
    'system_disabled is not a known field; id is not a known field',
  ],
  [
    RELAYER,
    'PATCH',
    { notification_id: 5 },
    'notification_id must be 1 to 36 letters, digits, dashes or underscores',
  ],
  [
    RELAYER,
    'PATCH',
    { notification_id: '' },
    'notification_id must be 1 to 36 letters, digits, dashes or underscores',
  ],
  [
    RELAYER,
    'PATCH',
    { notification_id: 'x'.repeat(37) },
    'notification_id must be 1 to 36 letters, digits, dashes or underscores',
  ],
  [RELAYER, 'PATCH', { custom_rpc_urls: {} }, 'custom_rpc_urls must be an array'],
  [
    RELAYER,
    'PATCH',
    { custom_rpc_urls: ['https://x.example.com'] },
    'each item of custom_rpc_urls must be an object with url and weight',
  ],
  [
    RELAYER,
    'PATCH',
    { custom_rpc_urls: [[{ url: 'https://x.example.com' }]] },
    'each item of custom_rpc_urls must be an object with url and weight',
  ],
  [
    RELAYER,
    'PATCH',
    { custom_rpc_urls: [null] },
    'each item of custom_rpc_urls must be an object with url and weight',
  ],
  [
    RELAYER,
    'PATCH',
    { custom_rpc_urls: [{ url: 'ftp://x.example.com' }] },
    'custom_rpc_urls[0].url must be an http or https URL of at most 2048 characters',
  ],
  [
    RELAYER,
    'PATCH',
    { custom_rpc_urls: [{ url: 'https://x.example.com', weight: 101 }] },
    'custom_rpc_urls[0].weight must not be greater than 100',
  ],
  [
    RELAYER,
    'PATCH',
    { custom_rpc_urls: [{ url: 'https://x.example.com', weight: -1 }] },
    'custom_rpc_urls[0].weight must not be less than 0',
  ],
  [
    RELAYER,
    'PATCH',
    { custom_rpc_urls: [{ url: 'https://x.example.com', weight: 1.5 }] },
    'custom_rpc_urls[0].weight must be an integer number',
  ],
  [
    RELAYER,
    'PATCH',
    { custom_rpc_urls: [{ url: 'https://x.example.com', weight: null }] },
    'custom_rpc_urls[0].weight must be an integer number',
  ],
  [
    RELAYER,
    'PATCH',
    { custom_rpc_urls: [{ url: 'https://x.example.com' }, { weight: 1, key: 1 }] },
    'custom_rpc_urls[1].key is not a known field; custom_rpc_urls[1].url must be an http or https URL of at most 2048 characters',
  ],
  [
    RELAYER,
    'PATCH',
    { custom_rpc_urls: Array(17).fill({ url: 'https://x.example.com' }) },
    'custom_rpc_urls must contain no more than 16 elements',
  ],
  [RELAYER, 'PATCH', { policies: [] }, 'policies must be an object'],
  [RELAYER, 'PATCH', { policies: 'all' }, 'policies must be an object'],
  [RELAYER, 'PATCH', { policies: { network_type: 'evm' } }, 'policies.network_type is not a known field'],
  [RELAYER, 'PATCH', { policies: { unknown: null } }, 'policies.unknown is not a known field'],
  [
    RELAYER,
    'PATCH',
    { policies: { eip1559_pricing: 'yes' } },
    'policies.eip1559_pricing must be a boolean value',
  ],
  [RELAYER, 'PATCH', { policies: { min_balance: -1 } }, `policies.min_balance ${BALANCE_RULE}`],
  [RELAYER, 'PATCH', { policies: { min_balance: 1.5 } }, `policies.min_balance ${BALANCE_RULE}`],
  [RELAYER, 'PATCH', { policies: { min_balance: '0x1' } }, `policies.min_balance ${BALANCE_RULE}`],
  [RELAYER, 'PATCH', { policies: { min_balance: '1e3' } }, `policies.min_balance ${BALANCE_RULE}`],
  [RELAYER, 'PATCH', { policies: { min_balance: '' } }, `policies.min_balance ${BALANCE_RULE}`],
  [RELAYER, 'PATCH', { policies: { min_balance: true } }, `policies.min_balance ${BALANCE_RULE}`],
  [
    RELAYER,
    'PATCH',
    { policies: { gas_price_cap: '340282366920938463463374607431768211456' } },
    `policies.gas_price_cap ${BALANCE_RULE}`,
  ],
  [
    RELAYER,
    'PATCH',
    { policies: { whitelist_receivers: 'all' } },
    'policies.whitelist_receivers must be an array',
  ],
  [
    RELAYER,
    'PATCH',
    { policies: { whitelist_receivers: ['0x1234'] } },
    `each value in policies.whitelist_receivers ${ADDRESS_RULE}`,
  ],
  [
    RELAYER,
    'PATCH',
    { policies: { whitelist_receivers: ['0xcD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'] } },
    `each value in policies.whitelist_receivers ${ADDRESS_RULE}`,
  ],
  [
    RELAYER,
    'PATCH',
    { policies: { whitelist_receivers: ['XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS'] } },
    `each value in policies.whitelist_receivers ${ADDRESS_RULE}`,
  ],
  [
    RELAYER,
    'PATCH',
    '{"policies":{"min_balance":9007199254740992}}',
    'policies.min_balance is a number that JSON clients round (beyond 2^53-1 or over 15 digits): send it as a decimal string',
  ],
  [RELAYER, 'PATCH', '{"paused":true,"paused":false}', 'paused is given more than once'],
  [RELAYER, 'PATCH', '{"__proto__":{"paused":true}}', '__proto__ is not allowed as a field name'],
  [
    RELAYER,
    'PATCH',
    '{"policies":{"constructor":{}}}',
    'policies.constructor is not allowed as a field name',
  ],
  [RELAYER, 'PATCH', '{"paused":tru', 'the request body is not valid JSON'],
  [RELAYER, 'PATCH', '', WITHOUT_BODY],
  [RELAYER, 'PATCH', 'null', 'the request body must be a JSON object'],
  [RELAYER, 'PATCH', '[]', 'the request body must be a JSON object'],
  [RELAYER, 'PATCH', '"text"', 'the request body must be a JSON object'],
  [
    RELAYER,
    'PATCH',
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    'the request body is not valid UTF-8',
  ],
  [RELAYER, 'PATCH', `${'['.repeat(100)}${']'.repeat(100)}`, 'the request body nests deeper than 64 levels'],
  [RELAYER, 'PATCH', '{"name":"\\ud800"}', 'name holds an unpaired surrogate'],
  [SIGN, 'POST', without('domain_separator'), `domain_separator ${HASH_RULE}`],
  [SIGN, 'POST', without('hash_struct_message'), `hash_struct_message ${HASH_RULE}`],
  [SIGN, 'POST', {}, EITHER_FORM],
  [
    SIGN,
    'POST',
    { domain_separator: 1, hash_struct_message: 1 },
    `domain_separator ${HASH_RULE}; hash_struct_message ${HASH_RULE}`,
  ],
  [SIGN, 'POST', hashes({ domain_separator: 5 }), `domain_separator ${HASH_RULE}`],
  [SIGN, 'POST', hashes({ domain_separator: null }), `domain_separator ${HASH_RULE}`],
  [SIGN, 'POST', hashes({ domain_separator: [HASH] }), `domain_separator ${HASH_RULE}`],
  [SIGN, 'POST', hashes({ domain_separator: '' }), `domain_separator ${HASH_RULE}`],
  [SIGN, 'POST', hashes({ domain_separator: HASH.slice(1) }), `domain_separator ${HASH_RULE}`],
  [SIGN, 'POST', hashes({ domain_separator: `${HASH}ab` }), `domain_separator ${HASH_RULE}`],
  [SIGN, 'POST', hashes({ domain_separator: `0X${HASH}` }), `domain_separator ${HASH_RULE}`],
  [SIGN, 'POST', hashes({ hash_struct_message: `${HASH.slice(1)}g` }), `hash_struct_message ${HASH_RULE}`],
  [SIGN, 'POST', hashes({ hash_struct_message: `${HASH}\n` }), `hash_struct_message ${HASH_RULE}`],
  [SIGN, 'POST', hashes({ message: 'x' }), `${EITHER_FORM}, not both`],
  [SIGN, 'POST', hashes({ memo: 'x' }), 'memo is not a known field'],
  [
    SIGN,
    'POST',
    `{"domain_separator":"${HASH}","domain_separator":"${HASH}","hash_struct_message":"${HASH}"}`,
    'domain_separator is given more than once',
  ],
  [NOTIFICATIONS, 'POST', {}, `url ${URL_RULE}`],
  [NOTIFICATIONS, 'POST', { url: null }, `url ${URL_RULE}`],
  [NOTIFICATIONS, 'POST', { url: 'hooks.example.com' }, `url ${URL_RULE}`],
  [NOTIFICATIONS, 'POST', { url: 'javascript:alert(1)' }, `url ${URL_RULE}`],
  [NOTIFICATIONS, 'POST', { url: 'https://' }, `url ${URL_RULE}`],
  [NOTIFICATIONS, 'POST', { url: 'https://user:password@hooks.example.com' }, `url ${URL_RULE}`],
  [NOTIFICATIONS, 'POST', { url: 'https://hooks.example.com/\r\nx: y' }, `url ${URL_RULE}`],
  [NOTIFICATIONS, 'POST', { url: `https://hooks.example.com/${'x'.repeat(2048)}` }, `url ${URL_RULE}`],
  [
    NOTIFICATIONS,
    'POST',
    { url: 'https://x.example.com', id: '' },
    'id must be 1 to 36 letters, digits, dashes or underscores',
  ],
  [
    NOTIFICATIONS,
    'POST',
    { url: 'https://x.example.com', id: 'a b' },
    'id must be 1 to 36 letters, digits, dashes or underscores',
  ],
  [
    NOTIFICATIONS,
    'POST',
    { url: 'https://x.example.com', id: 'abc\n' },
    'id must be 1 to 36 letters, digits, dashes or underscores',
  ],
  [
    NOTIFICATIONS,
    'POST',
    { url: 'https://x.example.com', id: 7 },
    'id must be 1 to 36 letters, digits, dashes or underscores',
  ],
  [NOTIFICATIONS, 'POST', { url: 'https://x.example.com', type: 'email' }, 'type must be webhook'],
  [
    NOTIFICATIONS,
    'POST',
    { url: 'https://x.example.com', signing_key: '' },
    'signing_key must be at least 32 bytes',
  ],
  [
    NOTIFICATIONS,
    'POST',
    { url: 'https://x.example.com', signing_key: 'x'.repeat(31) },
    'signing_key must be at least 32 bytes',
  ],
  [NOTIFICATIONS, 'POST', { url: 'https://x.example.com', signing_key: 5 }, SIGNING_KEY_RULE],
  [NOTIFICATIONS, 'POST', { url: 'https://x.example.com', signing_key: 'x'.repeat(1025) }, SIGNING_KEY_RULE],
  [
    NOTIFICATIONS,
    'POST',
    { url: 'https://x.example.com', signing_key: `${'x'.repeat(32)}\u0000` },
    SIGNING_KEY_RULE,
  ],
  [
    NOTIFICATIONS,
    'POST',
    { url: 'https://x.example.com', signing_key: `whsec_${'A'.repeat(28)}` },
    `signing_key ${WHSEC_RULE}`,
  ],
  [NOTIFICATIONS, 'POST', { url: 'https://x.example.com', secret: 1 }, 'secret is not a known field'],
  [NOTIFICATIONS, 'POST', 'url=https://x.example.com', 'the request body is not valid JSON'],
  [HOOK, 'PATCH', { url: 5 }, `url ${URL_RULE}`],
  [HOOK, 'PATCH', { url: '' }, `url ${URL_RULE}`],
  [HOOK, 'PATCH', { type: 'sms' }, 'type must be webhook'],
  [HOOK, 'PATCH', { signing_key: 'short' }, 'signing_key must be at least 32 bytes'],
  [HOOK, 'PATCH', { signing_key: 'whsec_not base64, though it is long' }, `signing_key ${WHSEC_RULE}`],
  [HOOK, 'PATCH', { signing_key: false }, SIGNING_KEY_RULE],
  [HOOK, 'PATCH', { signing_key: '😀'.repeat(1025) }, SIGNING_KEY_RULE],
  [HOOK, 'PATCH', { id: 'other' }, 'id is not a known field'],
  [HOOK, 'PATCH', { has_signing_key: false }, 'has_signing_key is not a known field'],
];
