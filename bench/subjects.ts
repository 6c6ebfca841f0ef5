/** The requests to the service. Each subject is one kind of request, distributed over all relayers. */
import type { BenchRequest, Subject } from './load';
import { NETWORK } from './service';

const HASHES = {
  domain_separator: '0xf2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f',
  hash_struct_message: '0xc52c0ee5d84264471806290a3f2c4cecfc5490626bf912d01f240d7a274b371e',
};

/** The EIP-712 example. */
const MAIL = {
  types: {
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  domain: {
    name: 'Ether Mail',
    version: '1',
    chainId: NETWORK.chain_id,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  message: {
    from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
    to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
    contents: 'Hello, Bob!',
  },
};

const BATCH_SIZE = 100;

/** The items differ, as in practice. */
const BATCH = {
  items: Array.from({ length: BATCH_SIZE }, (_, i) => ({
    ...HASHES,
    hash_struct_message: i.toString(16).padStart(64, '0'),
  })),
};

const request = (method: BenchRequest['method'], path: string, body?: object): BenchRequest => ({
  method,
  path,
  ...(body && { body: JSON.stringify(body) }),
});

const ofEach =
  (method: BenchRequest['method'], path: string, body?: object): Subject['requests'] =>
  ({ relayerIds }) =>
    relayerIds.map((id) => request(method, `/api/v1/relayers/${id}${path}`, body));

export const SUBJECTS: Subject[] = [
  { name: 'sign by hashes', signatures: 1, requests: ofEach('POST', '/sign-typed-data', HASHES) },
  { name: 'sign in full', signatures: 1, requests: ofEach('POST', '/sign-typed-data', MAIL) },
  {
    name: `sign batch of ${BATCH_SIZE}`,
    signatures: BATCH_SIZE,
    requests: ofEach('POST', '/sign-typed-data/batch', BATCH),
  },
  {
    name: 'sign by hashes, notified',
    signatures: 1,
    requests: ({ notifiedIds }) =>
      notifiedIds.map((id) => request('POST', `/api/v1/relayers/${id}/sign-typed-data`, HASHES)),
  },
  { name: 'get one', signatures: 0, requests: ofEach('GET', '') },
  { name: 'list', signatures: 0, requests: () => [request('GET', '/api/v1/relayers?per_page=10')] },
  // A name that no earlier request used, so that each request is a change.
  { name: 'patch', signatures: 0, hasIds: true, requests: ofEach('PATCH', '', { name: 'Renamed [<id>]' }) },
  { name: 'health', signatures: 0, requests: () => [request('GET', '/v1/health')] },
];

export const HASHES_SUBJECT = SUBJECTS[0]!;
export const BATCH_SUBJECT = SUBJECTS[2]!;
export const READS = [HASHES_SUBJECT, ...SUBJECTS.slice(3, -1)];
