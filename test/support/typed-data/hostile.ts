/** Typed data that is designed to cost as much as possible, for benchmarks and tests. */
import type { RawTypedData } from '../../../src/chains/evm/typed-data/typed-data';

/** A description, and the end of the refusal's text, or nothing if it is signed. */
export interface Hostile {
  title: string;
  data: RawTypedData;
  refusal?: string;
}

type Types = Record<string, { name: string; type: string }[]>;

const DOMAIN = { name: 'Hostile', version: '1' };
const ADDRESS = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826';

const of = (types: Types, message: object, primaryType = 'A'): RawTypedData => ({
  domain: DOMAIN,
  types,
  primaryType,
  message,
});
const list = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index));
const members = (type: string, length: number): Types[string] =>
  list(length, (i) => ({ name: `m${i}`, type }));
const nested = <T>(depth: number, leaf: T, wrap: (inner: T) => T): T =>
  depth === 0 ? leaf : wrap(nested(depth - 1, leaf, wrap));

const emptyLists = (members: Types[string]): object =>
  Object.fromEntries(members.map(({ name }) => [name, []]));

/** Layers of `width` structs, each of which refers to all structs of the next layer. */
function web(layers: number, width: number): RawTypedData {
  const references = (layer: number): Types[string] =>
    list(width, (i) => ({ name: `m${i}`, type: `L${layer}x${i}[]` }));
  const root = references(0);
  const types: Types = { A: root };
  for (let layer = 0; layer < layers; layer += 1) {
    for (let i = 0; i < width; i += 1) {
      types[`L${layer}x${i}`] = layer + 1 < layers ? references(layer + 1) : [];
    }
  }
  return of(types, emptyLists(root));
}

/** Many structs that all refer to one hub, which refers to many others: the encoding of each repeats all of them. */
function hub(spokes: number, rim: number): RawTypedData {
  const root = list(spokes, (i) => ({ name: `s${i}`, type: `S${i}[]` }));
  const types: Types = {
    A: root,
    Hub: list(rim, (i) => ({ name: `r${i}`, type: `R${i}[]` })),
  };
  for (let i = 0; i < spokes; i += 1) types[`S${i}`] = [{ name: 'hub', type: 'Hub[]' }];
  for (let i = 0; i < rim; i += 1) types[`R${i}`] = [];
  return of(types, emptyLists(root));
}

const TOO_MANY = 'typed data has more than 10000 values';
const TOO_DEEP = 'typed data nests deeper than 32 levels';
const TOO_LARGE = 'typed data is larger than 256 KiB';
const TOO_WOVEN = 'types refer to each other so often that their encodings are larger than 256 KiB';

