import { createHash } from 'node:crypto';
import { keccak256 } from 'ethers';
import { createKeccak } from 'hash-wasm';
import { useWasmKeccak } from './wasm-keccak';

/** The implementation of ethers itself, which `register` leaves where it is. */
const reference = keccak256._;
const hexOf = (data: Uint8Array): string => `0x${Buffer.from(reference(data)).toString('hex')}`;

describe('useWasmKeccak', () => {
  afterEach(() => {
    keccak256.register(reference);
  });

  it('hashes as ethers does, whatever the length', async () => {
    const loaded = await createKeccak(256);
    const init = jest.spyOn(loaded, 'init');
    expect(await useWasmKeccak(() => Promise.resolve(loaded))).toBe(true);
    const before = init.mock.calls.length;
    // Around the block of Keccak-256 (136 bytes) and the chunk that is copied to WebAssembly (16 KiB).
    const lengths = [...Array(300).keys(), 1000, 16_383, 16_384, 16_385, 100_000];
    for (const length of lengths) {
      const data = createHash('shake256', { outputLength: Math.max(length, 1) })
        .update(String(length))
        .digest()
        .subarray(0, length);
      expect(keccak256(data)).toBe(hexOf(data));
    }
    expect(init.mock.calls.length - before).toBe(lengths.length);
  });

  it('hashes as published', async () => {
    await useWasmKeccak();
    expect(keccak256(Buffer.from('cow'))).toBe(
      '0xc85ef7d79691fe79573b1a7064c19c1a9819ebdbd1faaab1a8ec92344438aaf4',
    );
  });

  it('keeps the implementation of ethers where the other cannot be loaded or is wrong', async () => {
    const sha3 = await createKeccak(512);
    expect(await useWasmKeccak(() => Promise.reject(new Error('no WebAssembly')))).toBe(false);
    expect(await useWasmKeccak(() => Promise.resolve(sha3))).toBe(false);
    expect(keccak256('0x')).toBe('0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470');
  });
});
