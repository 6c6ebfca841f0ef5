import { Secret } from '../../../src/common/secrets/secret';
import type { SignerSources } from '../../../src/signers/signer-provider';

/** Resolves `{type: "plain", value}`; there are no files. */
export const plainSources: SignerSources = {
  mayNameFiles: true,
  secret: (reference, field) => {
    const { type, value } = (reference ?? {}) as { type?: unknown; value?: unknown };
    if (type !== 'plain' || typeof value !== 'string') throw new Error(`${field} is not a plain secret`);
    return new Secret(value);
  },
  file: (path) => Promise.reject(new Error(`no file ${path}`)),
};

export const plain = (value: string): { type: 'plain'; value: string } => ({ type: 'plain', value });
