import { Injectable, OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ConfigurationError } from '../config/configuration-error';
import { signerKindMissing } from './signer.errors';
import { SignerMetrics } from './signer.metrics';
import type { SignerProviderFactory, SignerSources } from './signer-provider';

/** Signers are stored with their kind, in a column of 32 characters. */
const KIND = /^[!-~]{1,32}$/;
const RULE = 'a kind has 1 to 32 characters of ASCII without spaces';

/**
 * The kind of signer whose providers the decorated factory creates: 1 to 32 characters of ASCII without spaces. The
 * name is stored with each signer.
 */
export const SignerKind = DiscoveryService.createDecorator<string>();

/** The kinds of signers that the modules of the application offer. */
@Injectable()
export class SignerKinds implements OnModuleInit {
  private readonly factories = new Map<string, SignerProviderFactory>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly metrics: SignerMetrics,
  ) {}

  /** @throws ConfigurationError with a line for each factory whose kind has a malformed name or exists already */
  onModuleInit(): void {
    const faults: string[] = [];
    const modules = new Map<string, string>();
    for (const wrapper of this.discovery.getProviders({ metadataKey: SignerKind.KEY })) {
      const kind: unknown = this.discovery.getMetadataByDecorator(SignerKind, wrapper);
      if (typeof kind !== 'string') continue;
      const module = wrapper.host?.name ?? String(wrapper.name);
      const other = modules.get(kind);
      if (!KIND.test(kind))
        faults.push(`The module ${module} names a signer kind ${JSON.stringify(kind)}: ${RULE}`);
      if (other !== undefined)
        faults.push(`The modules ${other} and ${module} both create signers of kind ${kind}`);
      modules.set(kind, module);
      this.factories.set(kind, wrapper.instance as SignerProviderFactory);
      this.metrics.showKind(kind);
    }
    if (faults.length > 0) throw new ConfigurationError(faults);
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
