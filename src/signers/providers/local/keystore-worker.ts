import { Worker } from 'node:worker_threads';

/** How a decryption ended; without a key, whether the passphrase was at fault. */
export interface Decryption {
  privateKey?: string;
  wrongPassphrase?: boolean;
}

/** Runs in the thread, which has no module of its own so that it starts the same from sources and from the build. */
const PROGRAM = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { decryptKeystoreJsonSync } = require(workerData.ethers);
  try {
    parentPort.postMessage({ privateKey: decryptKeystoreJsonSync(workerData.json, workerData.passphrase).privateKey });
  } catch (error) {
    parentPort.postMessage({ wrongPassphrase: String(error.message).startsWith('incorrect password') });
  }
`;

/** Decrypts a keystore in a thread, so that scrypt never holds up a request. An abort ends the thread. */
export function decryptInWorker(json: string, passphrase: string, signal: AbortSignal): Promise<Decryption> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(PROGRAM, {
      eval: true,
      workerData: { ethers: require.resolve('ethers'), json, passphrase },
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
