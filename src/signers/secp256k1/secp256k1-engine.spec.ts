import { createHash } from 'node:crypto';
import { computeAddress, hexlify, recoverAddress, SigningKey } from 'ethers';
import { describeWithAddon } from '../../../test/support/native-addon';
import { nativeEngine } from './native-engine';
import { type Secp256k1Engine, toDigestSignature } from './secp256k1-engine';
import { wasmEngine } from './wasm-engine';
import { rounds } from '../../../test/support/rounds';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const PAIRS = rounds(2000, 200);
/**
 * The number of signatures that are also verified by recovery, which is slow. Equality with the signature from ethers
 * proves as much.
 */
const RECOVERED = rounds(300, 50);

const bytes32 = (number: bigint): Buffer => Buffer.from(number.toString(16).padStart(64, '0'), 'hex');
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** RFC 6979 on secp256k1, as published with several wallets: key, message (its SHA-256 is signed), r, s. */
const PUBLISHED: [bigint, string, string, string][] = [
  [
    1n,
    'Satoshi Nakamoto',
    '934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8',
    '2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5',
  ],
  [
    1n,
    'All those moments will be lost in time, like tears in rain. Time to die...',
    '8600dbd41e348fe5c9465ab92d23e3db8b98b873beecd930736488696438cb6b',
    '547fe64427496db33bf66019dacbf0039c04199abb0122918601db38a72cfc21',
  ],
  [
    ORDER - 1n,
    'Satoshi Nakamoto',
    'fd567d121db66e382991534ada77a6bd3106f0a1098c231e47993447cd6af2d0',
    '6b39cd0eb1bc8603e159ef5c20a5c8ad685a45b06ce9bebed3f153d10d93bed5',
  ],
  [
    0xf8b8af8ce3c7cca5e300d33939540c10d45ce001b8f252bfbc57ba0342904181n,
    'Alan Turing',
    '7063ae83e7f62bbb171798131b4a0564b956930092b33b07b395615d9ec7e15c',
    '58dfcc1e00a35e1572f366ffe34ba0fc47db1e7189759b9fb233c5b05ab388ea',
  ],
];

const EDGE_KEYS: [string, bigint][] = [
  ['1', 1n],
  ['2', 2n],
  ['n - 1', ORDER - 1n],
  ['n / 2', ORDER / 2n],
];
const EDGE_DIGESTS: [string, bigint][] = [
  ['0', 0n],
  ['1', 1n],
  ['n - 1', ORDER - 1n],
  ['n', ORDER],
  ['n + 1', ORDER + 1n],
  ['all ones', 2n ** 256n - 1n],
];
const EDGES = EDGE_KEYS.flatMap(([key, privateKey]) =>
  EDGE_DIGESTS.map(([digest, hash]) => ({
    key,
    digest,
    privateKey: bytes32(privateKey),
    hash: bytes32(hash),
  })),
);

describeWithAddon('With the addon', () => {
  describeEngine('native', () => nativeEngine());
});
describeEngine('wasm', () => wasmEngine());

