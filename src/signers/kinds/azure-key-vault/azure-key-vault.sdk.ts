import { invalidRequest } from '../../../common/errors/domain-error';
import { isPackageMissing } from '../../../common/errors/missing-package';

const NAMES = ['@azure/keyvault-keys', '@azure/identity'];
/** The versions that this service is tested with. */
const PACKAGES = '@azure/keyvault-keys@4.10.2 @azure/identity@4.13.1';

/** The parts of Microsoft's packages that are used. */
export type AzureSdk = Awaited<ReturnType<typeof importSdk>>;

/**
 * Loads Microsoft's packages. They are optional, because only signers of this kind need them.
 *
 * @throws DomainError `invalid_request` that names the packages if they are not installed
 */
export async function loadAzureSdk(load: () => Promise<AzureSdk> = importSdk): Promise<AzureSdk> {
  try {
    return await load();
  } catch (error) {
    if (!NAMES.some((name) => isPackageMissing(error, `${name}'`))) throw error;
    throw invalidRequest(
      `signers of type azure_key_vault need packages that are not installed: npm install --save-prod ${PACKAGES}`,
    );
  }
}

async function importSdk() {
  const [{ KeyClient }, { ClientSecretCredential, ManagedIdentityCredential, WorkloadIdentityCredential }] =
    await Promise.all([import('@azure/keyvault-keys'), import('@azure/identity')]);
  return { KeyClient, ClientSecretCredential, ManagedIdentityCredential, WorkloadIdentityCredential };
}
