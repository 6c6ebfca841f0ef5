import { Worker } from 'node:worker_threads';
import type { Secret } from '../../../common/secrets/secret';

/** The result of a decryption. If there is no key, `wrongPassphrase` distinguishes the reason. */
export interface Decryption {
  /** 64 hex digits in ASCII. */
  privateKey?: Uint8Array;
  wrongPassphrase?: boolean;
}

/**
 * The program of the thread, as text so that it works both from the sources and from the build.
 *
 * The format does not say how a passphrase becomes bytes. geth takes its UTF-8 as it is, ethers that of its NFKC form.
 * They differ for few passphrases, so that a wrong one rarely takes twice as long.
 */
const PROGRAM = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { decryptKeystoreJsonSync } = require(workerData.ethers);
  const { json, passphrase } = workerData;
  const isWrongPassphrase = (error) => String(error.message).startsWith('incorrect password');
  const decrypt = () => {
    try {
      return decryptKeystoreJsonSync(json, passphrase);
    } catch (error) {
      const given = Buffer.from(passphrase).toString('utf8');
      const normalized = given.normalize('NFKC');
      if (normalized === given || !isWrongPassphrase(error)) throw error;
      return decryptKeystoreJsonSync(json, Buffer.from(normalized));
    }
  };
  try {
    const account = decrypt();
    const privateKey = new TextEncoder().encode(account.privateKey.slice(2));
    parentPort.postMessage({ privateKey }, [privateKey.buffer]);
  } catch (error) {
    parentPort.postMessage({ wrongPassphrase: isWrongPassphrase(error) });
  }
`;

/**
 * Decrypts a keystore in a thread, so that key derivation never blocks a request. An abort ends the thread.
 *
 * Passphrase and key are transferred as bytes. ethers creates strings from them, which stay in the heap of the thread
 * and disappear with it. Node's own scrypt is not used: it cannot be aborted, and ethers would return the key as a
 * string in this thread.
 */
export function decryptInWorker(json: string, passphrase: Secret, signal: AbortSignal): Promise<Decryption> {
  return new Promise((resolve, reject) => {
    const bytes = passphrase.use((given) => new Uint8Array(given));
    const worker = new Worker(PROGRAM, {
      eval: true,
      workerData: { ethers: require.resolve('ethers'), json, passphrase: bytes },
      transferList: [bytes.buffer],
      env: {},
    });
    const end = (): void => void worker.terminate();
    signal.addEventListener('abort', end, { once: true });
    worker.once('message', (outcome: Decryption) => {
      resolve(outcome);
      end();
    });
    worker.once('error', reject);
    worker.once('exit', () => {
      signal.removeEventListener('abort', end);
      resolve({ wrongPassphrase: false });
    });
  });
}
