/** Measures the signatures per second of CPU time of each engine, in a bare loop. */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { SigningKey } from 'ethers';

/** Engines are loaded when they are tried, because any of them may be missing. */
const load = createRequire(__filename);

const KEY = createHash('sha256').update('bench').digest();
const DIGESTS = Array.from({ length: 64 }, (_, i) => createHash('sha256').update(String(i)).digest());

const signingKey = new SigningKey(KEY);
type Sign = (digest: Buffer) => unknown;

const ENGINES: Record<string, () => Sign> = {
  'libsecp256k1, native': () => {
    const { ecdsaSign } = load('secp256k1/bindings') as typeof import('secp256k1');
    return (digest) => ecdsaSign(digest, KEY);
  },
  'libsecp256k1, WASM': () => {
    const { signRecoverable } = load('tiny-secp256k1') as typeof import('tiny-secp256k1');
    return (digest) => signRecoverable(digest, KEY);
  },
  ethers: () => (digest) => signingKey.sign(digest),
};

/** A loop for each engine that can be loaded on this machine; for the others, the reason why they cannot be loaded. */
export function loadEngines(): { name: string; sign?: Sign; missing?: string }[] {
  return Object.entries(ENGINES).map(([name, open]) => {
    try {
      return { name, sign: open() };
    } catch (error) {
      return { name, missing: (error as Error).message };
    }
  });
}

/** Signatures per second of this process's CPU time, over about `seconds` of it. */
export function signaturesPerSecond(sign: Sign, seconds: number): number {
  const start = process.cpuUsage();
  let signatures = 0;
  let spent = 0;
  while (spent < seconds) {
    for (const digest of DIGESTS) sign(digest);
    signatures += DIGESTS.length;
    const { user, system } = process.cpuUsage(start);
    spent = (user + system) / 1e6;
  }
  return signatures / spent;
}
