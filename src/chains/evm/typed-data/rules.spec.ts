import { MAIL } from '../../../../test/support/typed-data/vectors';
import type { DomainError } from '../../../common/errors/domain-error';
import { EventLoopTurns } from '../../../common/event-loop/event-loop-turns';
import { hashTypedData, type RawTypedData } from './typed-data';

const turns = new EventLoopTurns();
const hash = async (data: RawTypedData) => turns.run(hashTypedData(data));
const faultOf = (data: RawTypedData): Promise<unknown> =>
  hash(data).then(
    () => undefined,
    (error: unknown) => {
      expect(error).toMatchObject({ code: 'invalid_request' });
      return (error as DomainError).detail;
    },
  );

/** An order of items, containing one item whose member `value` has the given type. */
const order = (type: string, value: unknown): RawTypedData => ({
  domain: { name: 'Shop' },
  types: {
    Shop: [{ name: 'order', type: 'Order' }],
    Order: [{ name: 'items', type: 'Item[]' }],
    Item: [{ name: 'value', type }],
  },
  primaryType: 'Shop',
  message: { order: { items: [{ value }] } },
});
const PLACE = 'message.order.items[0].value';
const INTEGER = 'as a JSON integer, a decimal string or a 0x string';
const ADDRESS = 'an address: 0x and 40 hex digits, with a valid checksum if the case is mixed';

describe('values', () => {
  it.each([
    ['uint8', [0, 255, '0', '255', '0x0', '0xff', '0xFF', '0x00ff']],
    ['int8', [-128, 127, '-128', '127', '0x7f', 0]],
    [
      'uint256',
      [
        9007199254740991,
        '115792089237316195423570985008687907853269984665640564039457584007913129639935',
        `0x${'f'.repeat(64)}`,
      ],
    ],
    ['int256', ['-57896044618658097711785492504343953926634992332820282019728792003956564819968']],
    ['bool', [true, false]],
    ['string', ['', 'Grüße', '0x', '\ud83d\ude00', '\ufffd']],
    ['bytes', ['0x', '0x00', `0x${'Ab'.repeat(100)}`]],
    ['bytes4', ['0x01020304', '0xABCDEFab']],
    [
      'address',
      [
        '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826',
        '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826',
        '0xCD2A3D9F938E13CD947EC05ABC7FE734DF8DD826',
      ],
    ],
    ['uint8[2]', [[1, 2]]],
    ['uint8[][2]', [[[], [1, 2, 3]]]],
    ['Item2', [{}]],
  ] as [string, unknown[]][])('are accepted for %s', async (type, values) => {
    for (const value of values) {
      const data = order(type, value);
      if (type === 'Item2') (data.types as Record<string, unknown>).Item2 = [];
      expect([value, await faultOf(data)]).toEqual([value, undefined]);
    }
  });

  it.each([
    [
      'uint8',
      `a uint8: an integer from 0 to 2^8-1, ${INTEGER}`,
      [
        256,
        -1,
        '256',
        '-1',
        '0x100',
        '',
        ' 1',
        '1 ',
        '01',
        '1.0',
        '1e2',
        '0x',
        '0xg',
        '-0x1',
        '+1',
        '-0',
        1.5,
        null,
        true,
        [],
        {},
        '1n',
        `0x${'0'.repeat(65)}`,
      ],
    ],
    ['int8', `an int8: an integer from -2^7 to 2^7-1, ${INTEGER}`, [128, -129, '0xff', '-129']],
    [
      'uint256',
      `a uint256: an integer from 0 to 2^256-1, ${INTEGER}`,
      [
        '115792089237316195423570985008687907853269984665640564039457584007913129639936',
        1e21,
        9007199254740992,
      ],
    ],
    ['bool', 'a bool: true or false', [0, 1, 'true', '', null]],
    ['string', 'a string', [1, null, true, ['a'], {}]],
    ['bytes', 'bytes: 0x and an even number of hex digits', ['', '0x1', 'ab', '0X00', '0xzz', [1, 2], null]],
    [
      'bytes4',
      'a bytes4: 0x and 8 hex digits',
      ['0x010203', '0x0102030405', '01020304', '0x0102030g', 5, null],
    ],
    [
      'address',
      ADDRESS,
      [
        '0xcd2a3d9F938E13CD947Ec05AbC7FE734Df8DD826',
        '0x',
        'cow.eth',
        `XE${'0'.repeat(30)}`,
        '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD8',
        0,
        null,
      ],
    ],
    ['uint8[2]', 'an array of 2 item(s): uint8[2]', [[1], [1, 2, 3], {}, null, 'ab', 5]],
    ['uint8[]', 'an array: uint8[]', [{}, { length: 1 }, null, '0x01']],
  ] as [string, string, unknown[]][])('are refused for %s if they are not %s', async (type, rule, values) => {
    for (const value of values) {
      expect([value, await faultOf(order(type, value))]).toEqual([value, `${PLACE} must be ${rule}`]);
    }
  });

  // JSON in requests is checked before; plugins pass objects.
  it.each(['\ud800', 'a\udfff', '\udc00a', '\ude00\ud83d'])(
    'are refused if a string holds an unpaired surrogate: %j',
    async (text) => {
      const fault = 'holds an unpaired surrogate';
      expect(await faultOf(order('string', text))).toBe(`${PLACE} ${fault}`);
      expect(await faultOf(order('string[]', ['a', text]))).toBe(`${PLACE}[1] ${fault}`);
      for (const name of ['name', 'version'])
        expect(await faultOf({ ...order('string', 'a'), domain: { [name]: text } })).toBe(
          `domain.${name} ${fault}`,
        );
    },
  );

  it.each([
    [
      'a fault in an array',
      order('uint8[][]', [[1], [2, 300]]),
      `${PLACE}[1][1] must be a uint8: an integer from 0 to 2^8-1, ${INTEGER}`,
    ],
    [
      'a missing field',
      { ...MAIL, message: { ...(MAIL.message as object), contents: undefined } },
      'message.contents must be a string',
    ],
    [
      'an absent field',
      { ...MAIL, message: { from: (MAIL.message as { from: object }).from } },
      'message.to is missing: an object: a Person',
    ],
    [
      'a field too many',
      { ...MAIL, message: { ...(MAIL.message as object), memo: 1 } },
      'message.memo is not a member of Mail',
    ],
    [
      'a field of a long name',
      { ...MAIL, message: { ['x'.repeat(1000)]: 1 } },
      `message.${'x'.repeat(64)} is not a member of Mail`,
    ],
    ['a text for a struct', { ...MAIL, message: 'Hello' }, 'message must be an object: a Mail'],
    ['an array for a struct', { ...MAIL, message: [] }, 'message must be an object: a Mail'],
    [
      'null for a struct',
      { ...MAIL, message: { ...(MAIL.message as object), from: null } },
      'message.from must be an object: a Person',
    ],
  ] as [string, RawTypedData, string][])('are refused with the place of %s', async (_what, data, fault) => {
    expect(await faultOf(data)).toBe(fault);
  });
});

