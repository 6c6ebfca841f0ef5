import { types } from 'node:util';
import { Injectable } from '@nestjs/common';
import { EventLoopTurns } from '../../common/event-loop/event-loop-turns';
import { type Eventually, whenThere } from '../../common/event-loop/eventually';
import type { DigestSignature } from '../../chains/evm/digest-signature';
import type { BatchResult } from '../batch';
import { checkDomainChain } from '../chain-of-relayer';
import { SigningFlow } from '../signing-flow';
import type { SigningTask } from '../signing-task';
import { parseSignRequest } from './sign-request';
import { type HashedTypedData, hashTypedData } from '../../chains/evm/typed-data/typed-data';
import { typedDataDigest } from '../../chains/evm/typed-data/typed-data-digest';

/** A signature of typed data. The digest is present if the service computed it from the full data. */
export interface TypedDataSignature {
  signature: DigestSignature;
  digest?: Uint8Array;
}

/** Signs typed data. */
@Injectable()
export class TypedDataService {
  constructor(
    private readonly flow: SigningFlow,
    private readonly turns: EventLoopTurns,
  ) {}

  /**
   * Signs EIP-712 data, without an EIP-191 prefix. The relayer is read after the data has been hashed.
   *
   * @param request `TypedDataHashes` or full typed data, see {@link parseSignRequest}
   * @throws DomainError as {@link SigningFlow.sign}, and `invalid_request` for invalid typed data
   */
  async signTypedData(relayerId: string, request: unknown): Promise<TypedDataSignature> {
    const prepared = this.prepare(request);
    const task = types.isPromise(prepared) ? await prepared : prepared;
    return toResult(task, await this.flow.sign(relayerId, task));
  }

  /**
   * Signs up to 1000 requests independently, as {@link signTypedData} does. The results are in the same order.
   *
   * @throws DomainError as {@link SigningFlow.signBatch}
   */
  signTypedDataBatch(
    relayerId: string,
    requests: readonly unknown[],
  ): Promise<BatchResult<TypedDataSignature>[]> {
    return this.flow.signBatch(
      relayerId,
      'typed_data',
      requests,
      (request) => this.prepare(request),
      toResult,
    );
  }

  private prepare(body: unknown): Eventually<SigningTask> {
    const request = parseSignRequest(body);
    if (request.form === 'hashes') {
      const { domainSeparator, structHash } = request;
      const digest = typedDataDigest(domainSeparator, structHash);
      return { digest, subject: { form: 'typed_data_hashes', domainSeparator } };
    }
    return whenThere(this.turns.run(hashTypedData(request)), taskOf);
  }
}

function taskOf(data: HashedTypedData): SigningTask {
  const { chainId } = data.domain;
  return {
    digest: data.digest,
    subject: { form: 'typed_data', data },
    ...(chainId !== undefined && {
      checkChain: (chain) => checkDomainChain(chainId, chain),
    }),
  };
}

const toResult = ({ digest, subject }: SigningTask, signature: DigestSignature): TypedDataSignature =>
  subject.form === 'typed_data' ? { signature, digest } : { signature };
