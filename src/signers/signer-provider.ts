import type { DigestSignature } from '../chains/evm/digest-signature';
import type { NetworkType } from '../chains/network-type';
import type { Secret } from '../common/secrets/secret';

/**
 * The port to the holder of a key: memory, a key service, a hardware module. One provider serves one signer.
 *
 * `docs/extending.md` lists the properties that every implementation must have.
 */
export interface SignerProvider {
  /**
   * Whether `signDigest` makes a call out of the process. If so, the relayer may change during the call, and it is read
   * again before the signature is returned. A provider with its key in memory signs immediately.
   */
  readonly isRemote: boolean;

  /**
   * Called once before the first use; connects and fetches the public key. If it fails or takes longer than 30 s, the
   * provider is destroyed, and a new one is created for the next use.
   */
  init(): Promise<void>;

  /**
   * The account of this key on a network of the given type: EIP-55 for `evm`, base58 for `solana`, StrKey for
   * `stellar`.
   *
   * @throws SignerUnsuitableError if this kind has no account on such networks
   */
  address(networkType: NetworkType): Promise<string>;

  /**
   * Signs a 32-byte digest without any prefix. A signature that is malformed or not by the key of the EVM address is not
   * returned to the caller, who gets 503.
   *
   * @throws Error if the key cannot be used; its message is only logged
   */
  signDigest(digest: Uint8Array): Promise<DigestSignature>;

  /** Called once after the last use; closes connections and erases the key. */
  destroy(): Promise<void>;
}

/** The stored configuration of a signer: `settings` in plain text, `secret` encrypted. */
export interface SignerMaterial {
  settings: Record<string, string | number | boolean>;
  secret: Secret | null;
}

/** How a signer's configuration refers to secrets and files outside of it. */
export interface SignerSources {
  /**
   * Resolves a secret: in the configuration file `{type: "env" | "plain", value}`, in a request the value itself, a
   * string that is not empty.
   *
   * @throws DomainError naming the field
   */
  secret(reference: unknown, field: string): Secret;
  /** Whether the configuration may name files of the server, including files that are read later. */
  readonly mayNameFiles: boolean;
  /** Reads a file that the configuration names. @throws DomainError naming the file */
  file(path: string): Promise<string>;
}

/** Creates the providers of one kind. Any provider of any module with `@SignerKind('name')` is discovered. */
export interface SignerProviderFactory {
  /** The kind under which such signers are stored and opened, if this kind is only another form of configuration. */
  readonly storedAs?: string;

  /** Whether the configuration names a file of the server, which is not allowed over HTTP. */
  readonly readsFiles?: boolean;

  /**
   * Checks the `config` of a new signer and splits it into settings and secret.
   *
   * @throws DomainError `invalid_request`, naming the field and the rule
   */
  prepare(config: unknown, sources: SignerSources): Promise<SignerMaterial>;

  /**
   * Creates the provider of a stored signer, not yet initialised. The secret is overwritten after `init`, so a provider
   * must copy what it needs later.
   *
   * @throws SignerFailure `address_refused` if the settings contain an address that {@link prepare} would refuse
   */
  open(material: SignerMaterial): SignerProvider;
}

/** The key cannot serve this type of network. */
export class SignerUnsuitableError extends Error {
  constructor(kind: string, networkType: NetworkType) {
    super(`A signer of kind ${kind} has no account on ${networkType} networks`);
    this.name = 'SignerUnsuitableError';
  }
}
