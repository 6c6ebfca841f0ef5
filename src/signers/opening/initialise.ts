import { within } from '../../common/event-loop/within';
import { signerFailure } from '../signer-failure';
import type { SignerProvider } from '../signer-provider';

/** Time for the initialisation of a signer, longer than any built-in kind needs. @limit Signers and key services */
const LIMIT_MS = 30_000;

/**
 * Initialises a provider within a time limit, because a plugin's provider may never finish.
 *
 * @throws SignerFailure `timeout` after 30 s, or the error of the provider
 */
export async function initialise(provider: SignerProvider): Promise<void> {
  await within(LIMIT_MS, provider.init(), () => {
    throw signerFailure('timeout');
  });
}
