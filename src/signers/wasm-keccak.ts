import { Logger } from '@nestjs/common';
import { type BytesLike, keccak256 } from 'ethers';
import { createKeccak } from 'hash-wasm';

/** keccak256 of nothing. */
const EMPTY = 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';

/**
 * Has ethers compute keccak256 with WebAssembly, ten times as fast, for the whole process. Its own implementation
 * stays where that one cannot be loaded or is wrong.
 *
 * @returns whether WebAssembly is used from now on
 */
export async function useWasmKeccak(load = () => createKeccak(256)): Promise<boolean> {
  try {
    const hasher = await load();
    const hash = (data: Uint8Array): BytesLike => hasher.init().update(data).digest('binary');
    if (Buffer.from(hash(new Uint8Array()) as Uint8Array).toString('hex') !== EMPTY) {
      throw new Error('it computes a wrong hash');
    }
    keccak256.register(hash);
    return true;
  } catch (error) {
    new Logger('SigningEngine').warn('keccak256 stays slow', { cause: String(error) });
    return false;
  }
}
