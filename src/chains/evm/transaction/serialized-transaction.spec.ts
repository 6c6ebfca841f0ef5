import { encodeRlp, keccak256, SigningKey, Transaction, Wallet } from 'ethers';
import { serializeTransaction, type TransactionSerializable } from 'viem';
import { randomTransaction } from '../../../../test/support/random-transaction';
import { SeededRandom } from '../../../../test/support/seeded-random';
import type { DigestSignature } from '../digest-signature';
import { dataOf, readSerialized, serializeSigned, serializeUnsigned } from './serialized-transaction';
import { readTransaction, type UnsignedTransaction } from './unsigned-transaction';
import { rounds } from '../../../../test/support/rounds';

const SAMPLES = rounds(250, 40);
const CHANGES = rounds(3000, 600);

/** The example from EIP-155. */
const EXAMPLE = {
  key: '0x4646464646464646464646464646464646464646464646464646464646464646',
  json: {
    type: 0,
    chain_id: 1,
    nonce: 9,
    gas_price: 20_000_000_000,
    gas_limit: 21_000,
    to: '0x3535353535353535353535353535353535353535',
    value: '1000000000000000000',
  },
  unsigned: '0xec098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080018080',
  digest: '0xdaf5a779ae972f972197303d7b574746c7ef83eadac0f2791ad23db92e4c8e53',
  signed:
    '0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83',
};

const hex = (bytes: Buffer): string => `0x${bytes.toString('hex')}`;

function sign(transaction: UnsignedTransaction, key: string): string {
  const { r, s, v } = new SigningKey(key).sign(keccak256(serializeUnsigned(transaction)));
  const signature: DigestSignature = { r: r.slice(2), s: s.slice(2), v };
  return hex(serializeSigned(transaction, signature));
}

const refusal = (detail: string): Error => expect.objectContaining({ code: 'invalid_request', detail });

