import { Logger } from '@nestjs/common';
import { createKeccak } from 'hash-wasm';
import { computeKeccak256By } from './keccak256';

/** keccak256 of an empty input. */
const EMPTY = 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';

/**
 * Switches the process to keccak256 in WebAssembly, which is ten times as fast as ethers'. If WebAssembly cannot be
 * loaded or computes a wrong hash, the current implementation is kept.
 *
 * @returns whether WebAssembly is used from now on
 */
export async function useWasmKeccak(load = () => createKeccak(256)): Promise<boolean> {
  try {
    const hasher = await load();
    const hash = (data: Uint8Array): Uint8Array => hasher.init().update(data).digest('binary');
    if (Buffer.from(hash(new Uint8Array())).toString('hex') !== EMPTY) {
      throw new Error('it computes a wrong hash');
    }
    computeKeccak256By(hash);
    return true;
  } catch (error) {
    new Logger('SigningEngine').warn('keccak256 stays slow', { cause: String(error) });
    return false;
  }
}
