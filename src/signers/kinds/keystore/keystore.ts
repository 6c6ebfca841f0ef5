import { isKeystoreJson } from 'ethers';
import { DomainError, invalidRequest } from '../../../common/errors/domain-error';
import { Secret } from '../../../common/secrets/secret';
import { RemoteCalls } from '../../key-services/remote-calls';
import { decryptInWorker } from './keystore-worker';

/** Characters of an encrypted keystore. @limit Signers and key services */
const MAX_KEYSTORE_LENGTH = 64 * 1024;
/**
 * Memory that a keystore may require for scrypt: as much as geth uses by default (N = 2^18, r = 8, p = 1).
 * @limit Signers and key services
 */
const MAX_SCRYPT_BYTES = 256 * 1024 * 1024;
/**
 * In addition to that memory, the maximum size of the blocks that scrypt mixes one after the other: far more than any
 * wallet uses.
 */
const MAX_SCRYPT_BLOCK_BYTES = 1024 * 1024;
/** The maximum number of bytes in all blocks together: four times the work of geth's default. */
const MAX_SCRYPT_WORK = 4 * MAX_SCRYPT_BYTES;
/** Rounds that a keystore may require for PBKDF2. @limit Signers and key services */
const MAX_PBKDF2_ITERATIONS = 1_000_000;

/** One at a time, because each occupies a core and up to 256 MiB for seconds. */
const decryptions = new RemoteCalls({ concurrency: 1, waiting: 16, timeoutMs: 25_000 });

/**
 * Decrypts an encrypted JSON keystore (Web3 Secret Storage, version 3), in a separate thread.
 *
 * @returns the private key as 64 hex digits
 * @throws DomainError `invalid_request`
 */
export async function decryptKeystore(json: string, passphrase: Secret): Promise<Secret> {
  if (json.length > MAX_KEYSTORE_LENGTH || !isKeystoreJson(json)) {
    throw invalidRequest('the keystore is not an encrypted JSON keystore of version 3');
  }
  checkWorkFactor(json);
  const outcome = await decryptInTurn(json, passphrase);
  if (outcome.privateKey !== undefined) return new Secret(Buffer.from(outcome.privateKey.buffer));
  throw invalidRequest(
    outcome.wrongPassphrase ? 'the passphrase does not open the keystore' : 'the keystore is damaged',
  );
}

async function decryptInTurn(json: string, passphrase: Secret) {
  try {
    return await decryptions.run((signal) => decryptInWorker(json, passphrase, signal));
  } catch (error) {
    if (error instanceof DomainError)
      throw invalidRequest('the keystore takes too long to decrypt, or too many wait');
    throw error;
  }
}

/** The parameters are untrusted: they could demand any amount of memory and time. */
function checkWorkFactor(json: string): void {
  const { kdf, params } = kdfOf(JSON.parse(json));
  const { n, r, p, c } = params;
  if (kdf === 'scrypt' && isCount(n) && isCount(r) && isCount(p)) {
    const memory = 128 * n * r;
    const blocks = 128 * r * p;
    if (memory <= MAX_SCRYPT_BYTES && blocks <= MAX_SCRYPT_BLOCK_BYTES && memory * p <= MAX_SCRYPT_WORK)
      return;
  } else if (kdf === 'pbkdf2' && isCount(c)) {
    if (c <= MAX_PBKDF2_ITERATIONS) return;
  } else {
    throw invalidRequest('the keystore is damaged');
  }
  throw invalidRequest(
    'the keystore asks for more work than is allowed (scrypt up to 256 MiB, PBKDF2 up to 1000000 rounds)',
  );
}

/** Field names are case-insensitive, as in ethers. */
function kdfOf(keystore: unknown): { kdf: unknown; params: Record<string, unknown> } {
  const crypto = fieldsOf(fieldsOf(keystore).crypto);
  const { kdf } = crypto;
  return { kdf: typeof kdf === 'string' ? kdf.toLowerCase() : kdf, params: fieldsOf(crypto.kdfparams) };
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return {};
  const fields = Object.entries(value).map(
    ([name, field]: [string, unknown]) => [name.toLowerCase(), field] as const,
  );
  const byName = Object.fromEntries(fields);
  // If a name occurred in two spellings, one could be checked here and the other be used.
  if (Object.keys(byName).length < fields.length) throw invalidRequest('the keystore is damaged');
  return byName;
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