function describeEngine(name: 'native' | 'wasm', load: () => Promise<Secp256k1Engine>): void {
  describe(`The ${name} engine`, () => {
    let engine: Secp256k1Engine;

    beforeAll(async () => {
      engine = await load();
    });

    it('reports its name', () => {
      expect(engine.name).toBe(name);
    });

    it(`signs ${PAIRS} digests with as many keys as ethers does`, () => {
      for (let i = 0; i < PAIRS; i += 1) {
        const key = sha256(`key ${i}`);
        const digest = sha256(`digest ${i}`);
        expectAsEthers(engine, key, digest);
        if (i < RECOVERED) expectRecovers(engine, key, digest);
      }
    });

    it.each(EDGES)('signs the digest $digest with the key $key as ethers does', ({ privateKey, hash }) => {
      expectAsEthers(engine, privateKey, hash);
      expectRecovers(engine, privateKey, hash);
    });

    it.each(PUBLISHED)('matches the published signatures: key %d, %p', (key, message, r, s) => {
      expect(engine.signRecoverable(sha256(message), bytes32(key))).toMatchObject({ r, s });
    });

    it.each([
      ['zero', Buffer.alloc(32)],
      ['the order', bytes32(ORDER)],
      ['above the order', Buffer.alloc(32, 0xff)],
      ['31 bytes', Buffer.alloc(31, 1)],
      ['33 bytes', Buffer.alloc(33, 1)],
    ])('refuses a key that is %s, without quoting it', (_what, key) => {
      for (const attempt of [
        () => engine.publicKey(key),
        () => engine.signRecoverable(Buffer.alloc(32, 7), key),
      ]) {
        const error = errorOf(attempt);
        expect(error).toMatch(/private/i);
        expect(error).not.toContain(key.toString('hex'));
      }
    });

    it.each([0, 31, 33, 64])('refuses a digest of %d bytes', (size) => {
      expect(() => engine.signRecoverable(Buffer.alloc(size, 7), bytes32(1n))).toThrow();
    });

    it.each(EDGES)('recovers the key $key from a signature of the digest $digest', ({ privateKey, hash }) => {
      const signature = engine.signRecoverable(hash, privateKey);
      expect(hexlify(engine.recover(hash, signature))).toBe(hexlify(engine.publicKey(privateKey)));
    });

    it.each([
      ['r is zero', { r: '00'.repeat(32) }],
      ['s is zero', { s: '00'.repeat(32) }],
      ['r is the order', { r: ORDER.toString(16) }],
      ['s is the order', { s: ORDER.toString(16) }],
      ['no point has the coordinate r', { r: bytes32(5n).toString('hex') }],
    ])('recovers no key if %s', (_what, changes) => {
      const signature = engine.signRecoverable(sha256('digest'), bytes32(5n));
      expect(() => engine.recover(sha256('digest'), { ...signature, ...changes })).toThrow();
    });

    it('does not modify the key or the digest', () => {
      const [key, digest] = [bytes32(5n), bytes32(6n)];
      engine.signRecoverable(digest, key);
      expect([key, digest]).toEqual([bytes32(5n), bytes32(6n)]);
    });
  });
}

describe('toDigestSignature', () => {
  const signature = Buffer.concat([Buffer.alloc(32, 1), Buffer.alloc(32, 2)]);

  it('splits r and s, even if the signature is a view into a larger buffer', () => {
    const view = Buffer.concat([Buffer.from('ff', 'hex'), signature]).subarray(1);
    const [r, s] = ['01'.repeat(32), '02'.repeat(32)];
    expect(toDigestSignature(view, 0)).toEqual({ r, s, v: 27 });
    expect(toDigestSignature(view, 1)).toEqual({ r, s, v: 28 });
  });

  it.each([2, 3])('refuses the recovery id %d', (id) => {
    expect(() => toDigestSignature(signature, id)).toThrow('The signature has no v');
  });
});

function expectAsEthers(engine: Secp256k1Engine, key: Buffer, digest: Buffer): void {
  const reference = new SigningKey(key);
  const { r, s, v } = reference.sign(digest);
  expect(engine.signRecoverable(digest, key)).toEqual({ r: r.slice(2), s: s.slice(2), v });
  expect(BigInt(s) <= ORDER / 2n).toBe(true);
  expect(hexlify(engine.publicKey(key))).toBe(reference.publicKey);
}

function expectRecovers(engine: Secp256k1Engine, key: Buffer, digest: Buffer): void {
  const { r, s, v } = engine.signRecoverable(digest, key);
  expect(recoverAddress(digest, { r: `0x${r}`, s: `0x${s}`, v })).toBe(computeAddress(hexlify(key)));
}

function errorOf(attempt: () => unknown): string {
  try {
    attempt();
  } catch (error) {
    return String(error);
  }
  return 'none';
}
