import type { NetworkType } from '../../chains/network-type';
import { DomainError } from '../../common/errors/domain-error';
import { signerFailure, type SignerFailureReason } from '../signer-failure';
import type { DigestSignature } from '../../chains/evm/digest-signature';
import { type SignerProvider, SignerUnsuitableError } from '../signer-provider';
import { addressOfPublicKey, parseEcdsaSignature } from './der';
import { recoverableSignature } from './recoverable-signature';
import { type CallLimits, RemoteCalls } from './remote-calls';
import type { Lease } from './shared-clients';

const DIGEST_LENGTH = 32;

/**
 * A secp256k1 key in a key service that uses DER: SubjectPublicKeyInfo for the public key and ECDSA-Sig-Value for
 * signatures. A subclass for each vendor makes the calls.
 */
export abstract class DerSignerProvider<Client> implements SignerProvider {
  readonly isRemote = true;
  readonly #calls: RemoteCalls;
  #lease: Lease<Client> | undefined;
  #address: string | undefined;

  constructor(
    private readonly kind: string,
    limits?: CallLimits,
  ) {
    this.#calls = new RemoteCalls(limits);
  }

  /** Leases a client, new or shared. */
  protected abstract connect(): Lease<Client>;

  /** The SubjectPublicKeyInfo of the key. */
  protected abstract publicKey(client: Client, signal: AbortSignal): Promise<Uint8Array>;

  /** Signs a digest. The result is an ECDSA-Sig-Value. */
  protected abstract sign(client: Client, digest: Uint8Array, signal: AbortSignal): Promise<Uint8Array>;

  /** The reason behind an error of the vendor's client. */
  protected abstract reasonOf(error: unknown): SignerFailureReason;

  /**
   * Fetches the public key.
   *
   * @throws SignerFailure, or DomainError `invalid_request` if the vendor's package is missing
   */
  async init(): Promise<void> {
    const lease = this.connect();
    this.#lease = lease;
    try {
      this.#address = await this.call(async (signal) =>
        addressOfPublicKey(await this.publicKey(await lease.client, signal)),
      );
    } catch (error) {
      await this.destroy();
      throw error;
    }
  }

  /** @throws SignerUnsuitableError for any type but `evm` */
  address(networkType: NetworkType): Promise<string> {
    if (networkType !== 'evm') return Promise.reject(new SignerUnsuitableError(this.kind, networkType));
    return this.#address === undefined ? Promise.reject(notOpen()) : Promise.resolve(this.#address);
  }

  /** @throws SignerFailure */
  async signDigest(digest: Uint8Array): Promise<DigestSignature> {
    const [lease, address] = [this.#lease, this.#address];
    if (!lease || address === undefined) throw notOpen();
    if (digest.length !== DIGEST_LENGTH) throw new RangeError(`A digest has ${DIGEST_LENGTH} bytes`);
    return this.call(async (signal) => {
      const { r, s } = parseEcdsaSignature(await this.sign(await lease.client, digest, signal));
      return recoverableSignature(digest, r, s, address);
    });
  }

  destroy(): Promise<void> {
    this.#lease?.release();
    this.#lease = undefined;
    this.#address = undefined;
    return Promise.resolve();
  }

  private async call<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await this.#calls.run(work);
    } catch (error) {
      throw error instanceof DomainError ? error : signerFailure(this.reasonOf(error), error);
    }
  }
}

function notOpen(): Error {
  return new Error('The signer is not open');
}
