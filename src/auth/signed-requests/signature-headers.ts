import { IDENTIFIER } from '../../common/validation/fields';
import { readDictionary } from './structured-fields';

/** The parameters that a signature may have (RFC 9421, 2.3). */
const KNOWN_PARAMETERS = new Set(['created', 'expires', 'nonce', 'alg', 'keyid', 'tag']);
const NONCE = /^[\x21-\x7e]{8,128}$/;

/** The parameters of a request's signature, and the signature itself. */
export interface RequestSignature {
  /** The distinct names of the covered components. */
  components: readonly string[];
  /** In seconds since 1970. */
  created: number;
  expires: number | undefined;
  nonce: string;
  keyId: string;
  algorithm: string | undefined;
  /** The value in the last line of the signature base. */
  serialized: string;
  bytes: Uint8Array;
}

/**
 * Parses `Signature-Input` and `Signature` (RFC 9421, 4), which must contain exactly one signature.
 *
 * @returns undefined for anything else: other parameters, components with parameters, or duplicate components
 */
export function readSignature(inputs: string, signatures: string): RequestSignature | undefined {
  const [label, input] = onlyMember(inputs) ?? [];
  const [signatureLabel, bytes] = onlyMember(signatures) ?? [];
  if (label === undefined || label !== signatureLabel) return undefined;
  if (!(bytes instanceof Uint8Array) || !input || input instanceof Uint8Array) return undefined;
  const { strings: components, serialized } = input;
  const parameters = readParameters(input.parameters);
  if (!parameters || !components || new Set(components).size < components.length) return undefined;
  return { ...parameters, components, serialized, bytes };
}

function onlyMember(text: string) {
  const members = [...(readDictionary(text) ?? [])];
  return members.length === 1 ? members[0] : undefined;
}

function readParameters(parameters: ReadonlyMap<string, unknown>) {
  if ([...parameters.keys()].some((name) => !KNOWN_PARAMETERS.has(name))) return undefined;
  const [created, expires, nonce, keyId, algorithm] = ['created', 'expires', 'nonce', 'keyid', 'alg'].map(
    (name) => parameters.get(name),
  );
  if (!isTime(created) || !(expires === undefined || isTime(expires))) return undefined;
  if (typeof nonce !== 'string' || !NONCE.test(nonce)) return undefined;
  if (typeof keyId !== 'string' || !IDENTIFIER.test(keyId)) return undefined;
  if (!(algorithm === undefined || typeof algorithm === 'string')) return undefined;
  return { created, expires, nonce, keyId, algorithm };
}

const isTime = (value: unknown): value is number => Number.isSafeInteger(value);
