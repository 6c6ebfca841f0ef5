import { readTransaction } from './unsigned-transaction';

const ADDRESS = '0x3535353535353535353535353535353535353535';
const WORD = `0x${'ab'.repeat(32)}`;
const ADDRESS_RULE = 'must be an address: 0x and 40 hex digits, with a valid checksum if the case is mixed';
const FORMS = '(JSON integer, decimal string, or 0x and hex digits)';
const UINT256 = '115792089237316195423570985008687907853269984665640564039457584007913129639935';
const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';
const HALF_ORDER = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0';
const ABOVE_HALF_ORDER = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a1';

const common = { chain_id: 1, nonce: 9, gas_limit: 21_000, to: ADDRESS };
const legacy = { ...common, type: 0, gas_price: 5 };
const listed = { ...common, type: 1, gas_price: 5 };
const dynamic = { ...common, type: 2, max_fee_per_gas: 5, max_priority_fee_per_gas: 5 };
const tuple = { chain_id: 1, address: ADDRESS, nonce: 0, y_parity: 1, r: '0x1', s: `0x${HALF_ORDER}` };
const setCode = { ...dynamic, type: 4, authorization_list: [tuple] };
const authorized = (changes: object): object => ({
  ...setCode,
  authorization_list: [tuple, { ...tuple, ...changes }],
});

