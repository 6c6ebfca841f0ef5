import { SignerPreparation } from '../../../src/signers/opening/signer-preparation';
import { SignersService } from '../../../src/signers/signers.service';
import type { TestApplication } from '../application';
import { SendingAccount } from '../sending-account';
import type { TestChain } from '../test-chain';
import { DelayedKms } from './delayed-kms';

/** A relayer that sends transactions, and the key service that signs them. */
export interface RemoteAccount {
  kms: DelayedKms;
  account: SendingAccount;
}

/** Adds a relayer with a key service of its own to an application with `DelayedKms.root`. The caller stops the service. */
export async function addRemoteAccount(service: TestApplication, chain: TestChain): Promise<RemoteAccount> {
  const kms = await DelayedKms.create();
  const prepared = await service.app.get(SignerPreparation).prove(DelayedKms.kind, kms.material);
  await service.app.get(SignersService).create('remote', prepared);
  const account = await SendingAccount.add(service, chain, {
    network: { required_confirmations: 0 },
    relayer: { signer_id: 'remote' },
  });
  return { kms, account };
}
