/** Signatures per second of CPU time of each engine in a loop, with nothing around it. */
const { createHash } = require('node:crypto');
const { SigningKey } = require('ethers');

const KEY = createHash('sha256').update('bench').digest();
const DIGESTS = Array.from({ length: 64 }, (_, i) => createHash('sha256').update(String(i)).digest());

const signingKey = new SigningKey(KEY);
const ENGINES = {
  'libsecp256k1, native': () => {
    const { ecdsaSign } = require('secp256k1/bindings');
    return (digest) => ecdsaSign(digest, KEY);
  },
  'libsecp256k1, WASM': () => {
    const { signRecoverable } = require('tiny-secp256k1');
    return (digest) => signRecoverable(digest, KEY);
  },
  ethers: () => (digest) => signingKey.sign(digest),
};

/** A loop for each engine that can be loaded on this machine; an engine that cannot is named with its reason. */
function loadEngines() {
  return Object.entries(ENGINES).map(([name, open]) => {
    try {
      return { name, sign: open() };
    } catch (error) {
      return { name, missing: String(error.message) };
    }
  });
}

/** Signatures per second of this process's CPU time, over about `seconds` of it. */
function signaturesPerSecond(sign, seconds) {
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

module.exports = { loadEngines, signaturesPerSecond };
