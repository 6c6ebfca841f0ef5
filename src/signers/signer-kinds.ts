import { Injectable, OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { signerKindMissing } from './signer.errors';
import { SignerMetrics } from './signer.metrics';
import type { SignerProviderFactory, SignerSources } from './signer-provider';

/** The kind of signer whose providers the decorated factory creates. The name is stored with each signer. */
export const SignerKind = DiscoveryService.createDecorator<string>();

/** The kinds of signers that the modules of the application offer. */
@Injectable()
export class SignerKinds implements OnModuleInit {
  private readonly factories = new Map<string, SignerProviderFactory>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly metrics: SignerMetrics,
  ) {}

  onModuleInit(): void {
    for (const wrapper of this.discovery.getProviders({ metadataKey: SignerKind.KEY })) {
      const kind = this.discovery.getMetadataByDecorator(SignerKind, wrapper);
      if (kind === undefined) continue;
      if (this.factories.has(kind)) throw new Error(`Two factories create signers of kind ${kind}`);
      this.factories.set(kind, wrapper.instance as SignerProviderFactory);
      this.metrics.showKind(kind);
    }
  }

  find(kind: string): SignerProviderFactory | undefined {
    return this.factories.get(kind);
  }

  /** The kind that signers configured as this kind are stored with. */
  storedKindOf(kind: string): string {
    return this.find(kind)?.storedAs ?? kind;
  }

  /** The factory of a stored signer's kind. @throws DomainError `signer_unavailable` if no module offers the kind */
  getOrThrow(kind: string): SignerProviderFactory {
    const factory = this.find(kind);
    if (!factory) throw signerKindMissing(kind);
    return factory;
  }

  /** The kinds available to a configuration with these sources, in alphabetical order. */
  namesFor({ mayNameFiles }: SignerSources): string[] {
    return [...this.factories]
      .filter(([, { readsFiles }]) => mayNameFiles || !readsFiles)
      .map(([name]) => name)
      .sort();
  }
}