describe('readTransaction', () => {
  it('reads quantities as integers, decimal strings and hex', () => {
    const one = { ...legacy, value: 255 };
    for (const value of ['255', '0xff', '0xFF', '0x00ff']) {
      expect(readTransaction({ ...one, value })).toEqual(readTransaction(one));
    }
    for (const type of ['0', '0x0']) expect(readTransaction({ ...one, type })).toEqual(readTransaction(one));
  });

  it('defaults to no value, no data and no access list', () => {
    const { members } = readTransaction(dynamic);
    expect(members).toMatchObject({ value: 0n, data: Buffer.alloc(0), access_list: [] });
  });

  it('accepts both ends of every range', () => {
    const members = {
      nonce: '18446744073709551614',
      gas_limit: '18446744073709551615',
      value: UINT256,
      max_fee_per_gas: UINT256,
      max_priority_fee_per_gas: `0x${'f'.repeat(64)}`,
    };
    expect(readTransaction({ ...dynamic, ...members }).members).toMatchObject({
      nonce: 18_446_744_073_709_551_614n,
      gas_limit: 18_446_744_073_709_551_615n,
      max_priority_fee_per_gas: BigInt(UINT256),
    });
    const zeros = { nonce: 0, gas_limit: 0, value: 0, max_fee_per_gas: 0, max_priority_fee_per_gas: 0 };
    expect(readTransaction({ ...dynamic, ...zeros }).members).toMatchObject({ nonce: 0n, gas_limit: 0n });
  });

  it('accepts null as the receiver to create a contract', () => {
    for (const transaction of [legacy, listed, dynamic]) {
      expect(readTransaction({ ...transaction, to: null }).members.to).toBeNull();
    }
  });

  it('accepts authorizations for every chain', () => {
    expect(readTransaction(authorized({ chain_id: 0 })).type).toBe(4);
  });

  it('accepts data of 128 KiB', () => {
    expect(readTransaction({ ...legacy, data: `0x${'ab'.repeat(131_072)}` }).members.data).toHaveLength(
      131_072,
    );
  });

  it.each<[object, string]>([
    [{}, 'transaction.type must be 0, 1, 2 or 4'],
    [{ ...legacy, type: 3 }, 'transaction.type must be 0, 1, 2 or 4'],
    [{ ...legacy, type: '0x7f' }, 'transaction.type must be 0, 1, 2 or 4'],
    [{ ...legacy, type: 'legacy' }, 'transaction.type must be 0, 1, 2 or 4'],
    [{ ...legacy, type: null }, 'transaction.type must be 0, 1, 2 or 4'],
    [{ ...legacy, type: [2] }, 'transaction.type must be 0, 1, 2 or 4'],
    [
      { type: 2 },
      [
        ...['chain_id', 'nonce', 'max_priority_fee_per_gas', 'max_fee_per_gas', 'gas_limit', 'to'].map(
          (name) => `transaction.${name} is required`,
        ),
      ].join('; '),
    ],
    [
      { ...legacy, max_fee_per_gas: 1, access_list: [] },
      'transaction.max_fee_per_gas is not a known field; transaction.access_list is not a known field',
    ],
    [{ ...dynamic, gasLimit: 1 }, 'transaction.gasLimit is not a known field'],
    [{ ...dynamic, gas_price: 1 }, 'transaction.gas_price is not a known field'],
    [{ ...dynamic, authorization_list: [tuple] }, 'transaction.authorization_list is not a known field'],
    [{ ...dynamic, toString: 1 }, 'transaction.toString is not a known field'],
    [
      { ...legacy, nonce: -1 },
      `transaction.nonce must be an integer from 0 to 18446744073709551614 ${FORMS}`,
    ],
    [
      { ...legacy, nonce: 1.5 },
      `transaction.nonce must be an integer from 0 to 18446744073709551614 ${FORMS}`,
    ],
    [
      { ...legacy, nonce: '18446744073709551615' },
      `transaction.nonce must be an integer from 0 to 18446744073709551614 ${FORMS}`,
    ],
    [
      { ...legacy, gas_limit: '18446744073709551616' },
      `transaction.gas_limit must be an integer from 0 to 18446744073709551615 ${FORMS}`,
    ],
    ...['', ' 1', '1e3', '01', '0x', '0xg', `0x1${'0'.repeat(64)}`, `${UINT256}0`, null, true, {}, []].map(
      (value): [object, string] => [
        { ...legacy, value },
        `transaction.value must be an integer from 0 to ${UINT256} ${FORMS}`,
      ],
    ),
    ...[
      undefined,
      '',
      '0x',
      5,
      ADDRESS.slice(2),
      `${ADDRESS}00`,
      '0xcd2a3d9f938e13CD947Ec05AbC7FE734Df8DD826',
    ].map((to): [object, string] => [
      { ...legacy, to: to ?? 0 },
      `transaction.to ${ADDRESS_RULE}; or null to create a contract`,
    ]),
    ...['', 'ab', '0xa', '0xzz', `0x${'ab'.repeat(131_073)}`, null, 5, []].map((data): [object, string] => [
      { ...legacy, data },
      'transaction.data must be 0x and an even number of hex digits, for at most 131072 bytes',
    ]),
    [{ ...listed, access_list: {} }, 'transaction.access_list must be an array of at most 1000 items'],
    [{ ...listed, access_list: null }, 'transaction.access_list must be an array of at most 1000 items'],
    [
      { ...listed, access_list: Array(1001).fill({ address: ADDRESS, storage_keys: [] }) },
      'transaction.access_list must be an array of at most 1000 items',
    ],
    [{ ...listed, access_list: [5] }, 'transaction.access_list[0] must be an object'],
    [{ ...listed, access_list: [[ADDRESS, []]] }, 'transaction.access_list[0] must be an object'],
    [
      { ...listed, access_list: [{ address: ADDRESS }] },
      'transaction.access_list[0].storage_keys is required',
    ],
    [
      { ...listed, access_list: [{ address: ADDRESS, storageKeys: [], storage_keys: [] }] },
      'transaction.access_list[0].storageKeys is not a known field',
    ],
    [
      { ...listed, access_list: [{ address: null, storage_keys: [] }] },
      `transaction.access_list[0].address ${ADDRESS_RULE}`,
    ],
    [
      {
        ...listed,
        access_list: [
          { address: ADDRESS, storage_keys: [WORD] },
          { address: ADDRESS, storage_keys: [WORD, '0x01'] },
        ],
      },
      'transaction.access_list[1].storage_keys[1] must be 0x and 64 hex digits',
    ],
    [
      { ...listed, access_list: [{ address: ADDRESS, storage_keys: Array(4001).fill(WORD) }] },
      'transaction.access_list[0].storage_keys must be an array of at most 4000 items',
    ],
    [
      { ...dynamic, max_priority_fee_per_gas: 6 },
      'transaction.max_priority_fee_per_gas must not exceed max_fee_per_gas',
    ],
    [
      { ...setCode, max_priority_fee_per_gas: 6 },
      'transaction.max_priority_fee_per_gas must not exceed max_fee_per_gas',
    ],
    [{ ...setCode, to: null }, 'transaction.to must not be null: type 4 creates no contract'],
    [{ ...setCode, authorization_list: [] }, 'transaction.authorization_list must not be empty'],
    [{ ...setCode, authorization_list: undefined }, 'transaction.authorization_list is required'],
    [
      { ...setCode, authorization_list: Array(101).fill(tuple) },
      'transaction.authorization_list must be an array of at most 100 items',
    ],
    [
      authorized({ chain_id: 2 }),
      'transaction.authorization_list[1].chain_id must be 0 or transaction.chain_id',
    ],
    [
      authorized({ y_parity: 27 }),
      `transaction.authorization_list[1].y_parity must be an integer from 0 to 1 ${FORMS}`,
    ],
    [authorized({ address: null }), `transaction.authorization_list[1].address ${ADDRESS_RULE}`],
    [
      authorized({ nonce: '18446744073709551615' }),
      `transaction.authorization_list[1].nonce must be an integer from 0 to 18446744073709551614 ${FORMS}`,
    ],
    ...['0x0', '1', 1, 'ab'.repeat(32), `0x${ORDER}`, `0x0${ORDER}`].map((r): [object, string] => [
      authorized({ r }),
      'transaction.authorization_list[1].r must be 0x and up to 64 hex digits, from 1 to the order of the curve',
    ]),
    ...['0x0', `0x${ABOVE_HALF_ORDER}`].map((s): [object, string] => [
      authorized({ s }),
      'transaction.authorization_list[1].s must be 0x and up to 64 hex digits, from 1 to half the order of the curve (EIP-2)',
    ]),
  ])('refuses %j', (transaction, detail) => {
    expect(() => readTransaction(transaction)).toThrow(
      expect.objectContaining({ code: 'invalid_request', detail }),
    );
  });
});
