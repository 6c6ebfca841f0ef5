import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { OutboundModule } from '../outbound/outbound.module';
import { AwsKmsSignerFactory } from './providers/aws-kms/aws-kms.factory';
import { GoogleCloudKmsSignerFactory } from './providers/google-cloud-kms/google-cloud-kms.factory';
import { AzureKeyVaultSignerFactory } from './providers/azure-key-vault/azure-key-vault-signer.factory';
import { KeystoreSignerFactory } from './providers/local/keystore-signer.factory';
import { PlainSignerFactory } from './providers/local/plain-signer.factory';
import { LocalSignerFactory } from './providers/local/local-signer.factory';
import { signingEngineProvider } from './providers/local/secp256k1/signing-engine.provider';
import { VaultSignerFactory } from './providers/vault/vault-signer.factory';
import { SignerKinds } from './signer-kinds';
import { SignerMetrics } from './signer.metrics';
import { SignerPool } from './signer-pool';
import { SignerSweep } from './signer-sweep';
import { SignersController } from './signers.controller';
import { SignersService } from './signers.service';

/** Keys and who holds them. */
@Module({
  imports: [DiscoveryModule, OutboundModule],
  controllers: [SignersController],
  providers: [
    SignersService,
    SignerKinds,
    SignerPool,
    SignerSweep,
    SignerMetrics,
    signingEngineProvider,
    LocalSignerFactory,
    PlainSignerFactory,
    KeystoreSignerFactory,
    AwsKmsSignerFactory,
    GoogleCloudKmsSignerFactory,
    AzureKeyVaultSignerFactory,
    VaultSignerFactory,
  ],
  exports: [SignersService, SignerKinds],
})
export class SignersModule {}