describe('Serialized transactions', () => {
  it('match the example of EIP-155', () => {
    const transaction = readTransaction(EXAMPLE.json);
    expect(hex(serializeUnsigned(transaction))).toBe(EXAMPLE.unsigned);
    expect(keccak256(serializeUnsigned(transaction))).toBe(EXAMPLE.digest);
    expect(sign(transaction, EXAMPLE.key)).toBe(EXAMPLE.signed);
    expect(sign(readSerialized(EXAMPLE.unsigned), EXAMPLE.key)).toBe(EXAMPLE.signed);
  });

  it('encode signature values with leading zeros as integers', () => {
    const signature: DigestSignature = { r: `${'0'.repeat(62)}81`, s: `${'0'.repeat(63)}1`, v: 28 };
    expect(hex(serializeSigned(readTransaction(EXAMPLE.json), signature)).slice(-8)).toBe('26818101');
  });

  describe.each([0, 1, 2, 4] as const)('of type %d', (type) => {
    it(`agree with ethers and viem on ${SAMPLES} random transactions, from JSON and from bytes`, async () => {
      const random = new SeededRandom(`type ${type}`);
      for (let i = 0; i < SAMPLES; i += 1) {
        const { ours, ethers, viem } = randomTransaction(random, type);
        const key = random.hex(32);
        const unsigned = Transaction.from(ethers).unsignedSerialized;
        const transaction = readTransaction(ours);
        expect(hex(serializeUnsigned(transaction))).toBe(unsigned);
        expect(serializeTransaction(viem as TransactionSerializable)).toBe(unsigned);
        expect(readSerialized(unsigned)).toEqual(transaction);

        const signed = sign(transaction, key);
        expect(signed).toBe(await new Wallet(key).signTransaction(ethers));
        expect(dataOf(signed)).toBe(Transaction.from(signed).data);
        const { r, s, v, yParity } = Transaction.from(signed).signature!;
        expect(signed).toBe(
          serializeTransaction(viem as TransactionSerializable, { r, s, v: BigInt(v), yParity } as never),
        );
      }
    });

    it('are refused if they are already signed', () => {
      const { ethers } = randomTransaction(new SeededRandom('signed'), type);
      const transaction = Transaction.from(ethers);
      transaction.signature = new SigningKey(EXAMPLE.key).sign(transaction.unsignedHash);
      expect(() => readSerialized(transaction.serialized)).toThrow(refusal('transaction is already signed'));
    });

    it('are refused with a byte added or removed at the end', () => {
      const { ethers } = randomTransaction(new SeededRandom('cut'), type);
      const { unsignedSerialized } = Transaction.from(ethers);
      const invalid = refusal('transaction is not valid RLP');
      expect(() => readSerialized(`${unsignedSerialized}00`)).toThrow(invalid);
      expect(() => readSerialized(unsignedSerialized.slice(0, -2))).toThrow(invalid);
    });

    it('are read only if they serialize to the same bytes, whichever byte is changed', () => {
      const random = new SeededRandom('changed');
      const { ethers } = randomTransaction(random, type);
      const { unsignedSerialized } = Transaction.from(ethers);
      const bytes = Buffer.from(unsignedSerialized.slice(2), 'hex');
      let read = 0;
      for (let i = 0; i < CHANGES; i += 1) {
        const changed = Buffer.from(bytes);
        changed[random.below(changed.length)] = random.below(256);
        try {
          expect(serializeUnsigned(readSerialized(hex(changed))).equals(changed)).toBe(true);
          read += 1;
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_request' });
        }
      }
      expect(read).toBeGreaterThan(CHANGES / 30);
    });
  });

  const fields = (changes: Record<number, unknown> = {}): string[] =>
    Object.assign(
      ['0x09', '0x04a817c800', '0x5208', `0x${'35'.repeat(20)}`, '0x01', '0x', '0x01', '0x', '0x'],
      changes,
    );
  const typed = (type: string, list: unknown[]): string => `0x${type}${encodeRlp(list as string[]).slice(2)}`;
  const DYNAMIC = ['0x01', '0x09', '0x01', '0x02', '0x5208', `0x${'35'.repeat(20)}`, '0x', '0x', []];

  it.each([
    ['a blob transaction', '0x03c0', 'transaction must be of type 0, 1, 2 or 4'],
    ['an unknown type', '0x05c0', 'transaction must be of type 0, 1, 2 or 4'],
    ['type 0 in front', '0x00c0', 'transaction must be of type 0, 1, 2 or 4'],
    ['a byte string', '0x8401020304', 'transaction must be of type 0, 1, 2 or 4'],
    ['only a type', '0x02', 'transaction is not valid RLP'],
    ['a type and a byte string', '0x0280', 'transaction is not valid RLP'],
    ['no bytes', '0x', 'transaction must be an object, or 0x and an even number of hex digits'],
    ['no prefix', 'ec', 'transaction must be an object, or 0x and an even number of hex digits'],
    ['an odd digit', '0xecc', 'transaction must be an object, or 0x and an even number of hex digits'],
    ['no hex', '0xzz', 'transaction must be an object, or 0x and an even number of hex digits'],
    ['too much', `0x02${'00'.repeat(131_072)}`, 'transaction must not exceed 131072 bytes'],
    [
      'no chain id',
      encodeRlp(fields().slice(0, 6)),
      'transaction has no chain id (EIP-155): it could be sent on every network',
    ],
    ['seven fields', encodeRlp(fields().slice(0, 7)), 'transaction of type 0 must have 9 fields'],
    ['a partial signature', encodeRlp(fields({ 8: '0x01' })), 'transaction is already signed'],
    ['a list for r', encodeRlp(fields({ 7: ['0x'] })), 'transaction is already signed'],
    ['an empty list for r', encodeRlp(fields({ 7: [] })), 'transaction is not in canonical RLP'],
    [
      'a nonce that begins with zero',
      encodeRlp(fields({ 0: '0x0009' })),
      'transaction is not in canonical RLP',
    ],
    ['zero as a byte', encodeRlp(fields({ 4: '0x00' })), 'transaction is not in canonical RLP'],
    ['a byte with a head', '0xc28109', 'transaction of type 0 must have 9 fields'],
    ['a length too long', `0xf82c${EXAMPLE.unsigned.slice(4)}`, 'transaction is not in canonical RLP'],
    [
      'a list for the nonce',
      encodeRlp(fields({ 0: ['0x09'] })),
      'transaction.nonce must be an integer from 0 to 18446744073709551614 (JSON integer, decimal string, or 0x and hex digits)',
    ],
    [
      'a nonce of nine bytes',
      encodeRlp(fields({ 0: `0x01${'00'.repeat(8)}` })),
      'transaction.nonce must be an integer from 0 to 18446744073709551614 (JSON integer, decimal string, or 0x and hex digits)',
    ],
    [
      'a receiver of 19 bytes',
      encodeRlp(fields({ 3: `0x${'35'.repeat(19)}` })),
      'transaction.to must be an address: 0x and 40 hex digits, with a valid checksum if the case is mixed; or null to create a contract',
    ],
    [
      'a list for the receiver',
      encodeRlp(fields({ 3: [] })),
      'transaction.to must be an address: 0x and 40 hex digits, with a valid checksum if the case is mixed; or null to create a contract',
    ],
    ['an additional field', typed('02', [...DYNAMIC, '0x']), 'transaction of type 2 must have 9 fields'],
    [
      'bytes for the access list',
      typed('02', [...DYNAMIC.slice(0, 8), '0x']),
      'transaction.access_list must be an array of at most 1000 items',
    ],
    [
      'an entry of three',
      typed('02', [...DYNAMIC.slice(0, 8), [[`0x${'35'.repeat(20)}`, [], []]]]),
      'transaction.access_list[0] must be an object',
    ],
    [
      'a storage key of 31 bytes',
      typed('02', [...DYNAMIC.slice(0, 8), [[`0x${'35'.repeat(20)}`, [`0x${'00'.repeat(31)}`]]]]),
      'transaction.access_list[0].storage_keys[0] must be 0x and 64 hex digits',
    ],
    ['no authorization', typed('04', [...DYNAMIC, []]), 'transaction.authorization_list must not be empty'],
  ])('are refused with %s', (_what, serialized, detail) => {
    expect(() => readSerialized(serialized)).toThrow(refusal(detail));
  });
});
