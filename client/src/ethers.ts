import {
  AbstractSigner,
  assertArgument,
  authorizationify,
  hexlify,
  type Provider,
  resolveAddress,
  resolveProperties,
  Transaction,
  type TransactionRequest,
  type TypedDataDomain,
  TypedDataEncoder,
  type TypedDataField,
} from 'ethers';
import { type ResolvedRequest, type Speed, toRelayerRequest } from './ethers-request.ts';
import { RelayerTransactionResponse } from './ethers-response.ts';
import type { Relayer } from './relayer.ts';
import type { TypedData } from './resources.ts';

export { RelayerTransactionResponse, type Speed };

/**
 * A relayer as a signer of ethers: it signs with the key that the service holds, and sends through the service, which takes care of
 * nonce and fees. Errors are those of the client, and `INVALID_ARGUMENT` for what the service cannot do.
 */
export class RelayerSigner extends AbstractSigner {
  readonly #relayer: Relayer;
  readonly #address: string;
  readonly #speed: Speed;
  /** Of the relayer; undefined until it is read, and where it cannot be. */
  #chainId: bigint | undefined;

  private constructor(relayer: Relayer, address: string, speed: Speed, provider?: Provider | null) {
    super(provider);
    this.#relayer = relayer;
    this.#address = address;
    this.#speed = speed;
  }

  /**
   * @param provider for what is read from the chain: receipts, gas, calls of contracts. Needed to send
   * @param speed of transactions without fees of their own
   * @throws RelayerClientError where the relayer cannot be read; TypeError where it is not on an EVM network
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
    return new RelayerSigner(this.#relayer, this.#address, this.#speed, provider);
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

  override async signTypedData(
    domain: TypedDataDomain,
    types: Record<string, TypedDataField[]>,
    value: Record<string, unknown>,
  ): Promise<string> {
    const body = TypedDataEncoder.getPayload(domain, types, value) as TypedData;
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
   * Has the service send a transaction, and returns once it is signed. `wait()` follows it through higher fees to the confirmations
   * of the network. The service gives the nonce; a request with one is refused. So is one where the provider is of another chain
   * than the relayer, which the API key must be allowed to find out (`networks:read`).
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
    assertArgument(isOwnChain, 'not of the chain of the relayer', 'provider', provider);
    const { id } = await this.#relayer.sendTransaction(toRelayerRequest(fields, this.#speed));
    const sent = await this.#relayer.waitFor(id, { status: 'sent' });
    return new RelayerTransactionResponse(this.#relayer, sent, { chainId, type: fields.type }, provider);
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
