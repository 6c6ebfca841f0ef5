import { createHash, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { createSigner, httpbis, type SignatureParameters } from 'http-message-signatures';
import type { Call } from './http';

/** Signs requests with a second implementation of RFC 9421, a package that the service does not use. */
export class RequestSigner {
  readonly publicKey: KeyObject;
  readonly #privateKey: KeyObject;

  constructor(readonly algorithm: 'ed25519' | 'ecdsa-p256-sha256' = 'ed25519') {
    const { publicKey, privateKey } =
      algorithm === 'ed25519'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.publicKey = publicKey;
    this.#privateKey = privateKey;
  }

  get pem(): string {
    return this.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  }

  /** Adds a digest of the body and a signature, which covers an idempotency key too. @param origin the service's origin as clients see it */
  async sign(origin: string, keyId: string, call: Call, options: SignOptions = {}): Promise<Call> {
    const { method = 'GET', path, body } = call;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const digest: Record<string, string> = text === undefined ? {} : { 'content-digest': sha256Digest(text) };
    const fields = ['@method', '@target-uri', ...(text === undefined ? [] : ['content-digest'])];
    if (call.headers?.['idempotency-key'] !== undefined) fields.push('idempotency-key');
    const signed = await httpbis.signMessage(
      {
        key: createSigner(this.#privateKey, options.algorithm ?? this.algorithm, keyId),
        name: 'sig',
        fields: options.fields ?? fields,
        params: options.params ?? ['created', 'nonce', 'keyid', 'alg'],
        paramValues: { nonce: randomUUID(), ...options.values },
      },
      { method, url: origin + path, headers: { ...(call.headers as Record<string, string>), ...digest } },
    );
    const added = Object.entries(signed.headers).map(([name, value]) => [name.toLowerCase(), value]);
    const headers = { authorization: undefined, ...call.headers, ...Object.fromEntries(added) };
    return { ...call, headers, ...(text !== undefined && { body: text }) };
  }
}

/** How the signature differs from a correct one. */
interface SignOptions {
  fields?: string[];
  params?: string[];
  values?: SignatureParameters;
  algorithm?: string;
}

export const sha256Digest = (text: string): string =>
  `sha-256=:${createHash('sha256').update(text).digest('base64')}:`;
