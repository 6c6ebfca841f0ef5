import type { DigestSignature } from '../chains/evm/digest-signature';
import type { NetworkType } from '../chains/network-type';
import type { Secret } from '../common/secrets/secret';

/**
 * The port to whoever holds a key: memory, a key service, a hardware module. One provider serves one signer.
 *
 * Every implementation passes `signer-provider.contract.ts`.
 */
export interface SignerProvider {
  /**
   * Whether `signDigest` leaves the process. Then a relayer may change while a signature is made, and it is read again
   * before the signature is returned. A provider that holds its key in memory signs at once.
   */
  readonly isRemote: boolean;

  /** Called once before the first use; connects, fetches the public key. A provider that fails here is discarded. */
  init(): Promise<void>;

  /**
   * The account of this key on a network of the given type: EIP-55 for `evm`, base58 for `solana`, StrKey for
   * `stellar`.
   *
   * @throws SignerUnsuitableError where this kind has no account on such networks
   */
  address(networkType: NetworkType): Promise<string>;

  /**
   * Signs 32 bytes as they are, without any prefix.
   *
   * @throws Error when the key cannot be used; its text reaches the log only
   */
  signDigest(digest: Uint8Array): Promise<DigestSignature>;

  /** Called once after the last use; closes connections and forgets the key. */
  destroy(): Promise<void>;
}

/** What is stored of a signer: `settings` in the clear, `secret` encrypted. */
export interface SignerMaterial {
  settings: Record<string, string | number | boolean>;
  secret: Secret | null;
}

/** How a signer's configuration reaches what lies outside of it. */
export interface SignerSources {
  /** Resolves `{type: "env" | "plain", value}`. @throws DomainError naming the field */
  secret(reference: unknown, field: string): Secret;
  /** Whether whoever wrote the configuration may name files of the server, also such as are read later. */
  readonly mayNameFiles: boolean;
  /** The text of a file that the configuration names. @throws DomainError naming the file */
  file(path: string): Promise<string>;
}

/** Makes the providers of one kind. Marked with `@SignerKind('name')` and listed as a provider of any module, it is found. */
export interface SignerProviderFactory {
  /** The kind under which such signers are stored and opened, where this one is only another way to write them down. */
  readonly storedAs?: string;

  /** True where a configuration names a file of the server, which nobody may do over HTTP. */
  readonly readsFiles?: boolean;

  /**
   * Checks the `config` that somebody wrote for a new signer and splits it into what is stored.
   *
   * @throws DomainError `invalid_request`, naming the field and the rule
   */
  prepare(config: unknown, sources: SignerSources): Promise<SignerMaterial>;

  /**
   * The provider of a stored signer; it is not yet initialised. The secret is overwritten when `init` has ended, so what a
   * provider needs of it later it keeps itself.
   *
   * @throws SignerFailure `address_refused` where the settings lead to an address that {@link prepare} would refuse
   */
  open(material: SignerMaterial): SignerProvider;

  /** The account that `config` claims to hold, where that shows without opening the key. */
  claimedAddress?(config: unknown, sources: SignerSources): Promise<string | undefined>;
}

/** The key cannot serve this type of network. */
export class SignerUnsuitableError extends Error {
  constructor(kind: string, networkType: NetworkType) {
    super(`A signer of kind ${kind} has no account on ${networkType} networks`);
    this.name = 'SignerUnsuitableError';
  }
}