describe('types', () => {
  const withTypes = (types: unknown, primaryType: unknown = 'A'): RawTypedData => ({
    domain: { name: 'x' },
    types,
    primaryType,
    message: {},
  });
  const withType = (type: unknown) => withTypes({ A: [{ name: 'a', type }] });
  const NOT_A_TYPE = 'types.A[0].type must be a type of EIP-712 such as uint256, Person or bytes32[2]';
  const NOT_ATOMIC =
    'types.A[0].type is not a type of EIP-712: there are uint8 to uint256, int8 to int256, bytes1 to bytes32';
  const LENGTH = 'types.A[0].type has an array length that is not an integer from 1 to 10000';
  const PRIMARY = 'primaryType must be the name of one of types, other than EIP712Domain';

  it.each([
    [withTypes(null), 'types must be an object that maps names of structs to their members'],
    [withTypes([]), 'types must be an object that maps names of structs to their members'],
    [withTypes({}), PRIMARY],
    [withTypes({ A: [] }, 'B'), PRIMARY],
    [withTypes({ A: [] }, 5), PRIMARY],
    [withTypes({ A: [], EIP712Domain: [{ name: 'name', type: 'string' }] }, 'EIP712Domain'), PRIMARY],
    [withTypes({ A: {} }), 'types.A must be an array of {name, type}'],
    [withTypes({ A: [5] }), 'types.A[0] must be an object with name and type'],
    [
      withTypes({ A: [{ name: 'a', type: 'bool', indexed: true }] }),
      'types.A[0] must be an object with name and type',
    ],
    [withTypes({ A: [{ type: 'bool' }] }), 'types.A[0].name must be an identifier of at most 128 characters'],
    [
      withTypes({ A: [{ name: 'a b', type: 'bool' }] }),
      'types.A[0].name must be an identifier of at most 128 characters',
    ],
    [
      withTypes({
        A: [
          { name: 'a', type: 'bool' },
          { name: 'a', type: 'bool' },
        ],
      }),
      'types.A[1].name is given more than once in A',
    ],
    [
      withTypes({ 'A(': [] }, 'A('),
      'types.A( must be named by an identifier of at most 128 characters that is not an atomic type',
    ],
    [
      withTypes({ uint256: [] }, 'uint256'),
      'types.uint256 must be named by an identifier of at most 128 characters that is not an atomic type',
    ],
    [withTypes({ A: [{ name: 'a', type: 'B' }] }), 'types.A[0].type refers to B, which types does not have'],
    [
      withTypes({
        A: [{ name: 'a', type: 'EIP712Domain' }],
        EIP712Domain: [{ name: 'name', type: 'string' }],
      }),
      'types.A[0].type refers to EIP712Domain, which types does not have',
    ],
    [withTypes({ A: [], B: [] }), 'types.B is not used by A'],
    [
      withTypes({ A: [{ name: 'b', type: 'B' }], B: [{ name: 'a', type: 'A[2]' }] }),
      'types.B refers to itself through A',
    ],
    [withType(undefined), NOT_A_TYPE],
    [withType(''), NOT_A_TYPE],
    [withType('bool '), NOT_A_TYPE],
    [withType('bool[-1]'), NOT_A_TYPE],
    [withType('bool[1'), NOT_A_TYPE],
    [withType('mapping(a=>b)'), NOT_A_TYPE],
    [withType('uint'), NOT_ATOMIC],
    [withType('int'), NOT_ATOMIC],
    [withType('uint7'), NOT_ATOMIC],
    [withType('uint08'), NOT_ATOMIC],
    [withType('uint264'), NOT_ATOMIC],
    [withType('bytes0'), NOT_ATOMIC],
    [withType('bytes33'), NOT_ATOMIC],
    [withType('bool[0]'), LENGTH],
    [withType('bool[01]'), LENGTH],
    [withType('bool[10001]'), LENGTH],
  ])('%#: are refused if they are invalid: %j', async (data, fault) => {
    expect(await faultOf(data)).toBe(fault);
  });
});

