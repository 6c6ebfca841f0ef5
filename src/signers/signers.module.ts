import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AccessModule } from '../access/access.module';
import { FreezeModule } from '../freeze/freeze.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { OutboundModule } from '../outbound/outbound.module';
import { AwsKmsSignerFactory } from './kinds/aws-kms/aws-kms.factory';
import { GoogleCloudKmsSignerFactory } from './kinds/google-cloud-kms/google-cloud-kms.factory';
import { AzureKeyVaultSignerFactory } from './kinds/azure-key-vault/azure-key-vault.factory';
import { KeystoreSignerFactory } from './kinds/keystore/keystore.factory';
import { PlainSignerFactory } from './kinds/plain/plain.factory';
import { LocalSignerFactory } from './kinds/local/local.factory';
import { signingEngineProvider } from './secp256k1/signing-engine.provider';
import { VaultSignerFactory } from './kinds/vault/vault.factory';
import { SignerKinds } from './signer-kinds';
import { SignerMetrics } from './signer.metrics';
import { SignerKeys } from './opening/signer-keys';
import { SignerPool } from './opening/signer-pool';
import { SignerPreparation } from './opening/signer-preparation';
import { SignerSweep } from './opening/signer-sweep';
import { SignersController } from './signers.controller';
import { SignerDeletion } from './signer-deletion';
import { SignerReach } from './signer-reach';
import { SignersService } from './signers.service';

/** Keys and their holders. */
@Module({
  imports: [AccessModule, DiscoveryModule, FreezeModule, NotificationsModule, OutboundModule],
  controllers: [SignersController],
  providers: [
    SignersService,
    SignerDeletion,
    SignerReach,
    SignerPreparation,
    SignerKeys,
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
  exports: [SignersService, SignerReach, SignerPreparation, SignerKeys, SignerKinds],
})
export class SignersModule {}