export const hostileTypedData = (): Hostile[] => [
  {
    title: 'a message of 60 levels',
    data: of(
      { A: [] },
      nested(60, {}, (a) => ({ a })),
    ),
    refusal: TOO_DEEP,
  },
  {
    title: 'arrays in arrays',
    data: of({ A: [] }, { a: nested<unknown>(60, 0, (a) => [a]) }),
    refusal: TOO_DEEP,
  },
  {
    title: 'types that nest deeper than a message may',
    data: of(
      Object.fromEntries(
        list(40, (i) => [i === 0 ? 'A' : `T${i}`, i === 39 ? [] : [{ name: 'next', type: `T${i + 1}[]` }]]),
      ),
      { next: [] },
    ),
    refusal: 'types nest deeper than 32 levels',
  },
  {
    title: '10 000 types',
    data: of({ A: [], ...Object.fromEntries(list(10_000, (i) => [`T${i}`, []])) }, {}),
    refusal: TOO_MANY,
  },
  {
    title: '9 000 types that nobody uses',
    data: of({ A: [], ...Object.fromEntries(list(9_000, (i) => [`T${i}`, []])) }, {}),
    refusal: 'types.T0 is not used by A',
  },
  {
    title: 'an array of 500 000 numbers',
    data: of({ A: [{ name: 'a', type: 'uint8[]' }] }, { a: list(500_000, () => 0) }),
    refusal: TOO_MANY,
  },
  {
    title: 'a struct that holds itself',
    data: of({ A: [{ name: 'a', type: 'A[]' }] }, { a: [] }),
    refusal: 'types.A refers to itself through A',
  },
  {
    title: 'a cycle of 30 structs',
    data: of(
      Object.fromEntries(
        list(30, (i) => [i === 0 ? 'A' : `T${i}`, [{ name: 'n', type: i === 29 ? 'A[]' : `T${i + 1}[]` }]]),
      ),
      { n: [] },
    ),
    refusal: 'types.T29 refers to itself through A',
  },
  {
    title: '__proto__ as a field',
    data: of({ A: [] }, JSON.parse('{"__proto__": {"polluted": 1}}')),
    refusal: 'message.__proto__ is not a member of A',
  },
  {
    title: '__proto__ as a type',
    data: JSON.parse(
      '{"domain": {"name": "x"}, "types": {"__proto__": [], "A": []}, "primaryType": "A", "message": {}}',
    ),
    refusal: 'types.__proto__ is not used by A',
  },
  {
    title: 'constructor as the primary type',
    data: of({ A: [] }, {}, 'constructor'),
    refusal: 'primaryType must be the name of one of types, other than EIP712Domain',
  },
  {
    title: 'an inherited member',
    data: of({ A: [{ name: 'toString', type: 'string' }] }, {}),
    refusal: 'message.toString is missing: a string',
  },
  {
    title: 'an inherited type',
    data: of({ A: [{ name: 'a', type: 'hasOwnProperty' }] }, { a: {} }),
    refusal: 'types.A[0].type refers to hasOwnProperty, which types does not have',
  },
  {
    title: 'a text of 1 MB',
    data: of({ A: [{ name: 'a', type: 'string' }] }, { a: 'x'.repeat(1e6) }),
    refusal: TOO_LARGE,
  },
  {
    title: 'a domain of 1 MB',
    data: { ...of({ A: [] }, {}), domain: { name: 'x'.repeat(1e6) } },
    refusal: TOO_LARGE,
  },
  {
    title: '4 000 members',
    data: of({ A: members('uint8', 4_000) }, {}),
    refusal: TOO_MANY,
  },
  { title: 'a web of 30 layers by 2', data: web(30, 2) },
  { title: 'a web of 5 layers by 20', data: web(5, 20), refusal: TOO_WOVEN },
  { title: 'a web of 2 layers by 50', data: web(2, 50) },
  { title: 'a hub with 800 spokes and 800 on its rim', data: hub(800, 800), refusal: TOO_WOVEN },
  { title: 'a hub with 50 spokes and 1 500 on its rim', data: hub(50, 1_500), refusal: TOO_WOVEN },
  {
    title: '40 dimensions of one item',
    data: of({ A: [{ name: 'a', type: `uint256${'[1]'.repeat(40)}` }] }, {}),
    refusal: 'types.A[0].type has more than 32 dimensions',
  },
  {
    title: '29 dimensions of one item',
    data: of(
      { A: [{ name: 'a', type: `uint256${'[1]'.repeat(29)}` }] },
      { a: nested<unknown>(29, 1, (a) => [a]) },
    ),
  },
  {
    title: 'a type of 200 KB',
    data: of({ A: [{ name: 'a', type: `uint256${'[]'.repeat(100_000)}` }] }, {}),
    refusal: 'types.A[0].type must be a type of EIP-712 such as uint256, Person or bytes32[2]',
  },
  {
    title: 'as many types as there may be',
    data: of(
      {
        A: list(1_900, (i) => ({ name: `m${i}`, type: `T${i}[]` })),
        ...Object.fromEntries(list(1_900, (i) => [`T${i}`, []])),
      },
      Object.fromEntries(list(1_900, (i) => [`m${i}`, []])),
    ),
  },
  {
    title: 'as many texts as there may be',
    data: of({ A: [{ name: 'a', type: 'string[]' }] }, { a: list(9_900, (i) => `text ${i}`) }),
  },
  {
    title: 'as many addresses as there may be',
    data: of({ A: [{ name: 'a', type: 'address[]' }] }, { a: list(5_800, () => ADDRESS) }),
  },
  {
    title: 'as many integers as there may be',
    data: of({ A: [{ name: 'a', type: 'uint256[]' }] }, { a: list(9_900, (i) => `0x${i.toString(16)}`) }),
  },
  {
    title: 'as many structs as there may be',
    data: of({ A: [{ name: 'a', type: 'B[]' }], B: [] }, { a: list(9_900, () => ({})) }),
  },
  {
    title: 'as long a text as there may be',
    data: of({ A: [{ name: 'a', type: 'string' }] }, { a: 'x'.repeat(261_000) }),
  },
  {
    title: 'as many bytes as there may be',
    data: of({ A: [{ name: 'a', type: 'bytes' }] }, { a: `0x${'ab'.repeat(130_500)}` }),
  },
  {
    title: 'as many members as there may be',
    data: of(
      { A: members('bool', 2_400) },
      Object.fromEntries(members('bool', 2_400).map(({ name }) => [name, true])),
    ),
  },
];
