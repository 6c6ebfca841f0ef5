import { Injectable } from '@nestjs/common';
import type { NetworkType } from '../../chains/network-type';
import { SigningFreezeService } from '../../freeze/signing-freeze.service';
import { Secp256k1Engine } from '../secp256k1/secp256k1-engine';
import { proveSigner, type SignerIdentity } from '../signer-identity';
import { SignerKinds } from '../signer-kinds';
import type { SignerMaterial, SignerSources } from '../signer-provider';
import { signerReadsFiles, signerTypeUnknown } from '../signer.errors';
import { SignerMetrics } from '../signer.metrics';
import { initialise } from './initialise';

/** A signer that has been checked and has signed a challenge, ready to be stored. */
export interface PreparedSigner {
  kind: string;
  material: SignerMaterial;
  identity: SignerIdentity;
}

/** Checks and tries signers before they are stored. */
@Injectable()
export class SignerPreparation {
  constructor(
    private readonly kinds: SignerKinds,
    private readonly metrics: SignerMetrics,
    private readonly freeze: SigningFreezeService,
    private readonly engine: Secp256k1Engine,
  ) {}

  /**
   * Checks the configuration of a new signer and has it sign a challenge. Nothing is stored yet.
   *
   * @throws DomainError `invalid_request`, `signing_frozen`, or SignerFailure if a key service fails
   */
  async prepare(kind: string, config: unknown, sources: SignerSources): Promise<PreparedSigner> {
    const factory = this.kinds.find(kind);
    if (!factory) throw signerTypeUnknown(this.kinds.namesFor(sources));
    if (factory.readsFiles && !sources.mayNameFiles) throw signerReadsFiles(kind);
    const material = await factory.prepare(config, sources);
    try {
      return await this.prove(this.kinds.storedKindOf(kind), material);
    } catch (error) {
      material.secret?.destroy();
      throw error;
    }
  }

  /** Has a signer that is not stored yet sign a challenge. @throws DomainError `signing_frozen`, SignerFailure */
  async prove(kind: string, material: SignerMaterial): Promise<PreparedSigner> {
    const provider = this.kinds.getOrThrow(kind).open(material);
    try {
      const identity = await this.metrics.observeOpening(kind, async () => {
        await initialise(provider);
        await this.freeze.assertNotFrozen();
        return proveSigner(provider, this.engine);
      });
      return { kind, material, identity };
    } finally {
      await provider.destroy();
    }
  }

  /** The address of a signer that is not stored yet. @throws SignerUnsuitableError, SignerFailure */
  async addressOf(
    { kind, material }: Pick<PreparedSigner, 'kind' | 'material'>,
    networkType: NetworkType,
  ): Promise<string> {
    const provider = this.kinds.getOrThrow(kind).open(material);
    try {
      await initialise(provider);
      return await provider.address(networkType);
    } finally {
      await provider.destroy();
    }
  }
}