describe('domain', () => {
  const withDomain = (domain: unknown, declared?: unknown): RawTypedData => ({
    domain,
    types: { A: [], ...(declared !== undefined && { EIP712Domain: declared }) },
    primaryType: 'A',
    message: {},
  });
  const declaration = (list: string) =>
    `types.EIP712Domain must declare what domain has, in the order of EIP-712: ${list}`;
  const NAME = { name: 'name', type: 'string' };
  const VERSION = { name: 'version', type: 'string' };

  it.each([
    [withDomain(null), 'domain must be an object'],
    [withDomain([]), 'domain must be an object'],
    [withDomain({}), 'domain must have one of name, version, chainId, verifyingContract, salt'],
    [withDomain({ chainID: 1 }), 'domain.chainID is not a member of EIP712Domain'],
    [withDomain({ name: null }), 'domain.name must be a string'],
    [withDomain({ version: 1 }), 'domain.version must be a string'],
    [
      withDomain({ chainId: '1.5' }),
      `domain.chainId must be a uint256: an integer from 0 to 2^256-1, ${INTEGER}`,
    ],
    [withDomain({ verifyingContract: '0x1' }), `domain.verifyingContract must be ${ADDRESS}`],
    [withDomain({ salt: '0x00' }), 'domain.salt must be a bytes32: 0x and 64 hex digits'],
    [withDomain({ name: 'x' }, []), declaration('string name')],
    [withDomain({ name: 'x' }, {}), declaration('string name')],
    [withDomain({ name: 'x' }, [VERSION]), declaration('string name')],
    [withDomain({ name: 'x' }, [NAME, VERSION]), declaration('string name')],
    [withDomain({ name: 'x' }, [{ ...NAME, type: 'bytes' }]), declaration('string name')],
    [withDomain({ name: 'x', version: '1' }, [VERSION, NAME]), declaration('string name, string version')],
  ])('%#: is refused if it is invalid: %j', async (data, fault) => {
    expect(await faultOf(data)).toBe(fault);
  });

  it('may be declared by objects of any prototype, which plugins may give', async () => {
    const member = Object.assign(Object.create(null) as object, NAME);
    expect(await faultOf(withDomain({ name: 'x' }, [member]))).toBeUndefined();
  });

  it('is returned with the chain id as an integer and the contract address checksummed', async () => {
    const data = withDomain({
      chainId: '0xaa36a7',
      verifyingContract: '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826',
    });
    const { domain } = await hash(data);
    expect(domain).toMatchObject({
      chainId: 11155111n,
      verifyingContract: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826',
    });
  });
});
