import { createHash } from 'node:crypto';
import { keccak256 as ethersKeccak256 } from 'ethers';
import { createKeccak } from 'hash-wasm';
import { computeKeccak256By, keccak256, keccak256Hex } from './keccak256';
import { useWasmKeccak } from './wasm-keccak';

/** ethers' own implementation, which `register` does not replace. */
const reference = (data: Uint8Array): Buffer => Buffer.from(ethersKeccak256._(data));

describe('useWasmKeccak', () => {
  afterEach(() => {
    computeKeccak256By();
  });

  it('hashes data of any length as ethers does', async () => {
    const loaded = await createKeccak(256);
    const init = jest.spyOn(loaded, 'init');
    expect(await useWasmKeccak(() => Promise.resolve(loaded))).toBe(true);
    const before = init.mock.calls.length;
    // Lengths around the block size of Keccak-256 (136 bytes) and the chunk size for copies to WebAssembly (16 KiB).
    const lengths = [...Array(300).keys(), 1000, 16_383, 16_384, 16_385, 100_000];
    for (const length of lengths) {
      const data = createHash('shake256', { outputLength: Math.max(length, 1) })
        .update(String(length))
        .digest()
        .subarray(0, length);
      const hash = reference(data);
      expect(Buffer.from(keccak256(data))).toEqual(hash);
      expect(keccak256Hex(data)).toBe(`0x${hash.toString('hex')}`);
      expect(ethersKeccak256(data)).toBe(`0x${hash.toString('hex')}`);
    }
    expect(init.mock.calls.length - before).toBe(3 * lengths.length);
  });

  it('returns a published hash', async () => {
    await useWasmKeccak();
    expect(keccak256Hex(Buffer.from('cow'))).toBe(
      '0xc85ef7d79691fe79573b1a7064c19c1a9819ebdbd1faaab1a8ec92344438aaf4',
    );
  });

  it('leaves the ethers implementation in place if WebAssembly cannot be loaded or hashes wrongly', async () => {
    const sha3 = await createKeccak(512);
    expect(await useWasmKeccak(() => Promise.reject(new Error('no WebAssembly')))).toBe(false);
    expect(await useWasmKeccak(() => Promise.resolve(sha3))).toBe(false);
    expect(ethersKeccak256('0x')).toBe(keccak256Hex(Buffer.alloc(0)));
    expect(keccak256Hex(Buffer.alloc(0))).toBe(
      '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
    );
  });
});
