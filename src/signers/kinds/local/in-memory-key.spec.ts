import { inspect } from 'node:util';
import { Secret } from '../../../common/secrets/secret';
import { InMemoryKey } from './in-memory-key';
import type { Secp256k1Engine } from '../../secp256k1/secp256k1-engine';
import { wasmEngine } from '../../secp256k1/wasm-engine';

// Account 0 of the development mnemonic "test test test test test test test test test test test junk".
const KEY = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';

let engine: Secp256k1Engine;
beforeAll(async () => {
  engine = await wasmEngine();
});

describe('InMemoryKey', () => {
  it('has an EVM address', () => {
    expect(new InMemoryKey(new Secret(KEY), engine).address('evm')).toBe(
      '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    );
  });

  it('has the Solana address of its Ed25519 key (RFC 8032 §7.1, TEST 1)', () => {
    const seed = new Secret('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60');
    expect(new InMemoryKey(seed, engine).address('solana')).toBe(
      'FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z',
    );
  });

  it('signs deterministically', () => {
    const key = new InMemoryKey(new Secret(KEY), engine);
    const digest = Buffer.alloc(32, 7);
    expect(key.sign(digest)).toEqual(key.sign(digest));
  });

  it.each([
    ['zero', '0'.repeat(64)],
    ['the order of the curve', ORDER],
    ['above the order', 'f'.repeat(64)],
    ['too short', KEY.slice(2)],
    ['no hex', 'z'.repeat(64)],
    ['partly hex', `${KEY.slice(1)}z`],
    ['too long', `${KEY}00`],
    ['with a prefix', `0x${KEY}`],
  ])('refuses a key that is %s, without quoting it', (_name, digits) => {
    expect(() => new InMemoryKey(new Secret(digits), engine)).toThrow(
      new Error('The private key is not a number between zero and the order of secp256k1'),
    );
  });

  it('accepts the smallest and the largest valid key', () => {
    const last = ORDER.replace(/41$/, '40');
    expect(new InMemoryKey(new Secret('1'.padStart(64, '0')), engine).address('evm')).toBe(
      '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf',
    );
    expect(new InMemoryKey(new Secret(last), engine).address('evm')).toMatch(/^0x[0-9a-fA-F]{40}$/);
  });

  it('does not reveal the key when inspected or serialised', () => {
    const key = new InMemoryKey(new Secret(KEY), engine);
    const texts = [
      inspect(key, { depth: 9, showHidden: true }),
      JSON.stringify(key),
      Object.keys(key).join(),
    ];
    expect(texts.join()).not.toMatch(/ac ?09 ?74 ?be|172,9,116,190/);
  });

  it('overwrites the key when destroyed and throws on later use', () => {
    const seen: Uint8Array[] = [];
    const watched: Secp256k1Engine = {
      name: 'wasm',
      publicKey: (privateKey) => engine.publicKey(privateKey),
      signRecoverable: (digest, privateKey) => {
        seen.push(privateKey);
        return engine.signRecoverable(digest, privateKey);
      },
      recover: (digest, signature) => engine.recover(digest, signature),
    };
    const key = new InMemoryKey(new Secret(KEY), watched);
    key.sign(Buffer.alloc(32, 7));
    expect(Buffer.from(seen[0]!).toString('hex')).toBe(KEY);
    expect(seen[0]!.buffer.byteLength).toBe(32);
    key.destroy();
    expect([...seen[0]!]).toEqual(Array(32).fill(0));
    expect(() => key.sign(Buffer.alloc(32, 7))).toThrow('The signer is not open');
    expect(() => key.address('solana')).toThrow('The signer is not open');
    key.destroy();
  });
});
