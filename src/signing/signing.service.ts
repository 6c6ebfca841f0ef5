import { Injectable } from '@nestjs/common';
import { NetworksService } from '../networks/networks.service';
import type { TypedDataPolicy } from '../relayers/policies/typed-data-policy.dto';
import type { ActingRelayer } from '../relayers/relayer.entity';
import { RelayersService } from '../relayers/relayers.service';
import type { DigestSignature } from '../signers/signer-provider';
import { SignersService } from '../signers/signers.service';
import { type BatchResult, runBatch } from './batch';
import { EventLoopTurns } from '../common/event-loop/event-loop-turns';
import { requireEvm } from './evm-only';
import { SigningMetrics } from './signing.metrics';
import { SignatureEvents, type SignedDigest } from './signature-events';
import { parseSignRequest, type SignRequest } from './typed-data/sign-request';
import { type HashedTypedData, hashTypedData } from './typed-data/typed-data';
import {
  authorizeHashes,
  authorizeTypedData,
  type ChainOfRelayer,
  checkChain,
} from './typed-data/typed-data-authorization';
import { typedDataDigest } from './typed-data/typed-data-digest';

/** A signature of typed data, with the digest where the service computed it from the full data. */
export interface TypedDataSignature {
  signature: DigestSignature;
  digest?: Uint8Array;
}

/** A digest to sign, and the data that it stands for where that is known. */
interface Prepared {
  digest: Uint8Array;
  data?: HashedTypedData;
}

/** What relayers sign. */
@Injectable()
export class SigningService {
  constructor(
    private readonly relayers: RelayersService,
    private readonly networks: NetworksService,
    private readonly signers: SignersService,
    private readonly turns: EventLoopTurns,
    private readonly events: SignatureEvents,
    private readonly metrics: SigningMetrics,
  ) {}

  /**
   * Signs EIP-712 data, without EIP-191 prefix. The relayer is read after the data was hashed.
   *
   * @param request `TypedDataHashes` or full typed data, see {@link parseSignRequest}
   * @throws DomainError `relayer_not_found`, `relayer_paused`, `relayer_disabled`, `typed_data_not_allowed`, and
   * `invalid_request` for bad typed data and for a relayer whose network type has no typed data
   */
  async signTypedData(relayerId: string, request: unknown): Promise<TypedDataSignature> {
    const prepared = await this.prepare(parseSignRequest(request));
    const relayer = await this.relayers.requireActive(relayerId);
    requireEvm(relayer, 'typed data');
    const signature = await this.sign(relayer, prepared, () => this.chainOf(relayer));
    await this.events.record(relayer, [signedDigest(prepared)]);
    return signature;
  }

  /**
   * Signs up to 1000 requests as {@link signTypedData} does, each on its own, in order. The relayer is read once, at
   * the beginning.
   *
   * @throws DomainError `relayer_not_found`, `relayer_paused`, `relayer_disabled`, `invalid_request` for a relayer
   * whose network type has no typed data
   */
  async signTypedDataBatch(
    relayerId: string,
    requests: readonly unknown[],
  ): Promise<BatchResult<TypedDataSignature>[]> {
    const relayer = await this.relayers.requireActive(relayerId);
    requireEvm(relayer, 'typed data');
    let chain: Promise<ChainOfRelayer> | undefined;
    const chainOf = () => (chain ??= this.chainOf(relayer));
    const signed: SignedDigest[] = [];
    const results = await runBatch(
      requests,
      async (request) => {
        const prepared = await this.prepare(parseSignRequest(request));
        const signature = await this.sign(relayer, prepared, chainOf);
        signed.push(signedDigest(prepared));
        return signature;
      },
      this.turns,
    );
    await this.events.record(relayer, signed);
    this.metrics.countBatch(results);
    return results;
  }

  private async prepare(request: SignRequest): Promise<Prepared> {
    if (request.form === 'hashes') {
      return { digest: typedDataDigest(request.domainSeparator, request.structHash) };
    }
    const data = await hashTypedData(request, this.turns);
    return { digest: data.digest, data };
  }

  private async sign(
    relayer: ActingRelayer,
    { digest, data }: Prepared,
    chainOf: () => Promise<ChainOfRelayer>,
  ): Promise<TypedDataSignature> {
    const policy = relayer.policies.typed_data as TypedDataPolicy | undefined;
    if (data) {
      if (data.domain.chainId !== undefined) checkChain(data.domain.chainId, await chainOf());
      authorizeTypedData(policy, data);
    } else {
      authorizeHashes(policy);
    }
    const signature = await this.signers.signDigest(relayer, digest);
    return { signature, ...(data && { digest }) };
  }

  private chainOf(relayer: ActingRelayer): Promise<ChainOfRelayer> {
    return this.networks.requireFor(relayer.network, relayer.networkType);
  }
}

const signedDigest = ({ digest, data }: Prepared): SignedDigest => ({
  form: data ? 'typed_data' : 'typed_data_hashes',
  digest,
});
