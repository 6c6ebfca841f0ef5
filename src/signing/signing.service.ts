import { Injectable } from '@nestjs/common';
import { invalidRequest } from '../common/errors/domain-error';
import { RelayersService } from '../relayers/relayers.service';
import type { DigestSignature } from '../signers/signer-provider';
import { SignersService } from '../signers/signers.service';
import type { SignTypedDataDto } from './dto/sign-typed-data.dto';
import { typedDataDigest } from './typed-data-digest';

/** What relayers sign. */
@Injectable()
export class SigningService {
  constructor(
    private readonly relayers: RelayersService,
    private readonly signers: SignersService,
  ) {}

  /**
   * Signs EIP-712 data given as its two hashes, as they are and without EIP-191 prefix.
   *
   * @throws DomainError `relayer_not_found`, `relayer_paused`, `relayer_disabled`, `invalid_request` for a relayer
   * whose network type has no typed data
   */
  async signTypedData(relayerId: string, hashes: SignTypedDataDto): Promise<DigestSignature> {
    const relayer = await this.relayers.requireActive(relayerId);
    if (relayer.networkType !== 'evm') {
      throw invalidRequest(`a relayer of network type ${relayer.networkType} cannot sign typed data`);
    }
    return this.signers.signDigest(
      relayer,
      typedDataDigest(hashes.domain_separator, hashes.hash_struct_message),
    );
  }
}
