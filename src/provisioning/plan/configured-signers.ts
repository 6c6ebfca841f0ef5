import { Injectable, Logger } from '@nestjs/common';
import type { NetworkType } from '../../chains/network-type';
import { DomainError, invalidRequest } from '../../common/errors/domain-error';
import { SignerPreparation } from '../../signers/opening/signer-preparation';
import { SignerFailure, type SignerFailureReason } from '../../signers/signer-failure';
import { SignerUnsuitableError, type SignerSources } from '../../signers/signer-provider';
import type { ConfiguredSignerDto } from '../file/config-file.dto';

/** Compares signers of a configuration file with stored ones that have their ids. */
@Injectable()
export class ConfiguredSigners {
  private readonly logger = new Logger(ConfiguredSigners.name);

  constructor(private readonly preparation: SignerPreparation) {}

  /**
   * Fails if the key in the file is not that of the stored signer, which anyone may have created under this id. If the
   * file's key cannot be used any more, the stored one is: its secret may have been removed after it was stored. If it
   * only cannot be used now, nothing is known.
   *
   * @param address that of the stored signer
   * @throws DomainError `invalid_request`, `signing_frozen`, `signer_unavailable`
   */
  async assertSameKey(
    { id, type, config }: ConfiguredSignerDto,
    networkType: NetworkType,
    address: string,
    sources: SignerSources,
  ): Promise<void> {
    const inFile = await this.addressOf({ type, config }, networkType, sources).catch((error: unknown) => {
      if (error instanceof SignerUnsuitableError) return 'none';
      if (!(error instanceof DomainError) || isTemporary(error)) throw error;
      this.logger.warn('A stored signer was not compared with the configuration file', {
        ...{ signer_id: id, cause: error.detail },
      });
      return address;
    });
    if (inFile !== address)
      throw invalidRequest(
        `signer_id ${id} is stored with another key: its address is ${address}, and that of the file ${inFile}`,
      );
  }

  private async addressOf(
    { type, config }: Pick<ConfiguredSignerDto, 'type' | 'config'>,
    networkType: NetworkType,
    sources: SignerSources,
  ): Promise<string> {
    const prepared = await this.preparation.prepare(type, config, sources);
    try {
      return networkType === 'evm'
        ? prepared.identity.address
        : await this.preparation.addressOf(prepared, networkType);
    } finally {
      prepared.material.secret?.destroy();
    }
  }
}

/** Failures that end only when somebody changes the signer, its rights or the settings. */
const LASTING: ReadonlySet<SignerFailureReason> = new Set(['refused', 'no_credentials', 'address_refused']);

/** Whether a key may be usable again later. */
const isTemporary = (error: DomainError): boolean =>
  error.code === 'signing_frozen' || (error instanceof SignerFailure && !LASTING.has(error.reason));
