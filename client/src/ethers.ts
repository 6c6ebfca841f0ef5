import {
  AbstractSigner,
  assertArgument,
  authorizationify,
  hexlify,
  type Provider,
  resolveAddress,
  resolveProperties,
  Transaction,
  type TransactionReceipt,
  type TransactionRequest,
  type TypedDataDomain,
  TypedDataEncoder,
  type TypedDataField,
} from 'ethers';
import { TransactionAcceptedError, TransactionEndedError, WaitTimeoutError } from './errors.ts';
import { idempotencyKeyIn, type ResolvedRequest, type Speed, toRelayerRequest } from './ethers-request.ts';
import { RelayerTransactionResponse } from './ethers-response.ts';
import type { Relayer } from './relayer.ts';
import type { Transaction as SentTransaction, TypedData } from './resources.ts';

export { RelayerTransactionResponse, type Speed };

/** The number of sent transactions that a signer remembers for `wait`. */
const MAX_REMEMBERED = 1000;

/**
 * A relayer as an ethers signer: it signs with the key that the service holds, and sends through the service, which
 * manages nonce and fees. Errors are those of the client, and `INVALID_ARGUMENT` for anything the service cannot do.
 */
export class RelayerSigner extends AbstractSigner {
  readonly #relayer: Relayer;
  readonly #address: string;
  readonly #speed: Speed;
  /** Shared with the signers that {@link connect} creates. */
  readonly #sent: Map<string, RelayerTransactionResponse>;
  /** The chain id of the relayer; undefined until it has been read, or if it cannot be. */
  #chainId: bigint | undefined;

  private constructor(
    relayer: Relayer,
    address: string,
    speed: Speed,
    provider?: Provider | null,
    sent = new Map<string, RelayerTransactionResponse>(),
  ) {
    super(provider);
    this.#relayer = relayer;
    this.#address = address;
    this.#speed = speed;
    this.#sent = sent;
  }

  /**
   * @param provider used to read from the chain: receipts, gas, contract calls. Required for sending
   * @param speed the speed of transactions without fees of their own
   * @throws RelayerClientError if the relayer cannot be read; TypeError if it is not on an EVM network
   */
  static async create(
    relayer: Relayer,
    provider?: Provider,
    speed: Speed = 'average',
  ): Promise<RelayerSigner> {
    const { address, network_type: networkType } = await relayer.get();
    if (networkType !== 'evm')
      throw new TypeError(`Relayer ${relayer.id} is on a network of type ${networkType}`);
    return new RelayerSigner(relayer, address, speed, provider);
  }

  override connect(provider: Provider | null): RelayerSigner {
    return new RelayerSigner(this.#relayer, this.#address, this.#speed, provider, this.#sent);
  }

  override getAddress(): Promise<string> {
    return Promise.resolve(this.#address);
  }

  override async signMessage(message: string | Uint8Array): Promise<string> {
    const { sig } =
      typeof message === 'string'
        ? await this.#relayer.signMessage(message)
        : await this.#relayer.signMessage(hexlify(message), { encoding: 'hex' });
    return `0x${sig}`;
  }

  /**
   * Signs EIP-712 typed data. Where an address is expected it may have an ENS name, which the provider resolves.
   *
   * @throws UNSUPPORTED_OPERATION for a name without a provider, UNCONFIGURED_NAME for one that has no address
   */
  override async signTypedData(
    domain: TypedDataDomain,
    types: Record<string, TypedDataField[]>,
    value: Record<string, unknown>,
  ): Promise<string> {
    const resolved = await TypedDataEncoder.resolveNames(domain, types, value, async (name) =>
      resolveAddress(name, this.provider),
    );
    const message = resolved.value as Record<string, unknown>;
    const body = TypedDataEncoder.getPayload(resolved.domain, types, message) as TypedData;
    return `0x${(await this.#relayer.signTypedData(body)).sig}`;
  }

  /** Signs a complete transaction without sending it. */
  override async signTransaction(request: TransactionRequest): Promise<string> {
    const { from, to, authorizationList, ...fields } = await this.#resolve(request);
    this.#assertOwn(from);
    const { unsignedSerialized } = Transaction.from({
      ...fields,
      to: to ?? null,
      authorizationList: authorizationList?.map((each) => authorizationify(each)) ?? null,
    });
    return (await this.#relayer.signTransaction(unsignedSerialized)).signed_transaction;
  }

  /**
   * Sends a transaction through the service, and returns once it is signed. `wait()` follows it through higher fees
   * until it has the confirmations that the network requires. The service assigns the nonce; a request that contains
   * one is refused. So is a request if the provider's chain is not the relayer's; to determine that, the API key needs
   * the scope `networks:read`.
   *
   * `customData: { idempotencyKey }` makes it safe to repeat the call: with the same key and content it is the same
   * transaction. Otherwise each call is a transaction of its own.
   *
   * @throws WaitTimeoutError or TransactionAcceptedError if the service has accepted the transaction, but it is not
   * signed in time or cannot be read; TransactionEndedError if it has ended
   */
  override async sendTransaction(request: TransactionRequest): Promise<RelayerTransactionResponse> {
    const provider = this.provider;
    assertArgument(provider !== null, 'a provider is needed to send', 'provider', provider);
    const { from, ...fields } = await this.#resolve(request);
    this.#assertOwn(from);
    const { chainId } = await provider.getNetwork();
    const isChain =
      fields.chainId === undefined || fields.chainId === null || BigInt(fields.chainId) === chainId;
    assertArgument(isChain, 'not the chain of the provider', 'chainId', fields.chainId);
    this.#chainId ??= await this.#relayer.chainId();
    const isOwnChain = this.#chainId === undefined || this.#chainId === chainId;
    assertArgument(isOwnChain, 'the provider is on another chain than the relayer', 'provider', provider);
    const body = toRelayerRequest(fields, this.#speed);
    const { id } = await this.#relayer.sendTransaction(body, idempotencyKeyIn(fields));
    try {
      const sent = await this.#relayer.waitFor(id, { status: 'sent' });
      const type = fields.type ?? impliedType(fields, sent);
      const response = new RelayerTransactionResponse(this.#relayer, sent, { chainId, type }, provider);
      this.#remember(response);
      return response;
    } catch (error) {
      // These two contain the transaction.
      if (error instanceof TransactionEndedError || error instanceof WaitTimeoutError) throw error;
      throw new TransactionAcceptedError(id, error);
    }
  }

  /**
   * Waits for a transaction that this signer, or one that `connect` created from it, has sent, as `wait()` of the
   * response of `sendTransaction` does. For calls of contracts: ethers returns a response of its own, whose `wait()` does
   * not follow attempts with higher fees.
   *
   * @param sent what a method of a contract returned, or `deploymentTransaction()` of a deployed one
   * @throws TypeError if this signer did not send it, or has sent 1000 others since; as `wait()` of the response
   */
  async wait(
    sent: { hash: string },
    confirms?: number,
    timeout?: number,
  ): Promise<TransactionReceipt | null> {
    const response = this.#sent.get(sent.hash);
    if (!response) throw new TypeError(`This signer does not know the transaction ${sent.hash}`);
    return response.wait(confirms, timeout);
  }

  #remember(response: RelayerTransactionResponse): void {
    this.#sent.set(response.hash, response);
    const [oldest] = this.#sent.keys();
    if (this.#sent.size > MAX_REMEMBERED && oldest !== undefined) this.#sent.delete(oldest);
  }

  async #resolve(request: TransactionRequest): Promise<ResolvedRequest> {
    const { to, from, ...fields } = await resolveProperties(request);
    return {
      ...fields,
      ...(to !== undefined && to !== null && { to: await resolveAddress(to, this.provider) }),
      ...(from !== undefined && from !== null && { from: await resolveAddress(from, this.provider) }),
    };
  }

  #assertOwn(from: string | undefined): void {
    const isOwn = from === undefined || from.toLowerCase() === this.#address.toLowerCase();
    assertArgument(isOwn, 'from is not the address of the relayer', 'from', from);
  }
}

/** The type that the service signs for a request without a type: even an empty access list is one. */
function impliedType({ authorizationList, accessList }: ResolvedRequest, sent: SentTransaction): number {
  if (authorizationList?.length) return 4;
  if (sent.gas_price === null) return 2;
  return accessList === undefined || accessList === null ? 0 : 1;
}
